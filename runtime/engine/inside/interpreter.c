/* What the interpreter does with nearly every instruction, in its own place. Elsewhere in the
 * engine the same are calls: there are thousands of them, most of them rare. */

static inline __attribute__((always_inline)) void js_drop(JSContext* ctx, JSValue value) {
    if (JS_VALUE_HAS_REF_COUNT(value) && --JS_REF_COUNT(JS_VALUE_GET_PTR(value)) <= 0)
        js_free_value_rt(ctx->rt, value);
}

/* Freeing may run a program's code and move what the place is in: the new value is there before. */
static inline __attribute__((always_inline)) void js_replace(JSContext* ctx, JSValue* place,
                                                             JSValue value) {
    JSValue old = *place;
    *place = value;
    js_drop(ctx, old);
}

static inline __attribute__((always_inline)) int js_poll(JSContext* ctx) {
    return unlikely(--ctx->interrupt_counter <= 0) ? __js_poll_interrupts(ctx) : 0;
}

static inline __attribute__((always_inline)) JSShapeProperty*
js_find_own(JSProperty** property, JSObject* p, JSAtom name) {
    JSShape* shape = p->shape;
    JSShapeProperty* names = get_shape_prop(shape);
    intptr_t at = prop_hash_end(shape)[-(intptr_t)hash_atom(name, shape->prop_hash_mask) - 1];
    while (at) {
        JSShapeProperty* found = &names[at - 1];
        if (likely(found->atom == name)) {
            *property = &p->prop[at - 1];
            return found;
        }
        at = found->hash_next;
    }
    *property = NULL;
    return NULL;
}
