/* Asked before a function of a script runs, while there is a hook. If it says true, js_call_ended
 * is called when the function has returned or stopped at an await. */
bool (*js_call_hook)(JSContext* ctx, JSValueConst function, bool is_whole_text, JSAtom file,
                     int line, int column);
void (*js_call_ended)(JSContext* ctx);

static bool js_call_hooked(JSContext* ctx, JSValueConst func_obj, JSValueConst this_obj,
                           JSValueConst new_target, int argc, JSValueConst* argv, int flags,
                           JSValue* result) {
    JSValueConst function = func_obj;
    JSFunctionBytecode* b;
    if (JS_VALUE_GET_TAG(func_obj) != JS_TAG_OBJECT) {
        if (!(flags & JS_CALL_FLAG_GENERATOR))
            return false;
        function = ((JSAsyncFunctionState*)JS_VALUE_GET_PTR(func_obj))->frame.cur_func;
    } else if (JS_VALUE_GET_OBJ(func_obj)->class_id != JS_CLASS_BYTECODE_FUNCTION) {
        return false;
    }
    b = JS_VALUE_GET_OBJ(function)->u.func.function_bytecode;
    if (!js_call_hook(ctx, function, b->func_name == JS_ATOM__eval_, b->filename, b->line_num,
                      b->col_num))
        return false;
    *result = JS_CallInternal(ctx, func_obj, this_obj, new_target, argc, argv, flags);
    js_call_ended(ctx);
    return true;
}
