/* Giving bytes to the kernel: one system call, whatever the descriptor is, and never a SIGPIPE. */

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "hooks.h"
#include "os/libc.h"
#include "os/refusal.h"
#include "stream/stream.h"

_Static_assert(sizeof(uv_buf_t) == sizeof(struct iovec) &&
                   offsetof(uv_buf_t, base) == offsetof(struct iovec, iov_base) &&
                   offsetof(uv_buf_t, len) == offsetof(struct iovec, iov_len),
               "buffers go to the kernel as they are");

enum { RWF_WITHOUT_SIGNAL = 0x100 }; /* RWF_NOSIGNAL, Linux 6.18 */

static int kernel_lacks_flag;

/* Blocks SIGPIPE, and takes back the one that this write has raised in this thread. */
static ssize_t write_with_signal_blocked(int fd, const struct iovec* parts, int count) {
    sigset_t pipe_only;
    sigset_t before;
    sigset_t pending;
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_only, &before);
    sigpending(&pending);
    ssize_t n = writev(fd, parts, count);
    int saved = errno;
    if (n == -1 && saved == EPIPE && !sigismember(&pending, SIGPIPE)) {
        const struct timespec now = {0};
        while (sigtimedwait(&pipe_only, NULL, &now) == -1 && errno == EINTR)
            continue;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved;
    return n;
}

/* By a kernel that does not know the flag, or by a sandbox that does not know the call. */
static bool flag_is_refused(int error) {
    return error == EOPNOTSUPP || error == EINVAL || ph_is_refusal(error);
}

static ssize_t write_to_fifo(int fd, const struct iovec* parts, int count) {
    if (!__atomic_load_n(&kernel_lacks_flag, __ATOMIC_RELAXED)) {
        ssize_t n = pwritev2(fd, parts, count, -1, RWF_WITHOUT_SIGNAL);
        if (n != -1 || !flag_is_refused(errno))
            return n;
        __atomic_store_n(&kernel_lacks_flag, 1, __ATOMIC_RELAXED);
    }
    return write_with_signal_blocked(fd, parts, count);
}

static ssize_t send_message(int fd, struct iovec* parts, size_t count, int pass_fd) {
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct msghdr message = {.msg_iov = parts, .msg_iovlen = count};
    if (pass_fd != -1) {
        control.header.cmsg_level = SOL_SOCKET;
        control.header.cmsg_type = SCM_RIGHTS;
        control.header.cmsg_len = CMSG_LEN(sizeof(int));
        memcpy(CMSG_DATA(&control.header), &pass_fd, sizeof(int));
        message.msg_control = &control;
        message.msg_controllen = sizeof(control);
    }
    return sendmsg(fd, &message, MSG_NOSIGNAL);
}

static ssize_t transmit_once(const uv_stream_t* stream, struct iovec* parts, int count,
                             int pass_fd) {
    int fd = ph_stream_fd(stream);
    switch (ph_extra(stream)->transport) {
    case PH_BY_SEND:
        if (count == 1 && pass_fd == -1)
            return send(fd, parts->iov_base, parts->iov_len, MSG_NOSIGNAL);
        return send_message(fd, parts, (size_t)count, pass_fd);
    case PH_BY_FIFO:
        return write_to_fifo(fd, parts, count);
    default: /* a terminal notices even an empty write, but not an empty writev */
        return count == 1 ? write(fd, parts->iov_base, parts->iov_len) : writev(fd, parts, count);
    }
}

void ph_find_transport(uv_stream_t* stream) {
    struct stat info;
    bool fifo = fstat(ph_stream_fd(stream), &info) == 0 && S_ISFIFO(info.st_mode);
    ph_extra(stream)->transport = fifo ? PH_BY_FIFO : PH_BY_WRITE;
}

static void wait_until_writable(int fd) {
    struct pollfd item = {.fd = fd, .events = POLLOUT};
    poll(&item, 1, -1);
}

ssize_t ph_transmit(uv_stream_t* stream, const uv_buf_t* bufs, unsigned int count, int pass_fd) {
    struct iovec* parts = (struct iovec*)(uintptr_t)bufs;
    struct ph_stream_extra* extra = ph_extra(stream);
    if (count > IOV_MAX)
        count = IOV_MAX;
    for (;;) {
        ssize_t n = transmit_once(stream, parts, (int)count, pass_fd);
        if (n != -1) {
            ph_tell_stream_has(stream, bufs->base, bufs->len < (size_t)n ? bufs->len : (size_t)n,
                               false);
            return n;
        }
        switch (errno) {
        case EINTR:
            continue;
        case EAGAIN:
        case ENOBUFS:
            if (!extra->blocking)
                return UV_EAGAIN;
            wait_until_writable(ph_stream_fd(stream));
            continue;
        case ENOTSOCK:
            if (extra->transport != PH_BY_SEND || pass_fd != -1)
                return UV_ENOTSOCK;
            ph_find_transport(stream);
            continue;
        default:
            return ph_errno();
        }
    }
}
