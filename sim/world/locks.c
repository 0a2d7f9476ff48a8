/*
 * Locks and barriers of pthreads. Who wants one that is taken sleeps in the world, so that exactly
 * one thread goes on when it is left, and which one follows from the seed; where the world is
 * unkind to threads they may be interrupted at each of them.
 */

#include <errno.h>
#include <string.h>

#include "world/preempt.h"
#include "world/real.h"
#include "world/waits.h"

/* In the kind of a mutex: that several processes use it, and what type it is of. */
enum { SHARED_BIT = 128, KIND_MASK = 3 };

bool ph_is_engine(void) {
    static int known; /* 1: no, 2: yes */
    if (known == 0) {
        const char* name = program_invocation_short_name;
        known = 1 + (strcmp(name, "phasor") == 0 || strcmp(name, "node") == 0 ||
                     strcmp(name, "nodejs") == 0);
    }
    return known == 2;
}

static bool is_in_world(void) {
    return ph_world != NULL && (ph_preempts() || !ph_is_engine());
}

/* Of an engine only at the library's locks. */
static void maybe_interrupted(void) {
    if (ph_preempts() && (ph_is_engine() || ph_preempts_here()))
        ph_preempt_here();
}

int ph_lock(void* lock, int (*take)(void* lock), enum ph_waiting kind,
            const struct timespec* limit) {
    maybe_interrupted();
    int result = take(lock);
    if (result != EBUSY && !ph_somebody_waits())
        return result;
    ph_world_lock();
    uint64_t deadline = limit != NULL ? ph_wait_deadline(limit) : PH_NEVER;
    struct ph_sleeper* self = ph_sleeper_own();
    while (result == EBUSY && ph_world->now < deadline) {
        self->holder = kind == PH_WAITING_MUTEX ? ((pthread_mutex_t*)lock)->__data.__owner : 0;
        ph_wait_for(kind, lock, deadline, NULL);
        result = take(lock);
    }
    if (result == 0)
        ph_note_holder(lock, kind == PH_WAITING_MUTEX ? self->tid : 0);
    ph_world_unlock();
    ph_preempt_after_wait();
    return result == EBUSY ? ETIMEDOUT : result;
}

/* Also by threads that the world does not know. */
void ph_unlocked(const void* lock, bool for_all) {
    if (ph_somebody_waits()) {
        ph_world_lock();
        if (for_all)
            ph_rouse_all(lock);
        else
            ph_rouse_one(lock);
        if (ph_sleeper_known() != NULL)
            ph_world_unlock();
        else
            ph_let_go();
    }
    maybe_interrupted();
}

static int take_mutex(void* mutex) {
    return ph_next_pthread_mutex_trylock(mutex);
}

/* What the world does not decide: a lock of several processes, and what a thread may do that has it
 * already. */
static bool is_real(const pthread_mutex_t* mutex) {
    const struct ph_sleeper* self = ph_sleeper_known();
    int kind = mutex->__data.__kind & KIND_MASK;
    bool again = self != NULL && mutex->__data.__owner == self->tid;
    return (mutex->__data.__kind & SHARED_BIT) != 0 ||
           (again && (kind == PTHREAD_MUTEX_RECURSIVE || kind == PTHREAD_MUTEX_ERRORCHECK));
}

int ph_mutex_lock(pthread_mutex_t* mutex) {
    if (!is_in_world() || is_real(mutex))
        return ph_next_pthread_mutex_lock(mutex);
    return ph_lock(mutex, take_mutex, PH_WAITING_MUTEX, NULL);
}

int ph_mutex_unlock(pthread_mutex_t* mutex) {
    int result = ph_next_pthread_mutex_unlock(mutex);
    if (is_in_world())
        ph_unlocked(mutex, false);
    return result;
}

void ph_mutex_release(pthread_mutex_t* mutex) {
    ph_next_pthread_mutex_unlock(mutex);
    ph_rouse_one(mutex);
}

int ph_mutex_timedlock(pthread_mutex_t* mutex, const struct timespec* limit) {
    return ph_lock(mutex, take_mutex, PH_WAITING_MUTEX, limit);
}

/* What the world knows of a barrier of this process. */
struct barrier {
    struct uv__queue node;
    const pthread_barrier_t* place;
    unsigned count;
    unsigned arrived;
    uint64_t round;
};

static struct uv__queue barriers = {&barriers, &barriers}; /* under the world's lock */

static struct barrier* find_barrier(const pthread_barrier_t* place) {
    for (struct uv__queue* node = barriers.next; node != &barriers; node = node->next) {
        struct barrier* barrier = PH_CONTAINER_OF(node, struct barrier, node);
        if (barrier->place == place)
            return barrier;
    }
    return NULL;
}

void ph_barrier_forget(const pthread_barrier_t* place) {
    ph_world_lock();
    struct barrier* barrier = find_barrier(place);
    if (barrier != NULL) {
        ph_queue_remove(&barrier->node);
        ph_world_free(barrier, sizeof(*barrier));
    }
    ph_world_unlock();
}

void ph_barrier_made(const pthread_barrier_t* place, unsigned count) {
    ph_barrier_forget(place);
    ph_world_lock();
    struct barrier* barrier = ph_world_alloc(sizeof(*barrier));
    if (barrier == NULL)
        ph_world_end("the world has no room for another barrier");
    barrier->place = place;
    barrier->count = count;
    ph_queue_push(&barriers, &barrier->node);
    ph_world_unlock();
}

/* With the lock held. True for the one that comes last. */
static bool arrive(struct barrier* barrier) {
    uint64_t round = barrier->round;
    if (++barrier->arrived == barrier->count) {
        barrier->arrived = 0;
        barrier->round++;
        ph_rouse_all(barrier->place);
        return true;
    }
    while (barrier->round == round)
        ph_wait_for(PH_WAITING_BARRIER, barrier->place, PH_NEVER, NULL);
    return false;
}

int ph_barrier_wait(pthread_barrier_t* place) {
    ph_world_lock();
    struct barrier* barrier = find_barrier(place);
    bool last = barrier != NULL && arrive(barrier);
    ph_world_unlock();
    if (barrier != NULL)
        return last ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
    ph_may_block();
    return ph_next_pthread_barrier_wait(place);
}
