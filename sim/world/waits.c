/*
 * Threads that wait for each other by means of the library: conditions, semaphores, joins. They
 * sleep in the world, so that exactly one goes on at a time, and which one follows from the seed.
 * Locks are in locks.c.
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
    const void* what; /* the address of a lock, a condition, a semaphore, a barrier or a sleeper */
    struct ph_sleeper* sleeper;
    bool roused;
};

static struct uv__queue waits = {&waits, &waits}; /* under the world's lock */
static _Thread_local struct wait own;             /* a thread waits for one thing at a time */

bool ph_wait_for(enum ph_waiting kind, const void* what, uint64_t deadline,
                 pthread_mutex_t* mutex) {
    own = (struct wait){.what = what, .sleeper = ph_sleeper_own()};
    own.sleeper->waiting = kind;
    own.sleeper->waits_for = (uintptr_t)what;
    ph_queue_push(&waits, &own.node);
    if (mutex != NULL)
        ph_mutex_release(mutex);
    while (!own.roused && ph_world->now < deadline)
        ph_sleep(deadline, NULL);
    ph_queue_remove(&own.node);
    own.sleeper->waiting = PH_WAITING_OTHERWISE;
    return own.roused;
}

void ph_note_holder(const void* mutex, int holder) {
    for (struct uv__queue* node = waits.next; node != &waits; node = node->next) {
        struct wait* wait = PH_CONTAINER_OF(node, struct wait, node);
        if (wait->what == mutex)
            wait->sleeper->holder = holder;
    }
}

bool ph_somebody_waits(void) {
    return !ph_queue_empty(&waits);
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

void ph_rouse_all(const void* what) {
    for (struct wait* wait; (wait = next_for(what, &waits)) != NULL;)
        rouse(wait);
}

void ph_rouse_one(const void* what) {
    struct wait* found = NULL;
    uint64_t seen = 0;
    for (struct wait* wait = next_for(what, &waits); wait != NULL;
         wait = next_for(what, &wait->node))
        if (++seen == 1 || ph_draw_below(PH_CHANCE_ORDER, seen) == 0)
            found = wait;
    if (found != NULL)
        rouse(found);
}

void ph_let_go(void) {
    if (!ph_queue_empty(&waits))
        ph_world->look = true;
    if (ph_world->look)
        ph_summon_launcher();
    ph_world_unlock();
}

int __wrap_pthread_cond_wait(pthread_cond_t* condition, pthread_mutex_t* mutex) {
    if (ph_world == NULL)
        return __real_pthread_cond_wait(condition, mutex);
    ph_world_lock();
    ph_wait_for(PH_WAITING_CONDITION, condition, PH_NEVER, mutex);
    ph_world_unlock();
    return ph_mutex_lock(mutex);
}

/* Which clock a condition goes by it does not tell; but the calendar is far beyond what the
 * monotonic clock can ever show. */
uint64_t ph_wait_deadline(const struct timespec* limit) {
    uint64_t due = (uint64_t)limit->tv_sec * PH_S + (uint64_t)limit->tv_nsec;
    return ph_clock_deadline(due >= ph_world->wall / 2 ? CLOCK_REALTIME : CLOCK_MONOTONIC, true,
                             due);
}

int __wrap_pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                  const struct timespec* limit) {
    if (ph_world == NULL)
        return __real_pthread_cond_timedwait(condition, mutex, limit);
    ph_world_lock();
    uint64_t deadline = ph_wait_deadline(limit);
    bool roused = ph_wait_for(PH_WAITING_CONDITION, condition, deadline, mutex);
    ph_world_unlock();
    int err = ph_mutex_lock(mutex);
    return err != 0 || roused ? err : ETIMEDOUT;
}

int __wrap_pthread_cond_signal(pthread_cond_t* condition) {
    if (ph_world != NULL) {
        ph_world_lock();
        ph_rouse_one(condition);
        ph_let_go();
    }
    return __real_pthread_cond_signal(condition); /* for who waits past the library */
}

int __wrap_pthread_cond_broadcast(pthread_cond_t* condition) {
    if (ph_world != NULL) {
        ph_world_lock();
        ph_rouse_all(condition);
        ph_let_go();
    }
    return __real_pthread_cond_broadcast(condition);
}

int __wrap_sem_wait(sem_t* semaphore) {
    if (ph_world == NULL)
        return __real_sem_wait(semaphore);
    ph_world_lock();
    while (sem_trywait(semaphore) != 0)
        ph_wait_for(PH_WAITING_SEMAPHORE, semaphore, PH_NEVER, NULL);
    ph_world_unlock();
    return 0;
}

int ph_semaphore_wait(sem_t* semaphore, const struct timespec* limit) {
    ph_world_lock();
    uint64_t deadline = ph_wait_deadline(limit);
    bool taken;
    while (!(taken = sem_trywait(semaphore) == 0) && ph_world->now < deadline)
        ph_wait_for(PH_WAITING_SEMAPHORE, semaphore, deadline, NULL);
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
        ph_rouse_one(semaphore);
        ph_let_go();
    }
    errno = saved;
    return result;
}

void ph_waits_posted(const void* semaphore) {
    ph_world_lock();
    ph_rouse_one(semaphore);
    ph_let_go();
}

void ph_waits_thread_ended(const struct ph_sleeper* sleeper) {
    ph_rouse_all(sleeper);
}

int __wrap_pthread_join(pthread_t thread, void** result) {
    if (ph_world != NULL) {
        ph_world_lock();
        const struct ph_sleeper* sleeper = ph_sleeper_of(thread);
        if (sleeper != NULL)
            ph_wait_for(PH_WAITING_THREAD, sleeper, PH_NEVER, NULL);
        ph_world_unlock();
        ph_may_block();
    }
    return __real_pthread_join(thread, result);
}
