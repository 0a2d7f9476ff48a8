/* Streams: TCP, pipes and terminals. Functions take the handle first. What is read goes to the
 * function that setReader gave; connections to the handle's own onconnection(status, handle). */
#include <stdlib.h>
#include <string.h>

#include "bindings/address.h"
#include "bindings/bindings.h"
#include "bindings/permission.h"
#include "bindings/request.h"
#include "bindings/stream.h"
#include "engine/gate.h"
#include "engine/hooked.h"

static uv_stream_t* stream_of(JSContext* ctx, JSValueConst value) {
    ph_handle* handle = ph_stream_get(ctx, value);
    return handle == NULL ? NULL : &handle->uv.stream;
}

static void on_read(uv_stream_t* uv, ssize_t count, const uv_buf_t* buffer) {
    ph_handle* handle = uv->data;
    ph_env* env = handle->env;
    if (count == 0 || env->stopping)
        return;
    if (count > 0) {
        handle->bytes_read += (uint64_t)count;
        handle->last_active = uv_now(env->loop);
        if (handle->consume != NULL) {
            handle->consume(handle, (const uint8_t*)buffer->base, (size_t)count);
            return;
        }
    }
    if (JS_IsUndefined(handle->reader))
        return;
    JSValue bytes = JS_UNDEFINED;
    if (count > 0)
        bytes = ph_buffer_copy(env, buffer->base, (size_t)count);
    if (JS_IsException(bytes)) {
        ph_gate_exception(env);
        return;
    }
    /* The reader may change while it runs. */
    JSValue reader = JS_DupValue(env->ctx, handle->reader);
    JSValue owner = JS_DupValue(env->ctx, handle->owner);
    JSValue args[2] = {JS_NewInt64(env->ctx, count), bytes};
    ph_gate_call_in(env, handle->context, reader, owner, 2, args);
    JS_FreeValue(env->ctx, owner);
    JS_FreeValue(env->ctx, reader);
}

/* setReader(handle, function (count or error, buffer), owner): the function is called on the owner
 */
static JSValue set_reader(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[0]);
    if (handle == NULL)
        return JS_EXCEPTION;
    ph_handle_hold(handle, &handle->reader, argv[1]);
    ph_handle_hold(handle, &handle->owner, argv[2]);
    return JS_UNDEFINED;
}

enum { READ_START, READ_STOP, QUEUE_SIZE, BYTES_READ, BYTES_WRITTEN, TOUCH, IDLE_TIME };

static JSValue reading(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[0]);
    if (handle == NULL)
        return JS_EXCEPTION;
    uv_stream_t* stream = &handle->uv.stream;
    switch (magic) {
    case READ_START: {
        /* Two sockets may share a handle: the second finds it reading. */
        int status = uv_read_start(stream, ph_handle_alloc, on_read);
        return JS_NewInt32(ctx, status == UV_EALREADY ? 0 : status);
    }
    case READ_STOP:
        return JS_NewInt32(ctx, uv_read_stop(stream));
    case QUEUE_SIZE:
        return JS_NewInt64(ctx, (int64_t)uv_stream_get_write_queue_size(stream));
    case BYTES_READ:
        return JS_NewInt64(ctx, (int64_t)handle->bytes_read);
    case BYTES_WRITTEN:
        return JS_NewInt64(ctx, (int64_t)handle->bytes_written);
    case TOUCH:
        handle->last_active = uv_now(handle->env->loop);
        return JS_UNDEFINED;
    default:
        return JS_NewInt64(ctx, (int64_t)(uv_now(handle->env->loop) - handle->last_active));
    }
}

typedef struct {
    uv_write_t uv;
    ph_pending pending;
    char copy[];
} write_request;

static void on_written(uv_write_t* uv, int status) {
    write_request* request = (write_request*)uv;
    ((ph_handle*)uv->handle->data)->last_active = uv_now(uv->handle->loop);
    ph_pending_status(&request->pending, status);
    free(request);
}

/* Drops what has been written; the number of bytes that are left. */
static size_t advance(uv_buf_t* pieces, unsigned* count, size_t written) {
    size_t left = 0;
    unsigned kept = 0;
    for (unsigned i = 0; i < *count; i++) {
        uv_buf_t piece = pieces[i];
        size_t skip = written < piece.len ? written : piece.len;
        written -= skip;
        piece.base += skip;
        piece.len -= skip;
        left += piece.len;
        if (piece.len > 0)
            pieces[kept++] = piece;
    }
    *count = kept;
    return left;
}

static int queue_write(ph_handle* handle, uv_buf_t* pieces, unsigned count, size_t size,
                       const ph_leftover* leftover) {
    JSContext* ctx = handle->env->ctx;
    bool copies = leftover->pins == NULL && JS_IsUndefined(leftover->keep);
    write_request* request = malloc(sizeof(*request) + (copies ? size : 0));
    if (request == NULL)
        return UV_ENOMEM;
    uv_buf_t whole = uv_buf_init(request->copy, (unsigned)size);
    size_t used = 0;
    for (unsigned i = 0; copies && i < count; i++) {
        memcpy(request->copy + used, pieces[i].base, pieces[i].len);
        used += pieces[i].len;
    }
    ph_pending* pending = &request->pending;
    ph_pending_begin(ctx, pending, leftover->callback, JS_UNDEFINED);
    pending->self = JS_DupValue(ctx, leftover->self);
    ph_pending_is(pending, "WRITEWRAP", handle->context);
    int status = 0;
    if (leftover->pins != NULL) {
        pending->pins = *leftover->pins;
        *leftover->pins = (ph_pins){NULL, NULL, 0};
    } else if (!copies) {
        uint8_t* bytes;
        size_t length;
        status = ph_pins_add(ctx, &pending->pins, leftover->keep, &bytes, &length);
    }
    if (status == 0)
        status = copies ? uv_write(&request->uv, &handle->uv.stream, &whole, 1, on_written)
                        : uv_write(&request->uv, &handle->uv.stream, pieces, count, on_written);
    if (status != 0) {
        ph_pending_drop(pending);
        free(request);
    }
    return status;
}

int ph_stream_send(ph_handle* handle, uv_buf_t* pieces, unsigned count,
                   const ph_leftover* leftover) {
    uv_stream_t* stream = &handle->uv.stream;
    size_t size = advance(pieces, &count, 0);
    size_t left = size;
    if (left > 0 && uv_stream_get_write_queue_size(stream) == 0) {
        int written = uv_try_write(stream, pieces, count);
        if (written < 0 && written != UV_EAGAIN && written != UV_ENOSYS)
            return written;
        if (written > 0)
            left = (size_t)written == size ? 0 : advance(pieces, &count, (size_t)written);
    }
    int status = left == 0 ? 1 : queue_write(handle, pieces, count, left, leftover);
    if (status >= 0) {
        handle->bytes_written += size;
        handle->last_active = uv_now(handle->env->loop);
    }
    return status;
}

int ph_stream_send_plain(ph_handle* handle, uv_buf_t* pieces, unsigned count,
                         const ph_leftover* leftover) {
    return handle->seal == NULL ? ph_stream_send(handle, pieces, count, leftover)
                                : handle->seal->send(handle, pieces, count, leftover);
}

/* write(handle, [bytes...]) */
static int send_list(JSContext* ctx, ph_handle* handle, JSValueConst data, ph_leftover* leftover) {
    ph_pins pins = {NULL, NULL, 0};
    uv_buf_t* pieces;
    unsigned count;
    int status = ph_pins_add_list(ctx, &pins, data, &pieces, &count);
    /* What gave the bytes may have closed the handle. */
    if (status == 0 && handle->state != PH_HANDLE_OPEN)
        status = UV_ECANCELED;
    leftover->pins = &pins;
    if (status == 0)
        status = ph_stream_send(handle, pieces, count, leftover);
    leftover->pins = NULL;
    ph_pins_release(handle->env, &pins);
    free(pieces);
    return status;
}

enum { ONE, ANY };

/* write(handle, data, callback, self): data is bytes, a list of bytes, or text (UTF-8); the result
 * is that of ph_stream_send. writeChunk is the same for text and Uint8Arrays only. */
static JSValue write_data(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[0]);
    if (handle == NULL) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_NewInt32(ctx, UV_EBADF);
    }
    ph_leftover leftover = {argv[1], NULL, argv[2], argv[3]};
    int status;
    if (JS_IsString(argv[1])) {
        size_t length;
        const char* text = ph_text(ctx, argv[1], &length);
        if (text == NULL)
            return JS_EXCEPTION;
        uv_buf_t piece = uv_buf_init((char*)text, (unsigned)length);
        leftover.keep = JS_UNDEFINED;
        status = ph_stream_send(handle, &piece, 1, &leftover);
        JS_FreeCString(ctx, text);
    } else if (magic == ONE && JS_GetClassID(argv[1]) != ph_env_of(ctx)->bytes.class_id) {
        status = UV_EINVAL;
    } else if (JS_IsArray(argv[1])) {
        status = send_list(ctx, handle, argv[1], &leftover);
    } else {
        uint8_t* bytes;
        size_t length;
        if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
            return JS_EXCEPTION;
        uv_buf_t piece = uv_buf_init((char*)bytes, (unsigned)length);
        status = ph_stream_send(handle, &piece, 1, &leftover);
    }
    return JS_HasException(ctx) ? JS_EXCEPTION : JS_NewInt32(ctx, status);
}

typedef struct {
    union {
        uv_shutdown_t shutdown;
        uv_connect_t connect;
    } uv;
    ph_pending pending;
} request;

static request* new_request(JSContext* ctx, const uv_stream_t* stream, const char* type,
                            JSValueConst callback) {
    request* made = calloc(1, sizeof(*made));
    if (made != NULL) {
        ph_pending_begin(ctx, &made->pending, callback, JS_UNDEFINED);
        ph_pending_is(&made->pending, type, ((ph_handle*)stream->data)->context);
    }
    return made;
}

static void release_request(request* unused) {
    ph_pending_drop(&unused->pending);
    free(unused);
}

static void on_shutdown(uv_shutdown_t* uv, int status) {
    ph_pending_status(&((request*)uv)->pending, status);
    free(uv);
}

static void on_connect(uv_connect_t* uv, int status) {
    ph_pending_status(&((request*)uv)->pending, status);
    free(uv);
}

static JSValue shutdown_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    request* made = new_request(ctx, stream, "SHUTDOWNWRAP", argv[1]);
    if (made == NULL)
        return JS_NewInt32(ctx, UV_ENOMEM);
    int status = uv_shutdown(&made->uv.shutdown, stream, on_shutdown);
    if (status != 0)
        release_request(made);
    return JS_NewInt32(ctx, status);
}

/* With permissions a name is looked up before the call that connects. That it is missing is told as
 * late as that call would tell it, and to the same callback: by connecting to a name that no
 * program can make. */
#define NEVER_THERE "/proc/self/fd/missing"

static int connect_pipe(uv_connect_t* made, uv_pipe_t* pipe, const char* name, size_t length) {
    ph_pinned pinned;
    int status = ph_pin(name, PH_READ | PH_WRITE, 0, &pinned);
    if (status == UV_ENOENT)
        return uv_pipe_connect2(made, pipe, NEVER_THERE, strlen(NEVER_THERE), 0, on_connect);
    if (status != 0)
        return status < 0 ? status : UV_EACCES;
    if (pinned.path != NULL)
        length = strlen(pinned.path);
    status = uv_pipe_connect2(made, pipe, ph_pinned_path(&pinned, name), length, 0, on_connect);
    ph_unpin(&pinned);
    return status;
}

/* The name is removed when the pipe is closed: in the folder where it was made. */
static int bind_pipe(uv_pipe_t* pipe, const char* name, size_t length) {
    ph_handle* handle = pipe->data;
    ph_pinned pinned;
    int status = ph_pin(name, PH_WRITE | PH_ITSELF, 0, &pinned);
    if (status != 0)
        return status < 0 ? status : UV_EACCES;
    if (pinned.path != NULL)
        length = strlen(pinned.path);
    status = uv_pipe_bind2(pipe, ph_pinned_path(&pinned, name), length, 0);
    if (status == 0 && pinned.path != NULL && handle->pinned.path == NULL)
        handle->pinned = pinned;
    else
        ph_unpin(&pinned);
    return status;
}

/* connect(handle, address, port, callback), connect(handle, path, undefined, callback) */
static JSValue connect_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    /* The name first: an object that gives it may close the handle. */
    size_t length;
    const char* name = JS_ToCStringLen(ctx, &length, argv[1]);
    uv_stream_t* stream = name == NULL ? NULL : stream_of(ctx, argv[0]);
    if (stream == NULL) {
        JS_FreeCString(ctx, name);
        return JS_EXCEPTION;
    }
    const char* type = stream->type == UV_TCP ? "TCPCONNECTWRAP" : "PIPECONNECTWRAP";
    request* made = new_request(ctx, stream, type, argv[3]);
    if (made == NULL) {
        JS_FreeCString(ctx, name);
        return JS_NewInt32(ctx, UV_ENOMEM);
    }
    int status;
    if (stream->type == UV_TCP) {
        struct sockaddr_storage address;
        status = ph_address(name, ph_int(ctx, argv[2], 0), &address);
        if (status == 0)
            status = uv_tcp_connect(&made->uv.connect, (uv_tcp_t*)stream,
                                    (struct sockaddr*)&address, on_connect);
    } else if (stream->type == UV_TTY) {
        status = UV_EINVAL;
    } else if (!ph_may_use(name, PH_READ | PH_WRITE)) {
        status = UV_EACCES;
    } else {
        status = connect_pipe(&made->uv.connect, (uv_pipe_t*)stream, name, length);
    }
    if (status != 0)
        release_request(made);
    JS_FreeCString(ctx, name);
    return JS_NewInt32(ctx, status);
}

static JSValue bind_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    /* The name first: an object that gives it may close the handle. */
    size_t length;
    const char* name = JS_ToCStringLen(ctx, &length, argv[1]);
    uv_stream_t* stream = name == NULL ? NULL : stream_of(ctx, argv[0]);
    if (stream == NULL) {
        JS_FreeCString(ctx, name);
        return JS_EXCEPTION;
    }
    int status;
    if (stream->type == UV_TCP) {
        struct sockaddr_storage address;
        status = ph_address(name, ph_int(ctx, argv[2], 0), &address);
        if (status == 0)
            status = uv_tcp_bind((uv_tcp_t*)stream, (struct sockaddr*)&address,
                                 (unsigned)ph_int(ctx, argv[3], 0));
    } else if (stream->type == UV_TTY) {
        status = UV_EINVAL;
    } else if (!ph_may_use(name, PH_WRITE | PH_ITSELF)) {
        status = UV_EACCES;
    } else {
        status = bind_pipe((uv_pipe_t*)stream, name, length);
    }
    JS_FreeCString(ctx, name);
    return JS_NewInt32(ctx, status);
}

/* `above` is the context of the server that accepts, or undefined. */
static JSValue make(JSContext* ctx, uv_handle_type type, int option, bool is_server,
                    JSValueConst above, int* status) {
    ph_handle* handle;
    JSValue object = ph_handle_new(ctx, &handle);
    if (JS_IsException(object))
        return object;
    uv_loop_t* loop = handle->env->loop;
    switch (type) {
    case UV_TCP:
        *status = uv_tcp_init(loop, &handle->uv.tcp);
        break;
    case UV_NAMED_PIPE:
        *status = uv_pipe_init(loop, &handle->uv.pipe, option);
        break;
    default:
        *status = uv_tty_init(loop, &handle->uv.tty, option, 0);
        break;
    }
    handle->is_server = is_server;
    if (*status == 0)
        ph_handle_opened_below(handle, object, above);
    return object;
}

/* newStream(kind, option, server): "tcp", "pipe" (option: for messages) or "tty" (option:
 * descriptor) */
static JSValue new_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    int status = 0;
    JSValue object = make(ctx, (uv_handle_type)magic, ph_int(ctx, argv[0], 0),
                          ph_flag(ctx, argv[1]), JS_UNDEFINED, &status);
    if (status != 0) {
        JS_FreeValue(ctx, object);
        return JS_NewInt32(ctx, status);
    }
    return object;
}

static void on_connection(uv_stream_t* server, int status) {
    ph_handle* handle = server->data;
    ph_env* env = handle->env;
    if (env->stopping)
        return;
    JSValue args[2] = {JS_NewInt32(env->ctx, status), JS_UNDEFINED};
    if (status == 0) {
        int made = 0;
        JSValue client = make(env->ctx, server->type, 0, false, handle->context, &made);
        ph_handle* accepted = made == 0 ? ph_handle_get(env->ctx, client, server->type) : NULL;
        if (accepted != NULL)
            made = uv_accept(server, &accepted->uv.stream);
        args[0] = JS_NewInt32(env->ctx, made);
        args[1] = client;
    }
    JSValue self = JS_DupValue(env->ctx, handle->self);
    ph_handle_emit(env, self, "onconnection", 2, args);
    JS_FreeValue(env->ctx, self);
}

static JSValue listen_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    return JS_NewInt32(ctx, uv_listen(stream, ph_int(ctx, argv[1], 511), on_connection));
}

static JSValue open_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    int fd = ph_int(ctx, argv[1], -1);
    int status = UV_EINVAL;
    if (stream->type == UV_TCP)
        status = uv_tcp_open((uv_tcp_t*)stream, fd);
    else if (stream->type == UV_NAMED_PIPE)
        status = uv_pipe_open((uv_pipe_t*)stream, fd);
    return JS_NewInt32(ctx, status);
}

enum { LOCAL, PEER };

/* [address, port, family], a path, or a negative error */
static JSValue name_of(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    if (stream->type == UV_TCP) {
        struct sockaddr_storage address;
        int size = sizeof(address);
        int status = magic == LOCAL
                         ? uv_tcp_getsockname((uv_tcp_t*)stream, (struct sockaddr*)&address, &size)
                         : uv_tcp_getpeername((uv_tcp_t*)stream, (struct sockaddr*)&address, &size);
        return status != 0 ? JS_NewInt32(ctx, status) : ph_address_value(ctx, &address);
    }
    if (stream->type == UV_TTY)
        return JS_NewInt32(ctx, UV_EINVAL);
    char path[512];
    size_t size = sizeof(path);
    int status = magic == LOCAL ? uv_pipe_getsockname((uv_pipe_t*)stream, path, &size)
                                : uv_pipe_getpeername((uv_pipe_t*)stream, path, &size);
    return status != 0 ? JS_NewInt32(ctx, status) : JS_NewStringLen(ctx, path, size);
}

enum { NO_DELAY, KEEP_ALIVE, BLOCKING, TTY_MODE, PIPE_MODE };

static JSValue configure(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[0]);
    if (handle == NULL)
        return JS_EXCEPTION;
    bool tcp = handle->uv.handle.type == UV_TCP;
    int value = ph_int(ctx, argv[1], ph_flag(ctx, argv[1]));
    int status = UV_EINVAL;
    if (magic == NO_DELAY && tcp)
        status = uv_tcp_nodelay(&handle->uv.tcp, value);
    else if (magic == KEEP_ALIVE && tcp)
        status = uv_tcp_keepalive(&handle->uv.tcp, value, (unsigned)ph_int(ctx, argv[2], 0));
    else if (magic == BLOCKING)
        status = uv_stream_set_blocking(&handle->uv.stream, value);
    else if (magic == PIPE_MODE && handle->uv.handle.type == UV_NAMED_PIPE)
        status = uv_pipe_chmod(&handle->uv.pipe, value);
    else if (magic == TTY_MODE && handle->uv.handle.type == UV_TTY)
        status = uv_tty_set_mode(&handle->uv.tty, (uv_tty_mode_t)value);
    return JS_NewInt32(ctx, status);
}

static JSValue tty_size(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_TTY);
    if (handle == NULL)
        return JS_EXCEPTION;
    int width = 0;
    int height = 0;
    uv_tty_get_winsize(&handle->uv.tty, &width, &height);
    JSValue size[2] = {JS_NewInt32(ctx, width), JS_NewInt32(ctx, height)};
    return JS_NewArrayFrom(ctx, 2, size);
}

JSValue ph_stream_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("newTcp", 2, new_stream, UV_TCP),
        JS_CFUNC_MAGIC_DEF("newPipe", 2, new_stream, UV_NAMED_PIPE),
        JS_CFUNC_MAGIC_DEF("newTty", 2, new_stream, UV_TTY),
        JS_CFUNC_MAGIC_DEF("readStart", 1, reading, READ_START),
        JS_CFUNC_MAGIC_DEF("readStop", 1, reading, READ_STOP),
        JS_CFUNC_MAGIC_DEF("queueSize", 1, reading, QUEUE_SIZE),
        JS_CFUNC_MAGIC_DEF("bytesRead", 1, reading, BYTES_READ),
        JS_CFUNC_MAGIC_DEF("bytesWritten", 1, reading, BYTES_WRITTEN),
        JS_CFUNC_MAGIC_DEF("touch", 1, reading, TOUCH),
        JS_CFUNC_MAGIC_DEF("idleTime", 1, reading, IDLE_TIME),
        JS_CFUNC_DEF("setReader", 3, set_reader),
        JS_CFUNC_MAGIC_DEF("write", 4, write_data, ANY),
        JS_CFUNC_MAGIC_DEF("writeChunk", 4, write_data, ONE),
        JS_CFUNC_DEF("shutdown", 2, shutdown_stream),
        JS_CFUNC_DEF("connect", 4, connect_stream),
        JS_CFUNC_DEF("bind", 4, bind_stream),
        JS_CFUNC_DEF("listen", 2, listen_stream),
        JS_CFUNC_DEF("open", 2, open_stream),
        JS_CFUNC_MAGIC_DEF("sockname", 1, name_of, LOCAL),
        JS_CFUNC_MAGIC_DEF("peername", 1, name_of, PEER),
        JS_CFUNC_MAGIC_DEF("setNoDelay", 3, configure, NO_DELAY),
        JS_CFUNC_MAGIC_DEF("setKeepAlive", 3, configure, KEEP_ALIVE),
        JS_CFUNC_MAGIC_DEF("setBlocking", 3, configure, BLOCKING),
        JS_CFUNC_MAGIC_DEF("setTtyMode", 3, configure, TTY_MODE),
        JS_CFUNC_MAGIC_DEF("chmodPipe", 2, configure, PIPE_MODE),
        JS_CFUNC_DEF("ttySize", 1, tty_size),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    return binding;
}
