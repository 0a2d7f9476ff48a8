# The promise hook is shown reactions and awaits (runtime/js/internal/async/promise_hooks.js): the
# engine
# shows it that promises are made and fulfilled, and thenables, only.
without("async_hooks and v8.promiseHooks are not told what runs behind promises")
needs(contexts)
needs(awaits)
needs(settling)
insert_before("static JSValue JS_CallInternal(JSContext *caller_ctx," [[
static void js_show_reaction(JSContext* ctx, JSPromiseHookType type, JSValueConst func);
static JSValue js_resolve_below(JSContext* ctx, JSValueConst parent, JSValue value);
static int js_then_thrown_away(JSContext* ctx, JSValueConst promise, JSValueConst* handlers);
static int js_await_shown(JSContext* ctx, JSAsyncFunctionData* s, JSValue value);

]])
replace("    if (s->promise_state == JS_PROMISE_FULFILLED) {
        JSRuntime *rt = ctx->rt;"
        "    {
        JSRuntime *rt = ctx->rt;")
insert_before("    if (JS_IsUndefined(handler)) {
        if (is_reject) {
            res = JS_Throw(ctx, js_dup(arg));" [[
    if (unlikely(ctx->rt->promise_hook != NULL))
        js_show_reaction(ctx, JS_PROMISE_HOOK_BEFORE, argv[0]);
]])
replace("    JS_FreeValue(ctx, res);

    return res2;
}

void JS_SetPromiseHook" "    JS_FreeValue(ctx, res);
    if (unlikely(ctx->rt->promise_hook != NULL))
        js_show_reaction(ctx, JS_PROMISE_HOOK_AFTER, argv[0]);
    return res2;
}

void JS_SetPromiseHook")
set(after "    if (rt->promise_hook) {
        rt->promise_hook(ctx, JS_PROMISE_HOOK_AFTER, promise, JS_UNDEFINED,
                         rt->promise_hook_opaque);
    }
")
set(failed "    if (JS_IsException(res)) {
        JSValue error = JS_GetException(ctx);
        res = JS_Call(ctx, args[1], JS_UNDEFINED, 1, vc(&error));
        JS_FreeValue(ctx, error);
    }
")
replace("${after}${failed}" "${failed}${after}")
insert_before("            res = js_await_value(ctx, s, value);" [[
            if (unlikely(ctx->rt->promise_hook != NULL)) {
                if (js_await_shown(ctx, s, value))
                    goto fail;
                return true;
            }
]])
insert_before("static int js_async_generator_await(JSContext *ctx,
                                    JSAsyncGeneratorData *s," [[
static JSValueConst js_generator_promise(JSAsyncGeneratorData* s);

]])
replace("    promise = js_promise_resolve(ctx, ctx->promise_ctor,
                                 1, vc(&value), 0);
    if (JS_IsException(promise))
        goto fail;

    if (js_async_generator_resolve_function_create("
        "    promise = js_resolve_below(ctx, js_generator_promise(s), value);
    if (JS_IsException(promise))
        goto fail;

    if (js_async_generator_resolve_function_create(")
replace("    for(i = 0; i < 2; i++)
        resolving_funcs1[i] = JS_UNDEFINED;
    res = perform_promise_then(ctx, promise,
                               vc(resolving_funcs),
                               vc(resolving_funcs1));"
        "    (void)resolving_funcs1;
    res = js_then_thrown_away(ctx, promise, vc(resolving_funcs));")
replace("    resolving_funcs[0] = JS_UNDEFINED;
    resolving_funcs[1] = JS_UNDEFINED;
    res = perform_promise_then(ctx, promise,
                               vc(resolving_funcs1),
                               vc(resolving_funcs));"
        "    (void)resolving_funcs;
    res = js_then_thrown_away(ctx, promise, vc(resolving_funcs1));")
append_file(hooks.c)
