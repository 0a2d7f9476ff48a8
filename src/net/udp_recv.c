/*
 * Receiving datagrams: at most RECEIVE_BOUND per readiness, so that one busy socket can't starve
 * the loop. Callbacks may stop, close or restart the handle at any point.
 */

#include <netinet/in.h>
#include <string.h>
#include <time.h>

/* Wants <time.h> before it. */
#include <linux/errqueue.h>

#include "base/error.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "net/udp.h"
#include "os/poller.h"

enum {
    RECEIVE_BOUND = 32,
    DATAGRAM_SIZE = 64 * 1024, /* the buffer suggested, and what one chunk of a large one holds */
    CHUNKS = 20
};

static bool goes_on(const uv_udp_t* handle) {
    return ph_udp_is_reading(handle) && !ph_is_closing(handle);
}

static uv_buf_t ask_for_buffer(uv_udp_t* handle) {
    uv_buf_t buf = {.base = NULL, .len = 0};
    PH_DISPATCH(handle->loop, handle, handle->alloc_cb, PH_HANDLE(handle), DATAGRAM_SIZE, &buf);
    return buf;
}

/* The callback stays callable while the handle is closing, but a stop takes it away. */
static void deliver(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                    const struct sockaddr* addr, unsigned int flags) {
    if (handle->recv_cb != NULL)
        PH_DISPATCH(handle->loop, handle, handle->recv_cb, handle, nread, buf, addr, flags);
}

/* 0 with no address: nothing to read; the buffer goes back. */
static void deliver_failure(uv_udp_t* handle, const uv_buf_t* buf, int err) {
    deliver(handle, err == UV_EAGAIN ? 0 : err, buf, NULL, 0);
}

/* A sender without an address has one of the family AF_UNSPEC: NULL means that nothing was read. */
static void deliver_message(uv_udp_t* handle, const struct msghdr* message, size_t size,
                            const uv_buf_t* buf, unsigned int flags) {
    if (message->msg_flags & MSG_TRUNC)
        flags |= UV_UDP_PARTIAL;
    deliver(handle, (ssize_t)size, buf, message->msg_name, flags);
}

/* How many datagrams came: 0 when the socket is empty or has failed. */
static int receive_one(uv_udp_t* handle, const uv_buf_t* buf) {
    struct sockaddr_storage from;
    struct iovec iov = {.iov_base = buf->base, .iov_len = buf->len};
    struct msghdr message = {
        .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1};
    ssize_t n;
    from.ss_family = AF_UNSPEC;
    do
        n = recvmsg(handle->io_watcher.fd, &message, 0);
    while (n == -1 && errno == EINTR);
    if (n == -1) {
        deliver_failure(handle, buf, ph_errno());
        return 0;
    }
    deliver_message(handle, &message, (size_t)n, buf, 0);
    return 1;
}

/* Cuts the caller's buffer into chunks of one datagram each. The buffer is handed back whole in a
 * last call; a caller that has stopped gets none, as it knows its buffer. */
static int receive_chunks(uv_udp_t* handle, const uv_buf_t* buf) {
    struct sockaddr_storage from[CHUNKS];
    struct iovec iovs[CHUNKS];
    struct mmsghdr messages[CHUNKS];
    size_t chunks = buf->len / DATAGRAM_SIZE < CHUNKS ? buf->len / DATAGRAM_SIZE : CHUNKS;
    memset(messages, 0, chunks * sizeof(messages[0]));
    for (size_t i = 0; i < chunks; i++) {
        from[i].ss_family = AF_UNSPEC;
        iovs[i] = (struct iovec){buf->base + i * DATAGRAM_SIZE, DATAGRAM_SIZE};
        messages[i].msg_hdr.msg_name = &from[i];
        messages[i].msg_hdr.msg_namelen = sizeof(from[i]);
        messages[i].msg_hdr.msg_iov = &iovs[i];
        messages[i].msg_hdr.msg_iovlen = 1;
    }
    int n;
    do
        n = recvmmsg(handle->io_watcher.fd, messages, (unsigned int)chunks, 0, NULL);
    while (n == -1 && errno == EINTR);
    if (n <= 0) {
        deliver_failure(handle, buf, n == 0 ? UV_EAGAIN : ph_errno());
        return 0;
    }
    for (int i = 0; i < n && goes_on(handle); i++) {
        const uv_buf_t chunk = {.base = iovs[i].iov_base, .len = iovs[i].iov_len};
        deliver_message(handle, &messages[i].msg_hdr, messages[i].msg_len, &chunk,
                        UV_UDP_MMSG_CHUNK);
    }
    deliver(handle, 0, buf, NULL, UV_UDP_MMSG_FREE);
    return n;
}

/* An ICMP error from the socket's error queue: where the datagram had been sent, and its bytes. */
static int take_error(int fd, struct sockaddr_storage* to, uv_buf_t* datagram) {
    union {
        struct cmsghdr header;
        char bytes[512];
    } control;
    struct iovec iov = {.iov_base = datagram->base, .iov_len = datagram->len};
    struct msghdr message = {.msg_name = to,
                             .msg_namelen = sizeof(*to),
                             .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    to->ss_family = AF_UNSPEC;
    ssize_t n = recvmsg(fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT);
    if (n == -1)
        return UV_EAGAIN;
    datagram->len = (size_t)n;
    for (struct cmsghdr* c = CMSG_FIRSTHDR(&message); c != NULL; c = CMSG_NXTHDR(&message, c)) {
        if ((c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR) ||
            (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR)) {
            struct sock_extended_err found;
            memcpy(&found, CMSG_DATA(c), sizeof(found));
            return -(int)found.ee_errno;
        }
    }
    return 0;
}

/* With UV_UDP_LINUX_RECVERR. The queue has to be emptied, or the socket stays ready for ever. */
static void receive_errors(uv_udp_t* handle) {
    char bytes[DATAGRAM_SIZE];
    for (int i = 0; i < RECEIVE_BOUND && goes_on(handle); i++) {
        struct sockaddr_storage to;
        uv_buf_t datagram = {.base = bytes, .len = sizeof(bytes)};
        int err = take_error(handle->io_watcher.fd, &to, &datagram);
        if (err == UV_EAGAIN)
            return;
        if (err == 0)
            continue; /* not an error, a time stamp for example */
        uv_buf_t buf = ask_for_buffer(handle);
        if (buf.base != NULL)
            memcpy(buf.base, bytes, datagram.len < buf.len ? datagram.len : buf.len);
        deliver(handle, err, &buf, to.ss_family != AF_UNSPEC ? (const struct sockaddr*)&to : NULL,
                UV_UDP_LINUX_RECVERR);
    }
}

void ph_udp_receive(uv_udp_t* handle, unsigned int events) {
    if (events & EPOLLERR)
        receive_errors(handle);
    for (int left = RECEIVE_BOUND; left > 0 && goes_on(handle);) {
        uv_buf_t buf = ask_for_buffer(handle);
        if (!goes_on(handle)) {
            deliver_failure(handle, &buf, UV_EAGAIN);
            return;
        }
        if (buf.base == NULL || buf.len == 0) {
            deliver_failure(handle, &buf, UV_ENOBUFS);
            return;
        }
        int n;
        if ((handle->flags & PH_UDP_RECVMMSG) && buf.len >= DATAGRAM_SIZE)
            n = receive_chunks(handle, &buf);
        else
            n = receive_one(handle, &buf);
        if (n == 0)
            return;
        left -= n;
    }
}
