# What is no function, no constructor and not iterable is named as the source has it, as V8 does.
without("errors do not name what is not a function")
insert_before("static JSValue JS_ThrowTypeErrorNotAConstructor(JSContext *ctx,
                                                JSValueConst func_obj)
{" [[
static JSValue js_throw_not(JSContext* ctx, JSValueConst value, const char* wanted);
static JSValue js_throw_odd(JSContext* ctx, const char* head, JSValueConst value, const char* tail);

]])
replace([[    return JS_ThrowTypeError(ctx, "not a constructor");]]
        [[    return js_throw_not(ctx, func_obj, "a constructor");]])
replace([[        not_a_function:
            return JS_ThrowTypeErrorNotAFunction(caller_ctx);]]
        [[        not_a_function:
            return js_throw_not(caller_ctx, func_obj, "a function");]])
replace([[        not_a_function:
            return JS_ThrowTypeErrorNotAFunction(ctx);]]
        [[        not_a_function:
            return js_throw_not(ctx, func_obj, "a constructor");]])
replace([[        return 0;
    JS_ThrowTypeErrorNotAFunction(ctx);
    return -1;]]
        [[        return 0;
    js_throw_not(ctx, obj, "a function");
    return -1;]])
replace([[static JSValue JS_GetIterator(JSContext *ctx, JSValueConst obj, bool is_async)
{
    JSValue method, ret, sync_iter;
]]
        [[static JSValue JS_GetIterator(JSContext *ctx, JSValueConst obj, bool is_async)
{
    JSValue method, ret, sync_iter;

    if (JS_IsUndefined(obj) || JS_IsNull(obj))
        return js_throw_not(ctx, obj, "iterable");
]])
replace([[        JS_FreeValue(ctx, method);
        return JS_ThrowTypeError(ctx, "value is not iterable");]]
        [[        JS_FreeValue(ctx, method);
        return js_throw_not(ctx, obj, is_async ? "async iterable" : "iterable");]])
replace([[            sync_iter = JS_GetIterator2(ctx, obj, method);]]
        [[            if (!JS_IsFunction(ctx, method)) {
                JS_FreeValue(ctx, method);
                return js_throw_not(ctx, obj, "async iterable");
            }
            sync_iter = JS_GetIterator2(ctx, obj, method);]])
replace([[                JS_ThrowTypeError(ctx, "parent class must be constructor");]]
        [[                js_throw_odd(ctx, "Class extends value", parent_class,
                             "is not a constructor or null");]])
replace([[    if (check_function(ctx, executor))
        return JS_EXCEPTION;
    obj = js_promise_new]]
        [[    if (!JS_IsFunction(ctx, executor))
        return js_throw_odd(ctx, "Promise resolver", executor, "is not a function");
    obj = js_promise_new]])
append_file(callees.c)
