/* Datagrams. */
#include <stdlib.h>
#include <string.h>

#include "bindings/address.h"
#include "bindings/bindings.h"
#include "bindings/handle.h"
#include "bindings/request.h"
#include "engine/gate.h"

/* onmessage(count or error, bytes, [address, port, family]) */
static void on_receive(uv_udp_t* uv, ssize_t count, const uv_buf_t* buffer,
                       const struct sockaddr* from, unsigned flags) {
    (void)flags;
    ph_handle* handle = uv->data;
    ph_env* env = handle->env;
    if ((count == 0 && from == NULL) || env->stopping)
        return;
    JSValue args[3] = {JS_NewInt64(env->ctx, count), JS_UNDEFINED, JS_UNDEFINED};
    if (count >= 0 && from != NULL) {
        args[1] = ph_buffer_copy(env, buffer->base, (size_t)count);
        if (JS_IsException(args[1])) {
            JS_FreeValue(env->ctx, JS_GetException(env->ctx));
            args[1] = JS_UNDEFINED;
        }
        struct sockaddr_storage address;
        memset(&address, 0, sizeof(address));
        size_t size =
            from->sa_family == AF_INET6 ? sizeof(struct sockaddr_in6) : sizeof(struct sockaddr_in);
        memcpy(&address, from, size);
        args[2] = ph_address_value(env->ctx, &address);
    }
    JSValue self = JS_DupValue(env->ctx, handle->self);
    ph_handle_emit(env, self, "onmessage", 3, args);
    JS_FreeValue(env->ctx, self);
}

typedef struct {
    uv_udp_send_t uv;
    ph_pending pending;
} send_request;

static void on_sent(uv_udp_send_t* uv, int status) {
    ph_pending_status(&((send_request*)uv)->pending, status);
    free(uv);
}

static JSValue new_udp(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    uv_udp_init(handle->env->loop, &handle->uv.udp);
    ph_handle_opened(handle, object);
    return object;
}

enum { BIND, CONNECT };

/* bind(handle, address, port, flags), connect(handle, address, port) */
static JSValue attach(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    const char* text = JS_ToCString(ctx, argv[1]);
    ph_handle* handle = text == NULL ? NULL : ph_handle_get(ctx, argv[0], UV_UDP);
    if (handle == NULL) {
        JS_FreeCString(ctx, text);
        return JS_EXCEPTION;
    }
    struct sockaddr_storage address;
    int status = ph_address(text, ph_int(ctx, argv[2], 0), &address);
    struct sockaddr* to = (struct sockaddr*)&address;
    if (status == 0 && magic == BIND)
        status = uv_udp_bind(&handle->uv.udp, to, (unsigned)ph_int(ctx, argv[3], 0));
    else if (status == 0)
        status = uv_udp_connect(&handle->uv.udp, to);
    JS_FreeCString(ctx, text);
    return JS_NewInt32(ctx, status);
}

/* open(handle, descriptor) */
static JSValue open_udp(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    /* The number first: an object that gives it may close the handle. */
    int fd = ph_int(ctx, argv[1], -1);
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UDP);
    return handle == NULL ? JS_EXCEPTION : JS_NewInt32(ctx, uv_udp_open(&handle->uv.udp, fd));
}

/* send(handle, [bytes...], address or undefined, port, callback, later): 1 if the system has taken
 * the datagram at once, which `later` forbids; the callback is not called then. */
static JSValue send_data(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    send_request* request = calloc(1, sizeof(*request));
    if (request == NULL)
        return JS_ThrowOutOfMemory(ctx);
    ph_pending_begin(ctx, &request->pending, argv[4], JS_UNDEFINED);
    uv_buf_t* pieces;
    unsigned count;
    int status = ph_pins_add_list(ctx, &request->pending.pins, argv[1], &pieces, &count);
    /* After the bytes: what gives them may close the handle. */
    ph_handle* handle = status == 0 ? ph_handle_get(ctx, argv[0], UV_UDP) : NULL;
    struct sockaddr_storage address;
    bool addressed = JS_IsString(argv[2]);
    if (addressed && handle != NULL) {
        const char* text = JS_ToCString(ctx, argv[2]);
        status = text == NULL ? UV_ENOMEM : ph_address(text, ph_int(ctx, argv[3], 0), &address);
        JS_FreeCString(ctx, text);
    }
    const struct sockaddr* to = addressed ? (struct sockaddr*)&address : NULL;
    bool sent = false;
    if (status == 0 && handle != NULL && !ph_flag(ctx, argv[5])) {
        status = uv_udp_try_send(&handle->uv.udp, pieces, count, to);
        sent = status >= 0;
        if (status == UV_EAGAIN || status == UV_ENOSYS)
            status = 0;
        else if (sent)
            status = 1;
    }
    if (status == 0 && handle != NULL) {
        ph_pending_is(&request->pending, "UDPSENDWRAP", handle->context);
        status = uv_udp_send(&request->uv, &handle->uv.udp, pieces, count, to, on_sent);
    }
    free(pieces);
    if (status != 0 || handle == NULL) {
        ph_pending_drop(&request->pending);
        free(request);
    }
    return JS_HasException(ctx) ? JS_EXCEPTION : JS_NewInt32(ctx, status);
}

enum {
    START,
    STOP,
    BROADCAST,
    TTL,
    MULTICAST_TTL,
    LOOPBACK,
    JOIN,
    LEAVE,
    DISCONNECT,
    RECV_SIZE,
    SEND_SIZE
};

static JSValue configure(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic) {
    (void)self;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UDP);
    if (handle == NULL)
        return JS_EXCEPTION;
    uv_udp_t* udp = &handle->uv.udp;
    int value = argc > 1 ? ph_int(ctx, argv[1], ph_flag(ctx, argv[1])) : 0;
    int status = 0;
    const char* group = NULL;
    const char* interface = NULL;
    switch (magic) {
    case START:
        status = uv_udp_recv_start(udp, ph_handle_alloc, on_receive);
        break;
    case STOP:
        status = uv_udp_recv_stop(udp);
        break;
    case BROADCAST:
        status = uv_udp_set_broadcast(udp, value);
        break;
    case TTL:
        status = uv_udp_set_ttl(udp, value);
        break;
    case MULTICAST_TTL:
        status = uv_udp_set_multicast_ttl(udp, value);
        break;
    case LOOPBACK:
        status = uv_udp_set_multicast_loop(udp, value);
        break;
    case DISCONNECT:
        status = uv_udp_connect(udp, NULL);
        break;
    case RECV_SIZE: /* 0 asks */
        status = uv_recv_buffer_size(&handle->uv.handle, &value);
        return JS_NewInt32(ctx, status != 0 ? status : value);
    case SEND_SIZE:
        status = uv_send_buffer_size(&handle->uv.handle, &value);
        return JS_NewInt32(ctx, status != 0 ? status : value);
    default:
        if (!JS_IsString(argv[1]))
            return JS_NewInt32(ctx, UV_EINVAL);
        group = JS_ToCString(ctx, argv[1]);
        interface = argc > 2 && JS_IsString(argv[2]) ? JS_ToCString(ctx, argv[2]) : NULL;
        status = group == NULL
                     ? UV_ENOMEM
                     : uv_udp_set_membership(udp, group, interface,
                                             magic == JOIN ? UV_JOIN_GROUP : UV_LEAVE_GROUP);
        JS_FreeCString(ctx, group);
        JS_FreeCString(ctx, interface);
    }
    return JS_NewInt32(ctx, status);
}

enum { JOIN_SOURCE, LEAVE_SOURCE, INTERFACE };

/* sourceMembership(handle, source, group, interface), multicastInterface(handle, address) */
static JSValue multicast(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic) {
    (void)self;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UDP);
    if (handle == NULL)
        return JS_EXCEPTION;
    const char* text[3] = {NULL, NULL, NULL};
    for (int i = 0; i < 3 && i + 1 < argc; i++)
        text[i] = JS_IsString(argv[i + 1]) ? JS_ToCString(ctx, argv[i + 1]) : NULL;
    int status = UV_EINVAL;
    if (magic == INTERFACE && text[0] != NULL)
        status = uv_udp_set_multicast_interface(&handle->uv.udp, text[0]);
    else if (text[0] != NULL && text[1] != NULL)
        status =
            uv_udp_set_source_membership(&handle->uv.udp, text[1], text[2], text[0],
                                         magic == JOIN_SOURCE ? UV_JOIN_GROUP : UV_LEAVE_GROUP);
    for (int i = 0; i < 3; i++)
        JS_FreeCString(ctx, text[i]);
    return JS_NewInt32(ctx, status);
}

enum { QUEUE_SIZE, QUEUE_COUNT };

static JSValue queued(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    const ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UDP);
    if (handle == NULL)
        return JS_EXCEPTION;
    size_t value = magic == QUEUE_SIZE ? uv_udp_get_send_queue_size(&handle->uv.udp)
                                       : uv_udp_get_send_queue_count(&handle->uv.udp);
    return JS_NewInt64(ctx, (int64_t)value);
}

enum { LOCAL, PEER };

static JSValue name_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UDP);
    if (handle == NULL)
        return JS_EXCEPTION;
    struct sockaddr_storage address;
    int size = sizeof(address);
    struct sockaddr* out = (struct sockaddr*)&address;
    int status = magic == LOCAL ? uv_udp_getsockname(&handle->uv.udp, out, &size)
                                : uv_udp_getpeername(&handle->uv.udp, out, &size);
    return status != 0 ? JS_NewInt32(ctx, status) : ph_address_value(ctx, &address);
}

JSValue ph_udp_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newUdp", 0, new_udp),
        JS_CFUNC_DEF("open", 2, open_udp),
        JS_CFUNC_MAGIC_DEF("bind", 4, attach, BIND),
        JS_CFUNC_MAGIC_DEF("connect", 4, attach, CONNECT),
        JS_CFUNC_DEF("send", 6, send_data),
        JS_CFUNC_MAGIC_DEF("start", 2, configure, START),
        JS_CFUNC_MAGIC_DEF("stop", 2, configure, STOP),
        JS_CFUNC_MAGIC_DEF("setBroadcast", 2, configure, BROADCAST),
        JS_CFUNC_MAGIC_DEF("setTTL", 2, configure, TTL),
        JS_CFUNC_MAGIC_DEF("setMulticastTTL", 2, configure, MULTICAST_TTL),
        JS_CFUNC_MAGIC_DEF("setMulticastLoopback", 2, configure, LOOPBACK),
        JS_CFUNC_MAGIC_DEF("recvBufferSize", 2, configure, RECV_SIZE),
        JS_CFUNC_MAGIC_DEF("sendBufferSize", 2, configure, SEND_SIZE),
        JS_CFUNC_MAGIC_DEF("join", 3, configure, JOIN),
        JS_CFUNC_MAGIC_DEF("leave", 3, configure, LEAVE),
        JS_CFUNC_MAGIC_DEF("disconnect", 1, configure, DISCONNECT),
        JS_CFUNC_MAGIC_DEF("joinSource", 4, multicast, JOIN_SOURCE),
        JS_CFUNC_MAGIC_DEF("leaveSource", 4, multicast, LEAVE_SOURCE),
        JS_CFUNC_MAGIC_DEF("setMulticastInterface", 2, multicast, INTERFACE),
        JS_CFUNC_MAGIC_DEF("queueSize", 1, queued, QUEUE_SIZE),
        JS_CFUNC_MAGIC_DEF("queueCount", 1, queued, QUEUE_COUNT),
        JS_CFUNC_MAGIC_DEF("sockname", 1, name_of, LOCAL),
        JS_CFUNC_MAGIC_DEF("peername", 1, name_of, PEER),
        JS_PROP_INT32_DEF("IPV6ONLY", UV_UDP_IPV6ONLY, 0),
        JS_PROP_INT32_DEF("REUSEADDR", UV_UDP_REUSEADDR, 0),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    return binding;
}
