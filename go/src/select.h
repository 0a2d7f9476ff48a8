#ifndef GO_SELECT_H
#define GO_SELECT_H

/*
 * Waiting for several things, or for something that other threads have. Whoever wants to end the
 * wait claims it first; only one can. The claimant then writes the result and wakes, and nobody
 * returns from a claimed wait before that.
 */

#include "waiter.h"

struct go__thread_wait {
    uv_mutex_t mutex;
    uv_cond_t condition;
    bool done;
};

struct go__selection {
    struct go__mail mail;           /* first: how other threads wake it */
    go_t* go;                       /* NULL: */
    struct go__thread_wait* thread; /* a thread waits */
    bool shared;                    /* other threads may claim it */
    atomic_int claimed;
    int index, status;
};

GO__HIDDEN bool go__selection_claim(struct go__selection* selection);
/* By who has claimed it, with a result. Outside of coroutines, go__run comes later. */
GO__HIDDEN void go__selection_wake(struct go__selection* selection, int index, int status);

/* A place in the queue of a channel. */
struct go__offer {
    struct go__waiter waiter; /* first */
    void* item;
};

/* channel.c */
/* Does what can be done without waiting; false: nothing can. `self` is not a partner for itself. */
GO__HIDDEN bool go__channel_try(go_case_t* one, const struct go__selection* self);
enum go__queued {
    GO__QUEUED,
    GO__DONE,  /* it could be done after all, and the wait is claimed for that */
    GO__TAKEN, /* somebody else has claimed the wait, and will wake it */
    GO__AGAIN, /* it is claimed, but those in the channel's queue were gone: once more */
    GO__FAILED /* it is claimed, and an event can't be waited for */
};
GO__HIDDEN enum go__queued go__channel_queue(go_case_t* one, struct go__offer* offer);
GO__HIDDEN void go__channel_leave(const go_case_t* one, struct go__offer* offer);
GO__HIDDEN bool go__channel_is_shared(const go_channel_t* channel);
/* Runs whom the last calls have woken, if the caller is not a coroutine. */
GO__HIDDEN void go__channel_run(void);

#endif
