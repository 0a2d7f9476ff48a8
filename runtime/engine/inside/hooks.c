/* The promise hook is shown what runs behind a promise: reactions, and the promise that an await
 * makes while there is a hook. The order is V8's: before, what runs, settled, after. */

/* The promise that the function settles; undefined if it is another function or none. */
static JSValueConst js_settled_by(JSValueConst func) {
    JSObject* p;
    if (!JS_IsObject(func))
        return JS_UNDEFINED;
    p = JS_VALUE_GET_OBJ(func);
    if (p->class_id == JS_CLASS_PROMISE)
        return func;
    if (p->class_id == JS_CLASS_PROMISE_RESOLVE_FUNCTION ||
        p->class_id == JS_CLASS_PROMISE_REJECT_FUNCTION)
        return p->u.promise_function_data->promise;
    return JS_UNDEFINED;
}

static void js_show_reaction(JSContext* ctx, JSPromiseHookType type, JSValueConst func) {
    JSRuntime* rt = ctx->rt;
    JSValueConst promise = js_settled_by(func);
    if (!JS_IsUndefined(promise))
        rt->promise_hook(ctx, type, promise, JS_UNDEFINED, rt->promise_hook_opaque);
}

/* Promise.resolve(value), as a child of the other promise. */
static JSValue js_resolve_below(JSContext* ctx, JSValueConst parent, JSValue value) {
    JSRuntime* rt = ctx->rt;
    JSValueLink link = {rt->parent_promise, parent};
    JSValue promise;
    if (rt->promise_hook && !JS_IsUndefined(parent))
        rt->parent_promise = &link;
    promise = js_promise_resolve(ctx, ctx->promise_ctor, 1, vc(&value), 0);
    rt->parent_promise = link.next;
    return promise;
}

/* What an await does with its promise: nobody gets what then would give, but a hook. */
static int js_then_thrown_away(JSContext* ctx, JSValueConst promise, JSValueConst* handlers) {
    JSRuntime* rt = ctx->rt;
    JSValueLink link = {rt->parent_promise, promise};
    JSValue funcs[2] = {JS_UNDEFINED, JS_UNDEFINED}, thrown_away = JS_UNDEFINED;
    int status;
    if (rt->promise_hook) {
        rt->parent_promise = &link;
        thrown_away = JS_NewPromiseCapability(ctx, funcs);
        rt->parent_promise = link.next;
        if (JS_IsException(thrown_away))
            return -1;
    }
    status = perform_promise_then(ctx, promise, handlers, vc(funcs));
    JS_FreeValue(ctx, funcs[0]);
    JS_FreeValue(ctx, funcs[1]);
    JS_FreeValue(ctx, thrown_away);
    return status;
}

/* The whole of an await while there is a hook. The value passes to it. */
static int js_await_shown(JSContext* ctx, JSAsyncFunctionData* s, JSValue value) {
    JSValue handlers[2], promise;
    int status;
    promise = js_resolve_below(ctx, js_settled_by(s->resolving_funcs[0]), value);
    JS_FreeValue(ctx, value);
    if (JS_IsException(promise))
        return -1;
    status = js_async_function_resolve_create(ctx, s, handlers);
    if (status == 0) {
        status = js_then_thrown_away(ctx, promise, vc(handlers));
        JS_FreeValue(ctx, handlers[0]);
        JS_FreeValue(ctx, handlers[1]);
    }
    JS_FreeValue(ctx, promise);
    return status;
}

static JSValueConst js_generator_promise(JSAsyncGeneratorData* s) {
    if (list_empty(&s->queue))
        return JS_UNDEFINED;
    return list_entry(s->queue.next, JSAsyncGeneratorRequest, link)->promise;
}
