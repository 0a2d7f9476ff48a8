/* Fields of heads: the lines of one that goes out, and single fields of one that came in; and
 * whether options are those of before. */
#include <string.h>
#include <strings.h>

#include "http/text.h"

/* What the framing of a message or its connection depends on; JavaScript looks at these. */
static bool is_special(const char* name, size_t length) {
    static const char* const names[] = {"date",       "expect",           "trailer",
                                        "connection", "keep-alive",       "content-length",
                                        "cookie",     "transfer-encoding"};
    for (size_t i = 0; i < PH_COUNT(names); i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return true;
    return false;
}

typedef struct {
    char few[512];
    size_t length;
} line_text;

/* False: it does not fit, or is neither text nor a number. */
static bool add_text(JSContext* ctx, line_text* out, JSValueConst value, const char* end) {
    if (!JS_IsString(value) && !JS_IsNumber(value))
        return false;
    size_t length, tail = strlen(end);
    const char* text = ph_text(ctx, value, &length);
    bool fits = text != NULL && length + tail <= sizeof(out->few) - out->length;
    if (fits) {
        memcpy(out->few + out->length, text, length);
        memcpy(out->few + out->length + length, end, tail);
        out->length += length + tail;
    }
    JS_FreeCString(ctx, text);
    return fits;
}

static bool add_line(JSContext* ctx, line_text* out, JSValueConst headers, JSAtom key) {
    size_t length;
    const char* lower = JS_AtomToCStringLen(ctx, &length, key);
    bool fine = lower != NULL && !is_special(lower, length);
    JS_FreeCString(ctx, lower);
    if (!fine)
        return false;
    JSValue entry = JS_GetProperty(ctx, headers, key);
    JSValue name = JS_GetPropertyUint32(ctx, entry, 0);
    JSValue value = JS_GetPropertyUint32(ctx, entry, 1);
    fine = add_text(ctx, out, name, ": ") && add_text(ctx, out, value, "\r\n");
    ph_drop(ctx, value);
    ph_drop(ctx, name);
    ph_drop(ctx, entry);
    return fine;
}

/* lines({ lower-case name: [name, value] }): the lines of a head, if nothing in them needs a look
 * and they are short; otherwise undefined */
static JSValue lines(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    JSPropertyEnum* names;
    uint32_t count;
    line_text out = {.length = 0};
    if (!JS_IsObject(argv[0]))
        return JS_UNDEFINED;
    if (JS_GetOwnPropertyNames(ctx, &names, &count, argv[0], JS_GPN_STRING_MASK) != 0)
        return JS_EXCEPTION;
    bool fine = true;
    for (uint32_t i = 0; i < count && fine; i++)
        fine = add_line(ctx, &out, argv[0], names[i].atom);
    JS_FreePropertyEnum(ctx, names, count);
    if (JS_HasException(ctx))
        return JS_EXCEPTION;
    return fine ? JS_NewStringLen(ctx, out.few, out.length) : JS_UNDEFINED;
}

/* field(names and values, each on a line; name): its first value, or undefined */
static JSValue field(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    size_t length, wanted_length;
    const char* all = ph_text(ctx, argv[0], &length);
    const char* wanted = all == NULL ? NULL : ph_text(ctx, argv[1], &wanted_length);
    JSValue found = wanted == NULL ? JS_EXCEPTION : JS_UNDEFINED;
    const char *at = all, *last = all == NULL ? NULL : all + length;
    while (wanted != NULL && at < last) {
        const char* name_end = memchr(at, '\n', (size_t)(last - at));
        if (name_end == NULL)
            break;
        const char* value_end = memchr(name_end + 1, '\n', (size_t)(last - name_end - 1));
        if (value_end == NULL)
            value_end = last;
        if ((size_t)(name_end - at) == wanted_length &&
            strncasecmp(at, wanted, wanted_length) == 0) {
            found = JS_NewStringLen(ctx, name_end + 1, (size_t)(value_end - name_end - 1));
            break;
        }
        at = value_end + 1;
    }
    JS_FreeCString(ctx, wanted);
    JS_FreeCString(ctx, all);
    return found;
}

static bool is_same(JSContext* ctx, JSValueConst object, JSValueConst name, JSValueConst value) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    JSValue found = atom == JS_ATOM_NULL ? JS_EXCEPTION : JS_GetProperty(ctx, object, atom);
    bool same = !JS_IsException(found) && JS_IsStrictEqual(ctx, found, value);
    ph_drop(ctx, found);
    JS_FreeAtom(ctx, atom);
    return same;
}

/* hasSame(object, names, values): do the properties of these names have these values? */
static JSValue has_same(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    int64_t count = 0;
    if (!JS_IsObject(argv[0]))
        return JS_FALSE;
    if (JS_GetLength(ctx, argv[1], &count) != 0)
        return JS_EXCEPTION;
    bool same = true;
    for (int64_t i = 0; i < count && same; i++) {
        JSValue name = JS_GetPropertyInt64(ctx, argv[1], i);
        JSValue value = JS_GetPropertyInt64(ctx, argv[2], i);
        same = is_same(ctx, argv[0], name, value);
        ph_drop(ctx, value);
        ph_drop(ctx, name);
    }
    return JS_HasException(ctx) ? JS_EXCEPTION : JS_NewBool(ctx, same);
}

void ph_http_lines_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("lines", 1, lines),
        JS_CFUNC_DEF("field", 2, field),
        JS_CFUNC_DEF("hasSame", 3, has_same),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
