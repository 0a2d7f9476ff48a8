/*
 * Threads that programs make and how they wait for each other, past the library: one at a time, as
 * the library's own. The threads of engines are none of the world's order, but it waits for them:
 * they run much of their own code, and nothing that a program sees depends on when.
 */

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <string.h>

#include "world/preempt.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/waits.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

static bool is_engine(void) {
    static int known; /* 1: no, 2: yes */
    if (known == 0) {
        const char* name = program_invocation_short_name;
        known = 1 + (strcmp(name, "phasor") == 0 || strcmp(name, "node") == 0 ||
                     strcmp(name, "nodejs") == 0);
    }
    return known == 2;
}

static bool waits_in_world(void) {
    return ph_world != NULL && ph_sleeper_known() != NULL && !is_engine();
}

EXPORT int pthread_create(pthread_t* restrict thread, const pthread_attr_t* restrict attributes,
                          void* (*run)(void*), void* restrict argument) {
    if (waits_in_world())
        return ph_thread_start(thread, attributes, run, argument, true);
    if (ph_world != NULL)
        ph_stranger_came();
    return __real_pthread_create(thread, attributes, run, argument);
}

/* Where threads are interrupted, they are so at the locks of a program that has threads itself. */
static bool is_interrupted(void) {
    return waits_in_world() && ph_preempts_here();
}

EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
    return is_interrupted() ? ph_mutex_lock(mutex) : ph_next_pthread_mutex_lock(mutex);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    return is_interrupted() ? ph_mutex_unlock(mutex) : ph_next_pthread_mutex_unlock(mutex);
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
