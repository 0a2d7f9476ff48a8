/* The life of a UDP handle: its socket, its addresses, its end. */

#include "net/udp.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "os/fd.h"
#include "os/poller.h"

enum {
    BIND_FLAGS = UV_UDP_IPV6ONLY | UV_UDP_REUSEADDR | UV_UDP_REUSEPORT | UV_UDP_LINUX_RECVERR,
    OPEN_FLAGS = UV_UDP_REUSEADDR | UV_UDP_REUSEPORT,
    DOMAIN_BITS = 0xFF
};

static void on_events(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    uv_udp_t* handle = PH_CONTAINER_OF(watcher, uv_udp_t, io_watcher);
    (void)loop;
    if ((events & (EPOLLIN | EPOLLERR | EPOLLHUP)) && ph_udp_is_reading(handle))
        ph_udp_receive(handle, events);
    if ((events & EPOLLOUT) && !ph_is_closing(handle)) {
        ph_udp_send_queued(handle);
        ph_udp_report_sent(handle);
    }
}

/* Gives the handle its socket. The caller closes the descriptor on failure. */
static int adopt(uv_udp_t* handle, int fd, int domain) {
    int err = ph_poller_reserve(handle->loop, fd);
    if (err != 0)
        return err;
    handle->io_watcher.fd = fd;
    if (domain == AF_INET6)
        handle->flags |= PH_UDP_IPV6;
    if (domain == AF_UNIX)
        handle->flags |= PH_UDP_UNIX;
    return 0;
}

int ph_udp_create_socket(uv_udp_t* handle, int domain) {
    int fd = socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd == -1)
        return ph_errno();
    int err = adopt(handle, fd, domain);
    if (err != 0)
        ph_fd_close(fd);
    return err;
}

void ph_udp_drop_socket(uv_udp_t* handle) {
    if (handle->io_watcher.fd == -1)
        return;
    ph_watcher_close(handle->loop, &handle->io_watcher);
    ph_fd_close(handle->io_watcher.fd);
    handle->io_watcher.fd = -1;
    handle->flags &= ~(unsigned)(PH_UDP_IPV6 | PH_UDP_CONNECTED | PH_UDP_SEGMENTS |
                                 PH_UDP_NO_SEGMENTS | PH_UDP_OFFLOAD | PH_UDP_UNIX);
}

int uv_udp_init(uv_loop_t* loop, uv_udp_t* handle) {
    return uv_udp_init_ex(loop, handle, AF_UNSPEC);
}

int uv_udp_init_ex(uv_loop_t* loop, uv_udp_t* handle, unsigned int flags) {
    int domain = (int)(flags & DOMAIN_BITS);
    unsigned int extra = flags & ~(unsigned)DOMAIN_BITS;
    if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNSPEC)
        return UV_EINVAL;
    if ((extra & ~(unsigned)UV_UDP_RECVMMSG) != 0)
        return UV_EINVAL;
    ph_handle_init(loop, PH_HANDLE(handle), UV_UDP);
    if (extra & UV_UDP_RECVMMSG)
        handle->flags |= PH_UDP_RECVMMSG;
    handle->send_queue_size = 0;
    handle->send_queue_count = 0;
    handle->alloc_cb = NULL;
    handle->recv_cb = NULL;
    ph_watcher_init(&handle->io_watcher, on_events, -1);
    ph_queue_init(&handle->write_queue);
    ph_queue_init(&handle->write_completed_queue);
    int err = domain != AF_UNSPEC ? ph_udp_create_socket(handle, domain) : 0;
    if (err != 0)
        ph_handle_forget(PH_HANDLE(handle));
    return err;
}

int uv_udp_using_recvmmsg(const uv_udp_t* handle) {
    return (handle->flags & PH_UDP_RECVMMSG) != 0;
}

int uv_udp_open(uv_udp_t* handle, uv_os_sock_t sock) {
    return uv_udp_open_ex(handle, sock, UV_UDP_REUSEADDR);
}

static int set_option(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof(value)) == 0 ? 0 : ph_errno();
}

static int share_address(int fd, unsigned int flags) {
    int err = 0;
    if (flags & UV_UDP_REUSEADDR)
        err = set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    if (err == 0 && (flags & UV_UDP_REUSEPORT))
        err = set_option(fd, SOL_SOCKET, SO_REUSEPORT, 1);
    return err;
}

int uv_udp_open_ex(uv_udp_t* handle, uv_os_sock_t sock, unsigned int flags) {
    int domain = AF_UNSPEC;
    socklen_t size = sizeof(domain);
    if ((flags & ~(unsigned)OPEN_FLAGS) != 0 || ph_is_closing(handle))
        return UV_EINVAL;
    if (handle->io_watcher.fd != -1)
        return UV_EBUSY;
    if (ph_poller_watches(handle->loop, sock))
        return UV_EEXIST;
    if (getsockopt(sock, SOL_SOCKET, SO_DOMAIN, &domain, &size) != 0)
        return ph_errno();
    int err = ph_fd_set_nonblocking(sock, true);
    if (err == 0)
        err = share_address(sock, flags);
    if (err == 0)
        err = adopt(handle, sock, domain);
    if (err != 0)
        return err;
    struct sockaddr_storage peer;
    size = sizeof(peer);
    if (getpeername(sock, (struct sockaddr*)&peer, &size) == 0)
        handle->flags |= PH_UDP_CONNECTED;
    return 0;
}

socklen_t ph_udp_address_size(const struct sockaddr* addr) {
    switch (addr->sa_family) {
    case AF_INET:
        return sizeof(struct sockaddr_in);
    case AF_INET6:
        return sizeof(struct sockaddr_in6);
    case AF_UNIX:
        return sizeof(struct sockaddr_un);
    default:
        return 0;
    }
}

static bool is_internet(const struct sockaddr* addr) {
    return addr != NULL && (addr->sa_family == AF_INET || addr->sa_family == AF_INET6);
}

static int apply_bind_flags(int fd, int domain, unsigned int flags) {
    int err = 0;
    if (flags & UV_UDP_LINUX_RECVERR)
        err = domain == AF_INET6 ? set_option(fd, IPPROTO_IPV6, IPV6_RECVERR, 1)
                                 : set_option(fd, IPPROTO_IP, IP_RECVERR, 1);
    if (err == 0)
        err = share_address(fd, flags);
    if (err == 0 && (flags & UV_UDP_IPV6ONLY))
        err = set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 1);
    return err;
}

int uv_udp_bind(uv_udp_t* handle, const struct sockaddr* addr, unsigned int flags) {
    if (handle->type != UV_UDP || ph_is_closing(handle) || !is_internet(addr))
        return UV_EINVAL;
    if ((flags & ~(unsigned)BIND_FLAGS) != 0)
        return UV_EINVAL;
    if ((flags & UV_UDP_IPV6ONLY) && addr->sa_family != AF_INET6)
        return UV_EINVAL;
    bool created = handle->io_watcher.fd == -1;
    int err = created ? ph_udp_create_socket(handle, addr->sa_family) : 0;
    if (err != 0)
        return err;
    int fd = handle->io_watcher.fd;
    err = apply_bind_flags(fd, addr->sa_family, flags);
    if (err == 0 && bind(fd, addr, ph_udp_address_size(addr)) != 0)
        err = errno == EAFNOSUPPORT ? UV_EINVAL : ph_errno();
    if (err != 0 && created)
        ph_udp_drop_socket(handle);
    return err;
}

int ph_udp_ensure_socket(uv_udp_t* handle, int domain, unsigned int flags) {
    if (handle->io_watcher.fd != -1)
        return 0;
    struct sockaddr_storage any;
    memset(&any, 0, sizeof(any));
    any.ss_family = (sa_family_t)domain;
    return uv_udp_bind(handle, (const struct sockaddr*)&any, flags);
}

int ph_udp_connect_socket(int fd, const struct sockaddr* addr, socklen_t size) {
    int result;
    do
        result = connect(fd, addr, size);
    while (result == -1 && errno == EINTR);
    return result == 0 ? 0 : ph_errno();
}

static int disconnect(uv_udp_t* handle) {
    const struct sockaddr nowhere = {.sa_family = AF_UNSPEC};
    if (!(handle->flags & PH_UDP_CONNECTED))
        return UV_ENOTCONN;
    int err = ph_udp_connect_socket(handle->io_watcher.fd, &nowhere, sizeof(nowhere));
    if (err != 0 && err != UV_EAFNOSUPPORT)
        return err;
    handle->flags &= ~(unsigned)PH_UDP_CONNECTED;
    return 0;
}

int uv_udp_connect(uv_udp_t* handle, const struct sockaddr* addr) {
    if (handle->type != UV_UDP || ph_is_closing(handle))
        return UV_EINVAL;
    if (addr == NULL)
        return disconnect(handle);
    if (!is_internet(addr))
        return UV_EINVAL;
    if (handle->flags & PH_UDP_CONNECTED)
        return UV_EISCONN;
    int err = ph_udp_ensure_socket(handle, addr->sa_family, 0);
    if (err == 0)
        err = ph_udp_connect_socket(handle->io_watcher.fd, addr, ph_udp_address_size(addr));
    if (err == 0)
        handle->flags |= PH_UDP_CONNECTED;
    return err;
}

static int get_name(const uv_udp_t* handle, struct sockaddr* name, int* namelen,
                    int (*get)(int fd, struct sockaddr* addr, socklen_t* size)) {
    if (handle->io_watcher.fd == -1)
        return UV_EBADF;
    if (name == NULL || namelen == NULL || *namelen < 0)
        return UV_EINVAL;
    socklen_t size = (socklen_t)*namelen;
    if (get(handle->io_watcher.fd, name, &size) != 0)
        return ph_errno();
    *namelen = (int)size;
    return 0;
}

int uv_udp_getpeername(const uv_udp_t* handle, struct sockaddr* name, int* namelen) {
    return get_name(handle, name, namelen, getpeername);
}

int uv_udp_getsockname(const uv_udp_t* handle, struct sockaddr* name, int* namelen) {
    return get_name(handle, name, namelen, getsockname);
}

int uv_udp_recv_start(uv_udp_t* handle, uv_alloc_cb alloc_cb, uv_udp_recv_cb recv_cb) {
    if (handle->type != UV_UDP || ph_is_closing(handle) || alloc_cb == NULL || recv_cb == NULL)
        return UV_EINVAL;
    if (ph_udp_is_reading(handle))
        return UV_EALREADY;
    int err = ph_udp_ensure_socket(handle, AF_INET, 0);
    if (err != 0)
        return err;
    handle->alloc_cb = alloc_cb;
    handle->recv_cb = recv_cb;
    ph_watcher_start(handle->loop, &handle->io_watcher, EPOLLIN);
    ph_handle_start(handle);
    return 0;
}

int uv_udp_recv_stop(uv_udp_t* handle) {
    if (handle->type != UV_UDP || ph_is_closing(handle))
        return UV_EINVAL;
    handle->alloc_cb = NULL;
    handle->recv_cb = NULL;
    ph_watcher_stop(handle->loop, &handle->io_watcher, EPOLLIN);
    if (ph_queue_empty(&handle->write_queue))
        ph_handle_stop(handle);
    return 0;
}

void ph_udp_settle(uv_udp_t* handle) {
    if (!ph_udp_is_reading(handle) && handle->send_queue_count == 0)
        ph_handle_stop(handle);
}

/* The callbacks stay until the end: whoever is closed between the datagrams of one buffer is still
 * told to free it. */
bool ph_udp_close(uv_handle_t* handle) {
    ph_handle_stop(handle);
    ph_udp_drop_socket((uv_udp_t*)handle);
    return true;
}

void ph_udp_finish(uv_loop_t* loop, uv_handle_t* handle) {
    (void)loop;
    uv_udp_t* udp = (uv_udp_t*)handle;
    ph_udp_cancel_queued(udp);
}
