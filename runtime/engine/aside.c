#include "engine/aside.h"

#include "engine/gate.h"

void ph_aside_set_stack(ph_env* env, size_t room, size_t reserve) {
    env->room.size = room;
    env->room.reserve = reserve;
    JS_SetMaxStackSize(env->rt, room + env->room.lent);
}

static void lend(ph_env* env, size_t bytes) {
    if (bytes == env->room.lent)
        return;
    env->room.lent = bytes;
    JS_SetMaxStackSize(env->rt, env->room.size + bytes);
}

static void begin(ph_env* env, ph_aside* aside, size_t bytes) {
    aside->lent = env->room.lent;
    aside->limited = env->interrupts.limited;
    env->interrupts.limited = NULL;
    if (bytes > env->room.lent)
        lend(env, bytes);
}

void ph_aside_begin(ph_env* env, ph_aside* aside) {
    begin(env, aside, env->room.reserve / 2);
}

void ph_aside_begin_last(ph_env* env, ph_aside* aside) {
    begin(env, aside, env->room.reserve);
}

void ph_aside_end(ph_env* env, const ph_aside* aside) {
    env->interrupts.limited = aside->limited;
    lend(env, aside->lent);
}

void ph_aside_call(ph_env* env, JSValueConst hook, int argc, JSValueConst* argv) {
    JSContext* ctx = env->ctx;
    bool pending = JS_HasException(ctx);
    JSValue exception = pending ? JS_GetException(ctx) : JS_UNDEFINED;
    JSValue held = JS_DupValue(ctx, hook);
    ph_aside aside;
    ph_aside_begin(env, &aside);
    JSValue result = JS_Call(ctx, held, JS_UNDEFINED, argc, argv);
    if (JS_IsException(result))
        ph_gate_exception(env);
    ph_aside_end(env, &aside);
    JS_FreeValue(ctx, result);
    JS_FreeValue(ctx, held);
    if (pending)
        JS_Throw(ctx, exception);
}
