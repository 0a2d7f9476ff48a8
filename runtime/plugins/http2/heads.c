/* Heads as programs have them: objects of names and values. Here are the ordinary ones; what is odd
 * is left to JavaScript (internal/http2/headers). */
#include <stdlib.h>
#include <string.h>

#include "http/text.h"
#include "plugins/http2/http2.h"

enum { MOST = 64, PSEUDO_NONE = 0, PSEUDO_OF_RESPONSE = 1 };

typedef struct {
    JSContext* ctx;
    JSValueConst headers;
    JSPropertyEnum* names;
    uint32_t name_count;
    int kind;
    JSValue items[MOST * 3];
    int count;
} head_list;

static bool is_one_of(const char* name, const char* const* list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(list[i], name) == 0)
            return true;
    return false;
}

static bool is_plain_name(const char* name, size_t length) {
    static const char* const refused[] = {"connection", "upgrade",          "http2-settings",
                                          "keep-alive", "proxy-connection", "transfer-encoding",
                                          "te"};
    for (size_t i = 0; i < length; i++) {
        char c = name[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        if (!letter && (c == '\0' || strchr("!#$%&'*+.^_`|~", c) == NULL))
            return false;
    }
    return length > 0 && !is_one_of(name, refused, PH_COUNT(refused));
}

static bool is_pseudo(const char* name, int kind) {
    static const char* const names[] = {":status", ":method",   ":authority",
                                        ":scheme", ":protocol", ":path"};
    if (kind == PSEUDO_NONE)
        return false;
    return is_one_of(name, names, kind == PSEUDO_OF_RESPONSE ? 1 : PH_COUNT(names));
}

/* 1: it is in the list, or is to be left out. 0: it is odd. -1: an exception. */
static int add_field(head_list* list, JSAtom atom, bool pseudo) {
    JSContext* ctx = list->ctx;
    size_t length;
    const char* name = JS_AtomToCStringLen(ctx, &length, atom);
    if (name == NULL)
        return -1;
    bool begins = name[0] == ':';
    bool fine = begins ? is_pseudo(name, list->kind) : is_plain_name(name, length);
    JS_FreeCString(ctx, name);
    if (!fine || begins != pseudo)
        return fine;
    JSValue value = JS_GetProperty(ctx, list->headers, atom);
    if (JS_IsException(value))
        return -1;
    if (JS_IsUndefined(value))
        return 1;
    if ((!JS_IsString(value) && !JS_IsNumber(value)) || list->count == PH_COUNT(list->items)) {
        JS_FreeValue(ctx, value);
        return 0;
    }
    JSValue text = JS_ToString(ctx, value);
    JS_FreeValue(ctx, value);
    list->items[list->count++] = JS_AtomToString(ctx, atom);
    list->items[list->count++] = text;
    list->items[list->count++] = JS_FALSE;
    return JS_IsException(text) || JS_IsException(list->items[list->count - 3]) ? -1 : 1;
}

/* Names that begin with a colon first. */
static int add_fields(head_list* list) {
    for (int pseudo = 1; pseudo >= 0; pseudo--)
        for (uint32_t i = 0; i < list->name_count; i++) {
            int status = add_field(list, list->names[i].atom, pseudo != 0);
            if (status <= 0)
                return status;
        }
    return 1;
}

/* Whether the property is not there, or is an empty list: nothing is secret. */
static int has_no_secrets(JSContext* ctx, JSValueConst headers, JSValueConst symbol) {
    JSAtom atom = JS_ValueToAtom(ctx, symbol);
    JSValue secret = atom == JS_ATOM_NULL ? JS_EXCEPTION : JS_GetProperty(ctx, headers, atom);
    JS_FreeAtom(ctx, atom);
    int64_t length = 0;
    int status = 1;
    if (JS_IsException(secret))
        status = -1;
    else if (!JS_IsUndefined(secret))
        status = !JS_IsArray(secret) ? 0 : JS_GetLength(ctx, secret, &length) != 0 ? -1 : !length;
    JS_FreeValue(ctx, secret);
    return status;
}

/* list(headers, which pseudo names (0: none, 1: of a response, 2: all), symbol of the secret ones):
 * [name, value, false, ...], or undefined if something in them is odd */
static JSValue list_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    head_list list = {.ctx = ctx, .headers = argv[0], .kind = ph_int(ctx, argv[1], 0)};
    if (!JS_IsObject(argv[0]))
        return JS_UNDEFINED;
    int status = has_no_secrets(ctx, argv[0], argv[2]);
    if (status > 0 && JS_GetOwnPropertyNames(ctx, &list.names, &list.name_count, argv[0],
                                             JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) != 0)
        status = -1;
    if (status > 0)
        status = add_fields(&list);
    JS_FreePropertyEnum(ctx, list.names, list.name_count);
    if (status > 0)
        return JS_NewArrayFrom(ctx, list.count, list.items);
    for (int i = 0; i < list.count; i++)
        JS_FreeValue(ctx, list.items[i]);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue status_number(JSContext* ctx, const char* text, size_t length) {
    int status = 0;
    for (size_t i = 0; i < length && i < 4; i++)
        if (text[i] < '0' || text[i] > '9')
            return JS_UNDEFINED;
        else
            status = status * 10 + (text[i] - '0');
    return length == 0 || length > 3 ? JS_UNDEFINED : JS_NewInt32(ctx, status);
}

/* Adds a field to the object, and its name and value to the raw ones. False: it is odd, or there is
 * no memory. */
static bool take_field(h2_session* h2, JSValueConst object, const h2_field* field, JSValue* raw) {
    JSContext* ctx = h2->env->ctx;
    static const char status[] = ":status";
    static const char cookies[] = "set-cookie";
    size_t length = field->name_length;
    if (field->never ||
        (length == sizeof(cookies) - 1 && memcmp(field->name, cookies, length) == 0))
        return false;
    JSAtom atom = JS_NewAtomLen(ctx, field->name, length);
    if (atom == JS_ATOM_NULL || JS_GetOwnProperty(ctx, NULL, object, atom) != 0) {
        JS_FreeAtom(ctx, atom);
        return false;
    }
    raw[0] = JS_AtomToString(ctx, atom);
    raw[1] = ph_http_text(ctx, field->value, field->value_length);
    JSValue value = JS_UNDEFINED;
    if (length == sizeof(status) - 1 && memcmp(field->name, status, length) == 0)
        value = status_number(ctx, field->value, field->value_length);
    else if (!JS_IsException(raw[1]))
        value = JS_DupValue(ctx, raw[1]);
    bool done =
        !JS_IsUndefined(value) && !JS_IsException(raw[0]) &&
        JS_DefinePropertyValue(ctx, object, atom, value, JS_PROP_C_W_E | JS_PROP_THROW) >= 0;
    JS_FreeAtom(ctx, atom);
    return done;
}

/* JS_UNDEFINED: it is odd. */
static JSValue plain_head(h2_session* h2, JSValue* raw) {
    JSContext* ctx = h2->env->ctx;
    JSValue object = JS_NewObjectProto(ctx, JS_NULL);
    h2_field field = {.at = 0};
    bool fine = !JS_IsException(object);
    while (fine && h2_next_field(h2, &field)) {
        fine = take_field(h2, object, &field, raw);
        raw += 2;
    }
    JSValue secret = fine ? JS_NewArray(ctx) : JS_UNDEFINED;
    if (fine && JS_DefinePropertyValue(ctx, object, h2->secret, secret, JS_PROP_C_W_E) >= 0)
        return object;
    JS_FreeValue(ctx, object);
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_UNDEFINED;
}

void h2_head_values(h2_session* h2, JSValue values[2]) {
    JSContext* ctx = h2->env->ctx;
    size_t count = (size_t)h2->pairs * 2;
    JSValue* raw = malloc((count + 1) * sizeof(*raw));
    values[0] = JS_UNDEFINED;
    for (size_t i = 0; raw != NULL && i < count; i++)
        raw[i] = JS_UNDEFINED;
    if (raw != NULL)
        values[0] = plain_head(h2, raw);
    if (!JS_IsUndefined(values[0])) {
        values[1] = JS_NewArrayFrom(ctx, (int)count, raw);
    } else {
        for (size_t i = 0; raw != NULL && i < count; i++)
            JS_FreeValue(ctx, raw[i]);
        values[1] = h2_head_list(h2);
    }
    free(raw);
    h2->memory -= h2->head_length < h2->memory ? h2->head_length : h2->memory;
    h2->head_length = 0;
    h2->pairs = 0;
}

void h2_export_heads(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("list", 3, list_of),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
