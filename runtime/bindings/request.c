#include "bindings/request.h"

#include "engine/gate.h"
#include "engine/hooked.h"

void ph_pending_begin(JSContext* ctx, ph_pending* pending, JSValueConst callback,
                      JSValueConst keep) {
    pending->env = ph_env_of(ctx);
    pending->callback = JS_DupValue(ctx, callback);
    pending->self = JS_UNDEFINED;
    pending->context = JS_DupValue(ctx, pending->env->async_context);
    pending->keep = JS_DupValue(ctx, keep);
    pending->pins = (ph_pins){NULL, NULL, 0};
}

void ph_pending_is(ph_pending* pending, const char* type, JSValueConst above) {
    ph_env* env = pending->env;
    if (!ph_is_hooked(env))
        return;
    JSValue before = pending->context;
    pending->context = ph_work_made(env, type, JS_UNDEFINED, above);
    JS_FreeValue(env->ctx, before);
}

void ph_pending_drop(ph_pending* pending) {
    JSContext* ctx = pending->env->ctx;
    ph_work_gone(pending->env, pending->context);
    JS_FreeValue(ctx, pending->callback);
    JS_FreeValue(ctx, pending->self);
    JS_FreeValue(ctx, pending->context);
    JS_FreeValue(ctx, pending->keep);
    ph_pins_release(pending->env, &pending->pins);
}

void ph_pending_call(ph_pending* pending, int argc, JSValue* argv_owned) {
    ph_gate_call_in(pending->env, pending->context, pending->callback, pending->self, argc,
                    argv_owned);
}

void ph_pending_finish(ph_pending* pending, int argc, JSValue* argv_owned) {
    ph_pending_call(pending, argc, argv_owned);
    ph_pending_drop(pending);
}

void ph_pending_status(ph_pending* pending, int status) {
    JSValue args[] = {JS_NewInt32(pending->env->ctx, status)};
    ph_pending_finish(pending, 1, args);
}
