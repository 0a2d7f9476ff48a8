/* Descriptors that come over an ipc pipe. The first waits in stream.accepted_fd, the others behind
 * it in stream.queued_fds, until uv_accept adopts them. */

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "base/certain.h"
#include "base/loop_alloc.h"
#include "os/fd.h"
#include "stream/stream.h"

enum { MOST_PER_MESSAGE = 253 /* SCM_MAX_FD */ };

struct fd_queue {
    unsigned int first;
    unsigned int count;
    unsigned int capacity;
    int fds[];
};

/* Makes room for `more` at the end. False: no memory. */
static bool grow(uv_stream_t* stream, unsigned int more) {
    struct fd_queue* queue = stream->stream.queued_fds;
    unsigned int count = queue != NULL ? queue->count : 0;
    if (queue != NULL && queue->first > 0) {
        memmove(queue->fds, queue->fds + queue->first, count * sizeof(int));
        queue->first = 0;
    }
    if (queue != NULL && queue->capacity - count >= more)
        return true;
    unsigned int capacity = (count + more) * 2;
    queue = ph_loop_realloc(stream->loop, queue, sizeof(*queue) + capacity * sizeof(int));
    if (queue == NULL)
        return false;
    queue->first = 0;
    queue->count = count;
    queue->capacity = capacity;
    stream->stream.queued_fds = queue;
    return true;
}

/* Takes all of them, or closes all and says ENOMEM. */
static int keep(uv_stream_t* stream, const int* fds, unsigned int count) {
    unsigned int i = 0;
    bool direct = stream->stream.accepted_fd == -1 && ALWAYS(count > 0);
    if (count > direct && !grow(stream, count - direct)) {
        for (; i < count; i++)
            ph_fd_close(fds[i]);
        return ENOMEM;
    }
    if (direct)
        stream->stream.accepted_fd = fds[i++];
    struct fd_queue* queue = stream->stream.queued_fds;
    for (; i < count; i++)
        queue->fds[queue->first + queue->count++] = fds[i];
    return 0;
}

ssize_t ph_receive_with_fds(uv_stream_t* stream, void* base, size_t size) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(MOST_PER_MESSAGE * sizeof(int))];
    } control;
    struct iovec part = {.iov_base = base, .iov_len = size};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    ssize_t n = recvmsg(ph_stream_fd(stream), &message, MSG_CMSG_CLOEXEC);
    if (n < 0)
        return n;
    int err = 0;
    for (struct cmsghdr* c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c)) {
        int fds[MOST_PER_MESSAGE];
        if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
            continue;
        size_t bytes = c->cmsg_len - CMSG_LEN(0);
        memcpy(fds, CMSG_DATA(c), bytes);
        int failed = keep(stream, fds, (unsigned int)(bytes / sizeof(int)));
        err = failed != 0 ? failed : err;
    }
    if (err == 0)
        return n;
    errno = err;
    return -1;
}

void ph_fds_shift(uv_stream_t* stream) {
    struct fd_queue* queue = stream->stream.queued_fds;
    if (queue == NULL) {
        stream->stream.accepted_fd = -1;
        return;
    }
    stream->stream.accepted_fd = queue->fds[queue->first++];
    if (--queue->count == 0) {
        ph_loop_free(stream->loop, queue);
        stream->stream.queued_fds = NULL;
    }
}

void ph_fds_close(uv_stream_t* stream) {
    while (stream->stream.accepted_fd != -1) {
        ph_fd_close(stream->stream.accepted_fd);
        ph_fds_shift(stream);
    }
}

unsigned int ph_fds_waiting(const uv_stream_t* stream) {
    const struct fd_queue* queue = stream->stream.queued_fds;
    if (stream->stream.accepted_fd == -1)
        return 0;
    return 1 + (queue != NULL ? queue->count : 0);
}
