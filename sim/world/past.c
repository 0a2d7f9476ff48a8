/*
 * What loops for Python do past the library: they wake themselves through a pair of sockets, and
 * write to a connection of the library's directly.
 */

#include <netinet/in.h>
#include <stdarg.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

enum { MOST = 64 };

static ino_t ends[2 * MOST]; /* by inode: descriptors are closed past us */
static unsigned next;

static void remember(int fd) {
    struct stat info;
    if (fstat(fd, &info) == 0)
        ends[__atomic_fetch_add(&next, 1, __ATOMIC_RELAXED) % (2 * MOST)] = info.st_ino;
}

bool ph_pair_is_inner(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0 || !S_ISSOCK(info.st_mode))
        return false;
    for (int i = 0; i < 2 * MOST; i++)
        if (ends[i] == info.st_ino)
            return true;
    return false;
}

/* The library's own go to children. */
int __wrap_socketpair(int family, int type, int protocol, int fds[2]) {
    return (int)ph_raw_call(SYS_socketpair, family, type, protocol, fds);
}

EXPORT int socketpair(int family, int type, int protocol, int fds[2]) {
    int result = (int)ph_raw_call(SYS_socketpair, family, type, protocol, fds);
    if (result == 0 && ph_world != NULL) {
        remember(fds[0]);
        remember(fds[1]);
    }
    return result;
}

static ino_t chosen[MOST]; /* sockets bound to port 0 */
static unsigned next_chosen;

bool ph_port_was_chosen(int fd) {
    struct stat info;
    bool found = false;
    if (fstat(fd, &info) == 0)
        for (int i = 0; i < MOST && !found; i++)
            found = chosen[i] == info.st_ino;
    return found;
}

EXPORT int bind(int fd, const struct sockaddr* address, socklen_t size) {
    struct stat info;
    bool any_port = (address->sa_family == AF_INET || address->sa_family == AF_INET6) &&
                    size >= sizeof(struct sockaddr_in) &&
                    ((const struct sockaddr_in*)address)->sin_port == 0;
    if (ph_world != NULL && ph_fd_kind(fd) == PH_FD_SOCKET)
        return __wrap_bind(fd, address, size);
    if (ph_world != NULL && any_port && fstat(fd, &info) == 0)
        chosen[__atomic_fetch_add(&next_chosen, 1, __ATOMIC_RELAXED) % MOST] = info.st_ino;
    return ph_raw_bind(fd, address, size);
}

/* A program that asks the kernel itself, by way of libc. */
EXPORT long syscall(long number, ...) {
    long values[6];
    va_list list;
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        values[i] = va_arg(list, long);
    va_end(list);
    if (ph_world != NULL) {
        switch (number) {
        case SYS_clock_gettime:
            return __wrap_clock_gettime((clockid_t)values[0], (struct timespec*)values[1]);
        case SYS_gettimeofday:
            return gettimeofday((struct timeval*)values[0], NULL);
#ifdef SYS_time
        case SYS_time:
            return time((time_t*)values[0]);
#endif
        case SYS_getrandom:
            return __wrap_getrandom((void*)values[0], (size_t)values[1], (unsigned)values[2]);
        case SYS_nanosleep:
            return __wrap_nanosleep((const struct timespec*)values[0], (struct timespec*)values[1]);
        case SYS_getpid:
            return getpid();
        default:
            break;
        }
    }
    return ph_raw_call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* What goes to the real network is outside of the world; the run says so. */
EXPORT int connect(int fd, const struct sockaddr* address, socklen_t size) {
    bool network = size >= sizeof(sa_family_t) &&
                   (address->sa_family == AF_INET || address->sa_family == AF_INET6);
    if (ph_world != NULL && network && ph_thread_counts() && ph_fd_kind(fd) != PH_FD_SOCKET) {
        int type = 0;
        socklen_t room = sizeof(type);
        __real_getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &room);
        ph_world_lock();
        if (type == SOCK_STREAM)
            ph_leak("a connection of the real network", __builtin_return_address(0));
        ph_world_unlock();
    }
    if (ph_world != NULL && ph_fd_kind(fd) == PH_FD_SOCKET)
        return __wrap_connect(fd, address, size);
    return ph_raw_connect(fd, address, size);
}

/* Of a socket that a program has made itself and given to a handle of the library, or of a copy. */
EXPORT int getsockname(int fd, struct sockaddr* restrict address, socklen_t* restrict size) {
    if (ph_world != NULL && ph_fd_kind(fd) == PH_FD_SOCKET)
        return __wrap_getsockname(fd, address, size);
    int result = ph_raw_getsockname(fd, address, size);
    if (result == 0 && ph_world != NULL)
        ph_taken_in_name(fd, address, size);
    return result;
}
