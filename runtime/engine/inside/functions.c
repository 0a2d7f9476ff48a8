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
