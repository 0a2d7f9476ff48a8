/* The HTTP parser for JavaScript.
 *
 * newParser(owner, kind, maxHead, isLenient) makes one; it calls these functions of the owner:
 *   onHead(method or status, target or reason, fields, flags, field count) gives a ph_http_answer;
 *     fields are names and values, one per line; the flags have the version above bit 15
 *   onBody(buffer)
 *   onComplete(trailer fields)
 *   onStop(result, input) when input is wrong (result: [code, reason, bytes read]), and with all
 *   that
 *     comes behind it; or when another protocol starts in it (result: where)
 *   onExecuted(length), if there is such, after each piece that the handle has read
 * attach(parser, handle) feeds it with all that the handle reads; execute(parser, buffer) feeds it
 * from anywhere else; finish(parser) ends the input and gives undefined or such a result. */
#include <stdlib.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "bindings/handle.h"
#include "engine/gate.h"
#include "engine/hooked.h"
#include "http/parser.h"
#include "http/text.h"

enum { ON_HEAD, ON_BODY, ON_END, ON_STOP, ON_READ, HANDLERS };

typedef struct {
    ph_http_parser http;
    ph_env* env;
    JSValue owner;
    JSValue context; /* that of its making, or its work: see hooked.h */
    JSValue handlers[HANDLERS];
    uint64_t started; /* when the first byte of the request came */
    bool any;         /* there has been a message */
    bool waiting;     /* for the first byte of the next one */
    bool running;
    bool threw;
    bool stopped; /* all further input is ignored */
} parser_object;

/* The part of a world that is ours. */
typedef struct {
    JSClassID parser_class;
} ph_http;

static ph_http* ph_http_of(const ph_env* env) {
    return env->parts[PH_PART_HTTP];
}

static void finalize(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    parser_object* parser = JS_GetOpaque(value, ph_http_of(env)->parser_class);
    if (parser == NULL)
        return;
    ph_http_release(&parser->http);
    JS_FreeValueRT(rt, parser->owner);
    JS_FreeValueRT(rt, parser->context);
    for (int i = 0; i < HANDLERS; i++)
        JS_FreeValueRT(rt, parser->handlers[i]);
    free(parser);
}

static void mark(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark_value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    parser_object* parser = JS_GetOpaque(value, ph_http_of(env)->parser_class);
    if (parser == NULL)
        return;
    JS_MarkValue(rt, parser->owner, mark_value);
    JS_MarkValue(rt, parser->context, mark_value);
    for (int i = 0; i < HANDLERS; i++)
        JS_MarkValue(rt, parser->handlers[i], mark_value);
}

static JSValue span_value(parser_object* parser, ph_http_span span) {
    return ph_http_text(parser->env->ctx, parser->http.text + span.at, span.length);
}

/* There are few methods and few targets: the engine has their strings already. */
static JSValue method_value(parser_object* parser) {
    JSContext* ctx = parser->env->ctx;
    ph_http_span span = parser->http.method;
    JSAtom atom = JS_NewAtomLen(ctx, parser->http.text + span.at, span.length);
    JSValue value = JS_AtomToString(ctx, atom);
    JS_FreeAtom(ctx, atom);
    return value;
}

/* Names and values, each on a line; most programs look at few of them or none. */
static JSValue fields_value(parser_object* parser) {
    const ph_http_parser* http = &parser->http;
    if (http->field_count == 0)
        return JS_NewStringLen(parser->env->ctx, "", 0);
    size_t start = http->fields[0].name.at;
    ph_http_span last = http->fields[http->field_count - 1].value;
    return span_value(parser, (ph_http_span){start, last.at + last.length - start});
}

/* Calls a handler and frees the arguments. */
static JSValue call(parser_object* parser, int handler, int argc, JSValue* argv_owned) {
    ph_env* env = parser->env;
    JSContext* ctx = env->ctx;
    JSValue before = env->async_context;
    bool hooked = ph_is_hooked(env) && ph_is_work(env, parser->context);
    bool shifts = JS_IsObject(parser->context) || JS_IsObject(before);
    if (shifts)
        env->async_context = ph_work_context(env, parser->context);
    if (hooked)
        ph_work_enter(env, parser->context);
    JSValue result = JS_Call(ctx, parser->handlers[handler], parser->owner, argc, argv_owned);
    if (hooked && !JS_IsException(result))
        ph_work_leave(env);
    if (shifts) {
        JS_FreeValue(ctx, env->async_context);
        env->async_context = before;
    }
    for (int i = 0; i < argc; i++)
        JS_FreeValue(ctx, argv_owned[i]);
    if (JS_IsException(result))
        parser->threw = true;
    return result;
}

static ph_http_answer on_head(ph_http_parser* http) {
    parser_object* parser = http->owner;
    JSContext* ctx = parser->env->ctx;
    bool request = http->kind == PH_HTTP_REQUEST;
    if (parser->stopped)
        return PH_HTTP_BODY_STOP;
    parser->any = true;
    JSValue args[] = {
        request ? method_value(parser) : JS_NewInt32(ctx, (int)http->status),
        span_value(parser, http->target),
        fields_value(parser),
        JS_NewInt32(ctx, (int)(http->flags | (http->major * 10 + http->minor) << PH_HTTP_VERSION)),
        JS_NewInt32(ctx, (int)http->field_count),
    };
    JSValue result = call(parser, ON_HEAD, PH_COUNT(args), args);
    if (JS_IsException(result))
        return PH_HTTP_BODY_STOP;
    return (ph_http_answer)ph_int(ctx, result, PH_HTTP_BODY_AS_SAID);
}

static bool on_body(ph_http_parser* http, const uint8_t* bytes, size_t length) {
    parser_object* parser = http->owner;
    if (parser->stopped)
        return false;
    JSValue piece = ph_buffer_copy(parser->env, bytes, length);
    if (JS_IsException(piece)) {
        parser->threw = true;
        return false;
    }
    JS_FreeValue(parser->env->ctx, call(parser, ON_BODY, 1, &piece));
    return !parser->threw;
}

static bool on_end(ph_http_parser* http) {
    parser_object* parser = http->owner;
    if (parser->stopped)
        return false;
    JSValue trailers = http->field_count > 0 ? fields_value(parser) : JS_UNDEFINED;
    JS_FreeValue(parser->env->ctx, call(parser, ON_END, 1, &trailers));
    return !parser->threw;
}

static const ph_http_callbacks callbacks = {on_head, on_body, on_end};

static JSValue new_parser(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    parser_object* parser = calloc(1, sizeof(*parser));
    if (parser == NULL)
        return JS_ThrowOutOfMemory(ctx);
    ph_http_kind kind = ph_int(ctx, argv[1], 0) == 0 ? PH_HTTP_REQUEST : PH_HTTP_RESPONSE;
    ph_http_init(&parser->http, kind, &callbacks, parser, ph_index(ctx, argv[2], 16384, INT32_MAX));
    parser->http.lenient = ph_flag(ctx, argv[3]);
    parser->env = ph_env_of(ctx);
    parser->started = uv_now(parser->env->loop);
    JSValue object = JS_NewObjectProtoClass(ctx, JS_NULL, ph_http_of(parser->env)->parser_class);
    if (JS_IsException(object)) {
        free(parser);
        return object;
    }
    static const char* const names[] = {"onHead", "onBody", "onComplete", "onStop", "onExecuted"};
    parser->owner = JS_DupValue(ctx, argv[0]);
    parser->context = JS_UNDEFINED;
    for (int i = 0; i < HANDLERS; i++)
        parser->handlers[i] = JS_UNDEFINED;
    JS_SetOpaque(object, parser);
    for (int i = 0; i < HANDLERS; i++) {
        parser->handlers[i] = JS_GetPropertyStr(ctx, argv[0], names[i]);
        if (JS_IsException(parser->handlers[i])) {
            parser->handlers[i] = JS_UNDEFINED;
            JS_FreeValue(ctx, object);
            return JS_EXCEPTION;
        }
    }
    return object;
}

/* begin(parser): what it calls from now on belongs to the context of now. */
static JSValue begin(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    parser_object* parser = JS_GetOpaque2(ctx, argv[0], ph_http_of(env)->parser_class);
    if (parser == NULL)
        return JS_EXCEPTION;
    JSValue before = parser->context;
    bool request = parser->http.kind == PH_HTTP_REQUEST;
    parser->context =
        ph_work(env, request ? "HTTPINCOMINGMESSAGE" : "HTTPCLIENTREQUEST", parser->owner);
    JS_FreeValue(ctx, before);
    return JS_UNDEFINED;
}

static JSValue failure(parser_object* parser, size_t used) {
    JSContext* ctx = parser->env->ctx;
    JSValue parts[] = {JS_NewString(ctx, ph_http_result_name(parser->http.failed)),
                       JS_NewString(ctx, parser->http.reason), JS_NewInt64(ctx, (int64_t)used)};
    return JS_NewArrayFrom(ctx, PH_COUNT(parts), parts);
}

/* Exceptions of handlers are left pending, with `threw` set. */
static void feed(parser_object* parser, const uint8_t* bytes, size_t length) {
    JSContext* ctx = parser->env->ctx;
    size_t used;
    if (parser->waiting) {
        parser->waiting = false;
        parser->started = uv_now(parser->env->loop);
    }
    parser->running = true;
    parser->threw = false;
    ph_http_result result = ph_http_execute(&parser->http, bytes, length, &used);
    parser->waiting = parser->any && ph_http_idle(&parser->http);
    if (result != PH_HTTP_OK && !parser->threw && !parser->stopped) {
        /* An upgrade stops the parser, but is no failure. */
        bool failed = parser->http.failed != PH_HTTP_OK;
        parser->stopped = !failed;
        JSValue args[] = {failed ? failure(parser, used) : JS_NewInt64(ctx, (int64_t)used),
                          ph_buffer_copy(parser->env, bytes, length)};
        JS_FreeValue(ctx, call(parser, ON_STOP, PH_COUNT(args), args));
    }
    parser->running = false;
}

static parser_object* parser_of(JSContext* ctx, JSValueConst value) {
    parser_object* parser = JS_GetOpaque2(ctx, value, ph_http_of(ph_env_of(ctx))->parser_class);
    if (parser == NULL || !parser->running)
        return parser;
    JS_ThrowTypeError(ctx, "the parser is running");
    return NULL;
}

static JSValue execute(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    ph_pins pins = {NULL, NULL, 0};
    parser_object* parser = parser_of(ctx, argv[0]);
    if (parser == NULL || ph_pins_add(ctx, &pins, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    parser->threw = false;
    if (!parser->stopped)
        feed(parser, bytes, length);
    ph_pins_release(parser->env, &pins);
    return parser->threw ? JS_EXCEPTION : JS_UNDEFINED;
}

/* False: the parser is in the middle of something. */
static bool take(ph_env* env, JSValueConst consumer, const uint8_t* bytes, size_t length) {
    JSValue object = JS_DupValue(env->ctx, consumer);
    parser_object* parser = JS_GetOpaque(object, ph_http_of(env)->parser_class);
    bool busy = parser->running;
    if (!parser->stopped && !busy) {
        ph_gate_enter(env);
        feed(parser, bytes, length);
        if (!parser->threw && JS_IsFunction(env->ctx, parser->handlers[ON_READ])) {
            JSValue count = JS_NewInt64(env->ctx, (int64_t)length);
            JS_FreeValue(env->ctx, call(parser, ON_READ, 1, &count));
        }
        ph_gate_leave(env, parser->threw ? JS_EXCEPTION : JS_UNDEFINED);
    }
    JS_FreeValue(env->ctx, object);
    return !busy;
}

/* What the handle has read, straight from the space it was read to. */
static void consume(ph_handle* handle, const uint8_t* bytes, size_t length) {
    take(handle->env, handle->consumer, bytes, length);
}

/* The same, decrypted. */
static bool consume_plain(ph_handle* handle, const uint8_t* bytes, size_t length) {
    return take(handle->env, handle->plain_consumer, bytes, length);
}

/* attach(parser, handle), detach(undefined, handle) */
static JSValue attach(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[1]);
    if (handle == NULL)
        return JS_EXCEPTION;
    bool any = !JS_IsUndefined(argv[0]);
    if (any && JS_GetOpaque2(ctx, argv[0], ph_http_of(ph_env_of(ctx))->parser_class) == NULL)
        return JS_EXCEPTION;
    if (handle->seal != NULL) {
        handle->consume_plain = any ? consume_plain : NULL;
        ph_handle_hold(handle, &handle->plain_consumer, argv[0]);
        return JS_UNDEFINED;
    }
    handle->consume = any ? consume : NULL;
    ph_handle_hold(handle, &handle->consumer, argv[0]);
    return JS_UNDEFINED;
}

static JSValue finish(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    parser_object* parser = parser_of(ctx, argv[0]);
    if (parser == NULL)
        return JS_EXCEPTION;
    parser->running = true;
    parser->threw = false;
    ph_http_result result = ph_http_finish(&parser->http);
    parser->running = false;
    if (parser->threw)
        return JS_EXCEPTION;
    return result == PH_HTTP_OK ? JS_UNDEFINED : failure(parser, 0);
}

enum { STOP, AGE, HAS_HEAD, END };

/* stop(parser) ignores what comes; age(parser): since when the request takes, in milliseconds, or
 * -1 between two requests; hasHead(parser): is it the body that is waited for? end(parser): it is
 * no longer needed. */
static JSValue state_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int magic) {
    (void)self;
    (void)argc;
    parser_object* parser = JS_GetOpaque2(ctx, argv[0], ph_http_of(ph_env_of(ctx))->parser_class);
    if (parser == NULL)
        return JS_EXCEPTION;
    switch (magic) {
    case STOP:
        parser->stopped = true;
        return JS_UNDEFINED;
    case END:
        ph_work_gone(parser->env, parser->context);
        return JS_UNDEFINED;
    case AGE:
        if (parser->waiting)
            return JS_NewInt32(ctx, -1);
        return JS_NewInt64(ctx, (int64_t)(uv_now(parser->env->loop) - parser->started));
    default:
        return JS_NewBool(ctx, ph_http_in_body(&parser->http));
    }
}

#define SHARED(name, value) JS_PROP_INT32_DEF(#name, value, JS_PROP_ENUMERABLE),

static void export_numbers(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry flags[] = {PH_HTTP_FLAGS(SHARED)};
    static const JSCFunctionListEntry answers[] = {PH_HTTP_ANSWERS(SHARED)};
    static const JSCFunctionListEntry additions[] = {PH_HTTP_ADDITIONS(SHARED)};
    ph_set(ctx, binding, "flags", PH_EXPORT(ctx, flags));
    ph_set(ctx, binding, "answers", PH_EXPORT(ctx, answers));
    ph_set(ctx, binding, "additions", PH_EXPORT(ctx, additions));
}

JSValue ph_http_binding(JSContext* ctx) {
    static const JSClassDef definition = {
        .class_name = "HTTPParser", .finalizer = finalize, .gc_mark = mark};
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newParser", 4, new_parser),
        JS_CFUNC_DEF("begin", 1, begin),
        JS_CFUNC_DEF("execute", 2, execute),
        JS_CFUNC_DEF("finish", 1, finish),
        JS_CFUNC_DEF("attach", 2, attach),
        JS_CFUNC_MAGIC_DEF("stop", 1, state_of, STOP),
        JS_CFUNC_MAGIC_DEF("end", 1, state_of, END),
        JS_CFUNC_MAGIC_DEF("age", 1, state_of, AGE),
        JS_CFUNC_MAGIC_DEF("hasHead", 1, state_of, HAS_HEAD),
    };
    JSRuntime* rt = JS_GetRuntime(ctx);
    ph_env* env = ph_env_of(ctx);
    ph_http* http = ph_part(env, PH_PART_HTTP, sizeof(*http));
    if (http == NULL)
        return JS_ThrowOutOfMemory(ctx);
    JS_NewClassID(rt, &http->parser_class);
    if (!JS_IsRegisteredClass(rt, ph_http_of(env)->parser_class))
        JS_NewClass(rt, ph_http_of(env)->parser_class, &definition);
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_http_text_export(ctx, binding);
    ph_http_lines_export(ctx, binding);
    ph_http_answer_export(ctx, binding);
    export_numbers(ctx, binding);
    return binding;
}
