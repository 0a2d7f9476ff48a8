/* What nghttp2 tells of the peer's frames, and the limits against floods of them. */
#include <stdlib.h>
#include <string.h>

#include "plugins/http2/http2.h"

enum {
    MOST_CONTINUATIONS = 32,    /* of one head */
    MOST_RESETS = 1000,         /* of streams, by the peer, in a second */
    MOST_CONTROLS = 1000,       /* SETTINGS and PING in a second */
    LONGEST_HEAD = 1024 * 1024, /* bytes of names and values */
};

void h2_tell(h2_session* h2, const char* method, int argc, JSValue* argv_owned) {
    JSContext* ctx = h2->env->ctx;
    if (!h2->closed && !h2->threw && !h2->env->stopping) {
        JSValue function = JS_GetPropertyStr(ctx, h2->owner, method);
        JSValue result = JS_UNDEFINED;
        if (JS_IsFunction(ctx, function))
            result = JS_Call(ctx, function, h2->owner, argc, argv_owned);
        if (JS_IsException(function) || JS_IsException(result))
            h2->threw = true;
        JS_FreeValue(ctx, function);
        JS_FreeValue(ctx, result);
    }
    for (int i = 0; i < argc; i++)
        JS_FreeValue(ctx, argv_owned[i]);
}

static int go_on(const h2_session* h2) {
    return h2->threw || h2->closed || h2->flood != NULL ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
}

/* Counts frames that cost us and not the peer. */
static int on_begin_frame(nghttp2_session* session, const nghttp2_frame_hd* hd, void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    uint64_t second = uv_now(h2->env->loop) / 1000;
    if (second != h2->second) {
        h2->second = second;
        h2->resets = h2->controls = 0;
    }
    h2->continuations = hd->type == NGHTTP2_CONTINUATION ? h2->continuations + 1 : 0;
    if (hd->type == NGHTTP2_RST_STREAM)
        h2->resets++;
    else if (hd->type == NGHTTP2_PING || hd->type == NGHTTP2_SETTINGS)
        h2->controls++;
    if (h2->continuations > MOST_CONTINUATIONS)
        h2->flood = "CONTINUATION";
    else if (h2->resets > MOST_RESETS && h2->is_server)
        h2->flood = "RST_STREAM";
    else if (h2->controls > MOST_CONTROLS)
        h2->flood = hd->type == NGHTTP2_PING ? "PING" : "SETTINGS";
    return go_on(h2);
}

static int on_begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    h2->head_id = frame->hd.type == NGHTTP2_PUSH_PROMISE ? frame->push_promise.promised_stream_id
                                                         : frame->hd.stream_id;
    h2->head_length = 0;
    h2->pairs = 0;
    h2->head_size = 0;
    h2->head_too_large = false;
    /* A session that holds too much takes no new work; what is under way goes on. */
    bool is_new = frame->hd.type == NGHTTP2_PUSH_PROMISE ||
                  (h2->is_server && frame->headers.cat == NGHTTP2_HCAT_REQUEST);
    if (!is_new || h2->memory <= h2->max_memory)
        return 0;
    h2->head_too_large = true;
    if (h2->refused++ > h2->max_refused) {
        h2->flood = "refused streams";
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    nghttp2_submit_rst_stream(h2->session, NGHTTP2_FLAG_NONE, h2->head_id,
                              NGHTTP2_ENHANCE_YOUR_CALM);
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
}

/* A field that can't be sent on to anybody is left out, and the message goes on without it. */
static int on_invalid_header(nghttp2_session* session, const nghttp2_frame* frame,
                             const uint8_t* name, size_t name_length, const uint8_t* value,
                             size_t value_length, uint8_t flags, void* opaque) {
    (void)session;
    (void)frame;
    (void)name;
    (void)name_length;
    (void)value;
    (void)value_length;
    (void)flags;
    return go_on(opaque);
}

static int on_header(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t* name,
                     size_t name_length, const uint8_t* value, size_t value_length, uint8_t flags,
                     void* opaque) {
    h2_session* h2 = opaque;
    (void)session;
    (void)frame;
    size_t size = 2 * sizeof(uint32_t) + 1 + name_length + value_length;
    if (h2->head_too_large)
        return 0;
    if (h2->pairs >= h2->max_pairs || h2->head_length + size > LONGEST_HEAD ||
        h2->head_size + name_length + value_length + 32 > h2->max_head) {
        h2->head_too_large = true;
        nghttp2_submit_rst_stream(h2->session, NGHTTP2_FLAG_NONE, h2->head_id,
                                  NGHTTP2_ENHANCE_YOUR_CALM);
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    }
    if (h2->head_length + size > h2->head_capacity) {
        size_t capacity = (h2->head_length + size) * 2;
        char* bigger = realloc(h2->head, capacity);
        if (bigger == NULL)
            return NGHTTP2_ERR_CALLBACK_FAILURE;
        h2->head = bigger;
        h2->head_capacity = capacity;
    }
    uint32_t sizes[2] = {(uint32_t)name_length, (uint32_t)value_length};
    char* at = h2->head + h2->head_length;
    memcpy(at, sizes, sizeof(sizes));
    at[sizeof(sizes)] = (flags & NGHTTP2_NV_FLAG_NO_INDEX) != 0;
    memcpy(at + sizeof(sizes) + 1, name, name_length);
    memcpy(at + sizeof(sizes) + 1 + name_length, value, value_length);
    h2->head_length += size;
    h2->memory += size;
    h2->pairs++;
    h2->head_size += name_length + value_length + 32;
    return 0;
}

static void tell_head(h2_session* h2, const nghttp2_frame* frame) {
    JSContext* ctx = h2->env->ctx;
    JSValue head[2];
    h2_head_values(h2, head);
    if (frame->hd.type == NGHTTP2_PUSH_PROMISE) {
        JSValue args[] = {JS_NewInt32(ctx, frame->push_promise.promised_stream_id),
                          JS_NewInt32(ctx, frame->hd.stream_id), JS_NewInt32(ctx, frame->hd.flags),
                          head[0], head[1]};
        h2_tell(h2, "_onPush", PH_COUNT(args), args);
        return;
    }
    JSValue args[] = {JS_NewInt32(ctx, frame->hd.stream_id),
                      JS_NewInt32(ctx, (int)frame->headers.cat), JS_NewInt32(ctx, frame->hd.flags),
                      head[0], head[1]};
    h2_tell(h2, "_onHead", PH_COUNT(args), args);
}

static void tell_goaway(h2_session* h2, const nghttp2_goaway* frame) {
    JSContext* ctx = h2->env->ctx;
    JSValue args[] = {JS_NewUint32(ctx, frame->error_code), JS_NewInt32(ctx, frame->last_stream_id),
                      frame->opaque_data_len == 0
                          ? JS_UNDEFINED
                          : ph_buffer_copy(h2->env, frame->opaque_data, frame->opaque_data_len)};
    h2_tell(h2, "_onGoaway", PH_COUNT(args), args);
}

static void tell_ping(h2_session* h2, const nghttp2_frame* frame) {
    JSValue args[] = {JS_NewBool(h2->env->ctx, frame->hd.flags & NGHTTP2_FLAG_ACK),
                      ph_buffer_copy(h2->env, frame->ping.opaque_data, 8)};
    h2_tell(h2, "_onPing", PH_COUNT(args), args);
}

static void tell_altsvc(h2_session* h2, const nghttp2_frame* frame) {
    JSContext* ctx = h2->env->ctx;
    const nghttp2_ext_altsvc* field = frame->ext.payload;
    JSValue args[] = {
        JS_NewInt32(ctx, frame->hd.stream_id),
        JS_NewStringLen(ctx, (const char*)field->origin, field->origin_len),
        JS_NewStringLen(ctx, (const char*)field->field_value, field->field_value_len)};
    h2_tell(h2, "_onAltsvc", PH_COUNT(args), args);
}

static void tell_origin(h2_session* h2, const nghttp2_frame* frame) {
    JSContext* ctx = h2->env->ctx;
    const nghttp2_ext_origin* origin = frame->ext.payload;
    JSValue list = JS_NewArray(ctx);
    for (size_t i = 0; i < origin->nov; i++)
        JS_SetPropertyUint32(
            ctx, list, (uint32_t)i,
            JS_NewStringLen(ctx, (const char*)origin->ov[i].origin, origin->ov[i].origin_len));
    h2_tell(h2, "_onOrigin", 1, &list);
}

static void tell_priority(h2_session* h2, const nghttp2_frame* frame) {
    JSContext* ctx = h2->env->ctx;
    const nghttp2_priority_spec* spec = &frame->priority.pri_spec;
    JSValue args[] = {JS_NewInt32(ctx, frame->hd.stream_id), JS_NewInt32(ctx, spec->stream_id),
                      JS_NewInt32(ctx, spec->weight), JS_NewBool(ctx, spec->exclusive)};
    h2_tell(h2, "_onPriority", PH_COUNT(args), args);
}

/* Settings that nghttp2 has no name for go along, as [id, value, ...]. */
static void tell_settings(h2_session* h2, const nghttp2_frame* frame) {
    JSContext* ctx = h2->env->ctx;
    JSValue custom = JS_NewArray(ctx);
    uint32_t count = 0;
    for (size_t i = 0; i < frame->settings.niv; i++) {
        const nghttp2_settings_entry* entry = &frame->settings.iv[i];
        if (entry->settings_id > 0 &&
            entry->settings_id <= NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL)
            continue;
        JS_SetPropertyUint32(ctx, custom, count++, JS_NewInt32(ctx, entry->settings_id));
        JS_SetPropertyUint32(ctx, custom, count++, JS_NewUint32(ctx, entry->value));
    }
    JSValue args[] = {JS_NewBool(ctx, frame->hd.flags & NGHTTP2_FLAG_ACK), custom};
    h2_tell(h2, "_onSettings", PH_COUNT(args), args);
}

/* Counts a frame that should not be there; true if there were too many of them. */
static bool is_too_invalid(h2_session* h2) {
    if (h2->invalid++ <= h2->max_invalid)
        return false;
    JSValue none = JS_NewInt32(h2->env->ctx, 1);
    h2_tell(h2, "_onTooInvalid", 1, &none);
    return true;
}

/* No window holds back frames without bytes; such a frame has a use only as the last of a stream.
 */
static int take_data(h2_session* h2, const nghttp2_frame_hd* hd) {
    if ((hd->flags & NGHTTP2_FLAG_END_STREAM) == 0)
        return hd->length == 0 && is_too_invalid(h2) ? NGHTTP2_ERR_CALLBACK_FAILURE : 0;
    JSValue id = JS_NewInt32(h2->env->ctx, hd->stream_id);
    h2_tell(h2, "_onStreamEnd", 1, &id);
    return 0;
}

static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    h2->frames_received++;
    switch (frame->hd.type) {
    case NGHTTP2_DATA:
        if (take_data(h2, &frame->hd) != 0)
            return NGHTTP2_ERR_CALLBACK_FAILURE;
        break;
    case NGHTTP2_HEADERS:
    case NGHTTP2_PUSH_PROMISE:
        tell_head(h2, frame);
        break;
    case NGHTTP2_SETTINGS:
        tell_settings(h2, frame);
        break;
    case NGHTTP2_PING:
        tell_ping(h2, frame);
        break;
    case NGHTTP2_GOAWAY:
        tell_goaway(h2, &frame->goaway);
        break;
    case NGHTTP2_PRIORITY:
        tell_priority(h2, frame);
        break;
    case NGHTTP2_ALTSVC:
        tell_altsvc(h2, frame);
        break;
    case NGHTTP2_ORIGIN:
        tell_origin(h2, frame);
        break;
    default:
        break;
    }
    return go_on(h2);
}

static int on_data(nghttp2_session* session, uint8_t flags, int32_t id, const uint8_t* bytes,
                   size_t length, void* opaque) {
    (void)flags;
    h2_session* h2 = opaque;
    /* The window of the connection opens at once, that of the stream when the bytes are taken. */
    nghttp2_session_consume_connection(session, length);
    JSValue args[] = {JS_NewInt32(h2->env->ctx, id), ph_buffer_copy(h2->env, bytes, length)};
    if (JS_IsException(args[1])) {
        h2->threw = true;
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    }
    h2_tell(h2, "_onData", PH_COUNT(args), args);
    return go_on(h2);
}

static int on_stream_close(nghttp2_session* session, int32_t id, uint32_t code, void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    JSContext* ctx = h2->env->ctx;
    h2_stream_drop(h2, id);
    JSValue args[] = {JS_NewInt32(ctx, id), JS_NewUint32(ctx, code)};
    h2_tell(h2, "_onStreamClose", PH_COUNT(args), args);
    return 0;
}

static int on_not_sent(nghttp2_session* session, const nghttp2_frame* frame, int code,
                       void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    JSContext* ctx = h2->env->ctx;
    JSValue args[] = {JS_NewInt32(ctx, frame->hd.type), JS_NewInt32(ctx, code),
                      JS_NewInt32(ctx, frame->hd.stream_id)};
    h2_tell(h2, "_onNotSent", PH_COUNT(args), args);
    return 0;
}

static int on_sent(nghttp2_session* session, const nghttp2_frame* frame, void* opaque) {
    (void)session;
    h2_session* h2 = opaque;
    h2->frames_sent++;
    if (frame->hd.type == NGHTTP2_GOAWAY) {
        JSValue code = JS_NewUint32(h2->env->ctx, frame->goaway.error_code);
        h2_tell(h2, "_onGoawaySent", 1, &code);
    }
    return 0;
}

static int on_invalid_frame(nghttp2_session* session, const nghttp2_frame* frame, int code,
                            void* opaque) {
    (void)session;
    (void)frame;
    h2_session* h2 = opaque;
    if (is_too_invalid(h2))
        return NGHTTP2_ERR_CALLBACK_FAILURE;
    /* What nghttp2 answers with an error of the connection, the owner hears of. */
    if (nghttp2_is_fatal(code) || code == NGHTTP2_ERR_STREAM_CLOSED || code == NGHTTP2_ERR_PROTO) {
        JSValue value = JS_NewInt32(h2->env->ctx, code);
        h2_tell(h2, "_onInvalid", 1, &value);
    }
    return go_on(h2);
}

/* A peer that does not begin with its settings does not speak HTTP/2. */
static int on_error(nghttp2_session* session, int code, const char* text, size_t length,
                    void* opaque) {
    (void)session;
    (void)text;
    (void)length;
    h2_session* h2 = opaque;
    if (code != NGHTTP2_ERR_SETTINGS_EXPECTED)
        return 0;
    JSValue value = JS_NewInt32(h2->env->ctx, NGHTTP2_ERR_PROTO);
    h2_tell(h2, "_onInvalid", 1, &value);
    return go_on(h2);
}

static ssize_t on_padding(nghttp2_session* session, const nghttp2_frame* frame, size_t longest,
                          void* opaque) {
    (void)session;
    const h2_session* h2 = opaque;
    size_t length = frame->hd.length;
    if (h2->padding == 2)
        return (ssize_t)longest;
    /* To a multiple of eight, with the frame's head */
    size_t rest = (length + 9) % 8;
    size_t wanted = rest == 0 ? length : length + 8 - rest;
    return (ssize_t)(h2->padding == 0 || wanted > longest ? length : wanted);
}

void h2_set_callbacks(nghttp2_session_callbacks* callbacks) {
    nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
    nghttp2_session_callbacks_set_on_frame_not_send_callback(callbacks, on_not_sent);
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_sent);
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, on_invalid_frame);
    nghttp2_session_callbacks_set_error_callback2(callbacks, on_error);
    nghttp2_session_callbacks_set_select_padding_callback(callbacks, on_padding);
}
