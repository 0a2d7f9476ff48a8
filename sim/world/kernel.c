#include "world/kernel.h"

#include <poll.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "world/raw.h"
#include "world/real.h"
#include "world/table.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))
#define POINTER(n) ((void*)values[n])
#define NUMBER(n) ((int)values[n])

static long ask_clock(long number, const long values[6], bool* simulated) {
    switch (number) {
    case SYS_clock_gettime:
        return clock_gettime((clockid_t)values[0], POINTER(1));
    case SYS_gettimeofday:
        return gettimeofday(POINTER(0), NULL);
#ifdef SYS_time
    case SYS_time:
        return time(POINTER(0));
#endif
    case SYS_nanosleep:
        return nanosleep(POINTER(0), POINTER(1));
    case SYS_clock_nanosleep:
        return -clock_nanosleep((clockid_t)values[0], NUMBER(1), POINTER(2), POINTER(3));
    case SYS_getrandom:
        return getrandom(POINTER(0), (size_t)values[1], (unsigned)values[2]);
    case SYS_getpid:
        return getpid();
    case SYS_gettid:
        return gettid();
    case SYS_timerfd_create:
        return timerfd_create((clockid_t)values[0], NUMBER(1));
    case SYS_timerfd_settime:
        return timerfd_settime(NUMBER(0), NUMBER(1), POINTER(2), POINTER(3));
    case SYS_timerfd_gettime:
        return timerfd_gettime(NUMBER(0), POINTER(1));
    default:
        *simulated = false;
        return 0;
    }
}

static long ask_socket(long number, const long values[6], bool* simulated) {
    switch (number) {
    case SYS_socket:
        return socket(NUMBER(0), NUMBER(1), NUMBER(2));
    case SYS_bind:
        return bind(NUMBER(0), POINTER(1), (socklen_t)values[2]);
    case SYS_listen:
        return listen(NUMBER(0), NUMBER(1));
    case SYS_accept:
        return accept(NUMBER(0), POINTER(1), POINTER(2));
    case SYS_accept4:
        return accept4(NUMBER(0), POINTER(1), POINTER(2), NUMBER(3));
    case SYS_connect:
        return connect(NUMBER(0), POINTER(1), (socklen_t)values[2]);
    case SYS_shutdown:
        return shutdown(NUMBER(0), NUMBER(1));
    case SYS_getsockname:
        return getsockname(NUMBER(0), POINTER(1), POINTER(2));
    case SYS_getpeername:
        return getpeername(NUMBER(0), POINTER(1), POINTER(2));
    case SYS_getsockopt:
        return getsockopt(NUMBER(0), NUMBER(1), NUMBER(2), POINTER(3), POINTER(4));
    case SYS_sendto:
        return sendto(NUMBER(0), POINTER(1), (size_t)values[2], NUMBER(3), POINTER(4),
                      (socklen_t)values[5]);
    case SYS_sendmsg:
        return sendmsg(NUMBER(0), POINTER(1), NUMBER(2));
    case SYS_recvfrom:
        return recvfrom(NUMBER(0), POINTER(1), (size_t)values[2], NUMBER(3), POINTER(4),
                        POINTER(5));
    case SYS_recvmsg:
        return recvmsg(NUMBER(0), POINTER(1), NUMBER(2));
    default:
        *simulated = false;
        return 0;
    }
}

static long ask_descriptor(long number, const long values[6], bool* simulated) {
    switch (number) {
    case SYS_read:
        return read(NUMBER(0), POINTER(1), (size_t)values[2]);
    case SYS_write:
        return write(NUMBER(0), POINTER(1), (size_t)values[2]);
    case SYS_readv:
        return readv(NUMBER(0), POINTER(1), NUMBER(2));
    case SYS_writev:
        return writev(NUMBER(0), POINTER(1), NUMBER(2));
    case SYS_close:
        return close(NUMBER(0));
    case SYS_dup:
        return dup(NUMBER(0));
    case SYS_eventfd2:
        return eventfd((unsigned)values[0], NUMBER(1));
    case SYS_epoll_create1:
        return epoll_create1(NUMBER(0));
    case SYS_epoll_ctl:
        return epoll_ctl(NUMBER(0), NUMBER(1), NUMBER(2), POINTER(3));
#ifdef SYS_epoll_wait
    case SYS_epoll_wait:
#endif
    case SYS_epoll_pwait:
        return epoll_wait(NUMBER(0), POINTER(1), NUMBER(2), NUMBER(3));
#ifdef SYS_poll
    case SYS_poll:
        return poll(POINTER(0), (nfds_t)values[1], NUMBER(2));
#endif
    case SYS_ppoll:
        return ppoll(POINTER(0), (nfds_t)values[1], POINTER(2), NULL);
    default:
        *simulated = false;
        return 0;
    }
}

long ph_kernel_call(long number, const long values[6], bool* simulated) {
    static long (*const families[])(long, const long[6], bool*) = {ask_clock, ask_socket,
                                                                   ask_descriptor};
    for (size_t i = 0; ph_world != NULL && i < sizeof(families) / sizeof(families[0]); i++) {
        *simulated = true;
        long result = families[i](number, values, simulated);
        if (*simulated)
            return result;
    }
    *simulated = false;
    return ph_raw_call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* The library's own, also in children that still share our memory. */
long __wrap_syscall(long number, ...) {
    long values[6];
    va_list list;
    va_start(list, number);
    ph_raw_arguments(list, values);
    va_end(list);
    return ph_raw_call(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

/* A program that asks the kernel itself, by way of libc. */
EXPORT long syscall(long number, ...) {
    long values[6];
    bool simulated;
    va_list list;
    va_start(list, number);
    ph_raw_arguments(list, values);
    va_end(list);
    return ph_kernel_call(number, values, &simulated);
}
