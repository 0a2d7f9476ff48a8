/* Locks and barriers that programs use past the library. */

#include <pthread.h>
#include <time.h>

#include "world/preempt.h"
#include "world/real.h"
#include "world/waits.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

static bool is_program(void) {
    return ph_world != NULL && !ph_is_engine();
}

static bool waits_in_world(void) {
    return is_program() && ph_sleeper_known() != NULL;
}

EXPORT int pthread_mutex_lock(pthread_mutex_t* mutex) {
    return waits_in_world() ? ph_mutex_lock(mutex) : ph_next_pthread_mutex_lock(mutex);
}

EXPORT int pthread_mutex_trylock(pthread_mutex_t* mutex) {
    if (waits_in_world() && ph_preempts_here())
        ph_preempt_here();
    return ph_next_pthread_mutex_trylock(mutex);
}

EXPORT int pthread_mutex_unlock(pthread_mutex_t* mutex) {
    return is_program() ? ph_mutex_unlock(mutex) : ph_next_pthread_mutex_unlock(mutex);
}

EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                   const struct timespec* limit) {
    return waits_in_world() ? ph_mutex_timedlock(mutex, limit)
                            : ph_next_pthread_mutex_clocklock(mutex, clock, limit);
}

EXPORT int pthread_mutex_timedlock(pthread_mutex_t* restrict mutex,
                                   const struct timespec* restrict limit) {
    return pthread_mutex_clocklock(mutex, CLOCK_REALTIME, limit);
}

static int take_to_read(void* lock) {
    return ph_next_pthread_rwlock_tryrdlock(lock);
}

static int take_to_write(void* lock) {
    return ph_next_pthread_rwlock_trywrlock(lock);
}

EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t* lock) {
    return waits_in_world() ? ph_lock(lock, take_to_read, PH_WAITING_LOCK, NULL)
                            : ph_next_pthread_rwlock_rdlock(lock);
}

EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t* lock) {
    return waits_in_world() ? ph_lock(lock, take_to_write, PH_WAITING_LOCK, NULL)
                            : ph_next_pthread_rwlock_wrlock(lock);
}

EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* restrict lock, clockid_t clock,
                                      const struct timespec* restrict limit) {
    return waits_in_world() ? ph_lock(lock, take_to_read, PH_WAITING_LOCK, limit)
                            : ph_next_pthread_rwlock_clockrdlock(lock, clock, limit);
}

EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* restrict lock, clockid_t clock,
                                      const struct timespec* restrict limit) {
    return waits_in_world() ? ph_lock(lock, take_to_write, PH_WAITING_LOCK, limit)
                            : ph_next_pthread_rwlock_clockwrlock(lock, clock, limit);
}

EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* restrict lock,
                                      const struct timespec* restrict limit) {
    return pthread_rwlock_clockrdlock(lock, CLOCK_REALTIME, limit);
}

EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* restrict lock,
                                      const struct timespec* restrict limit) {
    return pthread_rwlock_clockwrlock(lock, CLOCK_REALTIME, limit);
}

EXPORT int pthread_rwlock_unlock(pthread_rwlock_t* lock) {
    int result = ph_next_pthread_rwlock_unlock(lock);
    if (is_program())
        ph_unlocked(lock, true);
    return result;
}

static int take_spin(void* lock) {
    return ph_next_pthread_spin_trylock(lock);
}

EXPORT int pthread_spin_lock(pthread_spinlock_t* lock) {
    return waits_in_world() ? ph_lock((void*)(uintptr_t)lock, take_spin, PH_WAITING_LOCK, NULL)
                            : ph_next_pthread_spin_lock(lock);
}

EXPORT int pthread_spin_unlock(pthread_spinlock_t* lock) {
    int result = ph_next_pthread_spin_unlock(lock);
    if (is_program())
        ph_unlocked((const void*)(uintptr_t)lock, true);
    return result;
}

EXPORT int pthread_barrier_init(pthread_barrier_t* restrict barrier,
                                const pthread_barrierattr_t* restrict kind, unsigned count) {
    int result = ph_next_pthread_barrier_init(barrier, kind, count);
    int shared = PTHREAD_PROCESS_PRIVATE;
    if (kind != NULL)
        pthread_barrierattr_getpshared(kind, &shared);
    if (result == 0 && is_program() && shared == PTHREAD_PROCESS_PRIVATE)
        ph_barrier_made(barrier, count);
    return result;
}

EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) {
    if (ph_world == NULL)
        return ph_next_pthread_barrier_wait(barrier);
    int result = ph_barrier_wait(barrier);
    ph_preempt_after_wait();
    return result;
}

EXPORT int pthread_barrier_destroy(pthread_barrier_t* barrier) {
    if (is_program())
        ph_barrier_forget(barrier);
    return ph_next_pthread_barrier_destroy(barrier);
}
