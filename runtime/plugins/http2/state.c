/* What a session knows of itself, of the peer and of its streams. */
#include "plugins/http2/http2.h"

static void put(JSContext* ctx, JSValueConst list, uint32_t index, int64_t value) {
    JS_SetPropertyUint32(ctx, list, index, JS_NewInt64(ctx, value));
}

/* state(session): numbers in the order of Node's session.state, and how many frames came and went
 */
static JSValue session_state(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    nghttp2_session* session = h2->session;
    JSValue list = JS_NewArray(ctx);
    put(ctx, list, 0, nghttp2_session_get_effective_local_window_size(session));
    put(ctx, list, 1, nghttp2_session_get_effective_recv_data_length(session));
    put(ctx, list, 2, nghttp2_session_get_next_stream_id(session));
    put(ctx, list, 3, nghttp2_session_get_local_window_size(session));
    put(ctx, list, 4, nghttp2_session_get_last_proc_stream_id(session));
    put(ctx, list, 5, nghttp2_session_get_remote_window_size(session));
    put(ctx, list, 6, (int64_t)nghttp2_session_get_outbound_queue_size(session));
    put(ctx, list, 7, (int64_t)nghttp2_session_get_hd_deflate_dynamic_table_size(session));
    put(ctx, list, 8, (int64_t)nghttp2_session_get_hd_inflate_dynamic_table_size(session));
    put(ctx, list, 9, h2->frames_received);
    put(ctx, list, 10, h2->frames_sent);
    return list;
}

enum { LOCAL, REMOTE };

/* localSettings(session), remoteSettings(session): the values of settings 1 to 6 and 8 */
static JSValue settings(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int magic) {
    (void)self;
    (void)argc;
    static const nghttp2_settings_id ids[] = {
        NGHTTP2_SETTINGS_HEADER_TABLE_SIZE,      NGHTTP2_SETTINGS_ENABLE_PUSH,
        NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE,
        NGHTTP2_SETTINGS_MAX_FRAME_SIZE,         NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE,
        NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL};
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    JSValue list = JS_NewArray(ctx);
    for (uint32_t i = 0; i < PH_COUNT(ids); i++)
        put(ctx, list, i,
            magic == LOCAL ? nghttp2_session_get_local_settings(h2->session, ids[i])
                           : nghttp2_session_get_remote_settings(h2->session, ids[i]));
    return list;
}

/* streamState(session, id): [state, weight, sum of weights, local close, remote close, window], or
 * undefined */
static JSValue stream_state(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    int32_t id = ph_int(ctx, argv[1], -1);
    nghttp2_stream* stream = id <= 0 ? NULL : nghttp2_session_find_stream(h2->session, id);
    if (stream == NULL)
        return JS_UNDEFINED;
    JSValue list = JS_NewArray(ctx);
    put(ctx, list, 0, nghttp2_stream_get_state(stream));
    put(ctx, list, 1, nghttp2_stream_get_weight(stream));
    put(ctx, list, 2, nghttp2_stream_get_sum_dependency_weight(stream));
    put(ctx, list, 3, nghttp2_session_get_stream_local_close(h2->session, id));
    put(ctx, list, 4, nghttp2_session_get_stream_remote_close(h2->session, id));
    put(ctx, list, 5, nghttp2_session_get_stream_local_window_size(h2->session, id));
    return list;
}

/* isDone(session): nothing is left to be read or to be sent, for good */
static JSValue is_done(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    h2_session* h2 = h2_get(ctx, argv[0]);
    if (h2 == NULL)
        return JS_EXCEPTION;
    return JS_NewBool(ctx, nghttp2_session_want_read(h2->session) == 0 &&
                               nghttp2_session_want_write(h2->session) == 0);
}

/* errorText(code) */
static JSValue error_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewString(ctx, nghttp2_strerror(ph_int(ctx, argv[0], 0)));
}

void h2_export_state(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("state", 1, session_state),
        JS_CFUNC_MAGIC_DEF("localSettings", 1, settings, LOCAL),
        JS_CFUNC_MAGIC_DEF("remoteSettings", 1, settings, REMOTE),
        JS_CFUNC_DEF("streamState", 2, stream_state),
        JS_CFUNC_DEF("isDone", 1, is_done),
        JS_CFUNC_DEF("errorText", 1, error_text),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
