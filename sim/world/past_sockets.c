/*
 * Sockets of programs that do not ask the library for them: the same network. Each function is
 * libc's, and what it does to a socket of the world is in calls.c.
 */

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define ALIAS(name) __attribute__((visibility("default"), alias(name)))

static bool is_socket(int fd) {
    return ph_world != NULL && ph_fd_kind(fd) == PH_FD_SOCKET;
}

EXPORT int socket(int family, int type, int protocol) {
    return __wrap_socket(family, type, protocol);
}

EXPORT int bind(int fd, const struct sockaddr* address, socklen_t size) {
    return __wrap_bind(fd, address, size);
}

EXPORT int listen(int fd, int backlog) {
    return __wrap_listen(fd, backlog);
}

EXPORT int accept4(int fd, struct sockaddr* address, socklen_t* restrict size, int flags) {
    return __wrap_accept4(fd, address, size, flags);
}

EXPORT int accept(int fd, struct sockaddr* address, socklen_t* restrict size) {
    return __wrap_accept4(fd, address, size, 0);
}

/* What goes to the real network is outside of the world; the run says so. */
EXPORT int connect(int fd, const struct sockaddr* address, socklen_t size) {
    bool network = size >= sizeof(sa_family_t) &&
                   (address->sa_family == AF_INET || address->sa_family == AF_INET6);
    if (ph_world != NULL && network && ph_thread_counts() && !is_socket(fd)) {
        int type = 0;
        socklen_t room = sizeof(type);
        ph_raw_getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &room);
        ph_world_lock();
        if (type == SOCK_STREAM)
            ph_leak("a connection of the real network", __builtin_return_address(0));
        ph_world_unlock();
    }
    return __wrap_connect(fd, address, size);
}

EXPORT int shutdown(int fd, int how) {
    return __wrap_shutdown(fd, how);
}

EXPORT int getsockname(int fd, struct sockaddr* restrict address, socklen_t* restrict size) {
    return __wrap_getsockname(fd, address, size);
}

EXPORT int getpeername(int fd, struct sockaddr* restrict address, socklen_t* restrict size) {
    return __wrap_getpeername(fd, address, size);
}

EXPORT int getsockopt(int fd, int level, int name, void* restrict value, socklen_t* restrict size) {
    return __wrap_getsockopt(fd, level, name, value, size);
}

static void look_at_pairs(const void* nothing) {
    (void)nothing;
    ph_world_lock();
    ph_look_at_pairs();
    ph_world_unlock();
}

/* Who sleeps and reads what the program writes to itself goes on. Also in a signal handler. */
static ssize_t written(int fd, ssize_t result) {
    static const char pairs;
    int saved = errno;
    if (ph_world != NULL && result >= 0 && ph_pair_is_inner(fd) &&
        !ph_world_postpone(look_at_pairs, &pairs))
        look_at_pairs(NULL);
    errno = saved;
    return result;
}

/* As the kernel tells a program that writes to nobody. */
static ssize_t told(ssize_t sent, int flags) {
    if (sent == -1 && errno == EPIPE && !(flags & MSG_NOSIGNAL)) {
        raise(SIGPIPE);
        errno = EPIPE;
    }
    return sent;
}

/* A blocking stream takes all that it is given. */
static ssize_t send_all(int fd, const char* bytes, size_t size, int flags) {
    bool waits = !(flags & MSG_DONTWAIT) && (ph_raw_fcntl(fd, F_GETFL, 0) & O_NONBLOCK) == 0;
    size_t sent = 0;
    do {
        ssize_t n = __wrap_send(fd, bytes + sent, size - sent, flags);
        if (n == -1)
            return sent > 0 ? (ssize_t)sent : told(-1, flags);
        sent += (size_t)n;
    } while (waits && sent < size);
    return (ssize_t)sent;
}

EXPORT ssize_t send(int fd, const void* bytes, size_t size, int flags) {
    return is_socket(fd) ? send_all(fd, bytes, size, flags)
                         : written(fd, ph_raw_send(fd, bytes, size, flags));
}

EXPORT ssize_t sendto(int fd, const void* bytes, size_t size, int flags,
                      const struct sockaddr* address, socklen_t address_size) {
    if (address == NULL)
        return send(fd, bytes, size, flags);
    if (!is_socket(fd))
        return ph_raw_call(SYS_sendto, fd, bytes, size, flags, address, address_size);
    struct iovec part = {.iov_base = (void*)(uintptr_t)bytes, .iov_len = size};
    struct msghdr message = {.msg_name = (void*)(uintptr_t)address,
                             .msg_namelen = address_size,
                             .msg_iov = &part,
                             .msg_iovlen = 1};
    return told(__wrap_sendmsg(fd, &message, flags), flags);
}

EXPORT ssize_t sendmsg(int fd, const struct msghdr* message, int flags) {
    return is_socket(fd) ? told(__wrap_sendmsg(fd, message, flags), flags)
                         : written(fd, ph_raw_sendmsg(fd, message, flags));
}

EXPORT int sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags) {
    return __wrap_sendmmsg(fd, messages, count, flags);
}

/* With MSG_WAITALL a stream gives all that it is asked for, unless it ends. */
static ssize_t receive_all(int fd, char* bytes, size_t size, int flags) {
    size_t got = 0;
    while (got < size) {
        ssize_t n = __wrap_recv(fd, bytes + got, size - got, flags);
        if (n <= 0)
            return got > 0 ? (ssize_t)got : n;
        got += (size_t)n;
    }
    return (ssize_t)got;
}

EXPORT ssize_t recv(int fd, void* bytes, size_t size, int flags) {
    bool all = (flags & MSG_WAITALL) && !(flags & (MSG_PEEK | MSG_DONTWAIT));
    const struct ph_socket* socket = is_socket(fd) ? ph_fd_object(fd) : NULL;
    return all && socket != NULL && socket->type == SOCK_STREAM
               ? receive_all(fd, bytes, size, flags)
               : __wrap_recv(fd, bytes, size, flags);
}

EXPORT ssize_t recvfrom(int fd, void* restrict bytes, size_t size, int flags,
                        struct sockaddr* address, socklen_t* restrict address_size) {
    if (!is_socket(fd))
        return ph_raw_call(SYS_recvfrom, fd, bytes, size, flags, address, address_size);
    struct iovec part = {.iov_base = bytes, .iov_len = size};
    struct msghdr message = {.msg_name = address,
                             .msg_namelen = address_size != NULL ? *address_size : 0,
                             .msg_iov = &part,
                             .msg_iovlen = 1};
    ssize_t n = __wrap_recvmsg(fd, &message, flags);
    if (n >= 0 && address_size != NULL)
        *address_size = message.msg_namelen;
    return n;
}

EXPORT ssize_t recvmsg(int fd, struct msghdr* message, int flags) {
    return __wrap_recvmsg(fd, message, flags);
}

EXPORT int recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                    struct timespec* limit) {
    return __wrap_recvmmsg(fd, messages, count, flags, limit);
}

EXPORT ssize_t read(int fd, void* bytes, size_t size) {
    return ph_world != NULL ? __wrap_read(fd, bytes, size) : ph_raw_read(fd, bytes, size);
}

EXPORT ssize_t readv(int fd, const struct iovec* parts, int count) {
    return ph_world != NULL ? __wrap_readv(fd, parts, count) : ph_raw_readv(fd, parts, count);
}

EXPORT ssize_t write(int fd, const void* bytes, size_t size) {
    return is_socket(fd) ? send_all(fd, bytes, size, 0)
                         : written(fd, __wrap_write(fd, bytes, size));
}

EXPORT ssize_t writev(int fd, const struct iovec* parts, int count) {
    ssize_t n = __wrap_writev(fd, parts, count);
    return is_socket(fd) ? told(n, 0) : written(fd, n);
}

EXPORT int close(int fd) {
    bool inner = ph_world != NULL && ph_pair_is_inner(fd);
    int result = __wrap_close(fd);
    if (inner)
        look_at_pairs(NULL);
    return result;
}

/* Both numbers are the same socket. */
static int copied(int from, int to) {
    enum ph_fd_kind kind = ph_world != NULL && to != -1 ? ph_fd_kind(from) : PH_FD_REAL;
    if ((kind == PH_FD_SOCKET || kind == PH_FD_COUNTER) && from != to) {
        struct ph_socket* object = ph_fd_object(from);
        if (ph_fd_set(to, kind, object))
            object->more_names++;
    }
    return to;
}

EXPORT int dup(int fd) {
    return copied(fd, (int)ph_raw_call(SYS_dup, fd));
}

EXPORT int dup3(int from, int to, int flags) {
    if (ph_world != NULL && from != to && to >= 0 && ph_fd_kind(to) != PH_FD_REAL &&
        ph_raw_fcntl(from, F_GETFD, 0) != -1)
        __wrap_close(to);
    return copied(from, (int)ph_raw_call(SYS_dup3, from, to, flags));
}

EXPORT int dup2(int from, int to) {
    if (from == to)
        return ph_raw_fcntl(from, F_GETFD, 0) == -1 ? -1 : to;
    return dup3(from, to, 0);
}

EXPORT int fcntl(int fd, int command, ...) {
    va_list list;
    va_start(list, command);
    long value = va_arg(list, long);
    va_end(list);
    int result = ph_raw_fcntl(fd, command, value);
    return command == F_DUPFD || command == F_DUPFD_CLOEXEC ? copied(fd, result) : result;
}

ALIAS("fcntl") int fcntl64(int fd, int command, ...);

EXPORT int ioctl(int fd, unsigned long request, ...) {
    va_list list;
    va_start(list, request);
    void* value = va_arg(list, void*);
    va_end(list);
    if (request != FIONREAD || !is_socket(fd))
        return (int)ph_raw_call(SYS_ioctl, fd, request, value);
    *(int*)value = (int)((const struct ph_socket*)ph_fd_object(fd))->arrived_size;
    return 0;
}

EXPORT int getaddrinfo(const char* restrict name, const char* restrict service,
                       const struct addrinfo* restrict hints, struct addrinfo** restrict found) {
    return __wrap_getaddrinfo(name, service, hints, found);
}

EXPORT int getnameinfo(const struct sockaddr* restrict address, socklen_t size, char* restrict name,
                       socklen_t name_size, char* restrict service, socklen_t service_size,
                       int flags) {
    return __wrap_getnameinfo(address, size, name, name_size, service, service_size, flags);
}
