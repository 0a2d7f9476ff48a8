#ifndef PH_RECORDER_BELL_H
#define PH_RECORDER_BELL_H

/* Sleeping until a moment of CLOCK_MONOTONIC, or until somebody rings. */

#include <errno.h>
#include <semaphore.h>
#include <time.h>

#ifdef __GLIBC__
static inline int ph_bell_wait_once(sem_t* bell, const struct timespec* until) {
    return sem_clockwait(bell, CLOCK_MONOTONIC, until);
}
#else
/* musl waits on the clock of the day alone. */
static inline int ph_bell_wait_once(sem_t* bell, const struct timespec* until) {
    struct timespec now;
    struct timespec day;
    clock_gettime(CLOCK_MONOTONIC, &now);
    clock_gettime(CLOCK_REALTIME, &day);
    day.tv_sec += until->tv_sec - now.tv_sec;
    day.tv_nsec += until->tv_nsec - now.tv_nsec;
    if (day.tv_nsec < 0) {
        day.tv_nsec += 1000000000;
        day.tv_sec--;
    } else if (day.tv_nsec >= 1000000000) {
        day.tv_nsec -= 1000000000;
        day.tv_sec++;
    }
    return sem_timedwait(bell, &day);
}
#endif

static inline void ph_bell_wait(sem_t* bell, const struct timespec* until) {
    while (ph_bell_wait_once(bell, until) != 0 && errno == EINTR)
        continue;
}

#endif
