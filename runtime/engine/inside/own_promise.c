/* A pending promise without functions that settle it; it stands in their places. */
static JSValue js_own_promise(JSContext* ctx, JSValue* resolving_funcs) {
    JSPromiseData* s;
    JSValue promise;
    if (ctx->rt->promise_hook)
        return JS_NewPromiseCapability(ctx, resolving_funcs);
    promise = js_create_from_ctor(ctx, JS_UNDEFINED, JS_CLASS_PROMISE);
    if (JS_IsException(promise))
        return promise;
    s = js_mallocz(ctx, sizeof(*s));
    if (!s) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    s->promise_state = JS_PROMISE_PENDING;
    init_list_head(&s->promise_reactions);
    s->promise_result = JS_UNDEFINED;
    JS_SetOpaqueInternal(promise, s);
    resolving_funcs[0] = js_dup(promise);
    resolving_funcs[1] = js_dup(promise);
    return promise;
}
