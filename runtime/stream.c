// Streams: TCP, pipes and terminals. Functions take the handle first; events are calls of the
// handle's own onread(count or error, buffer) and onconnection(status, handle).
#include <stdlib.h>
#include <string.h>

#include "address.h"
#include "bindings.h"
#include "gate.h"
#include "handle.h"

enum { READ_SIZE = 65536 };

static uv_stream_t* stream_of(JSContext* ctx, JSValueConst value) {
    ph_handle* handle = ph_handle_get(ctx, value, UV_UNKNOWN_HANDLE);
    return handle == NULL ? NULL : &handle->uv.stream;
}

// One piece of memory serves every read: what was read is copied to its own size.
static void on_alloc(uv_handle_t* uv, size_t suggested, uv_buf_t* buffer) {
    (void)suggested;
    ph_env* env = ((ph_handle*)uv->data)->env;
    if (env->read_space == NULL)
        env->read_space = malloc(READ_SIZE);
    *buffer = uv_buf_init(env->read_space, env->read_space == NULL ? 0 : READ_SIZE);
}

static void on_read(uv_stream_t* uv, ssize_t count, const uv_buf_t* buffer) {
    ph_handle* handle = uv->data;
    ph_env* env = handle->env;
    if (count == 0 || env->stopping)
        return;
    JSValue args[2] = {JS_NewInt64(env->ctx, count), JS_UNDEFINED};
    if (count > 0) {
        void* copy = malloc((size_t)count);
        if (copy != NULL) {
            memcpy(copy, buffer->base, (size_t)count);
            args[1] = ph_buffer(env, copy, (size_t)count);
        } else {
            args[0] = JS_NewInt32(env->ctx, UV_ENOMEM);
        }
    }
    JSValue self = JS_DupValue(env->ctx, handle->self);
    ph_gate_emit(env, self, "onread", 2, args);
    JS_FreeValue(env->ctx, self);
}

enum { READ_START, READ_STOP, QUEUE_SIZE, IS_READABLE };

static JSValue reading(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    switch (magic) {
    case READ_START:
        return JS_NewInt32(ctx, uv_read_start(stream, on_alloc, on_read));
    case READ_STOP:
        return JS_NewInt32(ctx, uv_read_stop(stream));
    case QUEUE_SIZE:
        return JS_NewInt64(ctx, (int64_t)uv_stream_get_write_queue_size(stream));
    default:
        return JS_NewBool(ctx, uv_is_readable(stream));
    }
}

typedef struct {
    uv_write_t uv;
    ph_env* env;
    JSValue keep;
    JSValue callback;
    JSValue context;
    void* copy;
} write_request;

static void release_write(write_request* request) {
    JSContext* ctx = request->env->ctx;
    JS_FreeValue(ctx, request->keep);
    JS_FreeValue(ctx, request->callback);
    JS_FreeValue(ctx, request->context);
    free(request->copy);
    free(request);
}

static void on_written(uv_write_t* uv, int status) {
    write_request* request = (write_request*)uv;
    JSValue args[] = {JS_NewInt32(request->env->ctx, status)};
    ph_gate_call_in(request->env, request->context, request->callback, JS_UNDEFINED, 1, args);
    release_write(request);
}

typedef struct {
    uv_buf_t few[8];
    uv_buf_t* list;
    unsigned count;
} pieces;

static int collect(JSContext* ctx, JSValueConst data, pieces* out) {
    int64_t count = 1;
    bool many = JS_IsArray(data);
    if (many)
        JS_GetLength(ctx, data, &count);
    out->list = count <= 8 ? out->few : malloc((size_t)count * sizeof(uv_buf_t));
    out->count = 0;
    for (int64_t i = 0; i < count && out->list != NULL; i++) {
        uint8_t* bytes;
        size_t length;
        JSValue item = many ? JS_GetPropertyInt64(ctx, data, i) : JS_DupValue(ctx, data);
        int status = ph_bytes(ctx, item, &bytes, &length);
        JS_FreeValue(ctx, item);
        if (status != 0)
            return -1;
        out->list[out->count++] = uv_buf_init((char*)bytes, (unsigned)length);
    }
    return 0;
}

// Drops what has been written; the number of bytes that are left.
static size_t advance(pieces* out, size_t written) {
    size_t left = 0;
    unsigned kept = 0;
    for (unsigned i = 0; i < out->count; i++) {
        uv_buf_t piece = out->list[i];
        size_t skip = written < piece.len ? written : piece.len;
        written -= skip;
        piece.base += skip;
        piece.len -= skip;
        left += piece.len;
        if (piece.len > 0)
            out->list[kept++] = piece;
    }
    out->count = kept;
    return left;
}

// Queues what is left; the request holds the bytes.
static int queue_write(JSContext* ctx, uv_stream_t* stream, pieces* out, JSValueConst keep,
                       void** copy, JSValueConst callback) {
    write_request* request = calloc(1, sizeof(*request));
    if (request == NULL)
        return UV_ENOMEM;
    request->env = ph_env_of(ctx);
    request->keep = JS_DupValue(ctx, keep);
    request->callback = JS_DupValue(ctx, callback);
    request->context = JS_DupValue(ctx, request->env->async_context);
    request->copy = *copy;
    *copy = NULL;
    int status = uv_write(&request->uv, stream, out->list, out->count, on_written);
    if (status != 0)
        release_write(request);
    return status;
}

// write(handle, data, callback): data is bytes, a list of bytes, or text (UTF-8).
// 1: all is written, the callback will not be called. 0: it will. Negative: an error.
static JSValue write_data(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    pieces out = {.list = out.few, .count = 0};
    const char* text = NULL;
    void* copy = NULL;
    size_t length;
    if (JS_IsString(argv[1])) {
        text = JS_ToCStringLen(ctx, &length, argv[1]);
        out.list[0] = uv_buf_init((char*)text, (unsigned)length);
        out.count = 1;
    } else if (collect(ctx, argv[1], &out) != 0) {
        if (out.list != out.few)
            free(out.list);
        return JS_EXCEPTION;
    }
    int status = 0;
    size_t left = advance(&out, 0);
    if (uv_stream_get_write_queue_size(stream) == 0 && left > 0) {
        int written = uv_try_write(stream, out.list, out.count);
        if (written >= 0)
            left = advance(&out, (size_t)written);
        else if (written != UV_EAGAIN && written != UV_ENOSYS)
            status = written;
    }
    if (status == 0 && left > 0) {
        if (text != NULL && (copy = malloc(left)) != NULL) {
            memcpy(copy, out.list[0].base, left);
            out.list[0].base = copy;
        }
        status =
            queue_write(ctx, stream, &out, text != NULL ? JS_UNDEFINED : argv[1], &copy, argv[2]);
    } else if (status == 0) {
        status = 1;
    }
    JS_FreeCString(ctx, text);
    free(copy);
    if (out.list != out.few)
        free(out.list);
    return JS_NewInt32(ctx, status);
}

typedef struct {
    union {
        uv_shutdown_t shutdown;
        uv_connect_t connect;
    } uv;
    ph_env* env;
    JSValue callback;
    JSValue context;
} request;

static request* new_request(JSContext* ctx, JSValueConst callback) {
    request* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->env = ph_env_of(ctx);
    made->callback = JS_DupValue(ctx, callback);
    made->context = JS_DupValue(ctx, made->env->async_context);
    return made;
}

static void release_request(request* done) {
    JS_FreeValue(done->env->ctx, done->callback);
    JS_FreeValue(done->env->ctx, done->context);
    free(done);
}

static void finish_request(request* done, int status) {
    JSValue args[] = {JS_NewInt32(done->env->ctx, status)};
    ph_gate_call_in(done->env, done->context, done->callback, JS_UNDEFINED, 1, args);
    release_request(done);
}

static void on_shutdown(uv_shutdown_t* uv, int status) {
    finish_request((request*)uv, status);
}

static void on_connect(uv_connect_t* uv, int status) {
    finish_request((request*)uv, status);
}

static JSValue shutdown_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    if (stream == NULL)
        return JS_EXCEPTION;
    request* made = new_request(ctx, argv[1]);
    int status = uv_shutdown(&made->uv.shutdown, stream, on_shutdown);
    if (status != 0)
        release_request(made);
    return JS_NewInt32(ctx, status);
}

// connect(handle, address, port, callback), connect(handle, path, undefined, callback)
static JSValue connect_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    const char* name = stream == NULL ? NULL : JS_ToCString(ctx, argv[1]);
    if (name == NULL)
        return JS_EXCEPTION;
    request* made = new_request(ctx, argv[3]);
    int status;
    if (stream->type == UV_TCP) {
        struct sockaddr_storage address;
        status = ph_address(name, ph_int(ctx, argv[2], 0), &address);
        if (status == 0)
            status = uv_tcp_connect(&made->uv.connect, (uv_tcp_t*)stream,
                                    (struct sockaddr*)&address, on_connect);
    } else {
        status = uv_pipe_connect2(&made->uv.connect, (uv_pipe_t*)stream, name, strlen(name), 0,
                                  on_connect);
    }
    if (status != 0)
        release_request(made);
    JS_FreeCString(ctx, name);
    return JS_NewInt32(ctx, status);
}

static JSValue bind_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uv_stream_t* stream = stream_of(ctx, argv[0]);
    const char* name = stream == NULL ? NULL : JS_ToCString(ctx, argv[1]);
    if (name == NULL)
        return JS_EXCEPTION;
    int status;
    if (stream->type == UV_TCP) {
        struct sockaddr_storage address;
        status = ph_address(name, ph_int(ctx, argv[2], 0), &address);
        if (status == 0)
            status = uv_tcp_bind((uv_tcp_t*)stream, (struct sockaddr*)&address,
                                 (unsigned)ph_int(ctx, argv[3], 0));
    } else {
        status = uv_pipe_bind2((uv_pipe_t*)stream, name, strlen(name), 0);
    }
    JS_FreeCString(ctx, name);
    return JS_NewInt32(ctx, status);
}

static JSValue make(JSContext* ctx, uv_handle_type type, int option, int* status) {
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
    if (*status == 0)
        ph_handle_opened(handle, object);
    return object;
}

// newStream(kind, option): "tcp", "pipe" (option: for messages) or "tty" (option: descriptor)
static JSValue new_stream(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    int status = 0;
    JSValue object = make(ctx, (uv_handle_type)magic, ph_int(ctx, argv[0], 0), &status);
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
        JSValue client = make(env->ctx, server->type, 0, &made);
        ph_handle* accepted = made == 0 ? ph_handle_get(env->ctx, client, server->type) : NULL;
        if (accepted != NULL)
            made = uv_accept(server, &accepted->uv.stream);
        args[0] = JS_NewInt32(env->ctx, made);
        args[1] = client;
    }
    JSValue self = JS_DupValue(env->ctx, handle->self);
    ph_gate_emit(env, self, "onconnection", 2, args);
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
    int status = stream->type == UV_TCP ? uv_tcp_open((uv_tcp_t*)stream, fd)
                                        : uv_pipe_open((uv_pipe_t*)stream, fd);
    return JS_NewInt32(ctx, status);
}

enum { LOCAL, PEER };

// [address, port, family], a path, or a negative error
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
    char path[512];
    size_t size = sizeof(path);
    int status = magic == LOCAL ? uv_pipe_getsockname((uv_pipe_t*)stream, path, &size)
                                : uv_pipe_getpeername((uv_pipe_t*)stream, path, &size);
    return status != 0 ? JS_NewInt32(ctx, status) : JS_NewStringLen(ctx, path, size);
}

enum { NO_DELAY, KEEP_ALIVE, BLOCKING, TTY_MODE, RESET };

static JSValue configure(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_handle_get(ctx, argv[0], UV_UNKNOWN_HANDLE);
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
    else if (magic == TTY_MODE)
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
        JS_CFUNC_MAGIC_DEF("newTcp", 1, new_stream, UV_TCP),
        JS_CFUNC_MAGIC_DEF("newPipe", 1, new_stream, UV_NAMED_PIPE),
        JS_CFUNC_MAGIC_DEF("newTty", 1, new_stream, UV_TTY),
        JS_CFUNC_MAGIC_DEF("readStart", 1, reading, READ_START),
        JS_CFUNC_MAGIC_DEF("readStop", 1, reading, READ_STOP),
        JS_CFUNC_MAGIC_DEF("queueSize", 1, reading, QUEUE_SIZE),
        JS_CFUNC_DEF("write", 3, write_data),
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
        JS_CFUNC_DEF("ttySize", 1, tty_size),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_handle_export(ctx, binding);
    return binding;
}
