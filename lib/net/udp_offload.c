#include "net/udp_offload.h"

#include <netinet/in.h>
#include <netinet/udp.h>
#include <phasor.h>
#include <string.h>

#include "base/error.h"
#include "core/handle.h"

enum { SEGMENTS_MOST = 64, BYTES_MOST = 65000 };

/* In the spare bytes of the handle. */
static uintptr_t* segment_size(const uv_udp_t* handle) {
    return (uintptr_t*)&((uv_udp_t*)(uintptr_t)handle)->u.reserved[0];
}

void ph_udp_note_segments(uv_udp_t* handle, struct msghdr* message) {
    if (!(handle->flags & PH_UDP_OFFLOAD))
        return;
    int size = 0;
    for (struct cmsghdr* c = CMSG_FIRSTHDR(message); c != NULL; c = CMSG_NXTHDR(message, c))
        if (c->cmsg_level == SOL_UDP && c->cmsg_type == UDP_GRO)
            memcpy(&size, CMSG_DATA(c), sizeof(size));
    *segment_size(handle) = (uintptr_t)size;
}

int phasor_udp_receive_offload(uv_udp_t* udp, int on) {
    if (udp->type != UV_UDP || ph_is_closing(udp))
        return UV_EINVAL;
    if (udp->io_watcher.fd == -1)
        return UV_EBADF;
    on = on != 0;
    if (setsockopt(udp->io_watcher.fd, SOL_UDP, UDP_GRO, &on, sizeof(on)) != 0)
        return errno == ENOPROTOOPT || errno == EOPNOTSUPP ? UV_ENOTSUP : ph_errno();
    udp->flags = on ? udp->flags | PH_UDP_OFFLOAD : udp->flags & ~(unsigned)PH_UDP_OFFLOAD;
    *segment_size(udp) = 0;
    return 0;
}

unsigned phasor_udp_segment_size(const uv_udp_t* udp) {
    return udp->flags & PH_UDP_OFFLOAD ? (unsigned)*segment_size(udp) : 0;
}

static bool can_segment(const uv_udp_t* udp) {
    int value;
    socklen_t size = sizeof(value);
    return getsockopt(udp->io_watcher.fd, SOL_UDP, UDP_SEGMENT, &value, &size) == 0;
}

static int send_segments(uv_udp_t* udp, const uv_buf_t* buf, uint16_t size,
                         const struct sockaddr* addr) {
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(uint16_t))];
    } control;
    struct iovec iov = {.iov_base = buf->base, .iov_len = buf->len};
    struct msghdr message = {.msg_name = (void*)addr,
                             .msg_namelen = addr != NULL ? ph_udp_address_size(addr) : 0,
                             .msg_iov = &iov,
                             .msg_iovlen = 1,
                             .msg_control = &control,
                             .msg_controllen = sizeof(control)};
    memset(&control, 0, sizeof(control));
    control.header.cmsg_level = SOL_UDP;
    control.header.cmsg_type = UDP_SEGMENT;
    control.header.cmsg_len = CMSG_LEN(sizeof(size));
    memcpy(CMSG_DATA(&control.header), &size, sizeof(size));
    ssize_t n;
    do
        n = sendmsg(udp->io_watcher.fd, &message, MSG_NOSIGNAL);
    while (n == -1 && errno == EINTR);
    if (n >= 0)
        return (int)n;
    /* The device can't do what cutting needs, its checksums for example. */
    return errno == EIO ? UV_ENOTSUP : errno == ENOBUFS ? UV_EAGAIN : ph_errno();
}

int phasor_udp_try_send_segments(uv_udp_t* udp, const uv_buf_t* buf, unsigned segment_size,
                                 const struct sockaddr* addr) {
    if (buf == NULL || segment_size == 0 || segment_size > BYTES_MOST)
        return UV_EINVAL;
    if (buf->len > BYTES_MOST || (buf->len + segment_size - 1) / segment_size > SEGMENTS_MOST)
        return UV_EMSGSIZE;
    if (buf->len <= segment_size)
        return uv_udp_try_send(udp, buf, 1, addr);
    int err = ph_udp_ready_to_try(udp, buf, addr);
    if (err != 0)
        return err;
    return can_segment(udp) ? send_segments(udp, buf, (uint16_t)segment_size, addr) : UV_ENOTSUP;
}
