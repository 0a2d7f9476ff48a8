/*
 * In a simulated world threads are interrupted where they touch memory that they share: before each
 * call of Atomics the world is asked, and others may go on for a while. Elsewhere Atomics stays as
 * it is.
 */
#include "bindings/interrupted.h"

#include <phasor.h>

#include "bindings/bindings.h"

/* data[0]: the engine's own function. */
static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                    JSValue* data) {
    (void)magic;
    PHASOR_SIM_ASK("interrupt", "", 0, 0);
    return JS_Call(ctx, data[0], self, argc, argv);
}

void ph_interrupted_init(ph_env* env) {
    static const struct {
        const char* name;
        int length;
    } replaced[] = {{"add", 3},    {"and", 3}, {"compareExchange", 4}, {"exchange", 3}, {"load", 2},
                    {"notify", 3}, {"or", 3},  {"store", 3},           {"sub", 3},      {"xor", 3}};
    JSContext* ctx = env->ctx;
    if (PHASOR_SIM_ASK("interrupt", "", 0, 0) < 0)
        return;
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue atomics = JS_GetPropertyStr(ctx, global, "Atomics");
    for (size_t i = 0; i < PH_COUNT(replaced); i++) {
        JSValue own = JS_GetPropertyStr(ctx, atomics, replaced[i].name);
        JSValueConst data[1] = {own};
        JSValue function = JS_NewCFunctionData(ctx, call, replaced[i].length, 0, 1, data);
        JS_DefinePropertyValueStr(ctx, function, "name", JS_NewString(ctx, replaced[i].name),
                                  JS_PROP_CONFIGURABLE);
        JS_DefinePropertyValueStr(ctx, atomics, replaced[i].name, function,
                                  JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
        JS_FreeValue(ctx, own);
    }
    JS_FreeValue(ctx, atomics);
    JS_FreeValue(ctx, global);
}
