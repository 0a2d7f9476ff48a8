/* Whether the caller's is the only reference to the object and nobody has changed it. If so, the
 * object may go and another one like it may come later: no program can tell. */
bool js_is_forgotten(JSContext* ctx, JSValueConst object) {
    JSObject* p = JS_VALUE_GET_OBJ(object);
    return JS_REF_COUNT(p) == 1 && !p->first_weak_ref && p->extensible &&
           p->shape->prop_count == 0 &&
           p->shape->proto == JS_VALUE_GET_OBJ(ctx->class_proto[p->class_id]);
}
