#ifndef PH_OS_LIBC_H
#define PH_OS_LIBC_H

/* What a small or old libc (musl before 1.2.5, glibc before 2.34) does not declare. */

#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP PTHREAD_MUTEX_INITIALIZER
#endif

#define PH_P_PIDFD ((idtype_t)3) /* P_PIDFD, which is no macro everywhere */

#ifndef CLOSE_RANGE_CLOEXEC
#define CLOSE_RANGE_CLOEXEC 4U

static inline int close_range(unsigned int first, unsigned int last, int flags) {
#ifdef SYS_close_range
    return (int)syscall(SYS_close_range, first, last, flags);
#else
    (void)first, (void)last, (void)flags;
    errno = ENOSYS;
    return -1;
#endif
}
#endif

#ifdef __GLIBC__
#define HAS_EPOLL_PWAIT2 __GLIBC_PREREQ(2, 35)
#else
#define HAS_EPOLL_PWAIT2 0
#endif

#if !HAS_EPOLL_PWAIT2
#include <signal.h>
#include <time.h>

struct epoll_event;

static inline int ph_epoll_pwait2(int epoll_fd, struct epoll_event* events, int count,
                                  const struct timespec* timeout, const sigset_t* mask) {
#ifdef SYS_epoll_pwait2
    return (int)syscall(SYS_epoll_pwait2, epoll_fd, events, count, timeout, mask,
                        (size_t)_NSIG / 8);
#else
    (void)epoll_fd, (void)events, (void)count, (void)timeout, (void)mask;
    errno = ENOSYS;
    return -1;
#endif
}
#define epoll_pwait2 ph_epoll_pwait2
#endif

#ifndef __GLIBC__
#include <sys/uio.h>

static inline ssize_t ph_pwritev2(int fd, const struct iovec* parts, int count, off_t offset,
                                  int flags) {
    return syscall(SYS_pwritev2, fd, parts, count, offset, 0, flags);
}
#define pwritev2 ph_pwritev2
#endif

#ifndef STATX_BASIC_STATS
#define STATX_BASIC_STATS 0x7ffU
#define STATX_BTIME 0x800U

struct statx_timestamp {
    int64_t tv_sec;
    uint32_t tv_nsec;
    int32_t reserved;
};

/* The kernel's layout; it writes 256 bytes. */
struct statx {
    uint32_t stx_mask;
    uint32_t stx_blksize;
    uint64_t stx_attributes;
    uint32_t stx_nlink;
    uint32_t stx_uid;
    uint32_t stx_gid;
    uint16_t stx_mode;
    uint64_t stx_ino;
    uint64_t stx_size;
    uint64_t stx_blocks;
    uint64_t stx_attributes_mask;
    struct statx_timestamp stx_atime, stx_btime, stx_ctime, stx_mtime;
    uint32_t stx_rdev_major, stx_rdev_minor;
    uint32_t stx_dev_major, stx_dev_minor;
    uint64_t later[14];
};

_Static_assert(sizeof(struct statx) == 256, "the kernel writes as much");

static inline int statx(int dir, const char* path, int flags, unsigned int mask,
                        struct statx* result) {
    return (int)syscall(SYS_statx, dir, path, flags, mask, result);
}
#endif

#endif
