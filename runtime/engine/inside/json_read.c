/* JSON.parse without a reviver, of Latin-1 or UTF-8. What is wrong with a text, and what is
 * unusual, is left to the engine, which begins anew: nothing of the program runs on the way. */
typedef struct {
    JSContext* ctx;
    const uint8_t *at, *end;
    bool is_utf8;
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

static int js_json_hex(const uint8_t* at, const uint8_t* end) {
    int value = 0;
    if (end - at < 4)
        return -1;
    for (int i = 0; i < 4; i++) {
        int digit = from_hex(at[i]);
        if (digit < 0)
            return -1;
        value = value * 16 + digit;
    }
    return value;
}

static JSValue js_json_make(js_json_reader* r, const uint8_t* text, size_t length, bool is_ascii) {
    return is_ascii || !r->is_utf8 ? js_new_string8_len(r->ctx, (const char*)text, length)
                                   : JS_NewStringLen(r->ctx, (const char*)text, length);
}

/* The characters up to the next escape or the end of the string, into the buffer; true: it went. */
static bool js_json_get_run(js_json_reader* r, StringBuffer* b) {
    const uint8_t* start = r->at;
    uint8_t all = 0;
    JSValue run;
    while (r->at < r->end && *r->at >= ' ' && *r->at != '"' && *r->at != '\\')
        all |= *r->at++;
    if (all < 0x80 || !r->is_utf8)
        return string_buffer_write8(b, start, r->at - start) == 0;
    run = js_json_make(r, start, r->at - start, false);
    return !JS_IsException(run) && string_buffer_concat_value_free(b, run) == 0;
}

static bool js_json_get_escape(js_json_reader* r, StringBuffer* b) {
    int c = r->end - r->at < 2 ? -1 : js_json_escape(r->at[1]);
    if (c < 0 && r->end - r->at > 2 && r->at[1] == 'u') {
        c = js_json_hex(r->at + 2, r->end);
        r->at += 4;
    }
    r->at += 2;
    return c >= 0 && string_buffer_putc16(b, c) == 0;
}

/* A string with escapes, whose first character is at `start`. */
static JSValue js_json_get_escaped(js_json_reader* r, const uint8_t* start) {
    StringBuffer b;
    r->at = start;
    if (string_buffer_init(r->ctx, &b, 0))
        return JS_EXCEPTION;
    while (js_json_get_run(r, &b) && r->at < r->end && *r->at >= ' ') {
        if (*r->at == '"') {
            r->at++;
            return string_buffer_end(&b);
        }
        if (!js_json_get_escape(r, &b))
            break;
    }
    string_buffer_free(&b);
    return JS_HasException(r->ctx) ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue js_json_get_string(js_json_reader* r) {
    const uint8_t* start = r->at + 1;
    size_t length;
    bool is_ascii;
    const uint8_t* text = js_json_span(r, &length, &is_ascii);
    return text ? js_json_make(r, text, length, is_ascii) : js_json_get_escaped(r, start);
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

/* JS_ATOM_NULL with an exception; without one, the engine has to do it. */
static JSAtom js_json_get_name(js_json_reader* r) {
    const uint8_t *start = r->at + 1, *text;
    size_t length;
    bool is_ascii;
    JSValue string;
    if (js_json_next(r) != '"')
        return JS_ATOM_NULL;
    start = r->at + 1;
    text = js_json_span(r, &length, &is_ascii);
    if (text && is_ascii)
        return JS_NewAtomLen(r->ctx, (const char*)text, length);
    string = text ? js_json_make(r, text, length, false) : js_json_get_escaped(r, start);
    if (JS_VALUE_GET_TAG(string) != JS_TAG_STRING)
        return JS_ATOM_NULL;
    return JS_NewAtomStr(r->ctx, JS_VALUE_GET_STRING(string));
}

/* One name and its value into the object. True; undefined: left to the engine; or an exception. */
static JSValue js_json_get_property(js_json_reader* r, JSValueConst object, int depth) {
    JSAtom name = js_json_get_name(r);
    JSValue value = JS_UNDEFINED;
    if (name == JS_ATOM_NULL)
        return JS_HasException(r->ctx) ? JS_EXCEPTION : value;
    if (js_json_next(r) == ':') {
        r->at++;
        value = js_json_get_value(r, depth);
    }
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

static JSValue js_json_read_all(js_json_reader* r) {
    JSValue value = js_json_get_value(r, 0);
    if (JS_IsException(value) || (js_json_next(r) == 0 && r->at == r->end))
        return value;
    JS_FreeValue(r->ctx, value);
    return JS_UNDEFINED;
}

static JSValue js_json_read(JSContext* ctx, JSValueConst text) {
    js_json_reader r = {.ctx = ctx};
    JSValue value;
    const char* utf8;
    size_t length;
    int tag = JS_VALUE_GET_TAG(text);
    if ((tag != JS_TAG_STRING && tag != JS_TAG_STRING_ROPE) ||
        js_check_stack_overflow(ctx->rt, 64 * 1024))
        return JS_UNDEFINED;
    if (tag == JS_TAG_STRING && !JS_VALUE_GET_STRING(text)->is_wide_char) {
        r.at = str8(JS_VALUE_GET_STRING(text));
        r.end = r.at + JS_VALUE_GET_STRING(text)->len;
        return js_json_read_all(&r);
    }
    utf8 = JS_ToCStringLen(ctx, &length, text);
    if (!utf8)
        return JS_EXCEPTION;
    r.at = (const uint8_t*)utf8;
    r.end = r.at + length;
    r.is_utf8 = true;
    value = js_json_read_all(&r);
    JS_FreeCString(ctx, utf8);
    return value;
}
