/*
 * Mutexes, read-write locks, semaphores, conditions, barriers, once and thread-local keys: the
 * system's own, with the library's error values. What only a programming error can cause ends the
 * process, because the caller of a lock has no way to go on without it.
 */

#include <errno.h>
#include <string.h>
#include <time.h>

#include "base/error.h"
#include "uv.h"

static inline void must(int err, const char* function) {
    if (__builtin_expect(err != 0, 0))
        ph_fatal("%s: %s", function, strerror(err));
}

/* Of a try-lock: either the lock was taken, or it is busy. */
static inline int taken_or_busy(int err, const char* function) {
    if (err == EBUSY || err == EAGAIN)
        return UV_EBUSY;
    must(err, function);
    return 0;
}

int uv_mutex_init(uv_mutex_t* mutex) {
    return -pthread_mutex_init(mutex, NULL);
}

int uv_mutex_init_recursive(uv_mutex_t* mutex) {
    pthread_mutexattr_t attr;
    must(pthread_mutexattr_init(&attr), __func__);
    must(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE), __func__);
    int err = pthread_mutex_init(mutex, &attr);
    must(pthread_mutexattr_destroy(&attr), __func__);
    return -err;
}

void uv_mutex_destroy(uv_mutex_t* mutex) {
    must(pthread_mutex_destroy(mutex), __func__);
}

void uv_mutex_lock(uv_mutex_t* mutex) {
    must(pthread_mutex_lock(mutex), __func__);
}

int uv_mutex_trylock(uv_mutex_t* mutex) {
    return taken_or_busy(pthread_mutex_trylock(mutex), __func__);
}

void uv_mutex_unlock(uv_mutex_t* mutex) {
    must(pthread_mutex_unlock(mutex), __func__);
}

int uv_rwlock_init(uv_rwlock_t* rwlock) {
    return -pthread_rwlock_init(rwlock, NULL);
}

void uv_rwlock_destroy(uv_rwlock_t* rwlock) {
    must(pthread_rwlock_destroy(rwlock), __func__);
}

void uv_rwlock_rdlock(uv_rwlock_t* rwlock) {
    must(pthread_rwlock_rdlock(rwlock), __func__);
}

int uv_rwlock_tryrdlock(uv_rwlock_t* rwlock) {
    return taken_or_busy(pthread_rwlock_tryrdlock(rwlock), __func__);
}

void uv_rwlock_rdunlock(uv_rwlock_t* rwlock) {
    must(pthread_rwlock_unlock(rwlock), __func__);
}

void uv_rwlock_wrlock(uv_rwlock_t* rwlock) {
    must(pthread_rwlock_wrlock(rwlock), __func__);
}

int uv_rwlock_trywrlock(uv_rwlock_t* rwlock) {
    return taken_or_busy(pthread_rwlock_trywrlock(rwlock), __func__);
}

void uv_rwlock_wrunlock(uv_rwlock_t* rwlock) {
    must(pthread_rwlock_unlock(rwlock), __func__);
}

int uv_sem_init(uv_sem_t* sem, unsigned int value) {
    return sem_init(sem, 0, value) == 0 ? 0 : ph_errno();
}

void uv_sem_destroy(uv_sem_t* sem) {
    must(sem_destroy(sem) == 0 ? 0 : errno, __func__);
}

void uv_sem_post(uv_sem_t* sem) {
    must(sem_post(sem) == 0 ? 0 : errno, __func__);
}

void uv_sem_wait(uv_sem_t* sem) {
    int rc;
    do
        rc = sem_wait(sem);
    while (rc != 0 && errno == EINTR);
    must(rc == 0 ? 0 : errno, __func__);
}

int uv_sem_trywait(uv_sem_t* sem) {
    int rc;
    do
        rc = sem_trywait(sem);
    while (rc != 0 && errno == EINTR);
    if (rc == 0)
        return 0;
    if (errno == EAGAIN)
        return UV_EAGAIN;
    must(errno, __func__);
    return 0;
}

int uv_cond_init(uv_cond_t* cond) {
    pthread_condattr_t attr;
    int err = pthread_condattr_init(&attr);
    if (err != 0)
        return -err;
    /* Timed waits must not follow a change of the wall clock. */
    err = pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    if (err == 0)
        err = pthread_cond_init(cond, &attr);
    pthread_condattr_destroy(&attr);
    return -err;
}

void uv_cond_destroy(uv_cond_t* cond) {
    must(pthread_cond_destroy(cond), __func__);
}

void uv_cond_signal(uv_cond_t* cond) {
    must(pthread_cond_signal(cond), __func__);
}

void uv_cond_broadcast(uv_cond_t* cond) {
    must(pthread_cond_broadcast(cond), __func__);
}

void uv_cond_wait(uv_cond_t* cond, uv_mutex_t* mutex) {
    must(pthread_cond_wait(cond, mutex), __func__);
}

int uv_cond_timedwait(uv_cond_t* cond, uv_mutex_t* mutex, uint64_t timeout) {
    const uint64_t second = 1000000000;
    uint64_t now = uv_hrtime();
    uint64_t due = timeout > INT64_MAX - now ? INT64_MAX : now + timeout;
    struct timespec when = {(time_t)(due / second), (long)(due % second)};
    int err = pthread_cond_timedwait(cond, mutex, &when);
    if (err == ETIMEDOUT)
        return UV_ETIMEDOUT;
    must(err, __func__);
    return 0;
}

int uv_barrier_init(uv_barrier_t* barrier, unsigned int count) {
    return -pthread_barrier_init(barrier, NULL, count);
}

void uv_barrier_destroy(uv_barrier_t* barrier) {
    must(pthread_barrier_destroy(barrier), __func__);
}

int uv_barrier_wait(uv_barrier_t* barrier) {
    int err = pthread_barrier_wait(barrier);
    if (err == PTHREAD_BARRIER_SERIAL_THREAD)
        return 1;
    must(err, __func__);
    return 0;
}

void uv_once(uv_once_t* guard, void (*callback)(void)) {
    must(pthread_once(guard, callback), __func__);
}

int uv_key_create(uv_key_t* key) {
    return -pthread_key_create(key, NULL);
}

void uv_key_delete(uv_key_t* key) {
    must(pthread_key_delete(*key), __func__);
}

void* uv_key_get(uv_key_t* key) {
    return pthread_getspecific(*key);
}

void uv_key_set(uv_key_t* key, void* value) {
    must(pthread_setspecific(*key, value), __func__);
}
