#include "world/raw.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

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
    for (int i = 0; i < 6; i++)
        values[i] = va_arg(list, long);
    va_end(list);
    return find_caller()(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

#define CALL(number, a, b, c, d) \
    find_caller()((number), (long)(a), (long)(b), (long)(c), (long)(d), 0L, 0L)

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

int ph_raw_pid(void) {
    return (int)CALL(SYS_getpid, 0, 0, 0, 0);
}

int ph_raw_kill(int pid, int signal) {
    return (int)CALL(SYS_kill, pid, signal, 0, 0);
}
