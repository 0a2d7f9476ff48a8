/* The clocks, and sleeping by them. */

#include <errno.h>
#include <time.h>

#include "base/error.h"
#include "uv.h"

int uv_clock_gettime(uv_clock_id clock_id, uv_timespec64_t* ts) {
    struct timespec now;
    clockid_t clock;
    if (ts == NULL)
        return UV_EFAULT;
    switch (clock_id) {
    case UV_CLOCK_MONOTONIC:
        clock = CLOCK_MONOTONIC;
        break;
    case UV_CLOCK_REALTIME:
        clock = CLOCK_REALTIME;
        break;
    default:
        return UV_EINVAL;
    }
    if (clock_gettime(clock, &now) != 0)
        return ph_errno();
    ts->tv_sec = now.tv_sec;
    ts->tv_nsec = (int32_t)now.tv_nsec;
    return 0;
}

int uv_gettimeofday(uv_timeval64_t* tv) {
    struct timespec now;
    if (tv == NULL)
        return UV_EINVAL;
    if (clock_gettime(CLOCK_REALTIME, &now) != 0)
        return ph_errno();
    tv->tv_sec = now.tv_sec;
    tv->tv_usec = (int32_t)(now.tv_nsec / 1000);
    return 0;
}

void uv_sleep(unsigned int msec) {
    struct timespec left = {msec / 1000, (long)(msec % 1000) * 1000000};
    while (nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}
