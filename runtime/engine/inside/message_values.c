/* What message_read.c reads beside objects, arrays, maps and sets. */

static JSValue js_message_new_view(js_message_reader* r, JSValueConst buffer, int class_id,
                                   JSValueConst prototype, uint32_t offset, uint32_t size) {
    JSValueConst place[3] = {buffer, js_uint32(offset), js_uint32(size)};
    JSValue view;
    if (class_id == JS_CLASS_DATAVIEW)
        return js_dataview_constructor(r->ctx, JS_UNDEFINED, 3, place);
    view = JS_NewObjectProtoClass(r->ctx, prototype, class_id);
    if (JS_IsException(view))
        return view;
    if (typed_array_init(r->ctx, view, js_dup(buffer), offset,
                         size >> typed_array_size_log2(class_id), false)) {
        JS_FreeValue(r->ctx, view);
        return JS_EXCEPTION;
    }
    return view;
}

/* A view behind its buffer. */
static JSValue js_message_get_view(js_message_reader* r, JSValue buffer_owned) {
    JSContext* ctx = r->ctx;
    JSValue view = JS_UNINITIALIZED;
    uint32_t offset, size, flags;
    size_t kind = 0;
    int letter = r->at < r->end ? *r->at++ : -1;
    while (kind < JS_MESSAGE_VIEWS && js_message_views[kind].letter != letter)
        kind++;
    if (kind < JS_MESSAGE_VIEWS && js_message_get_number(r, &offset) &&
        js_message_get_number(r, &size) && js_message_get_number(r, &flags) && flags == 0) {
        int class_id = js_message_views[kind].class_id;
        uint32_t mask = js_message_odd(class_id);
        uint32_t length = JS_VALUE_GET_OBJ(buffer_owned)->u.array_buffer->byte_length;
        if (((offset | size) & mask) == 0 && offset <= length && size <= length - offset)
            view =
                js_message_kept(r, js_message_new_view(r, buffer_owned, class_id,
                                                       ctx->class_proto[class_id], offset, size));
    }
    JS_FreeValue(ctx, buffer_owned);
    return view;
}

static JSValue js_message_get_buffer(js_message_reader* r) {
    uint32_t length;
    const uint8_t* bytes;
    JSValue buffer;
    if (!js_message_get_number(r, &length) || !(bytes = js_message_take(r, length)))
        return JS_UNINITIALIZED;
    buffer = js_message_kept(r, JS_NewArrayBufferCopy(r->ctx, bytes, length));
    if (!js_message_failed(buffer) && js_message_ends(r, 'V'))
        return js_message_get_view(r, buffer);
    return buffer;
}

/* A view in Node's form lies in the bytes that are read. */
static JSValue js_message_get_apart(js_message_reader* r) {
    const ph_message_source* from = r->from;
    uint32_t number, length, mark;
    const uint8_t* bytes;
    size_t kind = 0, offset;
    bool is_nodes;
    int class_id;
    JSObject* whole;
    if (from->form == PH_MESSAGE_CLONE ||
        (from->form == PH_MESSAGE_MARKED && (!js_message_get_number(r, &mark) || mark != 0)) ||
        !js_message_get_number(r, &number) || !js_message_get_number(r, &length) ||
        !(bytes = js_message_take(r, length)))
        return JS_UNINITIALIZED;
    whole = JS_VALUE_GET_OBJ(from->buffer);
    is_nodes = number == JS_MESSAGE_NODES;
    if (is_nodes)
        number = 1;
    while (kind < JS_MESSAGE_VIEWS && (uint32_t)js_message_views[kind].number != number)
        kind++;
    if (kind == JS_MESSAGE_VIEWS || whole->u.array_buffer->max_byte_length >= 0)
        return JS_UNINITIALIZED;
    class_id = js_message_views[kind].class_id;
    offset = from->offset + (bytes - r->start);
    if (((offset | length) & js_message_odd(class_id)) != 0)
        return JS_UNINITIALIZED;
    return js_message_kept(
        r, js_message_new_view(r, from->buffer, class_id,
                               is_nodes ? from->buffer_proto : r->ctx->class_proto[class_id],
                               offset, length));
}

static JSValue js_message_get_known(js_message_reader* r) {
    uint32_t id;
    JSValue value;
    if (!js_message_get_number(r, &id) || id >= r->count || !r->objects[id])
        return JS_UNINITIALIZED;
    value = js_dup(JS_MKPTR(JS_TAG_OBJECT, r->objects[id]));
    if (r->objects[id]->class_id == JS_CLASS_ARRAY_BUFFER && js_message_ends(r, 'V'))
        return js_message_get_view(r, value);
    return value;
}

static JSValue js_message_get_regexp(js_message_reader* r) {
    static const char letters[] = "gimyus?dv";
    uint32_t flags;
    char text[sizeof(letters)];
    int length = 0;
    JSValue args[2], made;
    args[0] = js_message_get_string(r, js_message_tag(r));
    if (js_message_failed(args[0]))
        return args[0];
    if (!js_message_get_number(r, &flags) || flags > 511 || (flags & 64) != 0)
        return js_message_checked(r, args[0], false);
    for (int i = 0; i < 9; i++)
        if (flags & (1 << i))
            text[length++] = letters[i];
    args[1] = js_new_string8_len(r->ctx, text, length);
    made = JS_CallConstructor(r->ctx, r->ctx->regexp_ctor, 2, (JSValueConst*)args);
    JS_FreeValue(r->ctx, args[0]);
    JS_FreeValue(r->ctx, args[1]);
    return js_message_kept(r, made);
}

static JSValue js_message_get_wrapped(js_message_reader* r, int tag) {
    double number;
    JSValue value = JS_UNINITIALIZED, object;
    if (tag == 'D')
        return js_message_get_double(r, &number) ? js_message_kept(r, JS_NewDate(r->ctx, number))
                                                 : value;
    if (tag == 'y' || tag == 'x')
        value = tag == 'y' ? JS_TRUE : JS_FALSE;
    else if (tag == 'n' && js_message_get_double(r, &number))
        value = js_float64(number);
    else if (tag == 'z')
        value = js_message_get_bigint(r);
    else if (tag == 's')
        value = js_message_get_string(r, js_message_tag(r));
    if (js_message_failed(value))
        return value;
    object = JS_ToObject(r->ctx, value);
    JS_FreeValue(r->ctx, value);
    return js_message_kept(r, object);
}

static JSValue js_message_get_class(js_message_reader* r, int tag, int depth) {
    if (depth >= JS_MESSAGE_DEPTH)
        return JS_UNINITIALIZED;
    switch (tag) {
    case 'o':
        return js_message_get_object(r, depth + 1);
    case 'A':
        return js_message_get_array(r, depth + 1);
    case ';':
        return js_message_get_map(r, depth + 1, true);
    case '\'':
        return js_message_get_map(r, depth + 1, false);
    case 'B':
        return js_message_get_buffer(r);
    case '\\':
        return js_message_get_apart(r);
    case '^':
        return js_message_get_known(r);
    case 'R':
        return js_message_get_regexp(r);
    case 'D':
    case 'y':
    case 'x':
    case 'n':
    case 'z':
    case 's':
        return js_message_get_wrapped(r, tag);
    default:
        return JS_UNINITIALIZED;
    }
}

static JSValue js_message_get(js_message_reader* r, int depth) {
    int tag = js_message_tag(r);
    uint32_t number;
    double wide;
    switch (tag) {
    case 'I':
        if (!js_message_get_number(r, &number))
            return JS_UNINITIALIZED;
        return js_int32((int32_t)((number >> 1) ^ -(number & 1)));
    case 'N':
        return js_message_get_double(r, &wide) ? js_float64(wide) : JS_UNINITIALIZED;
    case '"':
    case 'c':
        return js_message_get_string(r, tag);
    case 'T':
        return JS_TRUE;
    case 'F':
        return JS_FALSE;
    case '0':
        return JS_NULL;
    case '_':
        return JS_UNDEFINED;
    case 'Z':
        return js_message_get_bigint(r);
    default:
        return js_message_get_class(r, tag, depth);
    }
}

JSValue js_message_read(JSContext* ctx, const ph_message_source* from) {
    js_message_reader r;
    JSValue value;
    if (JS_IsObject(from->buffer) &&
        JS_VALUE_GET_OBJ(from->buffer)->class_id != JS_CLASS_ARRAY_BUFFER)
        return JS_UNINITIALIZED; /* other threads may change what is checked */
    if (from->length < 2 || memcmp(from->bytes, "\xff\x0f", 2) != 0 ||
        js_check_stack_overflow(ctx->rt, 128 * 1024))
        return JS_UNINITIALIZED;
    r.ctx = ctx;
    r.from = from;
    r.start = from->bytes;
    r.at = from->bytes + 2;
    r.end = from->bytes + from->length;
    r.objects = r.own;
    r.count = 0;
    r.room = JS_MESSAGE_SLOTS;
    value = js_message_get(&r, 0);
    if (r.objects != r.own)
        js_free_rt(ctx->rt, r.objects);
    if (!js_message_failed(value))
        return value;
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_UNINITIALIZED;
}
