/* What a message has beside objects, arrays, maps and sets. */

static bool js_message_buffer(js_message_writer* w, JSObject* p) {
    JSArrayBuffer* buffer = p->u.array_buffer;
    if (!buffer || buffer->detached || buffer->max_byte_length >= 0 || buffer->byte_length < 0)
        return false;
    return js_message_tagged(w, 'B', buffer->byte_length) &&
           (buffer->byte_length == 0 || js_message_raw(w, buffer->data, buffer->byte_length));
}

/* Classes of views: their letters in V8's format, their numbers in Node's. */
static const struct {
    uint16_t class_id;
    char letter, number;
} js_message_views[] = {
    {JS_CLASS_INT8_ARRAY, 'b', 0},        {JS_CLASS_UINT8_ARRAY, 'B', 1},
    {JS_CLASS_UINT8C_ARRAY, 'C', 2},      {JS_CLASS_INT16_ARRAY, 'w', 3},
    {JS_CLASS_UINT16_ARRAY, 'W', 4},      {JS_CLASS_INT32_ARRAY, 'd', 5},
    {JS_CLASS_UINT32_ARRAY, 'D', 6},      {JS_CLASS_FLOAT32_ARRAY, 'f', 7},
    {JS_CLASS_FLOAT64_ARRAY, 'F', 8},     {JS_CLASS_BIG_INT64_ARRAY, 'q', 11},
    {JS_CLASS_BIG_UINT64_ARRAY, 'Q', 12}, {JS_CLASS_DATAVIEW, '?', 9},
};
enum {
    JS_MESSAGE_VIEWS = sizeof(js_message_views) / sizeof(*js_message_views),
    JS_MESSAGE_NODES = 10
};

static bool js_message_is_view(int class_id) {
    return class_id == JS_CLASS_DATAVIEW || is_typed_array(class_id);
}

/* The bits of an offset that a view can't have. */
static uint32_t js_message_odd(int class_id) {
    return class_id == JS_CLASS_DATAVIEW ? 0 : (1u << typed_array_size_log2(class_id)) - 1;
}

static bool js_message_below(JSObject* p, JSValueConst prototype) {
    JSObject* proto = p->shape->proto;
    for (int i = 0; proto && i < 20; i++, proto = proto->shape->proto)
        if (JS_VALUE_GET_TAG(prototype) == JS_TAG_OBJECT && proto == JS_VALUE_GET_OBJ(prototype))
            return true;
    return false;
}

/* A view comes behind its buffer; or, in Node's form, as its kind and its own bytes. */
static bool js_message_view(js_message_writer* w, JSObject* p, int depth) {
    JSTypedArray* view = p->u.typed_array;
    JSArrayBuffer* buffer = view ? view->buffer->u.array_buffer : NULL;
    size_t kind = 0;
    int known;
    while (kind < JS_MESSAGE_VIEWS && js_message_views[kind].class_id != p->class_id)
        kind++;
    if (!buffer || kind == JS_MESSAGE_VIEWS || view->track_rab || buffer->max_byte_length >= 0 ||
        buffer->detached || buffer->shared ||
        (p->class_id == JS_CLASS_DATAVIEW ? dataview_is_oob(p) : typed_array_is_oob(p)))
        return false;
    if (w->to->form == PH_MESSAGE_CLONE) {
        if (!js_message_slot_of(w, p)->object &&
            !js_message_put(w, JS_MKPTR(JS_TAG_OBJECT, view->buffer), depth))
            return false;
        if ((known = js_message_known(w, p)) != 0)
            return known > 0;
        return js_message_byte(w, 'V') &&
               js_message_tagged(w, js_message_views[kind].letter, view->offset) &&
               js_message_number(w, view->length) && js_message_number(w, 0);
    }
    if ((known = js_message_known(w, p)) != 0)
        return known > 0;
    if (!js_message_byte(w, '\\') || (w->to->form == PH_MESSAGE_MARKED && !js_message_byte(w, 0)))
        return false;
    return js_message_number(w, js_message_below(p, w->to->buffer_proto)
                                    ? JS_MESSAGE_NODES
                                    : js_message_views[kind].number) &&
           js_message_number(w, view->length) &&
           (view->length == 0 || js_message_raw(w, buffer->data + view->offset, view->length));
}

static bool js_message_regexp(js_message_writer* w, JSObject* p) {
    static const struct {
        int flag, bit;
    } bits[] = {
        {LRE_FLAG_GLOBAL, 1},    {LRE_FLAG_IGNORECASE, 2},     {LRE_FLAG_MULTILINE, 4},
        {LRE_FLAG_STICKY, 8},    {LRE_FLAG_UNICODE, 16},       {LRE_FLAG_DOTALL, 32},
        {LRE_FLAG_INDICES, 128}, {LRE_FLAG_UNICODE_SETS, 256},
    };
    int flags = lre_get_flags(str8(p->u.regexp.bytecode));
    uint32_t all = 0;
    if (!js_message_byte(w, 'R') ||
        !js_message_string_value(w, js_regexp_get_source(w->ctx, JS_MKPTR(JS_TAG_OBJECT, p))))
        return false;
    for (size_t i = 0; i < sizeof(bits) / sizeof(*bits); i++)
        if (flags & bits[i].flag)
            all |= bits[i].bit;
    return js_message_number(w, all);
}

static double js_message_as_double(JSValueConst value) {
    return JS_VALUE_GET_TAG(value) == JS_TAG_INT ? JS_VALUE_GET_INT(value)
                                                 : JS_VALUE_GET_FLOAT64(value);
}

static bool js_message_wrapped(js_message_writer* w, JSObject* p) {
    JSValue value = p->u.object_data;
    int tag = JS_VALUE_GET_NORM_TAG(value);
    bool is_number = tag == JS_TAG_INT || tag == JS_TAG_FLOAT64;
    switch (p->class_id) {
    case JS_CLASS_DATE:
        return is_number && js_message_double(w, 'D', js_message_as_double(value));
    case JS_CLASS_NUMBER:
        return is_number && js_message_double(w, 'n', js_message_as_double(value));
    case JS_CLASS_BOOLEAN:
        return js_message_byte(w, JS_VALUE_GET_BOOL(value) ? 'y' : 'x');
    case JS_CLASS_BIG_INT:
        return js_message_bigint(w, value, 'z');
    default:
        return tag == JS_TAG_STRING && js_message_byte(w, 's') &&
               js_message_string(w, JS_VALUE_GET_STRING(value));
    }
}

static bool js_message_of_class(js_message_writer* w, JSObject* p, int depth) {
    int known;
    if (depth >= JS_MESSAGE_DEPTH)
        return false;
    if (js_message_is_view(p->class_id))
        return js_message_view(w, p, depth + 1);
    if ((known = js_message_known(w, p)) != 0)
        return known > 0;
    switch (p->class_id) {
    case JS_CLASS_OBJECT:
        return js_message_object(w, p, depth + 1);
    case JS_CLASS_ARRAY:
        return js_message_array(w, p, depth + 1);
    case JS_CLASS_MAP:
    case JS_CLASS_SET:
        return js_message_map(w, p, depth + 1);
    case JS_CLASS_ARRAY_BUFFER:
        return js_message_buffer(w, p);
    case JS_CLASS_REGEXP:
        return js_message_regexp(w, p);
    case JS_CLASS_DATE:
    case JS_CLASS_NUMBER:
    case JS_CLASS_BOOLEAN:
    case JS_CLASS_STRING:
    case JS_CLASS_BIG_INT:
        return js_message_wrapped(w, p);
    default:
        return false;
    }
}

static bool js_message_put(js_message_writer* w, JSValueConst value, int depth) {
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_INT:
        return js_message_int(w, JS_VALUE_GET_INT(value));
    case JS_TAG_FLOAT64:
        return js_message_float(w, JS_VALUE_GET_FLOAT64(value));
    case JS_TAG_STRING:
        return js_message_string(w, JS_VALUE_GET_STRING(value));
    case JS_TAG_STRING_ROPE:
        return js_message_string_value(w, js_linearize_string_rope(w->ctx, value));
    case JS_TAG_BOOL:
        return js_message_byte(w, JS_VALUE_GET_BOOL(value) ? 'T' : 'F');
    case JS_TAG_NULL:
        return js_message_byte(w, '0');
    case JS_TAG_UNDEFINED:
        return js_message_byte(w, '_');
    case JS_TAG_SHORT_BIG_INT:
        return js_message_bigint(w, value, 'Z');
    case JS_TAG_OBJECT:
        return js_message_of_class(w, JS_VALUE_GET_OBJ(value), depth);
    default:
        return false;
    }
}

void js_message_release(JSContext* ctx, ph_message* to) {
    if (to->bytes != to->own)
        js_free_rt(ctx->rt, to->bytes);
    to->bytes = NULL;
}

bool js_message_write(JSContext* ctx, JSValueConst value, ph_message* to) {
    js_message_writer w;
    bool done;
    to->bytes = to->own;
    to->room = sizeof(to->own);
    memcpy(to->bytes, "\xff\x0f", 2);
    to->length = 2;
    w.ctx = ctx;
    w.to = to;
    w.plain = JS_VALUE_GET_OBJ(ctx->class_proto[JS_CLASS_OBJECT]);
    w.slots = w.own;
    w.mask = JS_MESSAGE_SLOTS - 1;
    w.count = 0;
    memset(w.own, 0, sizeof(w.own));
    done = !js_check_stack_overflow(ctx->rt, 128 * 1024) && js_message_put(&w, value, 0);
    if (w.slots != w.own)
        js_free_rt(ctx->rt, w.slots);
    if (!done)
        js_message_release(ctx, to);
    return done;
}
