/* JSON.parse of texts of 8 bits without a reviver. What is wrong with a text, and what is unusual,
 * is left to the engine, which begins anew: nothing of the program runs on the way. */
typedef struct {
    JSContext* ctx;
    const uint8_t *at, *end;
} js_json_reader;

static JSValue js_json_get_value(js_json_reader* r, int depth);

/* The next character that is not white space, 0 at the end. */
static int js_json_next(js_json_reader* r) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'))
        r->at++;
    return r->at < r->end ? *r->at : 0;
}

/* The characters up to the closing quote, which is passed; NULL: there is an escape or an error. */
static const uint8_t* js_json_span(js_json_reader* r, size_t* length, bool* is_ascii) {
    const uint8_t* start = ++r->at;
    uint8_t all = 0;
    for (; r->at < r->end && *r->at != '"'; all |= *r->at++)
        if (*r->at < ' ' || *r->at == '\\')
            return NULL;
    if (r->at == r->end)
        return NULL;
    *length = r->at++ - start;
    *is_ascii = all < 0x80;
    return start;
}

static int js_json_escape(uint8_t c) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    const char* found = c ? strchr(names, c) : NULL;
    return found ? values[found - names] : -1;
}

/* A string with escapes: the reader stands behind its opening quote. \u is left to the engine. */
static JSValue js_json_get_escaped(js_json_reader* r, const uint8_t* start) {
    const uint8_t* end = start;
    uint8_t *text, *to;
    JSValue string = JS_UNDEFINED;
    while (end < r->end && *end != '"')
        end += *end == '\\' ? 2 : 1;
    if (end >= r->end)
        return string;
    to = text = js_malloc(r->ctx, end - start + 1);
    if (!text)
        return JS_EXCEPTION;
    for (; start < end; start++) {
        int c = *start;
        if (c == '\\')
            c = js_json_escape(*++start);
        else if (c < ' ')
            c = -1;
        if (c < 0)
            goto done;
        *to++ = c;
    }
    string = js_new_string8_len(r->ctx, (const char*)text, to - text);
    r->at = end + 1;
done:
    js_free(r->ctx, text);
    return string;
}

static JSValue js_json_get_string(js_json_reader* r) {
    const uint8_t* start = r->at + 1;
    size_t length;
    bool is_ascii;
    const uint8_t* text = js_json_span(r, &length, &is_ascii);
    if (text)
        return js_new_string8_len(r->ctx, (const char*)text, length);
    return js_json_get_escaped(r, start);
}

static const uint8_t* js_json_digits(const uint8_t* at, const uint8_t* end) {
    while (at < end && is_digit(*at))
        at++;
    return at;
}

/* The end of the fraction and the exponent that begin here; NULL: they are not right. */
static const uint8_t* js_json_fraction(const uint8_t* at, const uint8_t* end) {
    const uint8_t* start;
    if (at < end && *at == '.') {
        start = at + 1;
        if ((at = js_json_digits(start, end)) == start)
            return NULL;
    }
    if (at < end && (*at == 'e' || *at == 'E')) {
        start = at + 1;
        if (start < end && (*start == '+' || *start == '-'))
            start++;
        if ((at = js_json_digits(start, end)) == start)
            return NULL;
    }
    return at;
}

static JSValue js_json_get_number(js_json_reader* r) {
    const uint8_t* start = r->at + (*r->at == '-');
    const uint8_t* digits = js_json_digits(start, r->end);
    const uint8_t* end = js_json_fraction(digits, r->end);
    char text[40];
    size_t length;
    if (!end || digits == start || (*start == '0' && digits - start > 1))
        return JS_UNDEFINED;
    if (end == digits && digits - start < 10) {
        int32_t value = 0;
        for (const uint8_t* at = start; at < digits; at++)
            value = value * 10 + (*at - '0');
        if (value != 0 || start == r->at) {
            value = start == r->at ? value : -value;
            r->at = end;
            return js_int32(value);
        }
    }
    length = end - r->at;
    if (length >= sizeof(text))
        return JS_UNDEFINED;
    memcpy(text, r->at, length);
    text[length] = '\0';
    r->at = end;
    return js_float64(strtod(text, NULL));
}

static JSValue js_json_get_word(js_json_reader* r, const char* word, JSValue value) {
    size_t length = strlen(word);
    if ((size_t)(r->end - r->at) < length || memcmp(r->at, word, length) != 0)
        return JS_UNDEFINED;
    r->at += length;
    return value;
}

static JSValue js_json_get_array(js_json_reader* r, int depth) {
    JSValue array = JS_NewArray(r->ctx), value;
    uint32_t count = 0;
    if (JS_IsException(array))
        return array;
    r->at++;
    if (js_json_next(r) == ']') {
        r->at++;
        return array;
    }
    for (;;) {
        value = js_json_get_value(r, depth);
        if (JS_IsUndefined(value) || JS_IsException(value))
            break;
        if (JS_DefinePropertyValueUint32(r->ctx, array, count++, value, JS_PROP_C_W_E) < 0) {
            value = JS_EXCEPTION;
            break;
        }
        value = JS_UNDEFINED;
        if (js_json_next(r) == ']') {
            r->at++;
            return array;
        }
        if (js_json_next(r) != ',')
            break;
        r->at++;
    }
    JS_FreeValue(r->ctx, array);
    return value;
}

static int js_json_define(JSContext* ctx, JSValueConst object, JSAtom name, JSValue value) {
    JSObject* p = JS_VALUE_GET_OBJ(object);
    JSProperty* property;
    if (find_own_property1(p, name))
        return JS_DefinePropertyValue(ctx, object, name, value, JS_PROP_C_W_E);
    property = add_property(ctx, p, name, JS_PROP_C_W_E);
    if (!property) {
        JS_FreeValue(ctx, value);
        return -1;
    }
    property->u.value = value;
    return 0;
}

/* One name and its value into the object. True; undefined: left to the engine; or an exception. */
static JSValue js_json_get_property(js_json_reader* r, JSValueConst object, int depth) {
    const uint8_t* text;
    size_t length;
    bool is_ascii;
    JSAtom name;
    JSValue value = JS_UNDEFINED;
    if (js_json_next(r) != '"' || !(text = js_json_span(r, &length, &is_ascii)) || !is_ascii ||
        js_json_next(r) != ':')
        return value;
    r->at++;
    name = JS_NewAtomLen(r->ctx, (const char*)text, length);
    if (name == JS_ATOM_NULL)
        return JS_EXCEPTION;
    value = js_json_get_value(r, depth);
    if (!JS_IsUndefined(value) && !JS_IsException(value))
        value = js_json_define(r->ctx, object, name, value) < 0 ? JS_EXCEPTION : JS_TRUE;
    JS_FreeAtom(r->ctx, name);
    return value;
}

static JSValue js_json_get_object(js_json_reader* r, int depth) {
    JSValue object = JS_NewObject(r->ctx), done;
    if (JS_IsException(object))
        return object;
    r->at++;
    if (js_json_next(r) == '}') {
        r->at++;
        return object;
    }
    for (;;) {
        done = js_json_get_property(r, object, depth);
        if (JS_IsUndefined(done) || JS_IsException(done))
            break;
        done = JS_UNDEFINED;
        if (js_json_next(r) == '}') {
            r->at++;
            return object;
        }
        if (js_json_next(r) != ',')
            break;
        r->at++;
    }
    JS_FreeValue(r->ctx, object);
    return done;
}

/* Undefined: the engine has to do it. */
static JSValue js_json_get_value(js_json_reader* r, int depth) {
    int c = js_json_next(r);
    if (c == '"')
        return js_json_get_string(r);
    if (c == '-' || is_digit(c))
        return js_json_get_number(r);
    if (c == 't')
        return js_json_get_word(r, "true", JS_TRUE);
    if (c == 'f')
        return js_json_get_word(r, "false", JS_FALSE);
    if (c == 'n')
        return js_json_get_word(r, "null", JS_NULL);
    if (depth >= JS_JSON_DEPTH)
        return JS_UNDEFINED;
    if (c == '{')
        return js_json_get_object(r, depth + 1);
    if (c == '[')
        return js_json_get_array(r, depth + 1);
    return JS_UNDEFINED;
}

static JSValue js_json_read(JSContext* ctx, JSValueConst text) {
    js_json_reader r = {.ctx = ctx};
    JSValue value;
    JSString* string;
    if (JS_VALUE_GET_TAG(text) != JS_TAG_STRING || js_check_stack_overflow(ctx->rt, 64 * 1024))
        return JS_UNDEFINED;
    string = JS_VALUE_GET_STRING(text);
    if (string->is_wide_char)
        return JS_UNDEFINED;
    r.at = str8(string);
    r.end = r.at + string->len;
    value = js_json_get_value(&r, 0);
    if (js_json_next(&r) == 0 && r.at == r.end)
        return value;
    if (JS_IsException(value))
        return value;
    JS_FreeValue(ctx, value);
    return JS_UNDEFINED;
}
