/* Values from bytes in V8's format, version 15, as far as message_write.c writes it. Whatever is
 * else, and what is wrong, is left to JavaScript, which begins anew: nothing of the program runs on
 * the way. Functions give JS_UNINITIALIZED for that. */
typedef struct {
    JSContext* ctx;
    const ph_message_source* from;
    const uint8_t *start, *at, *end;
    JSObject** objects; /* `own` at first; the value that is read holds them */
    uint32_t count, room;
    JSObject* own[JS_MESSAGE_SLOTS];
} js_message_reader;

static JSValue js_message_get(js_message_reader* r, int depth);

static bool js_message_get_number(js_message_reader* r, uint32_t* number) {
    uint32_t value = 0;
    for (int shift = 0; r->at < r->end && shift < 35; shift += 7) {
        uint8_t byte = *r->at++;
        if (shift == 28 && byte > 15)
            return false;
        value |= (uint32_t)(byte & 127) << shift;
        if (byte < 128) {
            *number = value;
            return true;
        }
    }
    return false;
}

static bool js_message_get_double(js_message_reader* r, double* number) {
    if (r->end - r->at < 8)
        return false;
    memcpy(number, r->at, 8);
    r->at += 8;
    if (*number != *number)
        *number = NAN; /* V8 knows one alone */
    return true;
}

/* So many bytes, which are read; NULL if there are fewer. */
static const uint8_t* js_message_take(js_message_reader* r, size_t length) {
    const uint8_t* at = r->at;
    if (length > (size_t)(r->end - at))
        return NULL;
    r->at += length;
    return at;
}

/* The next tag; zeros fill places. */
static int js_message_tag(js_message_reader* r) {
    while (r->at < r->end && *r->at == 0)
        r->at++;
    return r->at < r->end ? *r->at++ : -1;
}

static bool js_message_ends(js_message_reader* r, uint8_t tag) {
    while (r->at < r->end && *r->at == 0)
        r->at++;
    if (r->at == r->end || *r->at != tag)
        return false;
    r->at++;
    return true;
}

/* Objects take their number before what is in them. The object is freed if there is no memory. */
static bool js_message_keep(js_message_reader* r, JSValue object) {
    if (r->count == r->room) {
        uint32_t room = r->room * 4;
        JSObject** objects = js_malloc_rt(r->ctx->rt, room * sizeof(*objects));
        if (!objects) {
            JS_FreeValue(r->ctx, object);
            return false;
        }
        memcpy(objects, r->objects, r->count * sizeof(*objects));
        if (r->objects != r->own)
            js_free_rt(r->ctx->rt, r->objects);
        r->objects = objects;
        r->room = room;
    }
    r->objects[r->count++] = JS_VALUE_GET_OBJ(object);
    return true;
}

static JSValue js_message_kept(js_message_reader* r, JSValue object) {
    if (JS_IsException(object))
        return object;
    return js_message_keep(r, object) ? object : JS_UNINITIALIZED;
}

static bool js_message_failed(JSValueConst value) {
    return JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED || JS_IsException(value);
}

static JSValue js_message_get_string(js_message_reader* r, int tag) {
    uint32_t length;
    const uint8_t* text;
    if ((tag != '"' && tag != 'c') || !js_message_get_number(r, &length) ||
        !(text = js_message_take(r, length)))
        return JS_UNINITIALIZED;
    if (tag == '"')
        return js_new_string8_len(r->ctx, (const char*)text, length);
    if (length % 2 == 1)
        return JS_UNINITIALIZED;
    return js_new_string16_len(r->ctx, (const uint16_t*)text, length / 2);
}

static JSValue js_message_get_bigint(js_message_reader* r) {
    uint32_t field;
    const uint8_t* bytes;
    uint64_t number;
    if (!js_message_get_number(r, &field) || (field / 2 != 8 && field != 0))
        return JS_UNINITIALIZED;
    if (field == 0)
        return JS_NewBigInt64(r->ctx, 0);
    bytes = js_message_take(r, 8);
    if (!bytes)
        return JS_UNINITIALIZED;
    memcpy(&number, bytes, 8);
    if (field % 2 == 0)
        return JS_NewBigUint64(r->ctx, number);
    if (number > (uint64_t)1 << 63)
        return JS_UNINITIALIZED;
    return JS_NewBigInt64(r->ctx, (int64_t)(0 - number));
}

/* The name of a property; JS_ATOM_NULL: it can't be told here. */
static JSAtom js_message_get_key(js_message_reader* r) {
    int tag = js_message_tag(r);
    uint32_t number;
    const uint8_t* text;
    double wide;
    JSValue string;
    if (tag == 'I')
        return js_message_get_number(r, &number) && number % 2 == 0
                   ? JS_NewAtomUInt32(r->ctx, number / 2)
                   : JS_ATOM_NULL;
    if (tag == 'N')
        return js_message_get_double(r, &wide) && wide >= 0 && wide <= UINT32_MAX &&
                       wide == (uint32_t)wide
                   ? JS_NewAtomUInt32(r->ctx, (uint32_t)wide)
                   : JS_ATOM_NULL;
    if (tag == '"') {
        const uint8_t* before = r->at;
        uint8_t all = 0;
        if (!js_message_get_number(r, &number) || !(text = js_message_take(r, number)))
            return JS_ATOM_NULL;
        for (uint32_t i = 0; i < number; i++)
            all |= text[i];
        if (all < 0x80)
            return JS_NewAtomLen(r->ctx, (const char*)text, number);
        r->at = before;
    }
    string = js_message_get_string(r, tag);
    return js_message_failed(string) ? JS_ATOM_NULL
                                     : JS_NewAtomStr(r->ctx, JS_VALUE_GET_STRING(string));
}

/* A name that is there already is left to JavaScript: what it held may be known by a number. So is
 * an index in an array. */
static bool js_message_define(JSContext* ctx, JSObject* p, JSAtom name, JSValue value) {
    JSProperty* property = NULL;
    uint32_t index;
    if (!find_own_property1(p, name) &&
        (p->class_id != JS_CLASS_ARRAY || !JS_AtomIsArrayIndex(ctx, &index, name)))
        property = add_property(ctx, p, name, JS_PROP_C_W_E);
    if (property)
        property->u.value = value;
    else
        JS_FreeValue(ctx, value);
    return property != NULL;
}

/* Properties up to the tag; how many, or -1. */
static int64_t js_message_get_properties(js_message_reader* r, JSObject* p, uint8_t end,
                                         int depth) {
    int64_t count = 0;
    for (; !js_message_ends(r, end); count++) {
        JSAtom name = js_message_get_key(r);
        JSValue value;
        bool done;
        if (name == JS_ATOM_NULL)
            return -1;
        value = js_message_get(r, depth);
        done = !js_message_failed(value) && js_message_define(r->ctx, p, name, value);
        JS_FreeAtom(r->ctx, name);
        if (!done)
            return -1;
    }
    return count;
}

/* The value if all went well; else it is freed, and JavaScript has to do it. */
static JSValue js_message_checked(js_message_reader* r, JSValue value, bool is_right) {
    if (is_right)
        return value;
    JS_FreeValue(r->ctx, value);
    return JS_UNINITIALIZED;
}

static JSValue js_message_get_object(js_message_reader* r, int depth) {
    JSValue object = js_message_kept(r, JS_NewObject(r->ctx));
    uint32_t told;
    int64_t count;
    if (js_message_failed(object))
        return object;
    count = js_message_get_properties(r, JS_VALUE_GET_OBJ(object), '{', depth);
    return js_message_checked(r, object,
                              count >= 0 && js_message_get_number(r, &told) && told == count);
}

static JSValue js_message_get_array(js_message_reader* r, int depth) {
    uint32_t length, count, told;
    int64_t names;
    JSValue array;
    JSObject* p;
    if (!js_message_get_number(r, &length) || length > (size_t)(r->end - r->at))
        return JS_UNINITIALIZED;
    array = js_message_kept(r, js_allocate_fast_array(r->ctx, length));
    if (js_message_failed(array))
        return array;
    p = JS_VALUE_GET_OBJ(array);
    for (uint32_t i = 0; i < length; i++) {
        JSValue value = js_message_get(r, depth);
        if (js_message_failed(value))
            return js_message_checked(r, array, false);
        p->u.array.u.values[i] = value;
    }
    names = js_message_get_properties(r, p, '$', depth);
    return js_message_checked(r, array,
                              names >= 0 && js_message_get_number(r, &count) && count == names &&
                                  js_message_get_number(r, &told) && told == length);
}

static JSValue js_message_get_map(js_message_reader* r, int depth, bool is_map) {
    JSContext* ctx = r->ctx;
    JSValueConst nothing = JS_UNDEFINED;
    JSValue map = js_message_kept(
        r, js_map_constructor(ctx, JS_UNDEFINED, 1, &nothing, is_map ? 0 : MAGIC_SET));
    uint32_t count = 0, told;
    if (js_message_failed(map))
        return map;
    for (; !js_message_ends(r, is_map ? ':' : ','); count += is_map ? 2 : 1) {
        JSMapState* state = JS_VALUE_GET_OBJ(map)->u.map_state;
        JSMapRecord* record = NULL;
        JSValue key = js_message_get(r, depth), value = JS_UNDEFINED;
        if (!js_message_failed(key) && is_map)
            value = js_message_get(r, depth);
        if (!js_message_failed(key) && !js_message_failed(value)) {
            key = map_normalize_key(ctx, key);
            if (!map_find_record(ctx, state, key))
                record = map_add_record(ctx, state, key);
        }
        if (record)
            record->value = value;
        else
            JS_FreeValue(ctx, value);
        JS_FreeValue(ctx, key);
        if (!record)
            return js_message_checked(r, map, false);
    }
    return js_message_checked(r, map, js_message_get_number(r, &told) && told == count);
}
