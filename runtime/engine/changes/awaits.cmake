# An await makes no promise and no functions that nobody sees.
without("awaits cost more")
needs(contexts)
insert_before("static JSValue JS_CallInternal(JSContext *caller_ctx," [[
static JSValue js_call_reaction(JSContext* ctx, JSValueConst handler, bool is_reject,
                                JSValueConst arg);
static int js_await_value(JSContext* ctx, JSAsyncFunctionData* s, JSValue value);
static int js_await_promise(JSContext* ctx, JSAsyncFunctionData* s, JSValue promise);

]])
replace("res = JS_Call(ctx, handler, JS_UNDEFINED, 1, &arg);"
        "res = js_call_reaction(ctx, handler, is_reject, arg);")
insert_before("            promise = js_promise_resolve(ctx, ctx->promise_ctor,
                                         1, vc(&value), 0);
            JS_FreeValue(ctx, value);" [[
            res = js_await_value(ctx, s, value);
            if (res > 0)
                return true;
            if (res < 0)
                goto fail;
]])
insert_before("            if (js_async_function_resolve_create(ctx, s, resolving_funcs)) {" [[
            res = js_await_promise(ctx, s, promise);
            if (res > 0)
                return true;
            if (res < 0)
                goto fail;
]])
append_file(awaits.c)
