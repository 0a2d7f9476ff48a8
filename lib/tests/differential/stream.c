/* Streams: pipes, TCP and terminals. */

#include <fcntl.h>
#include <netinet/in.h>
#include <pty.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "machine.h"

struct write {
    uv_write_t request;
    struct object* object;
    char* bytes;
};

static int begin_tty(struct object* object) {
    int terminal;
    if (openpty(&object->far, &terminal, NULL, NULL, NULL) != 0)
        return SKIPPED;
    fcntl(object->far, F_SETFL, O_NONBLOCK);
    object->near = terminal;
    return uv_tty_init(object->loop, born(object, sizeof(uv_tty_t)), terminal, 0);
}

/* Handles travel over pipes with odd numbers. */
int begin_stream(struct object* object) {
    if (object->kind == PIPE)
        return uv_pipe_init(object->loop, born(object, sizeof(uv_pipe_t)), object->id & 1);
    if (object->kind == TCP)
        return uv_tcp_init(object->loop, born(object, sizeof(uv_tcp_t)));
    if (object->kind == UDP)
        return uv_udp_init(object->loop, born(object, sizeof(uv_udp_t)));
    return begin_tty(object);
}

static void on_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buffer) {
    struct object* object = object_of(handle);
    (void)suggested;
    *buffer =
        uv_buf_init(object->wanted == 0 ? NULL : malloc(object->wanted), (unsigned)object->wanted);
}

static void on_read(uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    struct object* object = object_of(stream);
    if (count > 0)
        called(object, "read", "%d sum %x", (int)count, sum_of(buffer->base, (size_t)count));
    else
        called(object, "read", "%s", count == 0 ? "nothing" : result_text(count));
    free(buffer->base);
}

static void on_write(uv_write_t* request, int status) {
    struct write* write = (struct write*)request;
    if (write->object->writing == write)
        write->object->writing = NULL;
    called(write->object, "written", "%s queue %d", result_text(status),
           (int)uv_stream_get_write_queue_size(request->handle));
    free(write->bytes);
    free(write);
}

static void on_shutdown(uv_shutdown_t* request, int status) {
    called(object_of(request->handle), "shut", "%s", result_text(status));
    free(request);
}

static void on_connect(uv_connect_t* request, int status) {
    object_of(request->handle)->connecting = false;
    called(object_of(request->handle), "connected", "%s", result_text(status));
    free(request);
}

static void on_connection(uv_stream_t* stream, int status) {
    called(object_of(stream), "connection", "%s", result_text(status));
}

static void fill(struct object* object, char* bytes, size_t count) {
    for (size_t i = 0; i < count; i++)
        bytes[i] = (char)('a' + object->sent++ % 26);
}

/* pair A B: both pipes get one end of a socket pair each. */
static int op_pair(struct object* object, const int* arguments) {
    struct object* other = object_at(arguments[0]);
    uv_os_sock_t ends[2];
    uv_os_fd_t fd;
    if (!is_live(other, 1 << PIPE) || other == object || uv_fileno(object->handle, &fd) == 0 ||
        uv_fileno(other->handle, &fd) == 0)
        return SKIPPED;
    int result = uv_socketpair(SOCK_STREAM, 0, ends, 0, 0);
    if (result != 0)
        return result;
    int first = uv_pipe_open(object->pipe, ends[0]);
    int second = uv_pipe_open(other->pipe, ends[1]);
    return first != 0 ? first : second;
}

/* A pipe with one end of a socket pair, of which the machine has the other. */
static int op_open(struct object* object, const int* arguments) {
    int ends[2];
    uv_os_fd_t fd;
    (void)arguments;
    if (uv_fileno(object->handle, &fd) == 0 || object->far != -1 ||
        socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) != 0)
        return SKIPPED;
    object->far = ends[1];
    return uv_pipe_open(object->pipe, ends[0]);
}

/* The machine writes at the far end, or reads all that is there, or closes it. */
static int op_far_write(struct object* object, const int* arguments) {
    char bytes[4096];
    if (object->far == -1 || arguments[0] > (int)sizeof(bytes))
        return SKIPPED;
    memset(bytes, object->kind == TTY ? '\n' : 'f', sizeof(bytes));
    log_note(" %d", (int)send(object->far, bytes, (size_t)arguments[0], MSG_NOSIGNAL));
    return NOTHING;
}

static int op_far_read(struct object* object, const int* arguments) {
    char bytes[65536];
    (void)arguments;
    if (object->far == -1)
        return SKIPPED;
    ssize_t n = read(object->far, bytes, sizeof(bytes));
    log_note(" %d sum %x", (int)n, n > 0 ? sum_of(bytes, (size_t)n) : 0);
    return NOTHING;
}

static int op_far_close(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->far == -1)
        return SKIPPED;
    close(object->far);
    object->far = -1;
    return NOTHING;
}

/* Typing at the terminal; the line discipline hands it over in its own time. */
static int op_type(struct object* object, const int* arguments) {
    char text[64];
    struct timeval second = {1, 0};
    fd_set readable;
    memset(text, 'k', sizeof(text));
    int length = arguments[0] % 60;
    text[length] = '\n';
    if (object->far == -1 || write(object->far, text, (size_t)length + 1) == -1)
        return SKIPPED;
    FD_ZERO(&readable);
    FD_SET(object->near, &readable);
    select(object->near + 1, &readable, NULL, NULL, &second);
    return NOTHING;
}

static int op_tty_mode(struct object* object, const int* arguments) {
    return uv_tty_set_mode(object->tty, (uv_tty_mode_t)arguments[0]);
}

static int op_bind(struct object* object, const int* arguments) {
    struct sockaddr_in address;
    char name[32];
    uv_ip4_addr("127.0.0.1", 0, &address);
    if (object->kind == TCP)
        return uv_tcp_bind(object->tcp, (const struct sockaddr*)&address, 0);
    snprintf(name, sizeof(name), "pipe%d", arguments[0]);
    return uv_pipe_bind(object->pipe, name);
}

static int op_listen(struct object* object, const int* arguments) {
    return uv_listen(object->stream, arguments[0], on_connection);
}

/* What has come over a pipe goes into a handle of its kind. */
static bool fits(struct object* object, struct object* other) {
    uv_handle_type waiting = UV_UNKNOWN_HANDLE;
    if (object->kind == PIPE)
        waiting = uv_pipe_pending_type(object->pipe);
    return waiting != UV_UNKNOWN_HANDLE ? uv_handle_get_type(other->handle) == waiting
                                        : other->kind == object->kind;
}

static int op_accept(struct object* object, const int* arguments) {
    struct object* other = object_at(arguments[0]);
    uv_os_fd_t fd;
    if (!is_live(other, 1 << TCP | 1 << PIPE | 1 << UDP) || other->loop != object->loop ||
        uv_fileno(other->handle, &fd) == 0 || !fits(object, other))
        return SKIPPED;
    return uv_accept(object->stream, other->stream);
}

static int connect_tcp(struct object* object, struct object* listener) {
    struct sockaddr_in address;
    int length = sizeof(address);
    uv_os_fd_t fd;
    /* Once connected, twice connected: when it is told depends on what is watched. */
    if (!is_live(listener, 1 << TCP) || listener == object || uv_is_readable(object->stream) ||
        uv_fileno(listener->handle, &fd) != 0 ||
        uv_tcp_getsockname(listener->tcp, (struct sockaddr*)&address, &length) != 0 ||
        address.sin_port == 0)
        return SKIPPED;
    uv_connect_t* request = calloc(1, sizeof(*request));
    int result = uv_tcp_connect(request, object->tcp, (const struct sockaddr*)&address, on_connect);
    if (result == 0)
        object->connecting = true;
    else
        free(request);
    return result;
}

/* connect A B: TCP connects to where B is bound, a pipe to the name of that number. */
static int op_connect(struct object* object, const int* arguments) {
    char name[32];
    uv_os_fd_t fd;
    if (object->kind == TCP)
        return connect_tcp(object, object_at(arguments[0]));
    if (uv_fileno(object->handle, &fd) == 0)
        return SKIPPED;
    snprintf(name, sizeof(name), "pipe%d", arguments[0]);
    uv_connect_t* request = calloc(1, sizeof(*request));
    object->connecting = true;
    uv_pipe_connect(request, object->pipe, name, on_connect);
    return NOTHING;
}

static int op_read_start(struct object* object, const int* arguments) {
    object->wanted = (size_t)arguments[0];
    return uv_read_start(object->stream, on_alloc, on_read);
}

static int op_read_stop(struct object* object, const int* arguments) {
    (void)arguments;
    return uv_read_stop(object->stream);
}

static unsigned cut(char* bytes, int size, int pieces, uv_buf_t* buffers) {
    unsigned count = 0;
    for (int done = 0; done < size; count++) {
        int length = count + 1 >= (unsigned)pieces ? size - done : (size + pieces - 1) / pieces;
        length = length > size - done ? size - done : length;
        buffers[count] = uv_buf_init(bytes + done, (unsigned)length);
        done += length;
    }
    if (count == 0)
        buffers[count++] = uv_buf_init(bytes, 0);
    return count;
}

static int write_bytes(struct object* object, int size, int pieces, uv_stream_t* passed) {
    struct write* write = calloc(1, sizeof(*write));
    uv_buf_t* buffers = malloc(((size_t)pieces + 1) * sizeof(*buffers));
    write->object = object;
    write->bytes = malloc((size_t)size + 1);
    fill(object, write->bytes, (size_t)size);
    unsigned count = cut(write->bytes, size, pieces, buffers);
    int result = uv_write2(&write->request, object->stream, buffers, count, passed, on_write);
    log_note(" queue %d", (int)uv_stream_get_write_queue_size(object->stream));
    free(buffers);
    if (result == 0) {
        object->writing = write;
    } else {
        free(write->bytes);
        free(write);
    }
    return result;
}

/* write A SIZE PIECES */
static int op_write(struct object* object, const int* arguments) {
    return write_bytes(object, arguments[0], arguments[1], NULL);
}

/* pass A B: B travels over A, at once: it may be closed afterwards. */
static int op_pass(struct object* object, const int* arguments) {
    struct object* other = object_at(arguments[0]);
    uv_os_fd_t fd;
    if (!is_live(other, 1 << TCP | 1 << PIPE | 1 << UDP) || other == object || object->connecting ||
        uv_fileno(other->handle, &fd) != 0 || uv_stream_get_write_queue_size(object->stream) != 0)
        return SKIPPED;
    return write_bytes(object, 2, 1, other->stream);
}

static int op_write_cancel(struct object* object, const int* arguments) {
    (void)arguments;
    return object->writing != NULL ? uv_cancel(object->writing) : SKIPPED;
}

static int op_reset(struct object* object, const int* arguments) {
    (void)arguments;
    return reset_object(object);
}

static int op_try_write(struct object* object, const int* arguments) {
    char* bytes = malloc((size_t)arguments[0] + 1);
    fill(object, bytes, (size_t)arguments[0]);
    uv_buf_t buffer = uv_buf_init(bytes, (unsigned)arguments[0]);
    int result = uv_try_write(object->stream, &buffer, 1);
    free(bytes);
    return result;
}

/* libuv forgets a shutdown that was asked for before the connection is there. */
static int op_shutdown(struct object* object, const int* arguments) {
    (void)arguments;
    if (object->connecting)
        return SKIPPED;
    uv_shutdown_t* request = calloc(1, sizeof(*request));
    int result = uv_shutdown(request, object->stream, on_shutdown);
    if (result != 0)
        free(request);
    return result;
}

static int op_stream_query(struct object* object, const int* arguments) {
    (void)arguments;
    log_note(" = readable %d writable %d queue %d waiting %d", uv_is_readable(object->stream),
             uv_is_writable(object->stream), (int)uv_stream_get_write_queue_size(object->stream),
             object->kind == PIPE ? uv_pipe_pending_count(object->pipe) : 0);
    return NOTHING;
}

const struct operation stream_operations[] = {
    {"pair", 1 << PIPE, false, op_pair},
    {"open", 1 << PIPE, false, op_open},
    {"far_write", 1 << PIPE | 1 << POLL, false, op_far_write},
    {"far_read", 1 << PIPE | 1 << POLL | 1 << TTY, false, op_far_read},
    {"far_close", 1 << PIPE | 1 << POLL | 1 << TTY, false, op_far_close},
    {"type", 1 << TTY, false, op_type},
    {"tty_mode", 1 << TTY, false, op_tty_mode},
    {"bind", 1 << TCP | 1 << PIPE, false, op_bind},
    {"listen", 1 << TCP | 1 << PIPE, false, op_listen},
    {"accept", 1 << TCP | 1 << PIPE, false, op_accept},
    {"connect", 1 << TCP | 1 << PIPE, false, op_connect},
    {"read_start", STREAMS, false, op_read_start},
    {"read_stop", STREAMS, false, op_read_stop},
    {"write", STREAMS, false, op_write},
    {"write_cancel", STREAMS, false, op_write_cancel},
    {"pass", 1 << PIPE, false, op_pass},
    {"reset", 1 << TCP, false, op_reset},
    {"try_write", STREAMS, false, op_try_write},
    {"shutdown", STREAMS, false, op_shutdown},
    {"stream_query", STREAMS, false, op_stream_query},
    {NULL, 0, false, NULL}};
