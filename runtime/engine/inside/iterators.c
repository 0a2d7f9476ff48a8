/* What an iterator of a map or a set would still give, and it goes on as if nobody had looked: [are
   they pairs?, the values]; undefined if it is none. */
JSValue js_iterator_rest(JSContext* ctx, JSValueConst value) {
    JSClassID kind = JS_GetClassID(value);
    if (kind != JS_CLASS_MAP_ITERATOR && kind != JS_CLASS_SET_ITERATOR)
        return JS_UNDEFINED;
    JSMapIteratorData* it = JS_VALUE_GET_OBJ(value)->u.map_iterator_data;
    JSValue list = JS_NewArray(ctx);
    if (JS_IsException(list))
        return list;
    if (it && !JS_IsUndefined(it->obj)) {
        JSMapState* map = JS_VALUE_GET_OBJ(it->obj)->u.map_state;
        struct list_head* el = it->cur_record ? &it->cur_record->link : &map->records;
        for (uint32_t at = 0; (el = el->next) != &map->records;) {
            JSMapRecord* one = list_entry(el, JSMapRecord, link);
            if (one->empty)
                continue;
            JSValueConst pair[] = {one->key, kind == JS_CLASS_MAP_ITERATOR ? one->value : one->key};
            JSValue item = it->kind == JS_ITERATOR_KIND_KEY_AND_VALUE
                               ? js_create_array(ctx, 2, pair)
                               : js_dup(pair[it->kind == JS_ITERATOR_KIND_VALUE]);
            if (JS_DefinePropertyValueUint32(ctx, list, at++, item, JS_PROP_C_W_E) < 0) {
                JS_FreeValue(ctx, list);
                return JS_EXCEPTION;
            }
        }
    }
    JSValueConst both[] = {JS_NewBool(ctx, it && it->kind == JS_ITERATOR_KIND_KEY_AND_VALUE), list};
    JSValue made = js_create_array(ctx, 2, both);
    JS_FreeValue(ctx, list);
    return made;
}

/* How many bytes all ArrayBuffers have; those that threads share count in each. */
size_t js_buffer_bytes(JSRuntime* rt) {
    struct list_head* el;
    size_t sum = 0;
    list_for_each(el, &rt->gc_obj_list) {
        JSGCObjectHeader* one = list_entry(el, JSGCObjectHeader, link);
        if (JS_GC_TYPE(one) != JS_GC_OBJ_TYPE_JS_OBJECT)
            continue;
        const JSObject* object = (JSObject*)one;
        if (object->class_id == JS_CLASS_ARRAY_BUFFER ||
            object->class_id == JS_CLASS_SHARED_ARRAY_BUFFER)
            sum += object->u.array_buffer ? (size_t)object->u.array_buffer->byte_length : 0;
    }
    return sum;
}
