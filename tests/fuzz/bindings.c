/* The runtime with one more global, nativeBinding(name): what only the built-in modules reach. It
 * runs bindings.js, which calls every function with arguments that no module would give. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/worker.h"
#include "bindings/world.h"
#include "engine/engine.h"
#include "engine/promise_context.h"

static JSValue native_binding(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    JSValue found = ph_binding(ctx, name);
    JS_FreeCString(ctx, name);
    return found;
}

static JSValue names(JSContext* ctx) {
    char plugins[] = PLUGINS;
    JSValue list = JS_NewArray(ctx);
    uint32_t i = 0;
    for (; ph_bindings[i].name != NULL; i++)
        JS_SetPropertyUint32(ctx, list, i, JS_NewString(ctx, ph_bindings[i].name));
    for (char* name = strtok(plugins, " "); name != NULL; name = strtok(NULL, " "))
        JS_SetPropertyUint32(ctx, list, i++, JS_NewString(ctx, name));
    return list;
}

int main(int argc, char** argv) {
    argv = uv_setup_args(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    ph_promise_contexts_start();
    ph_env* env = ph_world_new(uv_default_loop(), argc, argv);
    if (env == NULL)
        return 1;
    JSValue global = JS_GetGlobalObject(env->ctx);
    ph_set(env->ctx, global, "nativeBinding",
           JS_NewCFunction(env->ctx, native_binding, "nativeBinding", 1));
    ph_set(env->ctx, global, "nativeNames", names(env->ctx));
    JS_FreeValue(env->ctx, global);
    ph_env_boot(env, "internal/boot/boot");
    int code = ph_env_run(env);
    ph_worker_end_all(env);
    /* Calls that make no sense may leave something open; the memory must be whole all the same. */
    ph_env_free(env);
    return code;
}
