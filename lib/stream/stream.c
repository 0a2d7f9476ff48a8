/* The life of a stream: its descriptor, connecting, shutting down, closing. */

#include "stream/stream.h"

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/kind.h"
#include "core/request.h"
#include "os/fd.h"

static void on_events(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);

void ph_stream_init(uv_loop_t* loop, uv_stream_t* stream, uv_handle_type type) {
    ph_handle_init(loop, PH_HANDLE(stream), type);
    stream->write_queue_size = 0;
    stream->alloc_cb = NULL;
    stream->read_cb = NULL;
    stream->requests.connect = NULL;
    stream->requests.shutdown = NULL;
    ph_watcher_init(&stream->io_watcher, on_events, -1);
    ph_queue_init(&stream->stream.write_queue);
    ph_queue_init(&stream->stream.write_completed_queue);
    stream->stream.connection_cb = NULL;
    stream->stream.delayed_error = 0;
    stream->stream.accepted_fd = -1;
    stream->stream.queued_fds = NULL;
    *ph_extra(stream) = (struct ph_stream_extra){.transport = PH_BY_SEND};
}

int ph_stream_open(uv_stream_t* stream, int fd, unsigned int flags) {
    if (ph_is_closing(stream))
        return UV_EINVAL;
    if (ph_stream_fd(stream) != -1 && ph_stream_fd(stream) != fd)
        return UV_EBUSY;
    int err = ph_poller_reserve(stream->loop, fd);
    if (err == 0 && stream->type == UV_TCP)
        err = ph_tcp_apply_options((uv_tcp_t*)stream, fd);
    if (err != 0)
        return err;
    stream->flags |= flags;
    stream->io_watcher.fd = fd;
    return 0;
}

/* Interrupted, the kernel may go on connecting by itself: the second call then says so. */
int ph_connect_socket(int fd, const void* address, socklen_t size) {
    bool interrupted = false;
    while (connect(fd, address, size) != 0) {
        if (errno == EINPROGRESS || (interrupted && (errno == EALREADY || errno == EISCONN)))
            return 0;
        if (errno != EINTR)
            return ph_errno();
        interrupted = true;
    }
    return 0;
}

void ph_stream_connecting(uv_connect_t* req, uv_stream_t* stream, int err, uv_connect_cb cb) {
    ph_request_init(stream->loop, req, UV_CONNECT);
    req->cb = cb;
    req->handle = stream;
    stream->requests.connect = req;
    stream->stream.delayed_error = err;
    if (err != 0)
        ph_watcher_feed(stream->loop, &stream->io_watcher, EPOLLOUT);
    else
        ph_watcher_start(stream->loop, &stream->io_watcher, EPOLLOUT);
}

static int connect_result(uv_stream_t* stream) {
    int err = stream->stream.delayed_error;
    if (err != 0) {
        stream->stream.delayed_error = 0;
        return err;
    }
    socklen_t size = sizeof(err);
    if (getsockopt(ph_stream_fd(stream), SOL_SOCKET, SO_ERROR, &err, &size) != 0)
        return ph_errno();
    return -err;
}

static void finish_connect(uv_stream_t* stream) {
    uv_connect_t* req = stream->requests.connect;
    int status = connect_result(stream);
    stream->requests.connect = NULL;
    /* What was written meanwhile leaves in the next turn. */
    if (status != 0 || ph_queue_empty(&stream->stream.write_queue))
        ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLOUT);
    ph_request_end(stream->loop);
    if (req->cb != NULL)
        PH_DISPATCH(stream->loop, req, req->cb, req, status);
    else
        ph_tell_request_ends(stream->loop, req);
    if (status != 0 && !ph_is_closing(stream))
        ph_stream_fail_queue(stream, UV_ECANCELED);
}

/* The queue is empty and its callbacks have run: nothing stands before the end any more. */
static void finish_shutdown(uv_stream_t* stream) {
    uv_shutdown_t* req = stream->requests.shutdown;
    int status = 0;
    stream->requests.shutdown = NULL;
    if (ph_is_closing(stream))
        status = UV_ECANCELED;
    else if (shutdown(ph_stream_fd(stream), SHUT_WR) != 0)
        status = ph_errno();
    ph_request_end(stream->loop);
    if (req->cb != NULL)
        PH_DISPATCH(stream->loop, req, req->cb, req, status);
    else
        ph_tell_request_ends(stream->loop, req);
}

/* Sends, then calls back, then ends: in this order. */
static void go_on_writing(uv_stream_t* stream, unsigned int events) {
    bool waits =
        ph_watcher_wants(&stream->io_watcher, EPOLLOUT) && !ph_stream_head_takes_calls(stream);
    if (!ph_queue_empty(&stream->stream.write_queue) && (events != PH_FED || !waits))
        ph_stream_send_queue(stream);
    ph_stream_run_write_callbacks(stream);
    if (stream->requests.shutdown != NULL && ph_queue_empty(&stream->stream.write_queue) &&
        !ph_is_closing(stream))
        finish_shutdown(stream);
}

static void on_events(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    uv_stream_t* stream = PH_CONTAINER_OF(watcher, uv_stream_t, io_watcher);
    (void)loop;
    if (stream->requests.connect != NULL) {
        if (events != PH_FED)
            finish_connect(stream);
        events = PH_FED;
    }
    if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) && ph_extra(stream)->reading)
        ph_stream_read(stream);
    if (ph_is_closing(stream))
        return;
    if (stream->requests.connect != NULL)
        ph_stream_run_write_callbacks(stream);
    else if (events & (EPOLLOUT | EPOLLERR | EPOLLHUP | PH_FED))
        go_on_writing(stream, events);
}

int uv_shutdown(uv_shutdown_t* req, uv_stream_t* stream, uv_shutdown_cb cb) {
    if (!(stream->flags & PH_WRITABLE) || ph_extra(stream)->shut || ph_is_closing(stream))
        return UV_ENOTCONN;
    ph_request_init(stream->loop, req, UV_SHUTDOWN);
    req->handle = stream;
    req->cb = cb;
    stream->requests.shutdown = req;
    ph_extra(stream)->shut = 1;
    stream->flags &= ~(unsigned)PH_WRITABLE;
    if (ph_queue_empty(&stream->stream.write_queue) && stream->requests.connect == NULL)
        ph_watcher_feed(stream->loop, &stream->io_watcher, PH_FED);
    return 0;
}

bool ph_stream_close(uv_handle_t* handle) {
    uv_stream_t* stream = PH_STREAM(handle);
    int fd = ph_stream_fd(stream);
    ph_stream_send_gathered(stream);
    if (stream->type == UV_TTY)
        ph_tty_closing((uv_tty_t*)stream);
    ph_listener_stop(stream);
    uv_read_stop(stream);
    ph_watcher_close(stream->loop, &stream->io_watcher);
    ph_handle_stop(stream);
    stream->flags &= ~(unsigned)(PH_READABLE | PH_WRITABLE);
    stream->io_watcher.fd = -1;
    /* Standard input and output stay: whatever got their numbers next would be printed to. */
    if (fd > STDERR_FILENO)
        ph_fd_close(fd);
    ph_fds_close(stream);
    return true;
}

void ph_stream_finish(uv_loop_t* loop, uv_handle_t* handle) {
    uv_stream_t* stream = PH_STREAM(handle);
    uv_connect_t* connect = stream->requests.connect;
    ph_listener_free(loop, stream);
    if (connect != NULL) {
        stream->requests.connect = NULL;
        ph_request_end(loop);
        if (connect->cb != NULL)
            PH_DISPATCH(loop, connect, connect->cb, connect, UV_ECANCELED);
        else
            ph_tell_request_ends(loop, connect);
    }
    ph_stream_fail_queue(stream, UV_ECANCELED);
    ph_stream_run_write_callbacks(stream);
    if (stream->requests.shutdown != NULL)
        finish_shutdown(stream);
    /* Whatever has fed the watcher since the close: the handle's memory goes away now. */
    ph_watcher_close(loop, &stream->io_watcher);
}

int uv_is_readable(const uv_stream_t* stream) {
    return (stream->flags & PH_READABLE) != 0;
}

int uv_is_writable(const uv_stream_t* stream) {
    return (stream->flags & PH_WRITABLE) != 0;
}

size_t uv_stream_get_write_queue_size(const uv_stream_t* stream) {
    return stream->write_queue_size;
}

int uv_stream_set_blocking(uv_stream_t* handle, int blocking) {
    ph_stream_send_gathered(handle);
    int err = ph_fd_set_nonblocking(ph_stream_fd(handle), !blocking);
    if (err == 0)
        ph_extra(handle)->blocking = blocking != 0;
    return err;
}

uv_buf_t uv_buf_init(char* base, unsigned int len) {
    return (uv_buf_t){.base = base, .len = len};
}
