/* Only a call of a function that is JavaScript enters the interpreter, which saves all registers.
 */
static inline __attribute__((always_inline)) JSValue js_call(JSContext* ctx, JSValueConst function,
                                                             JSValueConst self, int argc,
                                                             JSValueConst* argv, int flags) {
    if (JS_IsObject(function)) {
        int class_id = JS_VALUE_GET_OBJ(function)->class_id;
        JSClassCall* call = ctx->rt->class_array[class_id].call;
        if (class_id != JS_CLASS_BYTECODE_FUNCTION && call) {
            if (js_poll_interrupts(ctx))
                return JS_EXCEPTION;
            return call(ctx, function, self, argc, argv, flags);
        }
    }
    return JS_CallInternal(ctx, function, self, JS_UNDEFINED, argc, argv, flags);
}
