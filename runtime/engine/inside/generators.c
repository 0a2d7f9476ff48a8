/* Async generators without functions and promises that nobody sees: the await of a plain value,
 * which every yield has, queues its continuation directly. The order of jobs stays what it was. */

static JSValue js_generator_continuation(JSContext* ctx, JSValueConst generator) {
    JSValue shown, function;
    JSCFunctionDataRecord* record = NULL;
    if (js_is_free(js_resumed) && js_resumed->class_id == JS_CLASS_C_FUNCTION_DATA)
        record = js_resumed->u.c_function_data_record;
    if (record && record->func == js_async_generator_resolve_function && record->magic == 0 &&
        JS_VALUE_GET_PTR(record->data[0]) == JS_VALUE_GET_PTR(generator))
        function = js_dup(JS_MKPTR(JS_TAG_OBJECT, js_resumed));
    else
        function =
            JS_NewCFunctionData(ctx, js_async_generator_resolve_function, 1, 0, 1, &generator);
    if (JS_IsException(function))
        return function;
    shown = js_reaction(ctx, function);
    JS_FreeValue(ctx, function);
    return shown;
}

/* Goes on with the generator itself, where no context has to be kept for it. */
static JSValue js_generator_job(JSContext* ctx, int argc, JSValueConst* argv) {
    return js_async_generator_resolve_function(ctx, JS_UNDEFINED, 1, &argv[1], 0, &argv[0]);
}

static bool js_has_context(JSContext* ctx) {
    JSValue shown = js_reaction(ctx, ctx->promise_ctor);
    bool same =
        JS_IsObject(shown) && JS_VALUE_GET_PTR(shown) == JS_VALUE_GET_PTR(ctx->promise_ctor);
    JS_FreeValue(ctx, shown);
    return !same;
}

/* 1: the await is under way; -1: an exception; 0: the engine has to do it. */
static int js_generator_await(JSContext* ctx, JSValueConst generator, JSValueConst value) {
    JSValueConst args[2] = {JS_UNDEFINED, value};
    JSValue continuation;
    int status;
    if (ctx->rt->promise_hook || JS_IsObject(value))
        return 0;
    if (!js_has_context(ctx)) {
        args[0] = generator;
        return JS_EnqueueJob(ctx, js_generator_job, 2, args) < 0 ? -1 : 1;
    }
    continuation = js_generator_continuation(ctx, generator);
    if (JS_IsException(continuation))
        return -1;
    args[0] = continuation;
    status = JS_EnqueueJob(ctx, js_await_job, 2, args);
    JS_FreeValue(ctx, continuation);
    return status < 0 ? -1 : 1;
}
