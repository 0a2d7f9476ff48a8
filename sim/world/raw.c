#include "world/raw.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { KERNEL_MASK_SIZE = 8 }; /* of a set of signals */

typedef long (*caller)(long number, ...);

/* libc's own, behind ours. */
static caller find_caller(void) {
    static caller found;
    caller call = __atomic_load_n(&found, __ATOMIC_RELAXED);
    if (call == NULL) {
        call = (caller)dlsym(RTLD_NEXT, "syscall");
        __atomic_store_n(&found, call, __ATOMIC_RELAXED);
    }
    return call;
}

long ph_raw_call(long number, ...) {
    long values[6];
    va_list list;
    va_start(list, number);
    ph_raw_arguments(list, values);
    va_end(list);
    return find_caller()(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

#define CALL(number, a, b, c, d) CALL6(number, a, b, c, d, 0, 0)
#define CALL6(number, a, b, c, d, e, f) \
    find_caller()((number), (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))

void* ph_raw_next(const char* name, const char* version) {
    void* found = version != NULL ? dlvsym(RTLD_NEXT, name, version) : NULL;
    return found != NULL ? found : dlsym(RTLD_NEXT, name);
}

int ph_raw_open(const char* path, int flags, ...) {
    va_list list;
    va_start(list, flags);
    mode_t mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(list, mode_t) : 0;
    va_end(list);
    return (int)CALL(SYS_openat, AT_FDCWD, path, flags, mode);
}

int ph_raw_close(int fd) {
    return (int)CALL(SYS_close, fd, 0, 0, 0);
}

ssize_t ph_raw_read(int fd, void* bytes, size_t size) {
    return CALL(SYS_read, fd, bytes, size, 0);
}

ssize_t ph_raw_pread(int fd, void* bytes, size_t size, off_t offset) {
    return CALL(SYS_pread64, fd, bytes, size, offset);
}

ssize_t ph_raw_write(int fd, const void* bytes, size_t size) {
    return CALL(SYS_write, fd, bytes, size, 0);
}

ssize_t ph_raw_writev(int fd, const struct iovec* parts, int count) {
    return CALL(SYS_writev, fd, parts, count, 0);
}

ssize_t ph_raw_pwrite(int fd, const void* bytes, size_t size, off_t offset) {
    return CALL(SYS_pwrite64, fd, bytes, size, offset);
}

ssize_t ph_raw_pwritev(int fd, const struct iovec* parts, int count, off_t offset) {
    return CALL(SYS_pwritev, fd, parts, count, offset);
}

int ph_raw_fsync(int fd) {
    return (int)CALL(SYS_fsync, fd, 0, 0, 0);
}

int ph_raw_fdatasync(int fd) {
    return (int)CALL(SYS_fdatasync, fd, 0, 0, 0);
}

int ph_raw_ftruncate(int fd, off_t size) {
    return (int)CALL(SYS_ftruncate, fd, size, 0, 0);
}

int ph_raw_rename(const char* from, const char* to) {
    return (int)CALL(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to);
}

int ph_raw_unlink(const char* path) {
    return (int)CALL(SYS_unlinkat, AT_FDCWD, path, 0, 0);
}

int ph_raw_bind(int fd, const struct sockaddr* address, socklen_t size) {
    return (int)CALL(SYS_bind, fd, address, size, 0);
}

int ph_raw_connect(int fd, const struct sockaddr* address, socklen_t size) {
    return (int)CALL(SYS_connect, fd, address, size, 0);
}

int ph_raw_getsockname(int fd, struct sockaddr* address, socklen_t* size) {
    return (int)CALL(SYS_getsockname, fd, address, size, 0);
}

int ph_raw_socket(int family, int type, int protocol) {
    return (int)CALL(SYS_socket, family, type, protocol, 0);
}

int ph_raw_listen(int fd, int backlog) {
    return (int)CALL(SYS_listen, fd, backlog, 0, 0);
}

int ph_raw_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags) {
    return (int)CALL(SYS_accept4, fd, address, size, flags);
}

int ph_raw_shutdown(int fd, int how) {
    return (int)CALL(SYS_shutdown, fd, how, 0, 0);
}

int ph_raw_getpeername(int fd, struct sockaddr* address, socklen_t* size) {
    return (int)CALL(SYS_getpeername, fd, address, size, 0);
}

int ph_raw_getsockopt(int fd, int level, int name, void* value, socklen_t* size) {
    return (int)CALL6(SYS_getsockopt, fd, level, name, value, size, 0);
}

ssize_t ph_raw_readv(int fd, const struct iovec* parts, int count) {
    return CALL(SYS_readv, fd, parts, count, 0);
}

ssize_t ph_raw_recv(int fd, void* bytes, size_t size, int flags) {
    return CALL6(SYS_recvfrom, fd, bytes, size, flags, NULL, NULL);
}

ssize_t ph_raw_recvmsg(int fd, struct msghdr* message, int flags) {
    return CALL(SYS_recvmsg, fd, message, flags, 0);
}

int ph_raw_recvmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags,
                    struct timespec* limit) {
    return (int)CALL6(SYS_recvmmsg, fd, messages, count, flags, limit, 0);
}

ssize_t ph_raw_send(int fd, const void* bytes, size_t size, int flags) {
    return CALL6(SYS_sendto, fd, bytes, size, flags, NULL, 0);
}

ssize_t ph_raw_sendmsg(int fd, const struct msghdr* message, int flags) {
    return CALL(SYS_sendmsg, fd, message, flags, 0);
}

int ph_raw_sendmmsg(int fd, struct mmsghdr* messages, unsigned count, int flags) {
    return (int)CALL(SYS_sendmmsg, fd, messages, count, flags);
}

int ph_raw_epoll_create1(int flags) {
    return (int)CALL(SYS_epoll_create1, flags, 0, 0, 0);
}

int ph_raw_epoll_ctl(int set, int op, int fd, struct epoll_event* event) {
    return (int)CALL(SYS_epoll_ctl, set, op, fd, event);
}

int ph_raw_epoll_pwait(int set, struct epoll_event* events, int room, int ms,
                       const sigset_t* mask) {
    return (int)CALL6(SYS_epoll_pwait, set, events, room, ms, mask, KERNEL_MASK_SIZE);
}

int ph_raw_epoll_wait(int set, struct epoll_event* events, int room, int ms) {
    return ph_raw_epoll_pwait(set, events, room, ms, NULL);
}

int ph_raw_epoll_pwait2(int set, struct epoll_event* events, int room, const struct timespec* time,
                        const sigset_t* mask) {
    return (int)CALL6(SYS_epoll_pwait2, set, events, room, time, mask, KERNEL_MASK_SIZE);
}

int ph_raw_eventfd(unsigned count, int flags) {
    return (int)CALL(SYS_eventfd2, count, flags, 0, 0);
}

int ph_raw_pipe2(int fds[2], int flags) {
    return (int)CALL(SYS_pipe2, fds, flags, 0, 0);
}

int ph_raw_poll(struct pollfd* fds, nfds_t count, const struct timespec* limit) {
    struct timespec left = limit != NULL ? *limit : (struct timespec){0}; /* the kernel writes it */
    return (int)CALL6(SYS_ppoll, fds, count, limit != NULL ? &left : NULL, NULL, 0, 0);
}

int ph_raw_sched_yield(void) {
    return (int)CALL(SYS_sched_yield, 0, 0, 0, 0);
}

int ph_raw_fcntl(int fd, int command, long value) {
    return (int)CALL(SYS_fcntl, fd, command, value, 0);
}

int ph_raw_pid(void) {
    return (int)CALL(SYS_getpid, 0, 0, 0, 0);
}

int ph_raw_tid(void) {
    return (int)CALL(SYS_gettid, 0, 0, 0, 0);
}

int ph_raw_kill(int pid, int signal) {
    return (int)CALL(SYS_kill, pid, signal, 0, 0);
}
