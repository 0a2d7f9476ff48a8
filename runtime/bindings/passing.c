/* Handles as messages: a pipe between two processes carries TCP and UDP sockets and pipes beside
 * its bytes. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/request.h"
#include "bindings/stream.h"

typedef struct {
    uv_write_t uv;
    ph_pending pending;
    char bytes[];
} passing_request;

static void on_passed(uv_write_t* uv, int status) {
    ph_pending_status(&((passing_request*)uv)->pending, status);
    free(uv);
}

static bool can_pass(const ph_handle* handle) {
    uv_handle_type type = handle->uv.handle.type;
    return type == UV_TCP || type == UV_NAMED_PIPE || type == UV_UDP;
}

/* send(pipe, bytes, handle, callback): the status of the beginning; the callback gets that of the
 * end. The handle is kept until then. */
static JSValue send_handle(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    /* The bytes first: an object that gives them may close the handles. */
    if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    ph_handle* pipe = ph_handle_get(ctx, argv[0], UV_NAMED_PIPE);
    ph_handle* handle = pipe == NULL ? NULL : ph_handle_get(ctx, argv[2], UV_UNKNOWN_HANDLE);
    if (handle == NULL)
        return JS_EXCEPTION;
    if (!can_pass(handle) || handle == pipe || length == 0)
        return JS_NewInt32(ctx, UV_EINVAL);
    passing_request* request = calloc(1, sizeof(*request) + length);
    if (request == NULL)
        return JS_NewInt32(ctx, UV_ENOMEM);
    memcpy(request->bytes, bytes, length);
    ph_pending_begin(ctx, &request->pending, argv[3], argv[2]);
    uv_buf_t piece = uv_buf_init(request->bytes, (unsigned)length);
    int status =
        uv_write2(&request->uv, &pipe->uv.stream, &piece, 1, &handle->uv.stream, on_passed);
    if (status != 0) {
        ph_pending_drop(&request->pending);
        free(request);
    }
    return JS_NewInt32(ctx, status);
}

static int open_like(ph_handle* handle, uv_handle_type type) {
    uv_loop_t* loop = handle->env->loop;
    switch (type) {
    case UV_TCP:
        return uv_tcp_init(loop, &handle->uv.tcp);
    case UV_NAMED_PIPE:
        return uv_pipe_init(loop, &handle->uv.pipe, 0);
    case UV_UDP:
        return uv_udp_init(loop, &handle->uv.udp);
    default:
        return UV_EINVAL;
    }
}

/* take(pipe): the next handle that has come, or undefined */
static JSValue take_handle(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* pipe = ph_handle_get(ctx, argv[0], UV_NAMED_PIPE);
    if (pipe == NULL)
        return JS_EXCEPTION;
    if (uv_pipe_pending_count(&pipe->uv.pipe) == 0)
        return JS_UNDEFINED;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    int status = open_like(handle, uv_pipe_pending_type(&pipe->uv.pipe));
    if (status == 0) {
        ph_handle_opened(handle, object);
        status = uv_accept(&pipe->uv.stream, &handle->uv.stream);
    }
    if (status == 0)
        return object;
    if (handle->state == PH_HANDLE_OPEN)
        ph_handle_abandon(&handle->uv.handle);
    JS_FreeValue(ctx, object);
    return JS_NewInt32(ctx, status);
}

/* kind(handle): "TCP", "PIPE", "UDP" or "UNKNOWN" */
static JSValue kind_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UNKNOWN_HANDLE);
    if (handle == NULL)
        return JS_EXCEPTION;
    switch (handle->uv.handle.type) {
    case UV_TCP:
        return JS_NewString(ctx, "TCP");
    case UV_NAMED_PIPE:
        return JS_NewString(ctx, "PIPE");
    case UV_UDP:
        return JS_NewString(ctx, "UDP");
    default:
        return JS_NewString(ctx, "UNKNOWN");
    }
}

static void on_nothing(uv_async_t* uv) {
    (void)uv;
}

/* standIn(): a handle that only holds its process, for one that another process has */
static JSValue stand_in(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    int status = uv_async_init(ph_env_of(ctx)->loop, &handle->uv.async, on_nothing);
    if (status != 0) {
        JS_FreeValue(ctx, object);
        return ph_throw(ctx, status, "uv_async_init", NULL, NULL);
    }
    ph_handle_opened(handle, object);
    return object;
}

JSValue ph_passing_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("send", 4, send_handle),
        JS_CFUNC_DEF("take", 1, take_handle),
        JS_CFUNC_DEF("kind", 1, kind_of),
        JS_CFUNC_DEF("standIn", 0, stand_in),
    };
    return PH_EXPORT(ctx, functions);
}
