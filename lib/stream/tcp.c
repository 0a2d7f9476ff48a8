#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include "base/error.h"
#include "core/dispatch.h"
#include "os/fd.h"
#include "stream/stream.h"

enum {
    DOMAIN_MASK = 0xff,
    /* seconds, and probes, when only the time before the first is given */
    DEFAULT_IDLE = 60,
    DEFAULT_INTERVAL = 1,
    DEFAULT_PROBES = 10
};

static int fd_of(const uv_tcp_t* handle) {
    return ph_stream_fd((const uv_stream_t*)handle);
}

static int set_option(int fd, int level, int name, int value) {
    return setsockopt(fd, level, name, &value, sizeof(value)) == 0 ? 0 : ph_errno();
}

/* A socket, if there is none yet. */
static int ensure_socket(uv_tcp_t* handle, int domain, unsigned int flags) {
    if (fd_of(handle) != -1) {
        handle->flags |= flags;
        return 0;
    }
    int fd = socket(domain, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd == -1)
        return ph_errno();
    int err = ph_stream_open(PH_STREAM(handle), fd, flags);
    if (err != 0)
        ph_fd_close(fd);
    return err;
}

static socklen_t address_size(const struct sockaddr* addr) {
    switch (addr->sa_family) {
    case AF_INET:
        return sizeof(struct sockaddr_in);
    case AF_INET6:
        return sizeof(struct sockaddr_in6);
    default:
        return 0;
    }
}

int uv_tcp_init_ex(uv_loop_t* loop, uv_tcp_t* tcp, unsigned int flags) {
    int domain = (int)(flags & DOMAIN_MASK);
    if (domain != AF_INET && domain != AF_INET6 && domain != AF_UNSPEC)
        return UV_EINVAL;
    if (flags & ~(unsigned)DOMAIN_MASK)
        return UV_EINVAL;
    ph_stream_init(loop, PH_STREAM(tcp), UV_TCP);
    if (domain == AF_UNSPEC)
        return 0;
    int err = ensure_socket(tcp, domain, 0);
    if (err != 0)
        ph_handle_forget(PH_HANDLE(tcp));
    return err;
}

int uv_tcp_init(uv_loop_t* loop, uv_tcp_t* tcp) {
    return uv_tcp_init_ex(loop, tcp, AF_UNSPEC);
}

int uv_tcp_open(uv_tcp_t* handle, uv_os_sock_t sock) {
    if (ph_poller_watches(handle->loop, sock))
        return UV_EEXIST;
    int err = ph_fd_set_nonblocking(sock, true);
    if (err != 0)
        return err;
    return ph_stream_open(PH_STREAM(handle), sock, PH_READABLE | PH_WRITABLE);
}

int uv_tcp_bind(uv_tcp_t* handle, const struct sockaddr* addr, unsigned int flags) {
    socklen_t size = address_size(addr);
    if (ph_is_closing(handle) || handle->type != UV_TCP || size == 0)
        return UV_EINVAL;
    if ((flags & UV_TCP_IPV6ONLY) && addr->sa_family != AF_INET6)
        return UV_EINVAL;
    int err = ensure_socket(handle, addr->sa_family, 0);
    if (err == 0)
        err = set_option(fd_of(handle), SOL_SOCKET, SO_REUSEADDR, 1);
    if (err == 0 && (flags & UV_TCP_REUSEPORT))
        err = set_option(fd_of(handle), SOL_SOCKET, SO_REUSEPORT, 1);
    if (err == 0 && addr->sa_family == AF_INET6)
        err = set_option(fd_of(handle), IPPROTO_IPV6, IPV6_V6ONLY, (flags & UV_TCP_IPV6ONLY) != 0);
    if (err != 0)
        return err;
    handle->stream.delayed_error = 0;
    if (bind(fd_of(handle), addr, size) == 0)
        return 0;
    if (errno == EAFNOSUPPORT)
        return UV_EINVAL; /* the socket has another family */
    if (errno != EADDRINUSE)
        return ph_errno();
    handle->stream.delayed_error = UV_EADDRINUSE; /* for listen or connect to report */
    return 0;
}

int ph_tcp_ready_to_listen(uv_tcp_t* tcp) {
    if (tcp->stream.delayed_error != 0)
        return tcp->stream.delayed_error;
    return ensure_socket(tcp, AF_INET, 0);
}

int uv_tcp_connect(uv_connect_t* req, uv_tcp_t* handle, const struct sockaddr* addr,
                   uv_connect_cb cb) {
    if (handle->type != UV_TCP || address_size(addr) == 0 || ph_is_closing(handle))
        return UV_EINVAL;
    if (handle->requests.connect != NULL)
        return UV_EALREADY;
    int delayed = handle->stream.delayed_error;
    if (delayed == 0) {
        int err = ensure_socket(handle, addr->sa_family, PH_READABLE | PH_WRITABLE);
        if (err != 0)
            return err;
        err = ph_connect_socket(fd_of(handle), addr, address_size(addr));
        /* Refused at once counts as refused later: callers expect it in the callback. */
        if (err != 0 && err != UV_ECONNREFUSED)
            return err;
        delayed = err;
    }
    ph_stream_connecting(req, PH_STREAM(handle), delayed, cb);
    return 0;
}

typedef int (*name_call)(int fd, struct sockaddr* name, socklen_t* size);

static int get_name(const uv_tcp_t* handle, name_call call, struct sockaddr* name, int* namelen) {
    socklen_t size = (socklen_t)*namelen;
    if (handle->stream.delayed_error != 0)
        return handle->stream.delayed_error;
    if (fd_of(handle) == -1)
        return UV_EBADF;
    if (call(fd_of(handle), name, &size) != 0)
        return ph_errno();
    *namelen = (int)size;
    return 0;
}

int uv_tcp_getsockname(const uv_tcp_t* handle, struct sockaddr* name, int* namelen) {
    return get_name(handle, getsockname, name, namelen);
}

int uv_tcp_getpeername(const uv_tcp_t* handle, struct sockaddr* name, int* namelen) {
    return get_name(handle, getpeername, name, namelen);
}

int uv_tcp_close_reset(uv_tcp_t* handle, uv_close_cb close_cb) {
    struct linger none = {.l_onoff = 1, .l_linger = 0};
    if (handle->requests.shutdown != NULL)
        return UV_EINVAL;
    if (setsockopt(fd_of(handle), SOL_SOCKET, SO_LINGER, &none, sizeof(none)) != 0)
        return ph_errno();
    uv_close(PH_HANDLE(handle), close_cb);
    return 0;
}

static int set_keepalive(int fd, int on, unsigned int idle, unsigned int interval,
                         unsigned int probes) {
    int err = set_option(fd, SOL_SOCKET, SO_KEEPALIVE, on != 0);
    if (err != 0 || !on)
        return err;
    err = set_option(fd, IPPROTO_TCP, TCP_KEEPIDLE, (int)idle);
    if (err == 0)
        err = set_option(fd, IPPROTO_TCP, TCP_KEEPINTVL, (int)interval);
    if (err == 0)
        err = set_option(fd, IPPROTO_TCP, TCP_KEEPCNT, (int)probes);
    return err;
}

static void note_option(uv_tcp_t* handle, unsigned int flag, int on) {
    if (on)
        handle->flags |= flag;
    else
        handle->flags &= ~flag;
}

int uv_tcp_nodelay(uv_tcp_t* handle, int on) {
    int err = 0;
    if (fd_of(handle) != -1)
        err = set_option(fd_of(handle), IPPROTO_TCP, TCP_NODELAY, on != 0);
    if (err == 0)
        note_option(handle, PH_TCP_NODELAY, on);
    return err;
}

int uv_tcp_keepalive_ex(uv_tcp_t* handle, int on, unsigned int idle, unsigned int intvl,
                        unsigned int cnt) {
    int err = 0;
    if (on && (idle < 1 || intvl < 1 || cnt < 1))
        return UV_EINVAL;
    if (fd_of(handle) != -1)
        err = set_keepalive(fd_of(handle), on, idle, intvl, cnt);
    if (err == 0)
        note_option(handle, PH_TCP_KEEPALIVE, on);
    return err;
}

int uv_tcp_keepalive(uv_tcp_t* handle, int on, unsigned int idle) {
    return uv_tcp_keepalive_ex(handle, on, idle, DEFAULT_INTERVAL, DEFAULT_PROBES);
}

/* What was asked for before there was a socket. */
int ph_tcp_apply_options(uv_tcp_t* tcp, int fd) {
    int err = 0;
    if (tcp->flags & PH_TCP_NODELAY)
        err = set_option(fd, IPPROTO_TCP, TCP_NODELAY, 1);
    if (err == 0 && (tcp->flags & PH_TCP_KEEPALIVE))
        err = set_keepalive(fd, 1, DEFAULT_IDLE, DEFAULT_INTERVAL, DEFAULT_PROBES);
    return err;
}

/* A setting of Windows. */
int uv_tcp_simultaneous_accepts(uv_tcp_t* handle, int enable) {
    (void)handle;
    (void)enable;
    return 0;
}
