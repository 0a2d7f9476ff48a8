#ifndef PH_SIM_REAL_H
#define PH_SIM_REAL_H

/* The calls behind the seam, as the linker names them: __real_X is the kernel's, __wrap_X is what
 * the library's X becomes in this build (see sim/world/seam.txt). */

#include <netdb.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <time.h>

#include "world/raw.h"

#define PH_SEAM(type, name, ...)     \
    type __real_##name(__VA_ARGS__); \
    type __wrap_##name(__VA_ARGS__)

/* The library exports functions of these names, which the linker would find: the kernel is asked
 * directly. */
#define __real_epoll_create1 ph_raw_epoll_create1
#define __real_epoll_ctl ph_raw_epoll_ctl
#define __real_epoll_wait ph_raw_epoll_wait
#define __real_epoll_pwait ph_raw_epoll_pwait
#define __real_epoll_pwait2 ph_raw_epoll_pwait2
#define __real_eventfd ph_raw_eventfd
#define __real_close ph_raw_close
#define __real_socket ph_raw_socket
#define __real_listen ph_raw_listen
#define __real_accept4 ph_raw_accept4
#define __real_shutdown ph_raw_shutdown
#define __real_getpeername ph_raw_getpeername
#define __real_getsockopt ph_raw_getsockopt
#define __real_readv ph_raw_readv
#define __real_recv ph_raw_recv
#define __real_recvmsg ph_raw_recvmsg
#define __real_recvmmsg ph_raw_recvmmsg
#define __real_send ph_raw_send
#define __real_sendmsg ph_raw_sendmsg
#define __real_sendmmsg ph_raw_sendmmsg
#define __real_pipe2 ph_raw_pipe2
#define __real_sched_yield ph_raw_sched_yield
/* The same for what is more than a system call: libc's own behind ours (next.c). */
#define __real_getaddrinfo ph_next_getaddrinfo
#define __real_getnameinfo ph_next_getnameinfo
#define __real_pthread_create ph_next_pthread_create
#define __real_pthread_cond_timedwait ph_next_pthread_cond_timedwait
#define __real_pthread_cond_wait ph_next_pthread_cond_wait
#define __real_pthread_join ph_next_pthread_join
#define __real_pthread_cond_signal ph_next_pthread_cond_signal
#define __real_pthread_cond_broadcast ph_next_pthread_cond_broadcast
#define __real_sem_wait ph_next_sem_wait
#define __real_sem_post ph_next_sem_post

PH_SEAM(int, epoll_create1, int);
PH_SEAM(int, epoll_ctl, int, int, int, struct epoll_event*);
PH_SEAM(int, epoll_wait, int, struct epoll_event*, int, int);
PH_SEAM(int, epoll_pwait, int, struct epoll_event*, int, int, const sigset_t*);
PH_SEAM(int, epoll_pwait2, int, struct epoll_event*, int, const struct timespec*, const sigset_t*);
PH_SEAM(int, eventfd, unsigned, int);
PH_SEAM(int, close, int);
PH_SEAM(int, socket, int, int, int);
PH_SEAM(int, socketpair, int, int, int, int[2]);
PH_SEAM(int, bind, int, const struct sockaddr*, socklen_t);
PH_SEAM(int, listen, int, int);
PH_SEAM(int, accept4, int, struct sockaddr*, socklen_t*, int);
PH_SEAM(int, connect, int, const struct sockaddr*, socklen_t);
PH_SEAM(int, shutdown, int, int);
PH_SEAM(int, getsockname, int, struct sockaddr*, socklen_t*);
PH_SEAM(int, getpeername, int, struct sockaddr*, socklen_t*);
PH_SEAM(int, getsockopt, int, int, int, void*, socklen_t*);
PH_SEAM(ssize_t, read, int, void*, size_t);
PH_SEAM(ssize_t, readv, int, const struct iovec*, int);
PH_SEAM(ssize_t, write, int, const void*, size_t);
PH_SEAM(ssize_t, writev, int, const struct iovec*, int);
PH_SEAM(ssize_t, recv, int, void*, size_t, int);
PH_SEAM(ssize_t, recvmsg, int, struct msghdr*, int);
PH_SEAM(int, recvmmsg, int, struct mmsghdr*, unsigned, int, struct timespec*);
PH_SEAM(ssize_t, send, int, const void*, size_t, int);
PH_SEAM(ssize_t, sendmsg, int, const struct msghdr*, int);
PH_SEAM(int, sendmmsg, int, struct mmsghdr*, unsigned, int);
PH_SEAM(int, open, const char*, int, ...);
PH_SEAM(ssize_t, pread, int, void*, size_t, off_t);
PH_SEAM(ssize_t, preadv, int, const struct iovec*, int, off_t);
PH_SEAM(ssize_t, pwrite, int, const void*, size_t, off_t);
PH_SEAM(ssize_t, pwritev, int, const struct iovec*, int, off_t);
PH_SEAM(int, fsync, int);
PH_SEAM(int, fdatasync, int);
PH_SEAM(int, ftruncate, int, off_t);
PH_SEAM(int, rename, const char*, const char*);
PH_SEAM(int, unlink, const char*);
PH_SEAM(int, mkdir, const char*, mode_t);
PH_SEAM(void*, malloc, size_t);
PH_SEAM(void*, calloc, size_t, size_t);
PH_SEAM(void*, realloc, void*, size_t);
PH_SEAM(int, getaddrinfo, const char*, const char*, const struct addrinfo*, struct addrinfo**);
PH_SEAM(int, getnameinfo, const struct sockaddr*, socklen_t, char*, socklen_t, char*, socklen_t,
        int);
PH_SEAM(int, gethostname, char*, size_t);
PH_SEAM(int, clock_gettime, clockid_t, struct timespec*);
PH_SEAM(int, nanosleep, const struct timespec*, struct timespec*);
PH_SEAM(ssize_t, getrandom, void*, size_t, unsigned);
PH_SEAM(int, pthread_create, pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
PH_SEAM(int, pthread_cond_timedwait, pthread_cond_t*, pthread_mutex_t*, const struct timespec*);
PH_SEAM(int, pthread_cond_wait, pthread_cond_t*, pthread_mutex_t*);
PH_SEAM(int, pthread_join, pthread_t, void**);
PH_SEAM(int, pthread_cond_signal, pthread_cond_t*);
PH_SEAM(int, pthread_cond_broadcast, pthread_cond_t*);
PH_SEAM(int, sem_wait, sem_t*);
PH_SEAM(int, sem_post, sem_t*);
PH_SEAM(int, clone, int (*)(void*), void*, int, void*, ...);
PH_SEAM(pid_t, fork, void);
PH_SEAM(int, pipe2, int[2], int);
PH_SEAM(int, sched_yield, void);
long __wrap_syscall(long number, ...);
int ph_next_pthread_mutex_lock(pthread_mutex_t* mutex);
int ph_next_pthread_mutex_unlock(pthread_mutex_t* mutex);
int ph_next_pthread_mutex_trylock(pthread_mutex_t* mutex);
int ph_next_pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                    const struct timespec* limit);
int ph_next_pthread_rwlock_rdlock(pthread_rwlock_t* lock);
int ph_next_pthread_rwlock_wrlock(pthread_rwlock_t* lock);
int ph_next_pthread_rwlock_tryrdlock(pthread_rwlock_t* lock);
int ph_next_pthread_rwlock_trywrlock(pthread_rwlock_t* lock);
int ph_next_pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                       const struct timespec* limit);
int ph_next_pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                       const struct timespec* limit);
int ph_next_pthread_rwlock_unlock(pthread_rwlock_t* lock);
int ph_next_pthread_spin_lock(pthread_spinlock_t* lock);
int ph_next_pthread_spin_trylock(pthread_spinlock_t* lock);
int ph_next_pthread_spin_unlock(pthread_spinlock_t* lock);
int ph_next_pthread_barrier_init(pthread_barrier_t* barrier, const pthread_barrierattr_t* kind,
                                 unsigned count);
int ph_next_pthread_barrier_wait(pthread_barrier_t* barrier);
int ph_next_pthread_barrier_destroy(pthread_barrier_t* barrier);
int ph_next_pthread_sigmask(int how, const sigset_t* set, sigset_t* old);
int ph_next_sigaction(int signal, const struct sigaction* action, struct sigaction* old);
PH_SEAM(int, sched_getaffinity, pid_t, size_t, cpu_set_t*);

#endif
