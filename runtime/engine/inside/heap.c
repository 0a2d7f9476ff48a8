/* The heap, object by object. Kinds are those of V8's snapshots. Nothing of JavaScript runs here
   and nothing is allocated. */
typedef void js_heap_node(void* data, const void* address, int kind, const char* name, size_t size);
typedef void js_heap_edge(void* data, int kind, const char* name, uint32_t index, const void* to);
/* What an edge leads to, if it is no object: told before the edge. */
typedef void js_heap_leaf(void* data, const void* address, int kind, const char* name, size_t size);

enum {
    HEAP_ARRAY = 1,
    HEAP_STRING,
    HEAP_OBJECT,
    HEAP_CODE,
    HEAP_CLOSURE,
    HEAP_REGEXP,
    HEAP_NUMBER,
    HEAP_NATIVE,
    HEAP_ROPE = 10,
    HEAP_SYMBOL = 12,
    HEAP_BIGINT
};
enum { EDGE_ELEMENT = 1, EDGE_PROPERTY, EDGE_INTERNAL };
enum { HEAP_TEXT = 512 };

static _Thread_local struct {
    void* data;
    js_heap_edge* edge;
    uint32_t index;
} heap_walk;

static void heap_child(JSRuntime* rt, JSGCObjectHeader* child) {
    (void)rt;
    heap_walk.edge(heap_walk.data, EDGE_INTERNAL, NULL, heap_walk.index++, child);
}

static void heap_put(char* out, size_t* length, uint32_t c) {
    if (c < 0x80) {
        out[(*length)++] = c;
        return;
    }
    if (c >= 0x800) {
        out[(*length)++] = 0xE0 | c >> 12;
        out[(*length)++] = 0x80 | (c >> 6 & 0x3F);
    } else {
        out[(*length)++] = 0xC0 | c >> 6;
    }
    out[(*length)++] = 0x80 | (c & 0x3F);
}

static const char* heap_text(JSString* string, char* out) {
    size_t length = 0;
    for (uint32_t i = 0; i < string->len && length < HEAP_TEXT - 4; i++) {
        uint32_t c = string->is_wide_char ? str16(string)[i] : str8(string)[i];
        heap_put(out, &length, c >= 0xD800 && c < 0xE000 ? 0xFFFD : c);
    }
    out[length] = 0;
    return out;
}

/* A property that is there and is plain; undefined else. */
static JSValue heap_get(JSObject* object, JSAtom name) {
    JSShapeProperty* found = find_own_property1(object, name);
    if (!found || (found->flags & JS_PROP_TMASK))
        return JS_UNDEFINED;
    return object->prop[found - get_shape_prop(object->shape)].u.value;
}

static const char* heap_name_of(JSRuntime* rt, JSObject* object, char* out) {
    JSValue name;
    if (js_class_has_bytecode(object->class_id) || object->class_id == JS_CLASS_C_FUNCTION) {
        name = heap_get(object, JS_ATOM_name);
        return JS_VALUE_GET_TAG(name) == JS_TAG_STRING ? heap_text(JS_VALUE_GET_STRING(name), out)
                                                       : "";
    }
    for (JSObject* at = object->shape->proto; at; at = at->shape->proto) {
        JSValue maker = heap_get(at, JS_ATOM_constructor);
        if (JS_VALUE_GET_TAG(maker) != JS_TAG_OBJECT)
            continue;
        name = heap_get(JS_VALUE_GET_OBJ(maker), JS_ATOM_name);
        if (JS_VALUE_GET_TAG(name) == JS_TAG_STRING)
            return heap_text(JS_VALUE_GET_STRING(name), out);
    }
    return JS_AtomGetStrRT(rt, out, HEAP_TEXT, rt->class_array[object->class_id].class_name);
}

static void heap_value(JSRuntime* rt, js_heap_leaf* leaf, int kind, const char* name,
                       uint32_t index, JSValue value) {
    char text[HEAP_TEXT];
    const void* to = JS_VALUE_HAS_REF_COUNT(value) ? JS_VALUE_GET_PTR(value) : NULL;
    void* data = heap_walk.data;
    switch (JS_VALUE_GET_TAG(value)) {
    case JS_TAG_OBJECT:
    case JS_TAG_FUNCTION_BYTECODE:
        break;
    case JS_TAG_STRING:
        leaf(data, to, HEAP_STRING, heap_text(JS_VALUE_GET_STRING(value), text),
             sizeof(JSString) + JS_VALUE_GET_STRING(value)->len);
        break;
    case JS_TAG_STRING_ROPE:
        leaf(data, to, HEAP_ROPE, "(concatenated string)", 32);
        break;
    case JS_TAG_SYMBOL:
        leaf(data, to, HEAP_SYMBOL, "symbol", sizeof(JSString));
        break;
    case JS_TAG_BIG_INT:
        leaf(data, to, HEAP_BIGINT, "bigint", 32);
        break;
    case JS_TAG_INT:
        leaf(data, NULL, HEAP_NUMBER, "smi number", 0);
        break;
    default:
        if (!JS_TAG_IS_FLOAT64(JS_VALUE_GET_TAG(value)))
            return;
        leaf(data, NULL, HEAP_NUMBER, "heap number", 8);
    }
    heap_walk.edge(data, kind, name, index, to);
}

static void heap_properties(JSRuntime* rt, js_heap_leaf* leaf, JSObject* object) {
    JSShapeProperty* shape = get_shape_prop(object->shape);
    char buffer[HEAP_TEXT];
    for (int i = 0; i < object->shape->prop_count; i++, shape++) {
        JSProperty* own = &object->prop[i];
        if (shape->atom == JS_ATOM_NULL)
            continue;
        const char* name = JS_AtomGetStrRT(rt, buffer, sizeof(buffer), shape->atom);
        switch (shape->flags & JS_PROP_TMASK) {
        case JS_PROP_NORMAL:
            heap_value(rt, leaf, EDGE_PROPERTY, name, 0, own->u.value);
            break;
        case JS_PROP_GETSET:
            if (own->u.getset.getter)
                heap_walk.edge(heap_walk.data, EDGE_PROPERTY, name, 0, own->u.getset.getter);
            if (own->u.getset.setter)
                heap_walk.edge(heap_walk.data, EDGE_PROPERTY, name, 0, own->u.getset.setter);
            break;
        case JS_PROP_VARREF:
            heap_walk.edge(heap_walk.data, EDGE_PROPERTY, name, 0, own->u.var_ref);
        }
    }
}

static void heap_object(JSRuntime* rt, js_heap_node* node, js_heap_leaf* leaf, JSObject* object) {
    char buffer[HEAP_TEXT];
    int kind = HEAP_OBJECT;
    if (js_class_has_bytecode(object->class_id) || object->class_id == JS_CLASS_C_FUNCTION)
        kind = HEAP_CLOSURE;
    else if (object->class_id == JS_CLASS_REGEXP)
        kind = HEAP_REGEXP;
    node(heap_walk.data, object, kind, heap_name_of(rt, object, buffer),
         sizeof(*object) + object->shape->prop_size * sizeof(JSProperty));
    if (object->shape->proto)
        heap_walk.edge(heap_walk.data, EDGE_PROPERTY, "__proto__", 0, object->shape->proto);
    heap_properties(rt, leaf, object);
    if (object->class_id == JS_CLASS_ARRAY && object->fast_array) {
        for (uint32_t i = 0; i < object->u.array.count; i++)
            heap_value(rt, leaf, EDGE_ELEMENT, NULL, i, object->u.array.u.values[i]);
        return;
    }
    JSClassGCMark* mark = rt->class_array[object->class_id].gc_mark;
    if (mark)
        mark(rt, JS_MKPTR(JS_TAG_OBJECT, object), heap_child);
}

static void heap_other(JSRuntime* rt, js_heap_node* node, JSGCObjectHeader* one) {
    switch (JS_GC_TYPE(one)) {
    case JS_GC_OBJ_TYPE_FUNCTION_BYTECODE:
        node(heap_walk.data, one, HEAP_CODE, "(code)", sizeof(JSFunctionBytecode));
        break;
    case JS_GC_OBJ_TYPE_VAR_REF:
        node(heap_walk.data, one, HEAP_OBJECT, "system / Variable", sizeof(JSVarRef));
        break;
    case JS_GC_OBJ_TYPE_ASYNC_FUNCTION:
        node(heap_walk.data, one, HEAP_NATIVE, "system / AsyncFunction",
             sizeof(JSAsyncFunctionData));
        break;
    default:
        node(heap_walk.data, one, HEAP_NATIVE, "system / NativeContext", sizeof(JSContext));
    }
    mark_children(rt, one, heap_child);
}

void js_walk_heap(JSRuntime* rt, void* data, js_heap_node* node, js_heap_edge* edge,
                  js_heap_leaf* leaf) {
    struct list_head* el;
    heap_walk.data = data;
    heap_walk.edge = edge;
    list_for_each(el, &rt->gc_obj_list) {
        JSGCObjectHeader* one = list_entry(el, JSGCObjectHeader, link);
        heap_walk.index = 0;
        if (JS_GC_TYPE(one) == JS_GC_OBJ_TYPE_JS_OBJECT)
            heap_object(rt, node, leaf, (JSObject*)one);
        else if (JS_GC_TYPE(one) != JS_GC_OBJ_TYPE_SHAPE)
            heap_other(rt, node, one);
    }
}

/* The objects whose chain of prototypes has this one; at most as many as there is room for. Gives
   how many there are. */
size_t js_objects_below(JSRuntime* rt, JSValueConst prototype, JSValue* found, size_t room) {
    struct list_head* el;
    size_t count = 0;
    if (JS_VALUE_GET_TAG(prototype) != JS_TAG_OBJECT)
        return 0;
    list_for_each(el, &rt->gc_obj_list) {
        JSGCObjectHeader* one = list_entry(el, JSGCObjectHeader, link);
        if (JS_GC_TYPE(one) != JS_GC_OBJ_TYPE_JS_OBJECT)
            continue;
        JSObject* at = ((JSObject*)one)->shape->proto;
        while (at && at != JS_VALUE_GET_OBJ(prototype))
            at = at->shape->proto;
        if (!at)
            continue;
        if (count < room)
            found[count] = js_dup(JS_MKPTR(JS_TAG_OBJECT, one));
        count++;
    }
    return count;
}
