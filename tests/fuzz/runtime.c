/*
 * Any bytes for the part of the runtime that FUZZ_PART names, through the functions of runtime.js:
 * what peers and files say to TLS, HTTP/2, HTTP, v8.deserialize, certificates, compressed data,
 * names and source maps. The runtime with its plug-ins is started once. `make fuzz` runs it with
 * libFuzzer, which sees the coverage of our C code and of the engine.
 */

#include "fuzz.h"

#include <signal.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/world.h"
#include "engine/engine.h"
#include "engine/gate.h"
#include "engine/promise_context.h"

enum { MOST_TURNS = 24, MOST_BYTES = 1 << 15 };

static ph_env* env;
static JSValue take_input; /* function (bytes): true if it wants turns of the loop */

int LLVMFuzzerInitialize(int* argc, char*** argv);

static JSValue set_fuzzer(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JS_FreeValue(ctx, take_input);
    take_input = JS_DupValue(ctx, argv[0]);
    return JS_UNDEFINED;
}

int LLVMFuzzerInitialize(int* argc, char*** argv) {
    static char *arguments[] = {"phasor", FUZZ_SCRIPT, NULL, NULL}, **given;
    (void)argc;
    (void)argv;
    arguments[2] = getenv("FUZZ_PART");
    require(arguments[2] != NULL);
    given = uv_setup_args(3, arguments);
    signal(SIGPIPE, SIG_IGN);
    ph_promise_contexts_start();
    env = ph_world_new(uv_default_loop(), 3, given);
    require(env != NULL);
    take_input = JS_UNDEFINED;
    JSValue global = JS_GetGlobalObject(env->ctx);
    ph_set(env->ctx, global, "setFuzzer", JS_NewCFunction(env->ctx, set_fuzzer, "setFuzzer", 1));
    JS_FreeValue(env->ctx, global);
    require(ph_env_boot(env, "internal/boot/boot") == 0);
    for (int i = 0; i < MOST_TURNS && JS_IsUndefined(take_input); i++)
        uv_run(env->loop, UV_RUN_NOWAIT);
    require(JS_IsFunction(env->ctx, take_input));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
    if (size == 0 || size > MOST_BYTES)
        return 0;
    JSValue bytes = JS_NewUint8ArrayCopy(env->ctx, data, size);
    require(!JS_IsException(bytes));
    require(ph_gate_call(env, take_input, JS_UNDEFINED, 1, &bytes) == 0);
    JS_FreeValue(env->ctx, bytes);
    for (int i = 0; i < MOST_TURNS && uv_run(env->loop, UV_RUN_NOWAIT) != 0; i++)
        continue;
    return 0;
}

#ifdef PLAIN_MAIN
static size_t make_input(uint8_t* data, size_t room) {
    size_t size = chance(200) + 1;
    for (size_t i = 0; i < size && i < room; i++)
        data[i] = (uint8_t)chance(256);
    return size;
}
#endif
