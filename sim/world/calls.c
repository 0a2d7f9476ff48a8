/* Socket calls of the library, turned to the world where the descriptor is the world's. */

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/time.h>
#include <unistd.h>

#include "world/counter.h"
#include "world/epoll.h"
#include "world/faults.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"

static struct ph_socket* socket_of(int fd) {
    return ph_world != NULL && ph_fd_kind(fd) == PH_FD_SOCKET ? ph_fd_object(fd) : NULL;
}

/* As the kernel reports: -1 and errno, or the result. */
static ssize_t result(ssize_t value) {
    if (value >= 0)
        return value;
    errno = (int)-value;
    return -1;
}

static int leave(int error) {
    ph_world_unlock();
    return (int)result(-error);
}

static bool option(int fd, int level, int name) {
    int value = 0;
    socklen_t size = sizeof(value);
    return __real_getsockopt(fd, level, name, &value, &size) == 0 && value != 0;
}

static int adopt(int fd, struct ph_socket* socket) {
    if (socket != NULL && ph_fd_set(fd, PH_FD_SOCKET, socket))
        return fd;
    if (socket != NULL) {
        ph_world_lock();
        ph_socket_close(socket, true);
        ph_world_unlock();
    }
    __real_close(fd);
    errno = ENOBUFS;
    return -1;
}

/* A blocking descriptor waits in the world until there is something to do; false: it does not
 * block, or its time is over. */
static bool wait_for(int fd, struct ph_socket* socket, uint32_t events) {
    struct timeval limit = {0};
    socklen_t size = sizeof(limit);
    if (ph_raw_fcntl(fd, F_GETFL, 0) & O_NONBLOCK)
        return false;
    __real_getsockopt(fd, SOL_SOCKET, events == EPOLLIN ? SO_RCVTIMEO : SO_SNDTIMEO, &limit, &size);
    uint64_t ns = (uint64_t)limit.tv_sec * PH_S + (uint64_t)limit.tv_usec * PH_US;
    return ph_epoll_await(socket, events,
                          ns > 0 ? ph_clock_deadline(CLOCK_MONOTONIC, false, ns) : PH_NEVER);
}

int __wrap_socket(int family, int type, int protocol) {
    int kind = type & ~(SOCK_NONBLOCK | SOCK_CLOEXEC);
    bool ours = (family == AF_INET || family == AF_INET6 || family == AF_UNIX) &&
                (kind == SOCK_STREAM || (kind == SOCK_DGRAM && family != AF_UNIX));
    if (ph_world == NULL || !ours)
        return __real_socket(family, type, protocol);
    ph_world_lock();
    bool failed = ph_fault("socket", PH_FAULT_NET, EMFILE, ENFILE, ENOBUFS, ENOMEM, 0);
    ph_world_unlock();
    if (failed)
        return -1;
    int fd = __real_socket(family, type, protocol);
    if (fd == -1)
        return -1;
    ph_world_lock();
    struct ph_socket* socket = ph_socket_new(family, kind);
    ph_world_unlock();
    return adopt(fd, socket);
}

/* A Unix socket has a name in the real file system too, so that it can be seen and removed. */
static int bind_path(int fd, struct ph_socket* socket, const struct sockaddr* raw, socklen_t size) {
    if (ph_raw_bind(fd, raw, size) != 0)
        return -1;
    ph_world_lock();
    socket->bound = true;
    socket->local = (struct ph_address){.family = AF_UNIX, .host = socket->host};
    socket->local.raw_size = sizeof(socket->local.raw);
    ph_raw_getsockname(fd, (struct sockaddr*)&socket->local.raw, &socket->local.raw_size);
    ph_world_unlock();
    return 0;
}

int __wrap_bind(int fd, const struct sockaddr* raw, socklen_t size) {
    struct ph_socket* socket = socket_of(fd);
    struct ph_address address;
    if (socket == NULL)
        return ph_raw_bind(fd, raw, size);
    if (socket->family == AF_UNIX)
        return bind_path(fd, socket, raw, size);
    ph_world_lock();
    int err = ph_address_read(&address, socket->host, raw, size);
    if (err == 0 && address.family != socket->family)
        err = EAFNOSUPPORT;
    if (err != 0)
        return leave(err);
    socket->exclusive =
        !option(fd, SOL_SOCKET, SO_REUSEADDR) && !option(fd, SOL_SOCKET, SO_REUSEPORT);
    socket->only_ipv6 = option(fd, IPPROTO_IPV6, IPV6_V6ONLY);
    return leave(ph_socket_bind(socket, &address));
}

/* A bound socket that the program was started with. */
static struct ph_socket* take_in(int fd) {
    struct sockaddr_storage raw;
    struct ph_address address;
    socklen_t size = sizeof(raw);
    int type = 0;
    socklen_t type_size = sizeof(type);
    if (ph_world == NULL || ph_raw_getsockname(fd, (struct sockaddr*)&raw, &size) != 0 ||
        (raw.ss_family != AF_INET && raw.ss_family != AF_INET6) ||
        __real_getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 || type != SOCK_STREAM)
        return NULL;
    ph_world_lock();
    struct ph_socket* socket = ph_socket_new(raw.ss_family, SOCK_STREAM);
    bool taken = socket != NULL &&
                 ph_address_read(&address, socket->host, (struct sockaddr*)&raw, size) == 0 &&
                 ph_socket_bind(socket, &address) == 0 && ph_fd_set(fd, PH_FD_SOCKET, socket);
    if (socket != NULL && !taken)
        ph_socket_close(socket, true);
    ph_world_unlock();
    return taken ? socket : NULL;
}

int __wrap_listen(int fd, int backlog) {
    struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        socket = take_in(fd);
    if (socket == NULL)
        return __real_listen(fd, backlog);
    ph_world_lock();
    if (socket->state != PH_SOCKET_NEW && socket->state != PH_SOCKET_LISTENING)
        return leave(EINVAL);
    int err = socket->family == AF_UNIX ? (socket->bound ? 0 : EINVAL) : ph_socket_bind_any(socket);
    if (err == 0 && socket->state == PH_SOCKET_NEW && socket->family != AF_UNIX) {
        struct ph_socket* other = ph_socket_at(SOCK_STREAM, &socket->local);
        if (other != NULL && !option(fd, SOL_SOCKET, SO_REUSEPORT))
            err = EADDRINUSE;
    }
    if (err != 0)
        return leave(err);
    socket->state = PH_SOCKET_LISTENING;
    socket->backlog = backlog < 1 ? 1 : backlog;
    return leave(0);
}

int __wrap_accept4(int fd, struct sockaddr* raw, socklen_t* size, int flags) {
    struct ph_socket* listener = socket_of(fd);
    if (listener == NULL)
        return __real_accept4(fd, raw, size, flags);
    ph_world_lock();
    if (listener->state != PH_SOCKET_LISTENING)
        return leave(EINVAL);
    while (ph_queue_empty(&listener->accepts))
        if (!wait_for(fd, listener, EPOLLIN))
            return leave(EAGAIN);
    if (ph_fault("accept", PH_FAULT_NET, EMFILE, ENFILE, ECONNABORTED, EINTR, 0))
        return leave(errno);
    struct ph_socket* socket = ph_flow_accept(listener);
    socket->pid = ph_raw_pid();
    ph_world_unlock();
    int own = __real_socket(socket->family, SOCK_STREAM | flags, 0);
    if (own == -1) {
        int err = errno;
        ph_world_lock();
        ph_queue_push_front(&listener->accepts, &socket->in_accepts);
        listener->waiting++;
        return leave(err);
    }
    if (raw != NULL && size != NULL)
        ph_address_write(&socket->peer_address, raw, size);
    return adopt(own, socket);
}

static struct ph_socket* listener_at(const struct ph_socket* socket, const struct sockaddr* raw,
                                     socklen_t size) {
    const struct sockaddr_un* path = (const struct sockaddr_un*)raw;
    size_t length = size - offsetof(struct sockaddr_un, sun_path);
    if (size > offsetof(struct sockaddr_un, sun_path) && path->sun_path[0] != '\0')
        length = strnlen(path->sun_path, length);
    for (struct uv__queue* node = ph_world->sockets.next; node != &ph_world->sockets;
         node = node->next) {
        struct ph_socket* other = PH_CONTAINER_OF(node, struct ph_socket, node);
        const struct sockaddr_un* own = (const struct sockaddr_un*)&other->local.raw;
        if (other->open && other->family == AF_UNIX && other->state == PH_SOCKET_LISTENING &&
            other->host == socket->host &&
            strnlen(own->sun_path + (length > 0 && path->sun_path[0] == '\0'), length) +
                    (length > 0 && path->sun_path[0] == '\0') ==
                length &&
            memcmp(own->sun_path, path->sun_path, length) == 0)
            return other;
    }
    return NULL;
}

static int connect_datagram(struct ph_socket* socket, const struct ph_address* address) {
    if (address->family == AF_UNSPEC) {
        socket->state = PH_SOCKET_NEW;
        return 0;
    }
    int err = ph_socket_bind_any(socket);
    if (err != 0 || address->host < 0)
        return err != 0 ? err : ENETUNREACH;
    socket->peer_address = *address;
    socket->state = PH_SOCKET_CONNECTED;
    return 0;
}

int __wrap_connect(int fd, const struct sockaddr* raw, socklen_t size) {
    struct ph_socket* socket = socket_of(fd);
    struct ph_address address;
    if (socket == NULL)
        return ph_raw_connect(fd, raw, size);
    ph_world_lock();
    if (socket->family == AF_UNIX) {
        struct ph_socket* listener = listener_at(socket, raw, size);
        if (listener != NULL)
            return leave(ph_flow_connect_path(socket, listener));
        ph_world_unlock();
        return ph_raw_connect(fd, raw, size); /* says why: no such file, refused, ... */
    }
    int err = ph_address_read(&address, socket->host, raw, size);
    if (err == 0)
        err = socket->type == SOCK_DGRAM ? connect_datagram(socket, &address)
                                         : ph_flow_connect(socket, &address);
    if (err == EINPROGRESS && wait_for(fd, socket, EPOLLOUT)) {
        err = socket->error;
        socket->error = 0;
    }
    return leave(err);
}

int __wrap_shutdown(int fd, int how) {
    struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        return __real_shutdown(fd, how);
    ph_world_lock();
    if (socket->state != PH_SOCKET_CONNECTED)
        return leave(ENOTCONN);
    if (how != SHUT_RD)
        ph_flow_shutdown(socket);
    if (how != SHUT_WR)
        socket->read_off = true;
    ph_socket_changed(socket);
    return leave(0);
}

static int name(const struct ph_socket* socket, const struct ph_address* address,
                struct sockaddr* raw, socklen_t* size) {
    struct ph_address none = {.family = (sa_family_t)socket->family};
    none.raw.ss_family = none.family;
    none.raw_size = socket->family == AF_INET    ? sizeof(struct sockaddr_in)
                    : socket->family == AF_INET6 ? sizeof(struct sockaddr_in6)
                                                 : sizeof(sa_family_t);
    ph_address_write(address->family != 0 ? address : &none, raw, size);
    return 0;
}

int __wrap_getsockname(int fd, struct sockaddr* raw, socklen_t* size) {
    const struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        return ph_raw_getsockname(fd, raw, size);
    return name(socket, &socket->local, raw, size);
}

int __wrap_getpeername(int fd, struct sockaddr* raw, socklen_t* size) {
    const struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        return __real_getpeername(fd, raw, size);
    if (socket->state != PH_SOCKET_CONNECTED)
        return (int)result(-ENOTCONN);
    return name(socket, &socket->peer_address, raw, size);
}

int __wrap_getsockopt(int fd, int level, int option_name, void* value, socklen_t* size) {
    struct ph_socket* socket = socket_of(fd);
    if (socket == NULL || level != SOL_SOCKET ||
        (option_name != SO_ERROR && option_name != SO_ACCEPTCONN))
        return __real_getsockopt(fd, level, option_name, value, size);
    ph_world_lock();
    int answer = option_name == SO_ERROR ? socket->error : socket->state == PH_SOCKET_LISTENING;
    if (option_name == SO_ERROR)
        socket->error = 0;
    if (*size >= sizeof(answer)) {
        memcpy(value, &answer, sizeof(answer));
        *size = sizeof(answer);
    }
    return leave(0);
}

static bool is_copied(enum ph_fd_kind kind, const struct ph_socket* socket) {
    return (kind == PH_FD_SOCKET || kind == PH_FD_COUNTER) && socket->more_names > 0;
}

int __wrap_close(int fd) {
    enum ph_fd_kind kind = ph_world != NULL ? ph_fd_kind(fd) : PH_FD_REAL;
    void* object = ph_fd_object(fd);
    ph_epoll_forget(fd);
    ph_fd_forget(fd);
    if (is_copied(kind, object)) {
        ((struct ph_socket*)object)->more_names--;
    } else if (kind == PH_FD_SOCKET) {
        struct linger linger = {0};
        socklen_t size = sizeof(linger);
        __real_getsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, &size);
        ph_world_lock();
        ph_socket_close(object, linger.l_onoff && linger.l_linger == 0);
        ph_world_unlock();
    } else if (kind == PH_FD_COUNTER) {
        ph_world_lock();
        ph_socket_close(object, false);
        ph_world_unlock();
    } else if (kind == PH_FD_EPOLL) {
        ph_world_lock();
        ph_epoll_close(object);
        ph_world_unlock();
    }
    return __real_close(fd);
}

static ssize_t send_datagram(struct ph_socket* socket, const struct msghdr* message) {
    struct ph_address to;
    bool named = message->msg_name != NULL;
    int err =
        named ? ph_address_read(&to, socket->host, message->msg_name, message->msg_namelen) : 0;
    return err != 0 ? -err
                    : ph_datagram_send(socket, named ? &to : NULL, message->msg_iov,
                                       message->msg_iovlen);
}

static ssize_t send_parts(int fd, struct ph_socket* socket, const struct msghdr* message,
                          int flags) {
    ssize_t sent;
    ph_world_lock();
    do {
        sent = socket->type == SOCK_STREAM
                   ? ph_flow_send(socket, message->msg_iov, message->msg_iovlen)
                   : send_datagram(socket, message);
    } while (sent == -EAGAIN && !(flags & MSG_DONTWAIT) && wait_for(fd, socket, EPOLLOUT));
    ph_world_unlock();
    return result(sent);
}

static ssize_t receive_parts(int fd, struct ph_socket* socket, struct msghdr* message, int flags) {
    struct ph_address from = {0};
    bool cut = false;
    ssize_t size;
    ph_world_lock();
    do
        size =
            socket->type == SOCK_STREAM
                ? ph_flow_receive(socket, message->msg_iov, message->msg_iovlen, flags & MSG_PEEK)
                : ph_datagram_receive(socket, &from, message->msg_iov, message->msg_iovlen,
                                      flags & MSG_PEEK, &cut);
    while (size == -EAGAIN && !(flags & MSG_DONTWAIT) && wait_for(fd, socket, EPOLLIN));
    ph_world_unlock();
    message->msg_flags = cut ? MSG_TRUNC : 0;
    message->msg_controllen = 0;
    if (size >= 0 && message->msg_name != NULL) {
        if (from.family != 0)
            ph_address_write(&from, message->msg_name, &message->msg_namelen);
        else
            message->msg_namelen = 0;
    }
    return result(size);
}

ssize_t __wrap_send(int fd, const void* bytes, size_t size, int flags) {
    struct ph_socket* socket = socket_of(fd);
    struct iovec part = {.iov_base = (void*)(uintptr_t)bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (socket == NULL)
        return __real_send(fd, bytes, size, flags);
    return send_parts(fd, socket, &message, flags);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags) {
    struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        return __real_sendmsg(fd, message, flags);
    if (message->msg_controllen > 0 && socket->family == AF_UNIX)
        return result(-EOPNOTSUPP); /* descriptors do not travel in the world */
    return send_parts(fd, socket, message, flags);
}

int __wrap_sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags) {
    if (socket_of(fd) == NULL)
        return __real_sendmmsg(fd, messages, count, flags);
    for (unsigned i = 0; i < count; i++) {
        ssize_t sent = __wrap_sendmsg(fd, &messages[i].msg_hdr, flags);
        if (sent == -1)
            return i > 0 ? (int)i : -1;
        messages[i].msg_len = (unsigned)sent;
    }
    return (int)count;
}

ssize_t __wrap_recv(int fd, void* bytes, size_t size, int flags) {
    struct ph_socket* socket = socket_of(fd);
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (socket == NULL)
        return __real_recv(fd, bytes, size, flags);
    return receive_parts(fd, socket, &message, flags);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags) {
    struct ph_socket* socket = socket_of(fd);
    if (socket == NULL)
        return __real_recvmsg(fd, message, flags);
    if (flags & MSG_ERRQUEUE)
        return result(-EAGAIN);
    return receive_parts(fd, socket, message, flags);
}

int __wrap_recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                    struct timespec* timeout) {
    if (socket_of(fd) == NULL)
        return __real_recvmmsg(fd, messages, count, flags, timeout);
    for (unsigned i = 0; i < count; i++) {
        ssize_t size = __wrap_recvmsg(fd, &messages[i].msg_hdr, flags | (i > 0 ? MSG_DONTWAIT : 0));
        if (size == -1)
            return i > 0 ? (int)i : -1;
        messages[i].msg_len = (unsigned)size;
    }
    return (int)count;
}

ssize_t ph_socket_read(int fd, const struct iovec* parts, int count, bool* ours) {
    struct ph_socket* socket = socket_of(fd);
    struct msghdr message = {.msg_iov = (struct iovec*)(uintptr_t)parts,
                             .msg_iovlen = (size_t)count};
    *ours = socket != NULL || ph_fd_kind(fd) == PH_FD_COUNTER;
    if (ph_fd_kind(fd) == PH_FD_COUNTER)
        return ph_counter_read(fd, parts->iov_base, parts->iov_len);
    return socket != NULL ? receive_parts(fd, socket, &message, 0) : 0;
}

ssize_t ph_socket_write(int fd, const struct iovec* parts, int count, bool* ours) {
    struct ph_socket* socket = socket_of(fd);
    *ours = socket != NULL || ph_fd_kind(fd) == PH_FD_COUNTER;
    if (ph_fd_kind(fd) == PH_FD_COUNTER)
        return ph_counter_write(fd, parts->iov_base, parts->iov_len);
    struct msghdr message = {.msg_iov = (struct iovec*)(uintptr_t)parts,
                             .msg_iovlen = (size_t)count};
    return socket != NULL ? send_parts(fd, socket, &message, 0) : 0;
}
