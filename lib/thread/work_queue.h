#ifndef PH_THREAD_WORK_QUEUE_H
#define PH_THREAD_WORK_QUEUE_H

/*
 * The work that waits for a thread of the pool. Submitting pushes onto a lock-free stack, the
 * inbox. Workers share the lock of the consumer side: under it they move what has arrived to a
 * list, oldest first, and take from that. Cancelling takes the same lock, so a piece of work is
 * unlinked before its callback is due, and its memory is the caller's again.
 */

#include <stdbool.h>
#include <stddef.h>

#include "thread/pool.h"

/* What a worker has taken. */
struct ph_job {
    struct uv__work* work;
    void (*run)(struct uv__work* work);
    enum ph_work_kind kind;
};

/* Empty. At most `slow_limit` pieces of slow work are taken at a time. */
void ph_work_queue_init(unsigned slow_limit);
void ph_work_queue_push(struct uv__work* work, enum ph_work_kind kind);
/* Something that a worker may start now, or that has to be looked at. False: there is none. */
bool ph_work_queue_has_work(void);
/* The same for those who will ask again before they sleep: cheaper where there is much to do, and
 * blind to what another thread moves at this moment. */
bool ph_work_queue_shows_work(void);
bool ph_work_queue_take(struct ph_job* job);
/* How many pieces wait: walks all of them. */
size_t ph_work_queue_count(void);
/* A piece of slow work that was taken is done. */
void ph_work_queue_slow_ends(void);
/* Too late: it has been taken, or is not there. Work that was cancelled and has not been called
 * back yet may be cancelled again, without effect. */
enum ph_cancelling { PH_TOO_LATE, PH_CANCELLED, PH_CANCELLED_BEFORE };
enum ph_cancelling ph_work_queue_cancel(struct uv__work* work);

/* Around a fork. The child's queue is to be made anew; what was queued stays the parent's to do. */
void ph_work_queue_lock(void);
void ph_work_queue_unlock(void);
void ph_work_queue_forget(void);

#endif
