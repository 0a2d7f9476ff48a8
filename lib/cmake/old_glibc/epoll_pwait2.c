#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

int epoll_pwait2(int epoll_fd, struct epoll_event* events, int count,
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
