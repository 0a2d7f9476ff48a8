/* A new function gets its length and its name at once, with a shape that is there. */
static bool js_set_name_and_length(JSContext* ctx, JSObject* function, JSAtom name, int length) {
    JSShape *shape = function->shape, *ready = ctx->function_shape;
    JSValue text;
    if (!ready || shape->prop_count != 0 || shape->prop_size != ready->prop_size ||
        shape->proto != ready->proto || !function->prop)
        return false;
    text = JS_AtomToString(ctx, name);
    if (JS_IsException(text))
        return false;
    function->prop[0].u.value = js_int32(length);
    function->prop[1].u.value = text;
    function->shape = js_dup_shape(ready);
    js_free_shape(ctx->rt, shape);
    return true;
}

/* A function of a script with both from its beginning; undefined: the engine makes it in steps. */
static JSValue js_ready_function(JSContext* ctx, const JSFunctionBytecode* b) {
    JSShape* ready = ctx->function_shape;
    JSProperty props[2];
    if (b->func_kind != JS_FUNC_NORMAL || !ready ||
        ready->proto != object_or_null(ctx->class_proto[JS_CLASS_BYTECODE_FUNCTION]))
        return JS_UNDEFINED;
    props[0].u.value = js_int32(b->defined_arg_count);
    props[1].u.value =
        JS_AtomToString(ctx, b->func_name == JS_ATOM_NULL ? JS_ATOM_empty_string : b->func_name);
    if (JS_IsException(props[1].u.value))
        return JS_EXCEPTION;
    return JS_NewObjectFromShape(ctx, js_dup_shape(ready), JS_CLASS_BYTECODE_FUNCTION, props);
}
