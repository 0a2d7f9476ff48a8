// The HTTP parser for JavaScript.
//
// newParser(kind, maxHead, handlers) makes an object that inherits from `handlers`:
//   onHead(method or status, target or reason, fields, flags, minor) gives a ph_http_answer
//   onBody(offset, length) in the buffer that execute got
//   onEnd(trailer fields)
// execute(parser, buffer) and finish(parser) give the number of bytes read, or
// [code, reason, bytes read] when the input is wrong.
#include <stdlib.h>
#include <string.h>

#include "bindings.h"
#include "http_parser.h"

typedef struct {
    ph_http_parser http;
    JSContext* ctx;
    JSValueConst self; // valid while running
    const uint8_t* input;
    bool running;
    bool threw;
} parser_object;

static void finalize(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    parser_object* parser = JS_GetOpaque(value, env->http_class);
    if (parser != NULL) {
        ph_http_release(&parser->http);
        free(parser);
    }
}

// Field values are Latin-1.
static JSValue text_value(JSContext* ctx, const char* text, size_t length) {
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

static JSValue span_value(parser_object* parser, ph_http_span span) {
    return text_value(parser->ctx, parser->http.text + span.at, span.length);
}

static JSValue fields_value(parser_object* parser) {
    JSContext* ctx = parser->ctx;
    size_t count = parser->http.field_count * 2;
    if (count == 0)
        return JS_NewArray(ctx);
    JSValue few[32] = {JS_UNDEFINED};
    JSValue* values = count <= PH_COUNT(few) ? few : malloc(count * sizeof(JSValue));
    if (values == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (size_t i = 0; i < count; i += 2) {
        const ph_http_field* field = &parser->http.fields[i / 2];
        values[i] = span_value(parser, field->name);
        values[i + 1] = span_value(parser, field->value);
    }
    JSValue list = JS_NewArrayFrom(ctx, (int)count, values);
    if (values != few)
        free(values);
    return list;
}

// Calls a handler and frees the arguments.
static JSValue call(parser_object* parser, const char* name, int argc, JSValue* argv_owned) {
    JSContext* ctx = parser->ctx;
    JSValue handler = JS_GetPropertyStr(ctx, parser->self, name);
    JSValue result = JS_Call(ctx, handler, parser->self, argc, argv_owned);
    JS_FreeValue(ctx, handler);
    for (int i = 0; i < argc; i++)
        JS_FreeValue(ctx, argv_owned[i]);
    parser->threw = JS_IsException(result);
    return result;
}

static ph_http_answer on_head(ph_http_parser* http) {
    parser_object* parser = http->owner;
    JSContext* ctx = parser->ctx;
    bool request = http->kind == PH_HTTP_REQUEST;
    JSValue args[] = {
        request ? span_value(parser, http->method) : JS_NewInt32(ctx, (int)http->status),
        span_value(parser, http->target),
        fields_value(parser),
        JS_NewInt32(ctx, (int)http->flags),
        JS_NewInt32(ctx, (int)http->minor),
    };
    JSValue result = call(parser, "onHead", PH_COUNT(args), args);
    return JS_IsException(result) ? PH_HTTP_BODY_STOP
                                  : (ph_http_answer)ph_int(ctx, result, PH_HTTP_BODY_AS_SAID);
}

static bool on_body(ph_http_parser* http, const uint8_t* bytes, size_t length) {
    parser_object* parser = http->owner;
    JSValue args[] = {JS_NewInt64(parser->ctx, bytes - parser->input),
                      JS_NewInt64(parser->ctx, (int64_t)length)};
    JSValue result = call(parser, "onBody", PH_COUNT(args), args);
    JS_FreeValue(parser->ctx, result);
    return !parser->threw;
}

static bool on_end(ph_http_parser* http) {
    parser_object* parser = http->owner;
    JSValue args[] = {http->field_count > 0 ? fields_value(parser) : JS_UNDEFINED};
    JSValue result = call(parser, "onEnd", PH_COUNT(args), args);
    JS_FreeValue(parser->ctx, result);
    return !parser->threw;
}

static const ph_http_callbacks callbacks = {on_head, on_body, on_end};

static JSValue new_parser(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    parser_object* parser = calloc(1, sizeof(*parser));
    if (parser == NULL)
        return JS_ThrowOutOfMemory(ctx);
    ph_http_kind kind = ph_int(ctx, argv[0], 0) == 0 ? PH_HTTP_REQUEST : PH_HTTP_RESPONSE;
    ph_http_init(&parser->http, kind, &callbacks, parser, (size_t)ph_number(ctx, argv[1], 16384));
    parser->ctx = ctx;
    JSValue object = JS_NewObjectProtoClass(ctx, argv[2], ph_env_of(ctx)->http_class);
    if (JS_IsException(object)) {
        free(parser);
        return object;
    }
    JS_SetOpaque(object, parser);
    return object;
}

static JSValue outcome(parser_object* parser, ph_http_result result, size_t used) {
    JSContext* ctx = parser->ctx;
    if (parser->threw)
        return JS_EXCEPTION;
    // A parser that was stopped by an exception stays so; an upgrade is no failure.
    if (result == PH_HTTP_OK || (result == PH_HTTP_STOPPED && parser->http.failed == PH_HTTP_OK))
        return JS_NewInt64(ctx, (int64_t)used);
    JSValue parts[] = {JS_NewString(ctx, ph_http_result_name(result)),
                       JS_NewString(ctx, parser->http.reason), JS_NewInt64(ctx, (int64_t)used)};
    return JS_NewArrayFrom(ctx, PH_COUNT(parts), parts);
}

static parser_object* begin(JSContext* ctx, JSValueConst value) {
    parser_object* parser = JS_GetOpaque2(ctx, value, ph_env_of(ctx)->http_class);
    if (parser == NULL)
        return NULL;
    if (parser->running) {
        JS_ThrowTypeError(ctx, "the parser is running");
        return NULL;
    }
    parser->self = value;
    parser->running = true;
    parser->threw = false;
    return parser;
}

static JSValue execute(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    size_t used;
    if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    parser_object* parser = begin(ctx, argv[0]);
    if (parser == NULL)
        return JS_EXCEPTION;
    parser->input = bytes;
    ph_http_result result = ph_http_execute(&parser->http, bytes, length, &used);
    parser->running = false;
    return outcome(parser, result, used);
}

static JSValue finish(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    parser_object* parser = begin(ctx, argv[0]);
    if (parser == NULL)
        return JS_EXCEPTION;
    ph_http_result result = ph_http_finish(&parser->http);
    parser->running = false;
    return outcome(parser, result, 0);
}

static bool is_token_text(const uint8_t* text, size_t length) {
    for (size_t i = 0; i < length; i++)
        if (!ph_http_is_token(text[i]))
            return false;
    return length > 0;
}

// UTF-8 whose characters are all Latin-1 and no controls but the tab.
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

// isToken(text), isValue(text)
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

// Of these only the first counts.
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
    memcpy(word + 1, name, length);
    memcpy(word + 1 + length, " ", 2);
    return strstr(names, word) != NULL;
}

static JSValue join(JSContext* ctx, JSValueConst before, const char* between, JSValueConst value) {
    const char* first = JS_ToCString(ctx, before);
    const char* second = JS_ToCString(ctx, value);
    JSValue joined = JS_EXCEPTION;
    if (first != NULL && second != NULL) {
        size_t size = strlen(first) + strlen(between) + strlen(second);
        char* text = malloc(size + 1);
        if (text != NULL) {
            strcpy(text, first);
            strcat(text, between);
            strcat(text, second);
            joined = JS_NewStringLen(ctx, text, size);
            free(text);
        }
    }
    JS_FreeCString(ctx, first);
    JS_FreeCString(ctx, second);
    return joined;
}

// Adds one field under its lower-case name; the value passes to the target.
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
        const char* between = strcmp(name, "cookie") == 0 ? "; " : ", ";
        JS_SetProperty(ctx, target, key, join(ctx, before, between, value_owned));
    }
    JS_FreeValue(ctx, before);
    JS_FreeValue(ctx, value_owned);
    JS_FreeAtom(ctx, key);
}

// headers(raw fields, join all): an object of lower-case names
static JSValue headers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int64_t count = 0;
    bool join_all = ph_flag(ctx, argv[1]);
    JSValue target = JS_NewObject(ctx);
    if (JS_IsException(target) || JS_GetLength(ctx, argv[0], &count) != 0)
        return JS_EXCEPTION;
    for (int64_t i = 0; i + 1 < count; i += 2) {
        JSValue name = JS_GetPropertyInt64(ctx, argv[0], i);
        const char* text = JS_ToCString(ctx, name);
        JS_FreeValue(ctx, name);
        char* lower = text == NULL ? NULL : strdup(text);
        JS_FreeCString(ctx, text);
        if (lower == NULL) {
            JS_FreeValue(ctx, target);
            return JS_IsException(name) ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
        }
        for (char* c = lower; *c != '\0'; c++)
            if (*c >= 'A' && *c <= 'Z')
                *c |= 32;
        add_field(ctx, target, lower, JS_GetPropertyInt64(ctx, argv[0], i + 1), join_all);
        free(lower);
    }
    return target;
}

JSValue ph_http_binding(JSContext* ctx) {
    static const JSClassDef definition = {.class_name = "HTTPParser", .finalizer = finalize};
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newParser", 3, new_parser),
        JS_CFUNC_DEF("execute", 2, execute),
        JS_CFUNC_DEF("finish", 1, finish),
        JS_CFUNC_MAGIC_DEF("isToken", 1, check_text, IS_TOKEN),
        JS_CFUNC_MAGIC_DEF("isValue", 1, check_text, IS_VALUE),
        JS_CFUNC_DEF("headers", 2, headers),
    };
    JSRuntime* rt = JS_GetRuntime(ctx);
    ph_env* env = ph_env_of(ctx);
    JS_NewClassID(rt, &env->http_class);
    if (!JS_IsRegisteredClass(rt, env->http_class))
        JS_NewClass(rt, env->http_class, &definition);
    return PH_EXPORT(ctx, functions);
}
