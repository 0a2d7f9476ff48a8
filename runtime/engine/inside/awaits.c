/* An await of a plain value or of a settled promise queues its continuation directly: the promise,
 * the two functions and the two reactions that the engine makes for it are seen by nobody. For a
 * pending promise one function serves both outcomes. The order of jobs stays what it was. */

/* The function that a job calls to go on. As long as the job alone has it, the next await of the
 * same async function or generator takes it again. */
static _Thread_local JSObject* js_resumed;

static bool js_is_free(const JSObject* function) {
    return function && JS_REF_COUNT(function) == 1;
}

/* Goes on with an async function after its await. */
static JSValue js_go_on(JSContext* ctx, JSObject* function, bool is_reject, JSValueConst arg) {
    JSAsyncFunctionData* s = function->u.async_function_data;
    JSObject* outer = js_resumed;
    bool went;
    s->func_state.throw_flag = is_reject;
    if (is_reject)
        JS_Throw(ctx, js_dup(arg));
    else
        s->func_state.frame.cur_sp[-1] = js_dup(arg);
    js_resumed = function;
    went = js_async_function_resume(ctx, s);
    js_resumed = outer;
    return went ? JS_UNDEFINED : JS_EXCEPTION;
}

static JSValue js_call_reaction(JSContext* ctx, JSValueConst handler, bool is_reject,
                                JSValueConst arg) {
    JSObject* p = JS_VALUE_GET_OBJ(handler);
    if (p->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE)
        return js_go_on(ctx, p, is_reject, arg);
    return JS_Call(ctx, handler, JS_UNDEFINED, 1, &arg);
}

static JSValue js_new_continuation(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject) {
    int class_id = JS_CLASS_ASYNC_FUNCTION_RESOLVE + is_reject;
    JSValue function;
    if (js_is_free(js_resumed) && js_resumed->class_id == class_id &&
        js_resumed->u.async_function_data == s)
        return js_dup(JS_MKPTR(JS_TAG_OBJECT, js_resumed));
    function = JS_NewObjectProtoClass(ctx, ctx->function_proto, class_id);
    if (JS_IsException(function))
        return function;
    JS_REF_COUNT(s)++;
    JS_VALUE_GET_OBJ(function)->u.async_function_data = s;
    return function;
}

/* The function that goes on after the await, and what the hook makes of it. */
static JSValue js_continuation(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject) {
    JSValue shown, function = js_new_continuation(ctx, s, is_reject);
    if (JS_IsException(function))
        return function;
    shown = js_reaction(ctx, function);
    JS_FreeValue(ctx, function);
    return shown;
}

static JSValue js_await_job(JSContext* ctx, int argc, JSValueConst* argv) {
    bool is_reject = argc == 3;
    JSObject *p = JS_VALUE_GET_OBJ(argv[0]), *outer = js_resumed;
    JSValue result;
    if (p->class_id == JS_CLASS_ASYNC_FUNCTION_RESOLVE + is_reject)
        return js_go_on(ctx, p, is_reject, argv[1]);
    js_resumed = p;
    result = JS_Call(ctx, argv[0], JS_UNDEFINED, 1, &argv[1]);
    js_resumed = outer;
    if (JS_IsException(result) && !JS_IsUncatchableError(ctx->rt->current_exception)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        result = JS_UNDEFINED;
    }
    return result;
}

static int js_await_settled(JSContext* ctx, JSAsyncFunctionData* s, bool is_reject,
                            JSValueConst value) {
    int status;
    JSValueConst args[3] = {JS_UNDEFINED, value, JS_UNDEFINED};
    JSValue continuation = js_continuation(ctx, s, is_reject);
    if (JS_IsException(continuation))
        return -1;
    args[0] = continuation;
    status = JS_EnqueueJob(ctx, js_await_job, 2 + is_reject, args);
    JS_FreeValue(ctx, continuation);
    return status < 0 ? -1 : 1;
}

/* 0: a context is in the way. */
static int js_await_pending(JSContext* ctx, JSAsyncFunctionData* s, JSPromiseData* promise) {
    JSPromiseReactionData* reaction;
    int i, status = -1;
    JSValue continuation = js_continuation(ctx, s, false);
    if (JS_IsException(continuation))
        return -1;
    if (JS_VALUE_GET_OBJ(continuation)->class_id != JS_CLASS_ASYNC_FUNCTION_RESOLVE) {
        status = 0;
        goto done;
    }
    reaction = js_malloc(ctx, sizeof(*reaction));
    if (!reaction)
        goto done;
    for (i = 0; i < 2; i++) {
        reaction->resolving_funcs[i] = JS_UNDEFINED;
        reaction->handlers[i] = js_dup(continuation);
    }
    list_add_tail(&reaction->link, &promise->promise_reactions);
    promise->is_handled = true;
    status = 1;
done:
    JS_FreeValue(ctx, continuation);
    return status;
}

/* 1: the value no longer belongs to the caller and the await is under way; -1: an exception;
 * 0: the engine has to do it. */
static int js_await_value(JSContext* ctx, JSAsyncFunctionData* s, JSValue value) {
    int status;
    if (JS_IsObject(value))
        return 0;
    status = js_await_settled(ctx, s, false, value);
    JS_FreeValue(ctx, value);
    return status;
}

static int js_await_promise(JSContext* ctx, JSAsyncFunctionData* s, JSValue promise) {
    int status;
    JSPromiseData* data = JS_GetOpaque(promise, JS_CLASS_PROMISE);
    if (data->promise_state == JS_PROMISE_PENDING) {
        status = js_await_pending(ctx, s, data);
    } else {
        js_promise_set_handled(ctx, promise);
        status = js_await_settled(ctx, s, data->promise_state == JS_PROMISE_REJECTED,
                                  data->promise_result);
    }
    if (status != 0)
        JS_FreeValue(ctx, promise);
    return status;
}
