/*
 * Threads that wait for each other by means of the library: conditions, semaphores, joins. They
 * sleep in the world, so that exactly one goes on at a time, and which one follows from the seed.
 * Locks are real: who waits for one is seen by the launcher (sim/search/look.c).
 */

#include <errno.h>
#include <semaphore.h>
#include <time.h>

#include "world/preempt.h"
#include "world/real.h"
#include "world/waits.h"
#include "world/world.h"

/* One thread of this process that waits. */
struct wait {
    struct uv__queue node;
    const void* what; /* the address of a condition, a semaphore or a sleeper */
    struct ph_sleeper* sleeper;
    bool roused;
};

static struct uv__queue waits = {&waits, &waits}; /* under the world's lock */
static _Thread_local struct wait own;             /* a thread waits for one thing at a time */

static void release(pthread_mutex_t* mutex);

/* With the lock held. False: the time has come. */
static bool wait_for(const void* what, uint64_t deadline, pthread_mutex_t* mutex) {
    own = (struct wait){.what = what, .sleeper = ph_sleeper_own()};
    ph_queue_push(&waits, &own.node);
    if (mutex != NULL)
        release(mutex);
    while (!own.roused && ph_world->now < deadline)
        ph_sleep(deadline, NULL);
    ph_queue_remove(&own.node);
    return own.roused;
}

static void rouse(struct wait* wait) {
    wait->roused = true;
    ph_sleeper_rouse(wait->sleeper);
}

static struct wait* next_for(const void* what, struct uv__queue* after) {
    for (struct uv__queue* node = after->next; node != &waits; node = node->next) {
        struct wait* wait = PH_CONTAINER_OF(node, struct wait, node);
        if (wait->what == what && !wait->roused)
            return wait;
    }
    return NULL;
}

static void rouse_all(const void* what) {
    for (struct wait* wait; (wait = next_for(what, &waits)) != NULL;)
        rouse(wait);
}

/* One of those that wait, by chance. */
static void rouse_one(const void* what) {
    struct wait* found = NULL;
    uint64_t seen = 0;
    for (struct wait* wait = next_for(what, &waits); wait != NULL;
         wait = next_for(what, &wait->node))
        if (++seen == 1 || ph_draw_below(PH_CHANCE_ORDER, seen) == 0)
            found = wait;
    if (found != NULL)
        rouse(found);
}

/* Whoever has roused another may now wait for it in a way that the world does not see. */
static void let_go(void) {
    if (!ph_queue_empty(&waits))
        ph_world->look = true;
    if (ph_world->look)
        ph_summon_launcher();
    ph_world_unlock();
}

/* Where threads are interrupted, one may sleep with a lock: who wants it sleeps in the world too,
 * so that exactly one goes on when it is free. */
static void release(pthread_mutex_t* mutex) {
    pthread_mutex_unlock(mutex);
    rouse_one(mutex);
}

int ph_mutex_lock(pthread_mutex_t* mutex) {
    if (ph_world == NULL || !ph_preempts())
        return pthread_mutex_lock(mutex);
    ph_preempt_here();
    int result = pthread_mutex_trylock(mutex);
    if (result != EBUSY)
        return result;
    ph_world_lock();
    while ((result = pthread_mutex_trylock(mutex)) == EBUSY)
        wait_for(mutex, PH_NEVER, NULL);
    ph_world_unlock();
    return result;
}

int ph_mutex_unlock(pthread_mutex_t* mutex) {
    int result = pthread_mutex_unlock(mutex);
    if (ph_world == NULL || !ph_preempts())
        return result;
    if (!ph_queue_empty(&waits)) {
        ph_world_lock();
        rouse_one(mutex);
        ph_world_unlock();
    }
    ph_preempt_here();
    return result;
}

int __wrap_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    if (ph_world == NULL)
        return __real_pthread_cond_wait(condition, mutex);
    ph_world_lock();
    wait_for(condition, PH_NEVER, mutex);
    ph_world_unlock();
    return ph_mutex_lock(mutex);
}

/* Which clock a condition goes by it does not tell; but the calendar is far beyond what the
 * monotonic clock can ever show. */
static uint64_t deadline_of(const struct timespec* limit) {
    uint64_t due = (uint64_t)limit->tv_sec * PH_S + (uint64_t)limit->tv_nsec;
    return ph_clock_deadline(due >= ph_world->wall / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, true,
                             due);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  const struct timespec* limit) {
    if (ph_world == NULL)
        return __real_pthread_cond_timedwait(condition, mutex, limit);
    ph_world_lock();
    uint64_t deadline = deadline_of(limit);
    bool roused = wait_for(condition, deadline, mutex);
    ph_world_unlock();
    int err = ph_mutex_lock(mutex);
    return err != 0 || roused ? err : ETIMEDOUT;
}

int __wrap_pthread_cond_signal(pthread_cond_t* condition) {
    if (ph_world != NULL) {
        ph_world_lock();
        rouse_one(condition);
        let_go();
    }
    return __real_pthread_cond_signal(condition); /* for who waits past the library */
}

int __wrap_pthread_cond_broadcast(pthread_cond_t* condition) {
    if (ph_world != NULL) {
        ph_world_lock();
        rouse_all(condition);
        let_go();
    }
    return __real_pthread_cond_broadcast(condition);
}

int __wrap_pthread_barrier_wait(pthread_barrier_t* barrier) {
    ph_may_block();
    return __real_pthread_barrier_wait(barrier);
}

int __wrap_sem_wait(sem_t* semaphore) {
    if (ph_world == NULL)
        return __real_sem_wait(semaphore);
    ph_world_lock();
    while (sem_trywait(semaphore) != 0)
        wait_for(semaphore, PH_NEVER, NULL);
    ph_world_unlock();
    return 0;
}

int ph_semaphore_wait(sem_t* semaphore, const struct timespec* limit) {
    ph_world_lock();
    uint64_t deadline = deadline_of(limit);
    bool taken;
    while (!(taken = sem_trywait(semaphore) == 0) && ph_world->now < deadline)
        wait_for(semaphore, deadline, NULL);
    ph_world_unlock();
    if (!taken)
        errno = ETIMEDOUT;
    return taken ? 0 : -1;
}

/* Also in a signal handler: where that has interrupted a thread in the world, the waiter is roused
 * when the thread leaves it. */
int __wrap_sem_post(sem_t* semaphore) {
    int result = __real_sem_post(semaphore);
    int saved = errno;
    if (ph_world != NULL && result == 0 && !ph_world_postpone(ph_waits_posted, semaphore)) {
        ph_world_lock();
        rouse_one(semaphore);
        let_go();
    }
    errno = saved;
    return result;
}

void ph_waits_posted(const void* semaphore) {
    ph_world_lock();
    rouse_one(semaphore);
    let_go();
}

void ph_waits_thread_ended(const struct ph_sleeper* sleeper) {
    rouse_all(sleeper);
}

int __wrap_pthread_join(pthread_t thread, void** result) {
    if (ph_world != NULL) {
        ph_world_lock();
        const struct ph_sleeper* sleeper = ph_sleeper_of(thread);
        if (sleeper != NULL)
            wait_for(sleeper, PH_NEVER, NULL);
        ph_world_unlock();
        ph_may_block();
    }
    return __real_pthread_join(thread, result);
}
