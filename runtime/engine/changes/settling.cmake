# The promises of async functions and of then are settled directly.
without("promises cost more")
needs(contexts)
insert_before("static JSValue JS_CallInternal(JSContext *caller_ctx," [[
static JSValue js_own_promise(JSContext* ctx, JSValue* resolving_funcs);
static JSValue js_then_promise(JSContext* ctx, JSValue* resolving_funcs, JSValueConst ctor);
static JSValue js_settle(JSContext* ctx, JSValueConst func, bool is_reject, JSValue* value);
static JSValue js_promise_of(JSContext* ctx, bool is_reject, JSValueConst value);

]])
replace("promise = JS_NewPromiseCapability(ctx, s->resolving_funcs);"
        "promise = js_own_promise(ctx, s->resolving_funcs);")
replace("result_promise = js_new_promise_capability(ctx, resolving_funcs, ctor);"
        "result_promise = js_then_promise(ctx, resolving_funcs, ctor);")
replace("ret2 = JS_Call(ctx, s->resolving_funcs[0], JS_UNDEFINED,
                           1, vc(&value));"
        "ret2 = js_settle(ctx, s->resolving_funcs[0], false, &value);")
replace("ret2 = JS_Call(ctx, s->resolving_funcs[1], JS_UNDEFINED,
                           1, vc(&error));"
        "ret2 = js_settle(ctx, s->resolving_funcs[1], true, &error);")
replace("res2 = JS_Call(ctx, func, JS_UNDEFINED, 1, vc(&res));"
        "res2 = js_settle(ctx, func, is_reject, &res);")
set(same "        if (is_same)
            return js_dup(argv[0]);
    }
")
replace("${same}" "${same}    if (js_same_value(ctx, this_val, ctx->promise_ctor))
        return js_promise_of(ctx, is_reject, argv[0]);
")
append_file(settling.c)
