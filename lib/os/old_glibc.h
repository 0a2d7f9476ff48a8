#ifndef PH_OS_OLD_GLIBC_H
#define PH_OS_OLD_GLIBC_H

/*
 * Included before everything else by builds that are to run with an older glibc (-DPHASOR_GLIBC),
 * whose headers promise more than such a library has.
 */

#include <fcntl.h>
#include <semaphore.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
#define PH_STAT_VERSION 1
#else
#define PH_STAT_VERSION 0
#endif

int __xstat(int version, const char* path, struct stat* to);
int __lxstat(int version, const char* path, struct stat* to);
int __fxstat(int version, int fd, struct stat* to);
int __fxstatat(int version, int dir, const char* path, struct stat* to, int flags);

#define stat(path, to) __xstat(PH_STAT_VERSION, path, to)
#define lstat(path, to) __lxstat(PH_STAT_VERSION, path, to)
#define fstat(fd, to) __fxstat(PH_STAT_VERSION, fd, to)
#define fstatat(dir, path, to, flags) __fxstatat(PH_STAT_VERSION, dir, path, to, flags)

#define gettid() ((pid_t)syscall(SYS_gettid))
#define close_range(first, last, flags) ((int)syscall(SYS_close_range, first, last, flags))

/* The older function knows the other clock only: as long from now as was asked for. */
static inline int ph_sem_clockwait(sem_t* sem, clockid_t clock, const struct timespec* until) {
    struct timespec now, real;
    clock_gettime(clock, &now);
    clock_gettime(CLOCK_REALTIME, &real);
    real.tv_sec += until->tv_sec - now.tv_sec;
    real.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (real.tv_nsec >= 1000000000) {
        real.tv_sec++;
        real.tv_nsec -= 1000000000;
    } else if (real.tv_nsec < 0) {
        real.tv_sec--;
        real.tv_nsec += 1000000000;
    }
    return sem_timedwait(sem, &real);
}
#define sem_clockwait ph_sem_clockwait

#endif
