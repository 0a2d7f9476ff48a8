#include <semaphore.h>
#include <time.h>

/* The older function knows the other clock only: as long from now as was asked for. */
int sem_clockwait(sem_t* sem, clockid_t clock, const struct timespec* until) {
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
