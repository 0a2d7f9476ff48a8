/* A call of a function that is C does not enter the interpreter, which saves all registers. */
static inline __attribute__((always_inline)) JSValue js_call(JSContext* ctx, JSValueConst function,
                                                             JSValueConst self, int argc,
                                                             JSValueConst* argv, int flags) {
    if (JS_IsObject(function) && JS_VALUE_GET_OBJ(function)->class_id == JS_CLASS_C_FUNCTION) {
        if (js_poll_interrupts(ctx))
            return JS_EXCEPTION;
        return js_call_c_function(ctx, function, self, argc, argv, flags);
    }
    return JS_CallInternal(ctx, function, self, JS_UNDEFINED, argc, argv, flags);
}
