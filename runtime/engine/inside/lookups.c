/* Names and own properties without detours. */

/* Whether the string is an atom. The atoms of symbols and private names are no strings. */
static inline bool js_is_name(const JSString* string) {
    return string->atom_type == JS_ATOM_TYPE_STRING;
}

/* The value of an own property that is plain, still the object's: gone as soon as anything runs. */
bool js_own_value(JSValueConst object, JSAtom name, JSValueConst* value) {
    JSProperty* own;
    JSShapeProperty* shape;
    if (!JS_IsObject(object) || JS_VALUE_GET_OBJ(object)->is_exotic)
        return false;
    shape = find_own_property(&own, JS_VALUE_GET_OBJ(object), name);
    if (!shape || (shape->flags & JS_PROP_TMASK) != 0)
        return false;
    *value = safe_const(own->u.value);
    return true;
}

/* The same along the prototypes; undefined if none of them has it. */
bool js_known_value(JSValueConst object, JSAtom name, JSValueConst* value) {
    JSObject* p;
    *value = JS_UNDEFINED;
    if (!JS_IsObject(object))
        return false;
    for (p = JS_VALUE_GET_OBJ(object); p; p = p->shape->proto) {
        JSProperty* own;
        JSShapeProperty* shape;
        if (unlikely(p->is_exotic))
            return false;
        shape = find_own_property(&own, p, name);
        if (shape) {
            *value = safe_const(own->u.value);
            return (shape->flags & JS_PROP_TMASK) == 0;
        }
    }
    return true;
}
