/*
 * Objects share the list of their names, their shape. It goes with the last object that has it, and
 * so a function that makes one object at a time, all alike, had its shape made anew name by name.
 * The last shapes that were made stay for a while, so that the next object finds them; until the
 * next search for cycles, which they would hold together.
 */
enum { MOST_NAMES = 24 }; /* of larger ones there are few alike: they are dictionaries */

static void js_forget_shapes(JSRuntime* rt) {
    for (unsigned i = 0; i < countof(rt->kept_shapes); i++) {
        JSShape* sh = rt->kept_shapes[i];
        rt->kept_shapes[i] = NULL;
        js_free_shape_null(rt, sh);
    }
}

static inline void js_keep_shape(JSRuntime* rt, JSShape* sh) {
    if (!sh->is_hashed || sh->prop_count > MOST_NAMES)
        return;
    unsigned at = rt->kept_next++ % countof(rt->kept_shapes);
    JSShape* before = rt->kept_shapes[at];
    rt->kept_shapes[at] = js_dup_shape(sh);
    js_free_shape_null(rt, before);
}
