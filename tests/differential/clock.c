/*
 * Virtual time. The library's calls of clock_gettime and epoll_wait come here: time stands still
 * while the program runs, and jumps to the end of a wait that brings nothing. A wait without an end
 * is noted, and ended by a wake-up. So timers are exact to the millisecond, and nobody ever sleeps.
 */

#include <errno.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "machine.h"

enum { MS = 1000000 };

static uint64_t now = (uint64_t)1000000 * MS;
int patience;

int clock_gettime(clockid_t clock, struct timespec* time) {
    if (clock != CLOCK_MONOTONIC && clock != CLOCK_MONOTONIC_COARSE)
        return (int)syscall(SYS_clock_gettime, clock, time);
    time->tv_sec = (time_t)(now / (1000 * MS));
    time->tv_nsec = (long)(now % (1000 * MS));
    return 0;
}

/* An hour passes in no time: a library that times the processor's counter sees that it is of no
 * use. */
void clock_begin(void) {
    clock_advance(3600 * 1000);
    for (int i = 0; i < LOOPS; i++)
        uv_update_time(&loops[i]);
}

void clock_advance(int ms) {
    now += (uint64_t)ms * MS;
}

uint64_t clock_now(void) {
    return now / MS;
}

static int real_wait(int fd, struct epoll_event* events, int count, int timeout,
                     const sigset_t* mask) {
    return (int)syscall(SYS_epoll_pwait, fd, events, count, timeout, mask, (size_t)8);
}

int epoll_pwait(int fd, struct epoll_event* events, int count, int timeout, const sigset_t* mask) {
    if (running == NULL)
        return real_wait(fd, events, count, timeout, mask);
    int n = real_wait(fd, events, count, 0, mask);
    if (n != 0 || timeout == 0)
        return n;
    n = real_wait(fd, events, count, timeout == -1 && patience == 0 ? 1 : patience, mask);
    if (n != 0)
        return n;
    if (timeout > 0) {
        clock_advance(timeout);
        return 0;
    }
    log_line("blocked");
    resting = true;
    uv_async_send(waker_of(running));
    return real_wait(fd, events, count, 1000, mask);
}

int epoll_wait(int fd, struct epoll_event* events, int count, int timeout) {
    return epoll_pwait(fd, events, count, timeout, NULL);
}
