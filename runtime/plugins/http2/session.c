/* Sessions: bytes in, bytes out, and what waits in streams. */
#include <stdlib.h>
#include <string.h>

#include "plugins/http2/http2.h"

static void free_pieces(h2_session* h2, h2_stream* stream) {
    while (stream->first != NULL) {
        h2_piece* next = stream->first->next;
        free(stream->first);
        stream->first = next;
    }
    h2->memory -= stream->queued < h2->memory ? stream->queued : h2->memory;
    stream->queued = 0;
    stream->last = &stream->first;
}

static h2_stream** place_of(h2_session* h2, int32_t id) {
    h2_stream** at = &h2->buckets[((uint32_t)id >> 1) % H2_BUCKETS];
    while (*at != NULL && (*at)->id != id)
        at = &(*at)->next;
    return at;
}

h2_stream* h2_stream_find(h2_session* h2, int32_t id, bool make) {
    h2_stream** at = place_of(h2, id);
    if (*at == NULL && make) {
        h2_stream* stream = calloc(1, sizeof(*stream));
        if (stream == NULL)
            return NULL;
        stream->id = id;
        stream->last = &stream->first;
        stream->told = true;
        *at = stream;
    }
    return *at;
}

void h2_stream_drop(h2_session* h2, int32_t id) {
    h2_stream** at = place_of(h2, id);
    h2_stream* stream = *at;
    if (stream == NULL)
        return;
    *at = stream->next;
    free_pieces(h2, stream);
    free(stream);
}

static void release(h2_session* h2) {
    nghttp2_session_del(h2->session);
    h2->session = NULL;
    for (unsigned i = 0; i < H2_BUCKETS; i++)
        while (h2->buckets[i] != NULL)
            h2_stream_drop(h2, h2->buckets[i]->id);
}

static void free_session(void* content) {
    h2_session* h2 = content;
    /* Nobody is told any more. */
    h2->closed = true;
    release(h2);
    JS_FreeAtomRT(h2->env->rt, h2->secret);
    free(h2->head);
    free(h2);
}

static const ph_box_kind session_kind = {"HTTP/2 session", free_session};

h2_session* h2_get(JSContext* ctx, JSValueConst value) {
    h2_session* h2 = ph_box_content(ctx, value, &session_kind);
    if (h2 == NULL || !h2->closed)
        return h2;
    JS_ThrowTypeError(ctx, "the session is closed");
    return NULL;
}

/* Bytes of a stream for a DATA frame. */
static ssize_t read_data(nghttp2_session* session, int32_t id, uint8_t* out, size_t room,
                         uint32_t* flags, nghttp2_data_source* source, void* opaque) {
    (void)session;
    (void)source;
    h2_session* h2 = opaque;
    h2_stream* stream = h2_stream_find(h2, id, false);
    if (stream == NULL)
        return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
    size_t used = 0;
    while (used < room && stream->first != NULL) {
        h2_piece* piece = stream->first;
        size_t part = piece->length - piece->used;
        if (part > room - used)
            part = room - used;
        memcpy(out + used, piece->bytes + piece->used, part);
        piece->used += part;
        used += part;
        if (piece->used == piece->length) {
            stream->first = piece->next;
            if (stream->first == NULL)
                stream->last = &stream->first;
            free(piece);
        }
    }
    stream->queued -= used;
    h2->memory -= used < h2->memory ? used : h2->memory;
    if (stream->first == NULL && stream->ends) {
        *flags |= NGHTTP2_DATA_FLAG_EOF;
        if (stream->trailers) {
            *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
            stream->asked = true;
        }
    } else if (used == 0) {
        stream->deferred = true;
        return NGHTTP2_ERR_DEFERRED;
    }
    return (ssize_t)used;
}

nghttp2_data_provider h2_provider(void) {
    return (nghttp2_data_provider){.source = {.ptr = NULL}, .read_callback = read_data};
}

enum {
    MAX_PAIRS,
    MAX_MEMORY,
    MAX_INVALID,
    PADDING,
    MAX_SETTINGS,
    PEER_STREAMS,
    DYNAMIC_TABLE,
    HEAD_BLOCK,
    MAX_HEAD,
    RESERVED_STREAMS,
    MAX_REFUSED
};

static uint32_t option_at(JSContext* ctx, JSValueConst list, uint32_t index, uint32_t otherwise) {
    JSValue value = JS_GetPropertyUint32(ctx, list, index);
    uint32_t found = JS_IsException(value) || JS_IsUndefined(value)
                         ? otherwise
                         : (uint32_t)ph_index(ctx, value, otherwise, UINT32_MAX);
    JS_FreeValue(ctx, value);
    return found;
}

static int open_session(JSContext* ctx, h2_session* h2, JSValueConst options) {
    nghttp2_option* option = NULL;
    nghttp2_session_callbacks* callbacks = NULL;
    if (nghttp2_option_new(&option) != 0 || nghttp2_session_callbacks_new(&callbacks) != 0) {
        nghttp2_option_del(option);
        return NGHTTP2_ERR_NOMEM;
    }
    nghttp2_option_set_no_auto_window_update(option, 1);
    nghttp2_option_set_no_closed_streams(option, 1);
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ALTSVC);
    nghttp2_option_set_builtin_recv_extension_type(option, NGHTTP2_ORIGIN);
    nghttp2_option_set_max_settings(option, option_at(ctx, options, MAX_SETTINGS, 32));
    nghttp2_option_set_peer_max_concurrent_streams(option,
                                                   option_at(ctx, options, PEER_STREAMS, 100));
    nghttp2_option_set_max_deflate_dynamic_table_size(option,
                                                      option_at(ctx, options, DYNAMIC_TABLE, 4096));
    nghttp2_option_set_max_reserved_remote_streams(option,
                                                   option_at(ctx, options, RESERVED_STREAMS, 200));
    uint32_t block = option_at(ctx, options, HEAD_BLOCK, 0);
    if (block > 0)
        nghttp2_option_set_max_send_header_block_length(option, block);
    h2_set_callbacks(callbacks);
    int status = h2->is_server ? nghttp2_session_server_new2(&h2->session, callbacks, h2, option)
                               : nghttp2_session_client_new2(&h2->session, callbacks, h2, option);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_option_del(option);
    return status;
}

/* newSession(is it the server?, [limits], symbol of the secret names) */
static JSValue new_session(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!JS_IsObject(argv[1]))
        return JS_ThrowTypeError(ctx, "not a list");
    h2_session* h2 = calloc(1, sizeof(*h2));
    if (h2 == NULL)
        return JS_ThrowOutOfMemory(ctx);
    h2->env = ph_env_of(ctx);
    h2->owner = JS_UNDEFINED;
    h2->is_server = ph_flag(ctx, argv[0]);
    h2->secret = JS_ValueToAtom(ctx, argv[2]);
    h2->max_pairs = option_at(ctx, argv[1], MAX_PAIRS, 128);
    h2->max_head = option_at(ctx, argv[1], MAX_HEAD, 65535);
    h2->max_memory = (uint64_t)option_at(ctx, argv[1], MAX_MEMORY, 10) * 1000 * 1000;
    h2->max_invalid = option_at(ctx, argv[1], MAX_INVALID, 1000);
    h2->max_refused = option_at(ctx, argv[1], MAX_REFUSED, 100);
    h2->padding = option_at(ctx, argv[1], PADDING, 0);
    int status = open_session(ctx, h2, argv[1]);
    if (status != 0 || JS_HasException(ctx)) {
        free_session(h2);
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    }
    return ph_box(ctx, &session_kind, h2);
}

static void leave(h2_session* h2, JSValueConst owner, bool was_inside) {
    h2->owner = owner;
    h2->inside = was_inside;
    if (h2->closed && !was_inside)
        release(h2);
}

/* receive(session, owner, bytes): 0, an error of nghttp2's, or the name of a flood */
static JSValue receive(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    uint8_t* bytes;
    size_t length;
    ph_pins pins = {NULL, NULL, 0};
    if (h2 == NULL)
        return JS_EXCEPTION;
    if (h2->inside)
        return JS_ThrowTypeError(ctx, "the session is working");
    if (ph_pins_add(ctx, &pins, argv[2], &bytes, &length) != 0)
        return JS_EXCEPTION;
    JSValueConst before = h2->owner;
    h2->owner = argv[1];
    h2->inside = true;
    h2->threw = false;
    ssize_t used = nghttp2_session_mem_recv(h2->session, bytes, length);
    bool threw = h2->threw;
    const char* flood = h2->flood;
    ph_pins_release(h2->env, &pins);
    leave(h2, before, false);
    if (threw)
        return JS_EXCEPTION;
    if (flood != NULL)
        return JS_NewString(ctx, flood);
    return JS_NewInt64(ctx, used < 0 ? (int64_t)used : 0);
}

/* Streams whose bytes have all gone, or that can have their trailers now. */
static void tell_progress(h2_session* h2) {
    JSContext* ctx = h2->env->ctx;
    for (unsigned i = 0; i < H2_BUCKETS; i++) {
        for (h2_stream* stream = h2->buckets[i]; stream != NULL && !h2->closed && !h2->threw;) {
            JSValue id = JS_NewInt32(ctx, stream->id);
            if (stream->asked && stream->trailers) {
                stream->trailers = false;
                h2_tell(h2, "_onWantTrailers", 1, &id);
                stream = h2->buckets[i]; /* it may have changed */
            } else if (!stream->told && stream->first == NULL) {
                stream->told = true;
                h2_tell(h2, "_onSent", 1, &id);
                stream = h2->buckets[i];
            } else {
                stream = stream->next;
            }
        }
    }
}

typedef struct {
    uint8_t* bytes;
    size_t length;
    size_t capacity;
} output;

/* What nghttp2 has, up to a limit; an error of its, or 0. */
static ssize_t collect(h2_session* h2, output* out) {
    enum { MOST = 256 * 1024 };
    const uint8_t* bytes;
    ssize_t got = 0;
    while (out->length < MOST && (got = nghttp2_session_mem_send(h2->session, &bytes)) > 0) {
        size_t needed = out->length + (size_t)got;
        if (needed > out->capacity) {
            uint8_t* bigger = realloc(out->bytes, needed * 2);
            if (bigger == NULL)
                return NGHTTP2_ERR_NOMEM;
            out->bytes = bigger;
            out->capacity = needed * 2;
        }
        memcpy(out->bytes + out->length, bytes, (size_t)got);
        out->length = needed;
    }
    return got < 0 ? got : 0;
}

/* send(session, owner): bytes for the peer, undefined if there are none, or an error of nghttp2's
 */
static JSValue send_out(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    if (h2->inside)
        return JS_UNDEFINED;
    output out = {NULL, 0, 0};
    ssize_t status = 0;
    JSValueConst before = h2->owner;
    h2->owner = argv[1];
    h2->inside = true;
    h2->threw = false;
    /* What the owner hears of may give it more to send, such as trailers. */
    for (int i = 0; i < 3 && out.length == 0 && status == 0 && !h2->threw && !h2->closed; i++) {
        status = collect(h2, &out);
        tell_progress(h2);
    }
    bool threw = h2->threw;
    ph_env* env = h2->env;
    leave(h2, before, false);
    JSValue result = JS_UNDEFINED;
    if (threw)
        result = JS_EXCEPTION;
    else if (out.length > 0)
        result = ph_buffer_copy(env, out.bytes, out.length);
    else if (status < 0)
        result = JS_NewInt64(ctx, (int64_t)status);
    free(out.bytes);
    return result;
}

/* close(session) */
static JSValue close_session(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = ph_box_content(ctx, argv[0], &session_kind);
    if (h2 == NULL)
        return JS_EXCEPTION;
    h2->closed = true;
    if (!h2->inside)
        release(h2);
    return JS_UNDEFINED;
}

void h2_export_session(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newSession", 3, new_session),
        JS_CFUNC_DEF("receive", 3, receive),
        JS_CFUNC_DEF("send", 2, send_out),
        JS_CFUNC_DEF("close", 1, close_session),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
