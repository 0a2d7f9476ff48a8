/* JSON.stringify of plain values: objects and arrays as literals make them, numbers and strings.
 * Nothing of the program runs on the way, so that whatever is unusual (a getter, toJSON, a proxy, a
 * circle) can leave the whole to the engine, which begins anew. */
enum { JS_JSON_DEPTH = 100, JS_JSON_ROOM = 1000 };

typedef struct {
    JSContext* ctx;
    JSObject *object, *array; /* the prototypes */
    uint8_t* text;            /* `own` at first */
    size_t length, room;      /* in units */
    bool is_wide;             /* units have 16 bits */
    _Alignas(2) uint8_t own[JS_JSON_ROOM];
} js_json_writer;

/* Room for more units, which have 16 bits from now on if `is_wide`. */
static bool js_json_change(js_json_writer* w, size_t more, bool is_wide) {
    size_t room = w->room * 2 + more;
    uint8_t* text;
    if (room >= JS_STRING_LEN_MAX)
        return false;
    text = js_malloc(w->ctx, room << is_wide);
    if (!text) {
        JS_FreeValue(w->ctx, JS_GetException(w->ctx));
        return false;
    }
    if (is_wide == w->is_wide)
        memcpy(text, w->text, w->length << is_wide);
    else
        for (size_t i = 0; i < w->length; i++)
            ((uint16_t*)text)[i] = w->text[i];
    if (w->text != w->own)
        js_free(w->ctx, w->text);
    w->text = text;
    w->room = room;
    w->is_wide = is_wide;
    return true;
}

static bool js_json_room(js_json_writer* w, size_t more) {
    return likely(w->room - w->length >= more) || js_json_change(w, more, w->is_wide);
}

static bool js_json_put(js_json_writer* w, const void* text, size_t length) {
    if (!js_json_room(w, length))
        return false;
    if (likely(!w->is_wide))
        memcpy(w->text + w->length, text, length);
    else
        for (size_t i = 0; i < length; i++)
            ((uint16_t*)w->text)[w->length + i] = ((const uint8_t*)text)[i];
    w->length += length;
    return true;
}

static bool js_json_put_escape(js_json_writer* w, int c) {
    static const char short_names[] = "btn?fr"; /* of 8 to 13 */
    char text[8];
    text[0] = '\\';
    if (c == '"' || c == '\\')
        text[1] = c;
    else if (c >= 8 && c <= 13 && c != 11)
        text[1] = short_names[c - 8];
    else
        return js_json_put(w, text, snprintf(text, sizeof(text), "\\u%04x", c));
    return js_json_put(w, text, 2);
}

/* How many units from here on stand for themselves. */
static uint32_t js_json_run8(const uint8_t* from, uint32_t length) {
    uint32_t i = 0;
    while (i < length && from[i] >= ' ' && from[i] != '"' && from[i] != '\\')
        i++;
    return i;
}

static uint32_t js_json_run16(const uint16_t* from, uint32_t length) {
    uint32_t i = 0;
    for (; i < length && from[i] >= ' ' && from[i] != '"' && from[i] != '\\'; i++) {
        if (!is_surrogate(from[i]))
            continue;
        if (!is_hi_surrogate(from[i]) || i + 1 == length || !is_lo_surrogate(from[i + 1]))
            break;
        i++;
    }
    return i;
}

static bool js_json_put_string(js_json_writer* w, JSString* string) {
    bool is_wide = string->is_wide_char;
    uint32_t length = string->len;
    if ((is_wide && !w->is_wide && !js_json_change(w, length + 2, true)) ||
        !js_json_put(w, "\"", 1))
        return false;
    for (uint32_t at = 0; at < length; at++) {
        uint32_t run = is_wide ? js_json_run16(str16(string) + at, length - at)
                               : js_json_run8(str8(string) + at, length - at);
        if (is_wide) {
            if (!js_json_room(w, run))
                return false;
            memcpy((uint16_t*)w->text + w->length, str16(string) + at, (size_t)run * 2);
            w->length += run;
        } else if (!js_json_put(w, str8(string) + at, run)) {
            return false;
        }
        at += run;
        if (at < length && !js_json_put_escape(w, string_get(string, at)))
            return false;
    }
    return js_json_put(w, "\"", 1);
}

static bool js_json_put_rope(js_json_writer* w, JSValueConst rope) {
    JSValue string = js_linearize_string_rope(w->ctx, rope);
    bool done;
    if (JS_IsException(string)) {
        JS_FreeValue(w->ctx, JS_GetException(w->ctx));
        return false;
    }
    done = js_json_put_string(w, JS_VALUE_GET_STRING(string));
    JS_FreeValue(w->ctx, string);
    return done;
}

static bool js_json_put_integer(js_json_writer* w, int32_t value) {
    char text[12];
    char* at = text + sizeof(text);
    uint32_t rest = value < 0 ? -(uint32_t)value : (uint32_t)value;
    do
        *--at = '0' + rest % 10;
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    return js_json_put(w, at, text + sizeof(text) - at);
}

static bool js_json_put_float(js_json_writer* w, JSValueConst value) {
    JSValue string;
    bool done;
    if (!isfinite(JS_VALUE_GET_FLOAT64(value)))
        return js_json_put(w, "null", 4);
    string = JS_ToString(w->ctx, value);
    if (JS_IsException(string)) {
        JS_FreeValue(w->ctx, JS_GetException(w->ctx));
        return false;
    }
    done = JS_VALUE_GET_TAG(string) == JS_TAG_STRING &&
           js_json_put(w, str8(JS_VALUE_GET_STRING(string)), JS_VALUE_GET_STRING(string)->len);
    JS_FreeValue(w->ctx, string);
    return done;
}

static bool js_json_put_value(js_json_writer* w, JSValueConst value, int depth);

static bool js_json_put_array(js_json_writer* w, JSObject* p, int depth) {
    JSValue length = p->prop[0].u.value;
    if (!p->fast_array || p->shape->prop_count != 1 || p->shape->proto != w->array ||
        JS_VALUE_GET_TAG(length) != JS_TAG_INT ||
        (uint32_t)JS_VALUE_GET_INT(length) != p->u.array.count || !js_json_put(w, "[", 1))
        return false;
    for (uint32_t i = 0; i < p->u.array.count; i++) {
        JSValue value = p->u.array.u.values[i];
        if (i > 0 && !js_json_put(w, ",", 1))
            return false;
        if (!js_json_put_value(w, JS_IsUndefined(value) ? JS_NULL : value, depth))
            return false;
    }
    return js_json_put(w, "]", 1);
}

/* Keys that are indices come first in an object: those are left to the engine. */
static bool js_json_put_object(js_json_writer* w, JSObject* p, int depth) {
    JSShapeProperty* property = get_shape_prop(p->shape);
    bool is_first = true;
    if (p->is_exotic || (p->shape->proto != w->object && p->shape->proto != NULL) ||
        !js_json_put(w, "{", 1))
        return false;
    for (int i = 0; i < p->shape->prop_count; i++, property++) {
        JSAtomStruct* name;
        if (property->atom == JS_ATOM_NULL)
            continue;
        if (property->atom == JS_ATOM_toJSON || __JS_AtomIsTaggedInt(property->atom) ||
            (property->flags & JS_PROP_TMASK) != JS_PROP_NORMAL)
            return false;
        name = w->ctx->rt->atom_array[property->atom];
        if (name->atom_type != JS_ATOM_TYPE_STRING)
            continue;
        if (name->len > 0 && is_digit(string_get(name, 0)))
            return false;
        if (!(property->flags & JS_PROP_ENUMERABLE) || JS_IsUndefined(p->prop[i].u.value))
            continue;
        if ((!is_first && !js_json_put(w, ",", 1)) || !js_json_put_string(w, name) ||
            !js_json_put(w, ":", 1) || !js_json_put_value(w, p->prop[i].u.value, depth))
            return false;
        is_first = false;
    }
    return js_json_put(w, "}", 1);
}

/* False: the engine has to do it. */
static bool js_json_put_value(js_json_writer* w, JSValueConst value, int depth) {
    switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_INT:
        return js_json_put_integer(w, JS_VALUE_GET_INT(value));
    case JS_TAG_FLOAT64:
        return js_json_put_float(w, value);
    case JS_TAG_STRING:
        return js_json_put_string(w, JS_VALUE_GET_STRING(value));
    case JS_TAG_STRING_ROPE:
        return js_json_put_rope(w, value);
    case JS_TAG_BOOL:
        return JS_VALUE_GET_BOOL(value) ? js_json_put(w, "true", 4) : js_json_put(w, "false", 5);
    case JS_TAG_NULL:
        return js_json_put(w, "null", 4);
    case JS_TAG_OBJECT:
        break;
    default:
        return false;
    }
    if (depth >= JS_JSON_DEPTH)
        return false;
    if (JS_VALUE_GET_OBJ(value)->class_id == JS_CLASS_OBJECT)
        return js_json_put_object(w, JS_VALUE_GET_OBJ(value), depth + 1);
    if (JS_VALUE_GET_OBJ(value)->class_id == JS_CLASS_ARRAY)
        return js_json_put_array(w, JS_VALUE_GET_OBJ(value), depth + 1);
    return false;
}

/* The text; or undefined: the engine has to do it. */
static JSValue js_json_write(JSContext* ctx, JSValueConst value) {
    js_json_writer w;
    JSValue text = JS_UNDEFINED;
    w.ctx = ctx;
    w.object = JS_VALUE_GET_OBJ(ctx->class_proto[JS_CLASS_OBJECT]);
    w.array = JS_VALUE_GET_OBJ(ctx->class_proto[JS_CLASS_ARRAY]);
    w.text = w.own;
    w.length = 0;
    w.room = sizeof(w.own);
    w.is_wide = false;
    if (!JS_IsObject(value) || js_check_stack_overflow(ctx->rt, 64 * 1024) ||
        w.object->shape->proto != NULL || w.array->shape->proto != w.object ||
        find_own_property1(w.object, JS_ATOM_toJSON) || find_own_property1(w.array, JS_ATOM_toJSON))
        return text;
    if (js_json_put_value(&w, value, 0))
        text = w.is_wide ? js_new_string16_len(ctx, (const uint16_t*)w.text, w.length)
                         : js_new_string8_len(ctx, (const char*)w.text, w.length);
    if (w.text != w.own)
        js_free(ctx, w.text);
    return text;
}
