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
#include "net/udp_many.h"
#include "net/udp_offload.h"
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
static void deliver_message(uv_udp_t* handle, struct msghdr* message, size_t size,
                            const uv_buf_t* buf, unsigned int flags) {
    ph_udp_note_segments(handle, message);
    if (message->msg_flags & MSG_TRUNC)
        flags |= UV_UDP_PARTIAL;
    deliver(handle, (ssize_t)size, buf, message->msg_name, flags);
}

/* The kernel fills in as many bytes as the name has: those of a file system's have an end. */
static void clear_sender(const uv_udp_t* handle, struct sockaddr_storage* from) {
    if (handle->flags & PH_UDP_UNIX)
        memset(from, 0, sizeof(*from));
    from->ss_family = AF_UNSPEC;
}

/* How many datagrams came: 0 when the socket is empty or has failed. */
static int receive_one(uv_udp_t* handle, const uv_buf_t* buf) {
    struct sockaddr_storage from;
    struct iovec iov = {.iov_base = buf->base, .iov_len = buf->len};
    struct msghdr message = {
        .msg_name = &from, .msg_namelen = sizeof(from), .msg_iov = &iov, .msg_iovlen = 1};
    struct ph_udp_control control;
    ssize_t n;
    clear_sender(handle, &from);
    ph_udp_ask_for_segments(handle, &message, &control);
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
    struct ph_udp_control control[CHUNKS];
    size_t chunks = buf->len / DATAGRAM_SIZE < CHUNKS ? buf->len / DATAGRAM_SIZE : CHUNKS;
    memset(messages, 0, chunks * sizeof(messages[0]));
    for (size_t i = 0; i < chunks; i++) {
        clear_sender(handle, &from[i]);
        iovs[i] = (struct iovec){buf->base + i * DATAGRAM_SIZE, DATAGRAM_SIZE};
        messages[i].msg_hdr.msg_name = &from[i];
        messages[i].msg_hdr.msg_namelen = sizeof(from[i]);
        messages[i].msg_hdr.msg_iov = &iovs[i];
        messages[i].msg_hdr.msg_iovlen = 1;
        ph_udp_ask_for_segments(handle, &messages[i].msg_hdr, &control[i]);
    }
    int n;
    do
        n = ph_udp_receive_many(handle->io_watcher.fd, messages, (unsigned int)chunks);
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

/* The ICMP error that a message of the error queue tells of, and the host that sent it: an address
 * without a port. 0: something else, a time stamp for example. */
static int read_error(struct msghdr* message, struct sockaddr_storage* offender) {
    for (struct cmsghdr* c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c)) {
        bool ipv4 = c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_RECVERR;
        bool ipv6 = c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_RECVERR;
        if (!ipv4 && !ipv6)
            continue;
        struct sock_extended_err found;
        size_t size = ipv4 ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6);
        memcpy(&found, CMSG_DATA(c), sizeof(found));
        if (c->cmsg_len >= CMSG_LEN(sizeof(found) + size))
            memcpy(offender, CMSG_DATA(c) + sizeof(found), size);
        return -(int)found.ee_errno;
    }
    return 0;
}

/* One entry of the error queue, with the bytes of the datagram that failed. */
static int receive_error(uv_udp_t* handle, const uv_buf_t* buf) {
    struct sockaddr_storage offender = {.ss_family = AF_UNSPEC};
    union {
        struct cmsghdr header;
        char bytes[512];
    } control;
    struct iovec iov = {.iov_base = buf->base, .iov_len = buf->len};
    struct msghdr message = {.msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    if (recvmsg(handle->io_watcher.fd, &message, MSG_ERRQUEUE | MSG_DONTWAIT) == -1) {
        deliver_failure(handle, buf, UV_EAGAIN);
        return 0;
    }
    int err = read_error(&message, &offender);
    if (err == 0)
        deliver_failure(handle, buf, UV_EAGAIN);
    else
        deliver(handle, err, buf, (const struct sockaddr*)&offender, UV_UDP_LINUX_RECVERR);
    return 1;
}

static int receive_datagrams(uv_udp_t* handle, const uv_buf_t* buf) {
    if (!(handle->flags & PH_UDP_RECVMMSG))
        return receive_one(handle, buf);
    if (buf->len >= DATAGRAM_SIZE)
        return receive_chunks(handle, buf);
    deliver_failure(handle, buf, UV_EINVAL);
    return 0;
}

static void receive_some(uv_udp_t* handle, int (*receive)(uv_udp_t*, const uv_buf_t*)) {
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
        int n = receive(handle, &buf);
        if (n == 0)
            return;
        left -= n;
    }
}

/* The error queue has to be emptied, or the socket stays ready for ever. */
void ph_udp_receive(uv_udp_t* handle, unsigned int events) {
    receive_some(handle, receive_datagrams);
    if (events & EPOLLERR)
        receive_some(handle, receive_error);
}
