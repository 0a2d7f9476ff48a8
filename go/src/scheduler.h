#ifndef GO_SCHEDULER_H
#define GO_SCHEDULER_H

/*
 * One scheduler for each loop that has coroutines. What always holds:
 * - While the loop's own code runs (`current` is NULL), whoever is ready has had its chance: every
 *   callback of ours ends with go__run, which goes on until nobody is ready, or for a while and has
 *   the loop's next turn go on.
 * - A coroutine that waits is in at most one list of waiters, has at most one deadline, and is made
 *   ready once (go__ready).
 */

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

#include "context.h"
#include "list.h"
#include "phasor_go.h"

#define GO__HIDDEN __attribute__((visibility("hidden")))

enum go__state { GO__FREE, GO__READY, GO__RUNNING, GO__WAITING, GO__ENDED };

/* Ends a wait early. True: it has ended. False: it can't be left now, the coroutine will be made
 * ready when it has come to its end. May be called again. */
typedef bool (*go__abandon)(void* data, int why);

/* What every switch, wait and wake needs stands together in the first cache line. */
struct go_s {
    struct go__context context;
    struct go_s* next; /* in the queue of those that are ready, or of free stacks */
    struct go__scheduler* scheduler;
    int status; /* how the last wait ended; after the end, what fn returned */
    uint8_t state;
    uint8_t cancelled;
    uint8_t shields;
    uint8_t guarded : 1; /* its guard page can't be touched */
    uint8_t timed : 1;   /* it has a deadline */
    /* What it waits for. */
    const char* what;
    go__abandon abandon;
    void* data;
    size_t due_place; /* of its deadline in the heap */
    struct go__exceptions exceptions;
    go_fn fn;
    void* arg;
    struct go_link joiners;
    go_group_t* group;
    struct go_link in_group;
    unsigned groups; /* that it began and has not waited for */
    char name[GO_NAME_SIZE];
    /* The stack. */
    struct go__slab* slab;
    char* low; /* the lowest address, where the guard page is or the page that must stay empty */
    size_t size;
    uint16_t shift; /* how far below its top the stack begins */
    uint8_t held;   /* someone has a handle */
    uint8_t used, clean;
} __attribute__((aligned(64)));

struct go__due {
    uint64_t time;
    uint64_t order; /* of starting: equal times come in this order */
    go_t* go;
};

enum { GO__CLASS_FIRST = 14, GO__CLASSES = 18 }; /* stacks of 2^14 to 2^31 bytes */

struct go__class {
    go_t* free; /* last one used first */
    size_t free_count;
    size_t low_count; /* the fewest that were free since the last look */
    struct go__slab* slabs;
};

struct go__watch; /* watch.h */

/* What another thread has for a loop: run on the loop's thread. */
struct go__mail {
    struct go__mail* next;
    void (*run)(struct go__mail* mail);
};

struct go__scheduler {
    uv_loop_t* loop;
    go_t* current; /* NULL: the loop's own code runs */
    go_t *ready_first, *ready_last;
    go_t* starters; /* who waits until the one that it started waits or ends; the last one first */
    int budget;     /* how many may still run before the loop has a turn */
    struct go__context main;
    struct go__exceptions exceptions; /* the loop's */
    size_t live;                      /* coroutines that have not ended */
    struct go__class classes[GO__CLASSES];
    size_t stacks; /* in all slabs: the heap has room for all of them */
    struct go__due* due;
    size_t due_count, due_room;
    uint64_t due_order, armed; /* when the timer comes; UINT64_MAX: it does not */
    struct go__watch** watches;
    size_t watch_count, watch_room;
    struct go__watch *free_watches, *last_watch;
    unsigned writers; /* watches of writers */
    /* Handles on the loop, made when they are needed first. */
    uv_timer_t timer, trimmer;
    uv_idle_t turn;
    uv_async_t async;
    bool has_timer, has_trimmer, has_turn, has_async, trimming;
    unsigned handles;
    unsigned expected; /* coroutines that wait for other threads */
    _Atomic(struct go__mail*) mail;
    atomic_uint senders; /* threads inside go__mail_send */
    pthread_t thread;
    struct go__scheduler* next;
};

/* The loop that this thread asked for last. A scheduler that is closed makes all of these old. */
struct go__last {
    uv_loop_t* loop;
    struct go__scheduler* scheduler;
    unsigned closed;
};
GO__HIDDEN extern __thread struct go__last go__last __attribute__((tls_model("initial-exec")));
GO__HIDDEN extern atomic_uint go__closed; /* how many there were and are no more */
GO__HIDDEN struct go__scheduler* go__scheduler_search(uv_loop_t* loop);

/* Of the loop; made when there is none. NULL: no memory. */
static inline struct go__scheduler* go__scheduler_of(uv_loop_t* loop) {
    unsigned closed = atomic_load_explicit(&go__closed, memory_order_acquire);
    if (go__last.loop == loop && go__last.closed == closed)
        return go__last.scheduler;
    return go__scheduler_search(loop);
}
/* Where a coroutine runs on this thread; NULL outside of coroutines. */
GO__HIDDEN struct go__scheduler* go__here(void);
/* The same, if that is the loop's; otherwise NULL. */
static inline struct go__scheduler* go__on(const uv_loop_t* loop) {
    struct go__scheduler* s = go__here();
    return s != NULL && s->loop == loop ? s : NULL;
}

/* Waits. 0 or what it was made ready with, or UV_ETIMEDOUT or UV_ECANCELED. `what` is for people.
 * `abandon` may be NULL: then there is nothing to undo. */
GO__HIDDEN go_suspends int go__suspend(struct go__scheduler* s, const char* what,
                                       go__abandon abandon, void* data, uint64_t deadline);
/* Ends the wait of a coroutine; it runs later. */
GO__HIDDEN void go__ready(go_t* go, int status);
/* On the loop's stack: runs those that are ready. In a coroutine it does nothing. */
GO__HIDDEN void go__run(struct go__scheduler* s);
/* A deadline or a cancel: ends the wait if it can be left. */
GO__HIDDEN void go__interrupt(go_t* go, int why);

/* Cancels every coroutine of the loop, and runs them. */
GO__HIDDEN void go__cancel_all(struct go__scheduler* s);
/* The same, where nothing can wake them any more; says on standard error who waits for what. */
GO__HIDDEN void go__end_deadlock(struct go__scheduler* s);

GO__HIDDEN int go__begin(struct go__scheduler* s, const go_options_t* options, go_fn fn, void* arg,
                         go_group_t* group, go_t** handle);
GO__HIDDEN void go__group_enter(go_t* go);
GO__HIDDEN void go__group_leave(go_t* go, int result);

/* stack.c */
GO__HIDDEN extern size_t go__page; /* the size of a page: of a guard */
GO__HIDDEN go_t* go__stack_take(struct go__scheduler* s, size_t size);
GO__HIDDEN void go__stack_give(go_t* go);
/* Gives back memory of free stacks: of half of those that were not needed since the last time, or
 * of all. Says how many still have memory. */
GO__HIDDEN size_t go__stack_trim(struct go__scheduler* s, bool all);
GO__HIDDEN void go__stacks_free(struct go__scheduler* s);
GO__HIDDEN void go__stacks_each(struct go__scheduler* s, void (*visit)(go_t* go, void* arg),
                                void* arg);
/* Ends the process if something was written below the stack. */
GO__HIDDEN void go__stack_look(const go_t* go);

static inline void go__stack_check(const go_t* go) {
    if (!go->guarded)
        go__stack_look(go);
}

/* overflow.c */
GO__HIDDEN void go__overflow_watch(void);
GO__HIDDEN void go__overflow_watch_thread(void);
GO__HIDDEN __attribute__((noreturn)) void go__overflow_report(const go_t* go);

/* due.c */
GO__HIDDEN int go__due_reserve(struct go__scheduler* s, size_t count);
GO__HIDDEN void go__due_add(struct go__scheduler* s, go_t* go, uint64_t time);
GO__HIDDEN void go__due_remove(struct go__scheduler* s, go_t* go);

/* mail.c */
GO__HIDDEN int go__mail_open(struct go__scheduler* s);
GO__HIDDEN void go__mail_send(struct go__scheduler* s, struct go__mail* mail);
/* On the loop's thread: what has come. */
GO__HIDDEN void go__mail_take(struct go__scheduler* s);
/* Around a wait for another thread: the loop stays. */
GO__HIDDEN void go__mail_expect(struct go__scheduler* s, int change);

#endif
