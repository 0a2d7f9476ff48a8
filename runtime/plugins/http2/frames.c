/* Frames that JavaScript sends. Each function takes the session first and gives 0, or what it
 * names, or a negative error of nghttp2's. */
#include <stdlib.h>
#include <string.h>

#include "plugins/http2/http2.h"

static JSValue status_value(JSContext* ctx, int64_t status) {
    return JS_NewInt64(ctx, status);
}

static nghttp2_priority_spec read_priority(JSContext* ctx, JSValueConst* argv) {
    nghttp2_priority_spec spec;
    int32_t weight = ph_int(ctx, argv[1], NGHTTP2_DEFAULT_WEIGHT);
    weight = weight < NGHTTP2_MIN_WEIGHT ? NGHTTP2_MIN_WEIGHT : weight;
    weight = weight > NGHTTP2_MAX_WEIGHT ? NGHTTP2_MAX_WEIGHT : weight;
    nghttp2_priority_spec_init(&spec, ph_int(ctx, argv[0], 0), weight, ph_flag(ctx, argv[2]));
    return spec;
}

/* request(session, fields, ends, waits for trailers, parent, weight, exclusive): the stream's id */
static JSValue request(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_fields fields;
    if (!h2_fields_read(ctx, argv[1], &fields))
        return JS_EXCEPTION;
    bool ends = ph_flag(ctx, argv[2]);
    bool trailers = ph_flag(ctx, argv[3]);
    nghttp2_priority_spec spec = read_priority(ctx, argv + 4);
    h2_session* h2 = h2_get(ctx, argv[0]);
    int32_t id = -1;
    if (h2 != NULL) {
        nghttp2_data_provider provider = h2_provider();
        bool body = !ends || trailers;
        id = nghttp2_submit_request(h2->session, &spec, fields.list, fields.count,
                                    body ? &provider : NULL, NULL);
        h2_stream* stream = id > 0 && body ? h2_stream_find(h2, id, true) : NULL;
        if (stream != NULL) {
            stream->trailers = trailers;
            stream->ends = ends;
        }
    }
    h2_fields_free(&fields);
    return h2 == NULL ? JS_EXCEPTION : status_value(ctx, id);
}

/* respond(session, id, fields, ends, waits for trailers) */
static JSValue respond(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_fields fields;
    if (!h2_fields_read(ctx, argv[2], &fields))
        return JS_EXCEPTION;
    int32_t id = ph_int(ctx, argv[1], 0);
    bool ends = ph_flag(ctx, argv[3]);
    bool trailers = ph_flag(ctx, argv[4]);
    h2_session* h2 = h2_get(ctx, argv[0]);
    int status = 0;
    if (h2 != NULL) {
        nghttp2_data_provider provider = h2_provider();
        bool body = !ends || trailers;
        h2_stream* stream = body ? h2_stream_find(h2, id, true) : NULL;
        if (stream != NULL) {
            stream->trailers = trailers;
            stream->ends = stream->ends || ends;
        }
        status = nghttp2_submit_response(h2->session, id, fields.list, fields.count,
                                         body ? &provider : NULL);
    }
    h2_fields_free(&fields);
    return h2 == NULL ? JS_EXCEPTION : status_value(ctx, status);
}

/* No trailers after all: an empty frame ends the stream. */
static int submit_end(h2_session* h2, int32_t id) {
    nghttp2_data_provider provider = h2_provider();
    return nghttp2_submit_data(h2->session, NGHTTP2_FLAG_END_STREAM, id, &provider);
}

enum { INFO, TRAILERS, PUSH };

/* info(session, id, fields), trailers(session, id, fields), push(session, id, fields): the new id
 */
static JSValue send_fields(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int magic) {
    (void)self;
    (void)argc;
    h2_fields fields;
    if (!h2_fields_read(ctx, argv[2], &fields))
        return JS_EXCEPTION;
    int32_t id = ph_int(ctx, argv[1], 0);
    h2_session* h2 = h2_get(ctx, argv[0]);
    int status = 0;
    if (h2 != NULL && magic == INFO)
        status = nghttp2_submit_headers(h2->session, NGHTTP2_FLAG_NONE, id, NULL, fields.list,
                                        fields.count, NULL);
    else if (h2 != NULL && magic == PUSH)
        status = nghttp2_submit_push_promise(h2->session, NGHTTP2_FLAG_NONE, id, fields.list,
                                             fields.count, NULL);
    else if (h2 != NULL && fields.count > 0)
        status = nghttp2_submit_trailer(h2->session, id, fields.list, fields.count);
    else if (h2 != NULL)
        status = submit_end(h2, id);
    h2_fields_free(&fields);
    return h2 == NULL ? JS_EXCEPTION : status_value(ctx, status);
}

static bool add_piece(h2_session* h2, h2_stream* stream, const void* bytes, size_t length) {
    if (length == 0)
        return true;
    h2_piece* piece = malloc(sizeof(*piece) + length);
    if (piece == NULL)
        return false;
    piece->next = NULL;
    piece->length = length;
    piece->used = 0;
    memcpy(piece->bytes, bytes, length);
    *stream->last = piece;
    stream->last = &piece->next;
    stream->queued += length;
    h2->memory += length;
    return true;
}

static void resume(h2_session* h2, h2_stream* stream) {
    if (!stream->deferred)
        return;
    stream->deferred = false;
    nghttp2_session_resume_data(h2->session, stream->id);
}

static JSValue write_bytes(h2_session* h2, int32_t id, const void* bytes, size_t length) {
    JSContext* ctx = h2->env->ctx;
    h2_stream* stream = h2_stream_find(h2, id, false);
    if (stream == NULL || stream->ends)
        return status_value(ctx, NGHTTP2_ERR_STREAM_CLOSED);
    if (!add_piece(h2, stream, bytes, length))
        return JS_ThrowOutOfMemory(ctx);
    stream->told = false;
    resume(h2, stream);
    return status_value(ctx, (int64_t)length);
}

/* write(session, id, bytes or text): how many bytes there are; the owner hears when all of the
 * stream's have gone */
static JSValue write_data(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    uint8_t* bytes;
    size_t length;
    if (h2 == NULL)
        return JS_EXCEPTION;
    int32_t id = ph_int(ctx, argv[1], 0);
    if (JS_IsString(argv[2])) {
        const char* text = ph_text(ctx, argv[2], &length);
        if (text == NULL)
            return JS_EXCEPTION;
        JSValue status = write_bytes(h2, id, text, length);
        JS_FreeCString(ctx, text);
        return status;
    }
    if (ph_bytes(ctx, argv[2], &bytes, &length) != 0)
        return JS_EXCEPTION;
    return write_bytes(h2, id, bytes, length);
}

/* end(session, id, will there be no trailers?) */
static JSValue end_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    h2_stream* stream = h2_stream_find(h2, ph_int(ctx, argv[1], 0), false);
    if (stream != NULL) {
        stream->ends = true;
        if (ph_flag(ctx, argv[2]))
            stream->trailers = false;
        resume(h2, stream);
    }
    return status_value(ctx, stream == NULL ? NGHTTP2_ERR_STREAM_CLOSED : 0);
}

enum { RESET, CONSUME, TERMINATE, WINDOW, NEXT_ID };

/* reset(session, id, code), consume(session, id, bytes), terminate(session, code),
 * setWindow(session, size), setNextId(session, id) */
static JSValue send_number(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int magic) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    uint32_t first = (uint32_t)ph_index(ctx, argv[1], 0, UINT32_MAX);
    uint32_t second = (uint32_t)ph_index(ctx, argv[2], 0, UINT32_MAX);
    if (first > INT32_MAX && magic != TERMINATE)
        return status_value(ctx, NGHTTP2_ERR_INVALID_ARGUMENT);
    switch (magic) {
    case RESET:
        return status_value(
            ctx, nghttp2_submit_rst_stream(h2->session, NGHTTP2_FLAG_NONE, (int32_t)first, second));
    case CONSUME:
        return status_value(ctx,
                            nghttp2_session_consume_stream(h2->session, (int32_t)first, second));
    case TERMINATE:
        return status_value(ctx, nghttp2_session_terminate_session(h2->session, first));
    case WINDOW:
        return status_value(ctx, nghttp2_session_set_local_window_size(
                                     h2->session, NGHTTP2_FLAG_NONE, 0, (int32_t)first));
    default:
        return status_value(ctx, nghttp2_session_set_next_stream_id(h2->session, (int32_t)first));
    }
}

/* settings(session, [id, value, ...]) */
static JSValue send_settings(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enum { MOST = 32 };
    nghttp2_settings_entry entries[MOST];
    size_t count = 0;
    int64_t length = 0;
    if (!JS_IsObject(argv[1]) || JS_GetLength(ctx, argv[1], &length) != 0)
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_ThrowTypeError(ctx, "not a list");
    for (int64_t i = 0; i + 1 < length && count < MOST; i += 2) {
        JSValue id = JS_GetPropertyInt64(ctx, argv[1], i);
        JSValue value = JS_GetPropertyInt64(ctx, argv[1], i + 1);
        entries[count].settings_id = (int32_t)ph_index(ctx, id, 0, INT32_MAX);
        entries[count].value = (uint32_t)ph_index(ctx, value, 0, UINT32_MAX);
        count++;
        JS_FreeValue(ctx, id);
        JS_FreeValue(ctx, value);
    }
    h2_session* h2 = JS_HasException(ctx) ? NULL : h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    return status_value(ctx,
                        nghttp2_submit_settings(h2->session, NGHTTP2_FLAG_NONE, entries, count));
}

/* ping(session, eight bytes) */
static JSValue send_ping(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    uint8_t* bytes;
    size_t length;
    if (h2 == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (length != 8)
        return JS_ThrowTypeError(ctx, "a ping has eight bytes");
    return status_value(ctx, nghttp2_submit_ping(h2->session, NGHTTP2_FLAG_NONE, bytes));
}

/* goaway(session, code, last id, bytes) */
static JSValue send_goaway(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    uint8_t* bytes = NULL;
    size_t length = 0;
    if (h2 == NULL || (!JS_IsUndefined(argv[3]) && ph_bytes(ctx, argv[3], &bytes, &length) != 0))
        return JS_EXCEPTION;
    uint32_t code = (uint32_t)ph_index(ctx, argv[1], 0, UINT32_MAX);
    int32_t last = ph_int(ctx, argv[2], 0);
    if (last <= 0)
        last = nghttp2_session_get_last_proc_stream_id(h2->session);
    return status_value(
        ctx, nghttp2_submit_goaway(h2->session, NGHTTP2_FLAG_NONE, last, code, bytes, length));
}

/* priority(session, id, parent, weight, exclusive, silent) */
static JSValue send_priority(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    nghttp2_priority_spec spec = read_priority(ctx, argv + 2);
    int32_t id = ph_int(ctx, argv[1], 0);
    int status = ph_flag(ctx, argv[5])
                     ? nghttp2_session_change_stream_priority(h2->session, id, &spec)
                     : nghttp2_submit_priority(h2->session, NGHTTP2_FLAG_NONE, id, &spec);
    return status_value(ctx, status);
}

/* altsvc(session, id, origin, value) */
static JSValue send_altsvc(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t origin_length = 0;
    size_t value_length = 0;
    const char* origin = ph_text(ctx, argv[2], &origin_length);
    const char* value = origin == NULL ? NULL : ph_text(ctx, argv[3], &value_length);
    h2_session* h2 = value == NULL ? NULL : h2_get(ctx, argv[0]);
    int status = 0;
    if (h2 != NULL && origin_length + value_length <= 16382)
        status = nghttp2_submit_altsvc(h2->session, NGHTTP2_FLAG_NONE, ph_int(ctx, argv[1], 0),
                                       (const uint8_t*)origin, origin_length, (const uint8_t*)value,
                                       value_length);
    JS_FreeCString(ctx, origin);
    JS_FreeCString(ctx, value);
    return h2 == NULL ? JS_EXCEPTION : status_value(ctx, status);
}

/* origin(session, [name, "", false, ...]): the names of a list of fields */
static JSValue send_origin(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_fields fields;
    if (!h2_fields_read(ctx, argv[1], &fields))
        return JS_EXCEPTION;
    h2_session* h2 = h2_get(ctx, argv[0]);
    nghttp2_origin_entry* list = calloc(fields.count + 1, sizeof(*list));
    int status = NGHTTP2_ERR_NOMEM;
    for (size_t i = 0; list != NULL && i < fields.count; i++)
        list[i] = (nghttp2_origin_entry){fields.list[i].name, fields.list[i].namelen};
    if (h2 != NULL && list != NULL)
        status = nghttp2_submit_origin(h2->session, NGHTTP2_FLAG_NONE, list, fields.count);
    free(list);
    h2_fields_free(&fields);
    return h2 == NULL ? JS_EXCEPTION : status_value(ctx, status);
}

void h2_export_frames(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("request", 7, request),
        JS_CFUNC_DEF("respond", 5, respond),
        JS_CFUNC_MAGIC_DEF("info", 3, send_fields, INFO),
        JS_CFUNC_MAGIC_DEF("trailers", 3, send_fields, TRAILERS),
        JS_CFUNC_MAGIC_DEF("push", 3, send_fields, PUSH),
        JS_CFUNC_DEF("write", 3, write_data),
        JS_CFUNC_DEF("end", 3, end_stream),
        JS_CFUNC_MAGIC_DEF("reset", 3, send_number, RESET),
        JS_CFUNC_MAGIC_DEF("consume", 3, send_number, CONSUME),
        JS_CFUNC_MAGIC_DEF("terminate", 3, send_number, TERMINATE),
        JS_CFUNC_MAGIC_DEF("setWindow", 3, send_number, WINDOW),
        JS_CFUNC_MAGIC_DEF("setNextId", 3, send_number, NEXT_ID),
        JS_CFUNC_DEF("settings", 2, send_settings),
        JS_CFUNC_DEF("ping", 2, send_ping),
        JS_CFUNC_DEF("goaway", 4, send_goaway),
        JS_CFUNC_DEF("priority", 6, send_priority),
        JS_CFUNC_DEF("altsvc", 4, send_altsvc),
        JS_CFUNC_DEF("origin", 2, send_origin),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
