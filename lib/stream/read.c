#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "core/dispatch.h"
#include "stream/stream.h"

enum {
    SUGGESTED_SIZE = 64 * 1024,
    FULL_READS = 32 /* filled buffers per readiness, so that one stream can't starve the others */
};

int uv_read_start(uv_stream_t* stream, uv_alloc_cb alloc_cb, uv_read_cb read_cb) {
    if (stream == NULL || alloc_cb == NULL || read_cb == NULL || ph_is_closing(stream))
        return UV_EINVAL;
    if (ph_extra(stream)->reading)
        return UV_EALREADY;
    if (!(stream->flags & PH_READABLE) || ph_stream_fd(stream) == -1)
        return UV_ENOTCONN;
    stream->alloc_cb = alloc_cb;
    stream->read_cb = read_cb;
    ph_extra(stream)->reading = 1;
    ph_watcher_start(stream->loop, &stream->io_watcher, EPOLLIN);
    ph_handle_start(stream);
    return 0;
}

/* Keeps the callbacks: the last of them may be about to be called. */
static void stop(uv_stream_t* stream) {
    ph_extra(stream)->reading = 0;
    ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLIN);
    ph_handle_stop(stream);
}

int uv_read_stop(uv_stream_t* stream) {
    if (!ph_extra(stream)->reading)
        return 0;
    stop(stream);
    stream->alloc_cb = NULL;
    stream->read_cb = NULL;
    return 0;
}

static void report(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    PH_DISPATCH(stream->loop, stream, stream->read_cb, stream, result, buf);
}

/* recv costs less than read, where the descriptor is a socket. */
static ssize_t receive(uv_stream_t* stream, void* base, size_t size) {
    int fd = ph_stream_fd(stream);
    if (stream->type == UV_NAMED_PIPE && ((uv_pipe_t*)stream)->ipc)
        return ph_receive_with_fds(stream, base, size);
    if (ph_extra(stream)->transport == PH_BY_SEND) {
        ssize_t n = recv(fd, base, size, 0);
        if (n != -1 || errno != ENOTSOCK)
            return n;
        ph_find_transport(stream);
    }
    return read(fd, base, size);
}

static ssize_t read_some(uv_stream_t* stream, const uv_buf_t* buf) {
    ssize_t n;
    do
        n = receive(stream, buf->base, buf->len);
    while (n == -1 && errno == EINTR);
    /* How a terminal says that nobody has it open any more. */
    if (n == -1 && errno == EIO && ph_extra(stream)->terminal)
        return 0;
    return n == -1 ? ph_errno() : n;
}

/* True: there is more, or there may be. */
static bool read_once(uv_stream_t* stream) {
    uv_buf_t buf = {0};
    PH_DISPATCH(stream->loop, stream, stream->alloc_cb, PH_HANDLE(stream), SUGGESTED_SIZE, &buf);
    if (!ph_extra(stream)->reading)
        return false;
    if (buf.base == NULL || buf.len == 0) {
        report(stream, UV_ENOBUFS, &buf);
        return false;
    }
    ssize_t n = read_some(stream, &buf);
    if (n > 0) {
        bool filled = (size_t)n == buf.len;
        ph_tell_stream_has(stream, buf.base, (size_t)n, true);
        report(stream, n, &buf);
        return filled;
    }
    if (n == 0) {
        stop(stream);
        report(stream, UV_EOF, &buf);
    } else if (n == UV_EAGAIN) {
        report(stream, 0, &buf);
    } else {
        stream->flags &= ~(unsigned)(PH_READABLE | PH_WRITABLE);
        report(stream, n, &buf);
        if (ph_extra(stream)->reading)
            stop(stream);
    }
    return false;
}

void ph_stream_read(uv_stream_t* stream) {
    int rounds = ph_extra(stream)->blocking ? 1 : FULL_READS;
    while (rounds-- > 0 && ph_extra(stream)->reading && read_once(stream))
        continue;
}
