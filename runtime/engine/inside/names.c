/* The keys of an array or of a typed array that are no elements, in the order in which they came;
 * undefined: only the language itself can tell. Of millions of elements none is looked at. */
JSValue js_names_beside_elements(JSContext* ctx, JSValueConst value) {
    if (!JS_IsObject(value))
        return JS_UNDEFINED;
    JSObject* p = JS_VALUE_GET_OBJ(value);
    if (!p->fast_array || !(p->class_id == JS_CLASS_ARRAY || is_typed_array(p->class_id)))
        return JS_UNDEFINED;
    JSValue names = JS_NewArray(ctx);
    uint32_t count = 0;
    for (int i = 0; i < p->shape->prop_count && !JS_IsException(names); i++) {
        JSAtom atom = get_shape_prop(p->shape)[i].atom;
        if (atom == JS_ATOM_NULL || JS_AtomGetKind(ctx, atom) == JS_ATOM_KIND_PRIVATE)
            continue;
        if (JS_SetPropertyUint32(ctx, names, count++, JS_AtomToValue(ctx, atom)) < 0) {
            JS_FreeValue(ctx, names);
            names = JS_EXCEPTION;
        }
    }
    return names;
}
