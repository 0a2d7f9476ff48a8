/* The promises of async functions and of then have no functions that settle them: where the engine
 * keeps those, it keeps the promise itself. The order of jobs stays what it was. */

static JSValue js_then_promise(JSContext* ctx, JSValue* resolving_funcs, JSValueConst ctor) {
    if (JS_IsUndefined(ctor) || js_same_value(ctx, ctor, ctx->promise_ctor))
        return js_own_promise(ctx, resolving_funcs);
    return js_new_promise_capability(ctx, resolving_funcs, ctor);
}

static void js_settle_own(JSContext* ctx, JSValueConst promise, bool is_reject,
                          JSValueConst value) {
    JSValueConst args[3] = {promise, value, JS_UNDEFINED};
    JSValue then;
    if (is_reject || !JS_IsObject(value)) {
        fulfill_or_reject_promise(ctx, promise, value, is_reject);
        return;
    }
    if (js_same_value(ctx, value, promise))
        then = JS_ThrowTypeError(ctx, "promise self resolution");
    else
        then = JS_GetProperty(ctx, value, JS_ATOM_then);
    if (JS_IsException(then)) {
        then = JS_GetException(ctx);
        fulfill_or_reject_promise(ctx, promise, then, true);
    } else if (JS_IsFunction(ctx, then)) {
        JSValue reaction = js_reaction(ctx, then);
        args[2] = reaction;
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, 3, args);
        JS_FreeValue(ctx, reaction);
    } else {
        fulfill_or_reject_promise(ctx, promise, value, false);
    }
    JS_FreeValue(ctx, then);
}

/* Calls a function that settles, or settles the promise that stands in its place. */
static JSValue js_settle(JSContext* ctx, JSValueConst func, bool is_reject, JSValue* value) {
    if (JS_VALUE_GET_OBJ(func)->class_id != JS_CLASS_PROMISE)
        return JS_Call(ctx, func, JS_UNDEFINED, 1, vc(value));
    js_settle_own(ctx, func, is_reject, *value);
    return JS_UNDEFINED;
}

/* Promise.resolve and Promise.reject. */
static JSValue js_promise_of(JSContext* ctx, bool is_reject, JSValueConst value) {
    JSValue funcs[2], argument = unsafe_unconst(value), result;
    JSValue promise = js_own_promise(ctx, funcs);
    if (JS_IsException(promise))
        return promise;
    result = js_settle(ctx, funcs[is_reject], is_reject, &argument);
    JS_FreeValue(ctx, funcs[0]);
    JS_FreeValue(ctx, funcs[1]);
    if (JS_IsException(result)) {
        JS_FreeValue(ctx, promise);
        return JS_EXCEPTION;
    }
    JS_FreeValue(ctx, result);
    return promise;
}
