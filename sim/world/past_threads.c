/*
 * Threads that programs make and how they wait for each other, past the library: one at a time, as
 * the library's own. The threads of engines are none of the world's order, but it waits for them:
 * they run much of their own code, and nothing that a program sees depends on when.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>

#include "world/preempt.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/waits.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

static bool waits_in_world(void) {
    return ph_world != NULL && ph_sleeper_known() != NULL && !ph_is_engine();
}

EXPORT int pthread_create(pthread_t* restrict thread, const pthread_attr_t* restrict attributes,
                          void* (*run)(void*), void* restrict argument) {
    if (waits_in_world()) {
        int result = ph_thread_start(thread, attributes, run, argument, true);
        ph_preempt_after_wait();
        return result;
    }
    if (ph_world != NULL)
        ph_stranger_came();
    return __real_pthread_create(thread, attributes, run, argument);
}

EXPORT int pthread_join(pthread_t thread, void** result) {
    return waits_in_world() ? __wrap_pthread_join(thread, result)
                            : __real_pthread_join(thread, result);
}

static int after_wait(int result) {
    int saved = errno;
    ph_preempt_after_wait();
    errno = saved;
    return result;
}

EXPORT int pthread_cond_wait(pthread_cond_t* restrict condition, pthread_mutex_t* restrict mutex) {
    if (!waits_in_world())
        return __real_pthread_cond_wait(condition, mutex);
    return after_wait(__wrap_pthread_cond_wait(condition, mutex));
}

EXPORT int pthread_cond_timedwait(pthread_cond_t* restrict condition,
                                  pthread_mutex_t* restrict mutex,
                                  const struct timespec* restrict limit) {
    if (!waits_in_world())
        return __real_pthread_cond_timedwait(condition, mutex, limit);
    return after_wait(__wrap_pthread_cond_timedwait(condition, mutex, limit));
}

typedef int (*clocked_wait)(pthread_cond_t*, pthread_mutex_t*, clockid_t, const struct timespec*);
typedef int (*clocked_sem)(sem_t*, clockid_t, const struct timespec*);

EXPORT int pthread_cond_clockwait(pthread_cond_t* restrict condition,
                                  pthread_mutex_t* restrict mutex, clockid_t clock,
                                  const struct timespec* restrict limit) {
    if (waits_in_world())
        return __wrap_pthread_cond_timedwait(condition, mutex, limit);
    clocked_wait real = (clocked_wait)ph_raw_next("pthread_cond_clockwait", NULL);
    return real(condition, mutex, clock, limit);
}

EXPORT int pthread_cond_signal(pthread_cond_t* condition) {
    return waits_in_world() ? __wrap_pthread_cond_signal(condition)
                            : __real_pthread_cond_signal(condition);
}

EXPORT int pthread_cond_broadcast(pthread_cond_t* condition) {
    return waits_in_world() ? __wrap_pthread_cond_broadcast(condition)
                            : __real_pthread_cond_broadcast(condition);
}

EXPORT int sem_wait(sem_t* semaphore) {
    return waits_in_world() ? after_wait(__wrap_sem_wait(semaphore)) : __real_sem_wait(semaphore);
}

EXPORT int sem_clockwait(sem_t* restrict semaphore, clockid_t clock,
                         const struct timespec* restrict limit) {
    if (waits_in_world())
        return ph_semaphore_wait(semaphore, limit);
    clocked_sem real = (clocked_sem)ph_raw_next("sem_clockwait", NULL);
    return real(semaphore, clock, limit);
}

EXPORT int sem_timedwait(sem_t* restrict semaphore, const struct timespec* restrict limit) {
    return sem_clockwait(semaphore, CLOCK_REALTIME, limit);
}

EXPORT int sem_post(sem_t* semaphore) {
    return waits_in_world() ? __wrap_sem_post(semaphore) : __real_sem_post(semaphore);
}

int __wrap_sched_yield(void) {
    return ph_raw_sched_yield();
}

/* Who waits for another by asking over and over lets it go on. */
EXPORT int sched_yield(void) {
    if (!waits_in_world())
        return ph_raw_sched_yield();
    ph_world_lock();
    ph_sleep(ph_world->now + PH_US, NULL);
    ph_world_unlock();
    return 0;
}

/* The threads of C11 are those of pthreads under other names. */
static int answer(int error) {
    switch (error) {
    case 0:
        return thrd_success;
    case ETIMEDOUT:
        return thrd_timedout;
    case ENOMEM:
        return thrd_nomem;
    case EBUSY:
        return thrd_busy;
    default:
        return thrd_error;
    }
}

struct start {
    thrd_start_t run;
    void* argument;
};

static void* begin(void* argument) {
    struct start start = *(struct start*)argument;
    free(argument);
    return (void*)(intptr_t)start.run(start.argument); /* NOLINT */
}

EXPORT int thrd_create(thrd_t* thread, thrd_start_t run, void* argument) {
    struct start* start = malloc(sizeof(*start));
    if (start == NULL)
        return thrd_nomem;
    *start = (struct start){run, argument};
    int error = pthread_create(thread, NULL, begin, start);
    if (error != 0)
        free(start);
    return answer(error);
}

EXPORT int thrd_join(thrd_t thread, int* result) {
    void* returned = NULL;
    int error = pthread_join(thread, &returned);
    if (error == 0 && result != NULL)
        *result = (int)(intptr_t)returned;
    return answer(error);
}

EXPORT int thrd_sleep(const struct timespec* time, struct timespec* left) {
    int error = clock_nanosleep(CLOCK_REALTIME, 0, time, left);
    return error == 0 ? 0 : error == EINTR ? -1 : -2;
}

EXPORT void thrd_yield(void) {
    sched_yield();
}

EXPORT int mtx_lock(mtx_t* mutex) {
    return answer(pthread_mutex_lock((pthread_mutex_t*)mutex));
}

EXPORT int mtx_trylock(mtx_t* mutex) {
    return answer(pthread_mutex_trylock((pthread_mutex_t*)mutex));
}

EXPORT int mtx_timedlock(mtx_t* restrict mutex, const struct timespec* restrict limit) {
    return answer(pthread_mutex_timedlock((pthread_mutex_t*)mutex, limit));
}

EXPORT int mtx_unlock(mtx_t* mutex) {
    return answer(pthread_mutex_unlock((pthread_mutex_t*)mutex));
}

EXPORT int cnd_wait(cnd_t* condition, mtx_t* mutex) {
    return answer(pthread_cond_wait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex));
}

EXPORT int cnd_timedwait(cnd_t* restrict condition, mtx_t* restrict mutex,
                         const struct timespec* restrict limit) {
    return answer(
        pthread_cond_timedwait((pthread_cond_t*)condition, (pthread_mutex_t*)mutex, limit));
}

EXPORT int cnd_signal(cnd_t* condition) {
    return answer(pthread_cond_signal((pthread_cond_t*)condition));
}

EXPORT int cnd_broadcast(cnd_t* condition) {
    return answer(pthread_cond_broadcast((pthread_cond_t*)condition));
}
