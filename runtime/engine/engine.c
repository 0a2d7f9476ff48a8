#include "engine/engine.h"

#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/allocations.h"
#include "engine/endings.h"
#include "engine/gate.h"
#include "engine/hooked.h"
#include "engine/interrupts.h"
#include "engine/kept.h"
#include "engine/patched.h"
#include "engine/play.h"
#include "engine/plugins.h"
#include "engine/timers.h"
#include "engine/trace.h"

/* The engine's allocations are counted, so that a leak shows in every build. */
static void* counted(ph_env* env, void* block, size_t size) {
    if (block == NULL)
        return NULL;
    env->life.allocated += malloc_usable_size(block);
    if (env->life.allocations != NULL)
        ph_allocation_made(env, block, size);
    return block;
}

static void forget(ph_env* env, const void* block) {
    if (env->life.allocations != NULL)
        ph_allocation_gone(env, block);
}

static void* engine_calloc(void* opaque, size_t count, size_t size) {
    return counted(opaque, calloc(count, size), count * size);
}

static void* engine_malloc(void* opaque, size_t size) {
    return counted(opaque, malloc(size), size);
}

static void engine_free(void* opaque, void* block) {
    if (block != NULL) {
        ((ph_env*)opaque)->life.allocated -= malloc_usable_size(block);
        forget(opaque, block);
    }
    free(block);
}

static void* engine_realloc(void* opaque, void* block, size_t size) {
    size_t before = block == NULL ? 0 : malloc_usable_size(block);
    if (block != NULL)
        forget(opaque, block);
    void* moved = realloc(block, size);
    if (moved == NULL)
        return NULL;
    ((ph_env*)opaque)->life.allocated -= before;
    return counted(opaque, moved, size);
}

static const JSMallocFunctions allocator = {
    .js_calloc = engine_calloc,
    .js_malloc = engine_malloc,
    .js_free = engine_free,
    .js_realloc = engine_realloc,
    .js_malloc_usable_size = (size_t(*)(const void*))malloc_usable_size,
};

void* ph_part(ph_env* env, ph_part_name name, size_t size) {
    if (env->parts[name] == NULL)
        env->parts[name] = calloc(1, size);
    return env->parts[name];
}

void ph_env_note_start(ph_env* env) {
    uv_timespec64_t now;
    env->life.started = uv_hrtime();
    if (uv_clock_gettime(UV_CLOCK_REALTIME, &now) == 0)
        env->life.started_on = (double)now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

ph_env* ph_env_new(uv_loop_t* loop, int argc, char** argv, const ph_above* above) {
    ph_env* env = calloc(1, sizeof(*env));
    if (env == NULL)
        return NULL;
    env->loop = loop;
    env->above = above;
    env->life.argc = argc;
    env->life.argv = argv;
    ph_env_note_start(env);
    env->rt = JS_NewRuntime2(&allocator, env);
    if (env->rt != NULL)
        env->ctx = JS_NewContext(env->rt);
    if (env->ctx == NULL) {
        free(env);
        return NULL;
    }
    loop->data = env;
    JS_SetContextOpaque(env->ctx, env);
    JS_SetRuntimeOpaque(env->rt, env);
    JS_SetCanBlock(env->rt, true);
    for (int i = 0; i < PH_HOOK_COUNT; i++)
        env->hooks[i] = JS_UNDEFINED;
    env->bytes.prototype = env->async_context = env->prepare_stack = JS_UNDEFINED;
    env->promise_hook = JS_UNDEFINED;
    ph_hooked_init(env);
    ph_trace_entry(env);
    ph_stack_init(env);
    ph_modules_init(env);
    ph_gate_init(env);
    ph_kept_init(env);
    ph_timers_init(env);
    ph_interrupts_init(env);
    if (!above->begin(env)) {
        JS_FreeContext(env->ctx);
        JS_FreeRuntime(env->rt);
        free(env);
        return NULL;
    }
    return env;
}

static void close_handle(uv_handle_t* handle, void* arg) {
    ((ph_env*)arg)->above->abandon(handle);
}

void ph_env_end(ph_env* env) {
    void (*tell)(ph_env*) = env->life.on_end;
    env->life.on_end = NULL;
    if (tell != NULL)
        tell(env);
    env->stopping = true;
}

bool ph_env_free(ph_env* env) {
    JSContext* ctx = env->ctx;
    ph_env_end(env);
    env->above->end(env);
    ph_timers_close(env);
    ph_endings_run(env);
    uv_walk(env->loop, close_handle, env);
    /* Requests that are still under way end here; their callbacks find that nothing may run. */
    while (uv_run(env->loop, UV_RUN_DEFAULT) != 0)
        ;
    env->above->ended(env);
    if (env->life.is_prepared)
        return true;
    ph_allocations_end(env);
    ph_play_ends();
    ph_gate_free(env);
    ph_kept_free(env);
    ph_trace_free(env);
    for (int i = 0; i < PH_HOOK_COUNT; i++)
        JS_FreeValue(ctx, env->hooks[i]);
    JS_FreeValue(ctx, env->bytes.prototype);
    JS_FreeValue(ctx, env->async_context);
    JS_FreeValue(ctx, env->promise_hook);
    JS_FreeValue(ctx, env->work.hook);
    JS_FreeValue(ctx, env->prepare_stack);
    JS_FreeContext(ctx);
    JS_FreeRuntime(env->rt);
    if (js_forget_marks != NULL)
        js_forget_marks();
    bool clean = env->life.allocated == 0;
    for (int i = 0; i < PH_PART_COUNT; i++)
        free(env->parts[i]);
    free(env);
    return clean;
}

JSValue ph_hook_call(ph_env* env, ph_hook hook, int argc, JSValueConst* argv) {
    /* Held: a hook may put another one in its own place. */
    JSValue function = JS_DupValue(env->ctx, env->hooks[hook]);
    JSValue result = JS_Call(env->ctx, function, JS_UNDEFINED, argc, argv);
    JS_FreeValue(env->ctx, function);
    return result;
}

static int find_hook(const char* name) {
    static const char* const names[] = {
#define HOOK(id, name) name,
#include "engine/hooks.def"
#undef HOOK
    };
    for (int i = 0; i < PH_HOOK_COUNT; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

/* setHook(name, function) */
static JSValue set_hook(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    int hook = find_hook(name);
    if (hook < 0)
        JS_ThrowRangeError(ctx, "There is no hook '%s'", name);
    JS_FreeCString(ctx, name);
    if (hook < 0)
        return JS_EXCEPTION;
    JS_FreeValue(ctx, env->hooks[hook]);
    env->hooks[hook] = JS_DupValue(ctx, argv[1]);
    return JS_UNDEFINED;
}

static const ph_builtin* find_builtin(const char* id) {
    size_t low = 0;
    size_t high = ph_builtin_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(id, ph_builtins[middle].id);
        if (order == 0)
            return &ph_builtins[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

/* A built-in module is one function expression; evaluating it gives the function. */
static JSValue load_builtin(JSContext* ctx, const char* id) {
    const ph_builtin* found = find_builtin(id);
    if (found == NULL)
        return JS_UNDEFINED;
    JSValue code = JS_ReadObject(ctx, found->code, found->length, JS_READ_OBJ_BYTECODE);
    if (JS_IsException(code))
        return code;
    return JS_EvalFunction(ctx, code);
}

static JSValue builtin(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* id = JS_ToCString(ctx, argv[0]);
    if (id == NULL)
        return JS_EXCEPTION;
    JSValue function = load_builtin(ctx, id);
    JS_FreeCString(ctx, id);
    return function;
}

static bool is_public(const char* id) {
    return strncmp(id, "internal/", 9) != 0 && strncmp(id, "phasor/", 7) != 0;
}

static JSValue builtin_ids(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    for (size_t i = 0; i < ph_builtin_count; i++)
        if (is_public(ph_builtins[i].id))
            JS_SetPropertyUint32(ctx, list, count++, JS_NewString(ctx, ph_builtins[i].id));
    return list;
}

static JSValue get_binding(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    JSValue found = ph_binding(ctx, name);
    JS_FreeCString(ctx, name);
    return found;
}

JSValue ph_binding(JSContext* ctx, const char* name) {
    JSValue found = ph_env_of(ctx)->above->binding(ctx, name);
    return JS_IsUndefined(found) ? ph_plugin(ctx, name) : found;
}

int ph_env_boot(ph_env* env, const char* id) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setHook", 2, set_hook),
        JS_CFUNC_DEF("builtin", 1, builtin),
        JS_CFUNC_DEF("builtinIds", 0, builtin_ids),
        JS_CFUNC_DEF("binding", 1, get_binding),
    };
    JSContext* ctx = env->ctx;
    JSValue start = load_builtin(ctx, id);
    if (JS_IsException(start) || JS_IsUndefined(start))
        return -1;
    JSValue engine = PH_EXPORT(ctx, functions);
    JS_SetPropertyStr(ctx, engine, "isPrepared", JS_NewBool(ctx, env->life.is_prepared));
    env->gate.has_base = true;
    int status = ph_gate_call(env, start, JS_UNDEFINED, 1, &engine);
    if (status != 0)
        ph_gate_drain(env);
    JS_FreeValue(ctx, engine);
    JS_FreeValue(ctx, start);
    return status;
}

int ph_env_begin(ph_env* env) {
    uv_update_time(env->loop);
    JS_UpdateStackTop(env->rt);
    if (js_seed_random != NULL)
        js_seed_random(env->ctx);
    int status = ph_gate_call(env, env->hooks[PH_HOOK_BEGIN], JS_UNDEFINED, 0, NULL);
    if (status != 0)
        ph_gate_drain(env);
    return status;
}

int ph_env_run(ph_env* env) {
    JSContext* ctx = env->ctx;
    if (env->life.loop_started == 0)
        env->life.loop_started = uv_hrtime();
    if (!env->stopping)
        ph_play_loop_begins();
    while (!env->stopping) {
        uv_run(env->loop, UV_RUN_DEFAULT);
        if (env->stopping)
            break;
        env->life.wanted_end = true;
        PH_PLAY("[\"beforeExit\"]");
        ph_gate_hook(env, PH_HOOK_BEFORE_EXIT);
        if (!uv_loop_alive(env->loop))
            break;
    }
    if (!env->stopping) {
        PH_PLAY("[\"exit\"]");
        JSValue code = ph_hook_call(env, PH_HOOK_EXIT, 0, NULL);
        if (JS_IsException(code))
            ph_gate_exception(env);
        else
            env->life.exit_code = ph_int(ctx, code, 0);
        ph_gate_jobs(env);
        JS_FreeValue(ctx, code);
    }
    return env->life.exit_code;
}

JSValue ph_env_exit(ph_env* env, int code) {
    PH_PLAY("[\"exit\"]");
    env->stopping = true;
    env->life.exit_code = code;
    uv_stop(env->loop);
    JSValue end = JS_NewError(env->ctx);
    JS_Throw(env->ctx, JS_DupValue(env->ctx, end));
    JS_SetUncatchableError(env->ctx, end);
    JS_FreeValue(env->ctx, end);
    return JS_EXCEPTION;
}
