/* Text of HTTP messages for JavaScript: checks of names and values, the headers object. */
#include <stdlib.h>
#include <string.h>

#include "http/parser.h"
#include "http/text.h"

JSValue ph_http_text(JSContext* ctx, const char* text, size_t length) {
    size_t high = 0;
    for (size_t i = 0; i < length; i++)
        high += (uint8_t)text[i] >> 7;
    if (high == 0)
        return JS_NewStringLen(ctx, text, length);
    char* utf8 = malloc(length + high);
    if (utf8 == NULL)
        return JS_ThrowOutOfMemory(ctx);
    size_t made = 0;
    for (size_t i = 0; i < length; i++) {
        uint8_t c = (uint8_t)text[i];
        if (c >= 0x80) {
            utf8[made++] = (char)(0xC0 | c >> 6);
            c = 0x80 | (c & 0x3F);
        }
        utf8[made++] = (char)c;
    }
    JSValue value = JS_NewStringLen(ctx, utf8, made);
    free(utf8);
    return value;
}

static bool is_token_text(const uint8_t* text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!ph_http_is_token(text[i]))
            return false;
    return length > 0;
}

/* UTF-8 whose characters are all Latin-1 and no controls but the tab. */
static bool is_value_text(const uint8_t* text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (text[i] == 0xC2 || text[i] == 0xC3)
            i++;
        else if ((text[i] < 32 && text[i] != '\t') || text[i] >= 127)
            return false;
    }
    return true;
}

enum { IS_TOKEN, IS_VALUE };

/* isToken(text), isValue(text) */
static JSValue check_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    size_t length;
    const char* text = JS_ToCStringLen(ctx, &length, argv[0]);
    if (text == NULL)
        return JS_EXCEPTION;
    bool fine = magic == IS_TOKEN ? is_token_text((const uint8_t*)text, length)
                                  : is_value_text((const uint8_t*)text, length);
    JS_FreeCString(ctx, text);
    return JS_NewBool(ctx, fine);
}

/* Of these only the first counts. */
static bool is_single(const char* name) {
    static const char names[] =
        " age authorization content-length content-type etag expires from host if-modified-since"
        " if-unmodified-since last-modified location max-forwards proxy-authorization referer"
        " retry-after server user-agent ";
    char word[32];
    size_t length = strlen(name);
    if (length > sizeof(word) - 3)
        return false;
    word[0] = ' ';
    memcpy(word + 1, name, length + 1);
    memcpy(word + 1 + length, " ", 2);
    return strstr(names, word) != NULL;
}

/* The two values with the mark and a space between them. */
static JSValue join(JSContext* ctx, JSValueConst before, char mark, JSValueConst value) {
    size_t head;
    size_t tail;
    const char* first = JS_ToCStringLen(ctx, &head, before);
    const char* second = JS_ToCStringLen(ctx, &tail, value);
    JSValue joined = JS_EXCEPTION;
    if (first != NULL && second != NULL) {
        size_t size = head + 2 + tail;
        char* text = js_malloc(ctx, size);
        if (text != NULL) {
            memcpy(text, first, head);
            text[head] = mark;
            text[head + 1] = ' ';
            memcpy(text + head + 2, second, tail);
            joined = JS_NewStringLen(ctx, text, size);
            js_free(ctx, text);
        }
    }
    JS_FreeCString(ctx, first);
    JS_FreeCString(ctx, second);
    return joined;
}

/* Adds one field under its lower-case name; the value passes to the target. */
static void add_field(JSContext* ctx, JSValueConst target, const char* name, JSValue value_owned,
                      bool join_all) {
    JSAtom key = JS_NewAtom(ctx, name);
    bool list = strcmp(name, "set-cookie") == 0;
    int has = JS_GetOwnProperty(ctx, NULL, target, key);
    if (has <= 0) {
        JSValue first = value_owned;
        if (list)
            first = JS_NewArrayFrom(ctx, 1, &value_owned);
        JS_SetProperty(ctx, target, key, first);
        JS_FreeAtom(ctx, key);
        return;
    }
    JSValue before = JS_GetProperty(ctx, target, key);
    if (list) {
        int64_t length = 0;
        JS_GetLength(ctx, before, &length);
        JS_SetPropertyInt64(ctx, before, length, JS_DupValue(ctx, value_owned));
    } else if (join_all || !is_single(name)) {
        char mark = strcmp(name, "cookie") == 0 ? ';' : ',';
        JSValue joined = join(ctx, before, mark, value_owned);
        if (!JS_IsException(joined))
            JS_SetProperty(ctx, target, key, joined);
    }
    JS_FreeValue(ctx, before);
    JS_FreeValue(ctx, value_owned);
    JS_FreeAtom(ctx, key);
}

/* headers(raw fields, join all): an object of lower-case names */
static JSValue headers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int64_t count = 0;
    bool join_all = ph_flag(ctx, argv[1]);
    if (JS_GetLength(ctx, argv[0], &count) != 0)
        return JS_EXCEPTION;
    JSValue target = JS_NewObject(ctx);
    for (int64_t i = 0; i + 1 < count && !JS_HasException(ctx); i += 2) {
        JSValue name = JS_GetPropertyInt64(ctx, argv[0], i);
        const char* text = JS_ToCString(ctx, name);
        JS_FreeValue(ctx, name);
        char* lower = text == NULL ? NULL : strdup(text);
        JS_FreeCString(ctx, text);
        if (lower == NULL)
            break;
        for (char* c = lower; *c != '\0'; c++)
            if (*c >= 'A' && *c <= 'Z')
                *c |= 32;
        add_field(ctx, target, lower, JS_GetPropertyInt64(ctx, argv[0], i + 1), join_all);
        free(lower);
    }
    if (!JS_HasException(ctx))
        return target;
    JS_FreeValue(ctx, target);
    return JS_EXCEPTION;
}

void ph_http_text_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("isToken", 1, check_text, IS_TOKEN),
        JS_CFUNC_MAGIC_DEF("isValue", 1, check_text, IS_VALUE),
        JS_CFUNC_DEF("headers", 2, headers),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
