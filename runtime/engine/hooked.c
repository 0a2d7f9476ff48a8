#include "engine/hooked.h"

#include <stdlib.h>

static JSValue tell(JSContext* ctx, ph_queue_kind kind, JSValueConst function,
                    JSValueConst object) {
    ph_env* env = ph_env_of(ctx);
    JSValue hook = JS_DupValue(ctx, env->queue_hook);
    JSValueConst args[] = {JS_NewInt32(ctx, (int)kind), function, object};
    JSValue result = JS_Call(ctx, hook, JS_UNDEFINED, 3, args);
    JS_FreeValue(ctx, hook);
    return result;
}

JSValue ph_hooked(JSContext* ctx, ph_queue* queue, ph_queue_kind kind, int argc, JSValueConst* argv,
                  int magic) {
    if (argc < 1 || !JS_IsFunction(ctx, argv[0]))
        return queue(ctx, JS_UNDEFINED, argc, argv, magic);
    JSValue wrapped = tell(ctx, kind, argv[0], JS_UNDEFINED);
    if (JS_IsException(wrapped))
        return wrapped;
    JSValueConst* copy = malloc((size_t)argc * sizeof(*copy));
    if (copy == NULL) {
        JS_FreeValue(ctx, wrapped);
        return JS_ThrowOutOfMemory(ctx);
    }
    copy[0] = wrapped;
    for (int i = 1; i < argc; i++)
        copy[i] = argv[i];
    JSValue made = queue(ctx, JS_UNDEFINED, argc, copy, magic);
    free(copy);
    if (JS_IsObject(made))
        JS_FreeValue(ctx, tell(ctx, kind, wrapped, made));
    JS_FreeValue(ctx, wrapped);
    return made;
}

void ph_hooked_cleared(JSContext* ctx, JSValueConst object) {
    if (ph_is_hooked(ph_env_of(ctx)) && JS_IsObject(object))
        JS_FreeValue(ctx, tell(ctx, PH_QUEUE_CLEARED, JS_UNDEFINED, object));
}
