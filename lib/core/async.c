#include <sched.h>

#include "base/fence.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "hooks.h"

/*
 * `pending` is NOT_SENT until the first send and again just before the callback; only the sender
 * that changed it hands the handle over, so that happens at most once. Closing makes it LINKED for
 * good: later sends do nothing.
 *
 * Few handles are pushed onto the mailbox's stack. A long stack of handles in no order would cost a
 * walk through all of memory, so beyond `push_most` a sender leaves the handle MARKED, and the loop
 * looks through all its handles, which are in the order of their making: at most SHARE for
 * each that was sent.
 *
 * `listed` says that the loop has taken the handle and not called it yet, or that a closing handle
 * may still be in the mailbox's stack.
 */
enum {
    NOT_SENT,
    LINKED, /* in the mailbox's stack or taken by the loop, or a sender decides that right now */
    MARKED  /* in no list */
};

enum { FEW = 1024, SHARE = 64 };

/* Senders read this line: it is written seldom. */
static void set_push_most(uv_loop_t* loop) {
    unsigned long share = loop->internal.handle_count / SHARE;
    unsigned int most = share > FEW ? (unsigned int)share : FEW;
    if (loop->internal.mailbox.push_most != most)
        __atomic_store_n(&loop->internal.mailbox.push_most, most, __ATOMIC_RELAXED);
}

int uv_async_init(uv_loop_t* loop, uv_async_t* handle, uv_async_cb async_cb) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_ASYNC);
    handle->async.cb = async_cb;
    handle->async.next = NULL;
    handle->async.pending = NOT_SENT;
    handle->async.listed = 0;
    handle->async.senders = 0;
    handle->async.number = loop->internal.taken.asyncs_made++;
    set_push_most(loop);
    ph_handle_start(handle);
    return 0;
}

static void hand_over(struct uv__mailbox* mailbox, uv_async_t* handle) {
    unsigned int pushed = __atomic_load_n(&mailbox->pushed, __ATOMIC_RELAXED);
    if (pushed >= __atomic_load_n(&mailbox->push_most, __ATOMIC_RELAXED)) {
        __atomic_store_n(&handle->async.pending, MARKED, __ATOMIC_RELAXED);
        __atomic_exchange_n(&mailbox->marked, 1, __ATOMIC_SEQ_CST);
    } else {
        __atomic_store_n(&mailbox->pushed, pushed + 1, __ATOMIC_RELAXED);
        ph_mailbox_push(&mailbox->asyncs, handle, (void**)&handle->async.next);
    }
}

static __attribute__((noinline)) int send_first(uv_async_t* handle) {
    uv_loop_t* loop = handle->loop;
    __atomic_add_fetch(&handle->async.senders, 1, __ATOMIC_SEQ_CST);
    __typeof__(handle->async.pending) before = NOT_SENT;
    if (__atomic_compare_exchange_n(&handle->async.pending, &before, LINKED, false,
                                    __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        ph_tell_async_is_sent(loop, handle);
        hand_over(&loop->internal.mailbox, handle);
        ph_mailbox_wake(loop);
    }
    __atomic_sub_fetch(&handle->async.senders, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/*
 * Most sends of a busy program find that one is on its way already. The loop clears `pending` and
 * then calls back; the sender has written what the callback is to see and then looks at `pending`.
 * With the fence at least one sees the other: a callback that misses what was written is followed
 * by another.
 */
int uv_async_send(uv_async_t* handle) {
    ph_full_fence();
    if (__atomic_load_n(&handle->async.pending, __ATOMIC_SEQ_CST) != NOT_SENT)
        return 0;
    return send_first(handle);
}

enum {
    MOST_RUNS = 16,
    WORTH_A_WALK = 16 /* one handle in so many was sent, and they are in no order */
};

/* The numbers go round; handles that are there at the same time are never that far apart. */
static bool is_before(const uv_async_t* a, const uv_async_t* b) {
    return (int)(a->async.number - b->async.number) < 0;
}

/* Handles in order, linked by `next`. */
struct run {
    uv_async_t* first; /* NULL: there are none */
    uv_async_t* last;
};

static struct run append(struct run front, struct run back) {
    front.last->async.next = back.first;
    return (struct run){front.first, back.last};
}

/* Runs that do not overlap cost nothing, however long they are. */
static struct run merge(struct run a, struct run b) {
    if (a.first == NULL || b.first == NULL)
        return a.first != NULL ? a : b;
    if (is_before(a.last, b.first))
        return append(a, b);
    if (is_before(b.last, a.first))
        return append(b, a);
    struct run all = {NULL, is_before(a.last, b.last) ? b.last : a.last};
    uv_async_t** end = &all.first;
    while (a.first != NULL && b.first != NULL) {
        uv_async_t** lower = is_before(a.first, b.first) ? &a.first : &b.first;
        *end = *lower;
        end = &(*end)->async.next;
        *lower = *end;
    }
    *end = a.first != NULL ? a.first : b.first;
    return all;
}

/* Cuts the part that is in order off the beginning of the list. */
static struct run cut_run(uv_async_t** list) {
    struct run run = {*list, *list};
    while (run.last->async.next != NULL && is_before(run.last, run.last->async.next))
        run.last = run.last->async.next;
    *list = run.last->async.next;
    run.last->async.next = NULL;
    return run;
}

/* merged[i] is empty or made of 2^i runs. */
static struct run sort(uv_async_t* list) {
    enum { MOST = 32 };
    struct run merged[MOST] = {{NULL, NULL}};
    struct run all = {NULL, NULL};
    while (list != NULL) {
        struct run run = cut_run(&list);
        int i = 0;
        for (; merged[i].first != NULL; i++) {
            run = merge(merged[i], run);
            merged[i].first = NULL;
        }
        merged[i] = run;
    }
    for (int i = 0; i < MOST; i++)
        all = merge(merged[i], all);
    return all;
}

/* Of what has been taken: the runs, the newest first. If there are more, the last is in no order.
 */
struct pile {
    struct run runs[MOST_RUNS];
    unsigned int run_count;
    unsigned long count;
    bool is_mixed;
};

static void put(struct pile* pile, uv_async_t* handle) {
    struct run* run = pile->run_count > 0 ? &pile->runs[pile->run_count - 1] : NULL;
    bool fits = run != NULL && is_before(handle, run->first);
    if (!fits && pile->run_count < MOST_RUNS) {
        run = &pile->runs[pile->run_count++];
        *run = (struct run){NULL, handle};
    } else if (!fits) {
        pile->is_mixed = true;
    }
    handle->async.next = run->first;
    run->first = handle;
    handle->async.listed = 1;
    pile->count++;
}

/* Closing handles are done with. */
static void sort_out(struct pile* pile, uv_async_t* newest) {
    while (newest != NULL) {
        uv_async_t* next = newest->async.next;
        if (ph_is_closing(newest))
            newest->async.listed = 0;
        else
            put(pile, newest);
        newest = next;
    }
}

/* Which handles are to be called, in order. */
struct collection {
    struct run run;
    bool is_mixed;
};

static bool is_taken(const uv_async_t* handle) {
    return handle->async.listed ||
           __atomic_load_n(&handle->async.pending, __ATOMIC_RELAXED) == MARKED;
}

static void collect_from(struct collection* found, struct uv__queue* head) {
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        uv_async_t* async = (uv_async_t*)handle;
        if (handle->type != UV_ASYNC || ph_is_closing(handle) || !is_taken(async))
            continue;
        struct run one = {async, async};
        async->async.next = NULL;
        async->async.listed = 1;
        __atomic_store_n(&async->async.pending, LINKED, __ATOMIC_RELAXED);
        if (found->run.first != NULL && !is_before(found->run.last, async))
            found->is_mixed = true;
        found->run = found->run.first == NULL ? one : append(found->run, one);
    }
}

/* The loop's handles are in the order of their making, but for those that were made while uv_walk
 * ran: to go through all of them finds in order what was taken and what is marked. */
static struct run collect(uv_loop_t* loop) {
    struct collection found = {{NULL, NULL}, false};
    collect_from(&found, &loop->handle_queue);
    for (struct uv__walk* walk = loop->internal.walks; walk != NULL; walk = walk->outer)
        collect_from(&found, &walk->rest);
    return found.is_mixed ? sort(found.run.first) : found.run;
}

/* Few runs are merged. Of many, a good part of all handles is looked up, and less is sorted. */
static struct run put_in_order(uv_loop_t* loop, struct pile* pile) {
    struct run all = {NULL, NULL};
    if (pile->is_mixed && pile->count >= loop->internal.handle_count / WORTH_A_WALK &&
        loop->internal.taken.asyncs == NULL)
        return collect(loop);
    for (unsigned int i = 0; i < pile->run_count; i++)
        if (pile->is_mixed)
            all = all.first == NULL ? pile->runs[i] : append(all, pile->runs[i]);
        else
            all = merge(pile->runs[i], all);
    return pile->is_mixed ? sort(all.first) : all;
}

static struct run taken_before(uv_async_t* first) {
    struct run run = {first, first};
    while (run.last != NULL && run.last->async.next != NULL)
        run.last = run.last->async.next;
    return run;
}

static void drop_closing(uv_async_t** link) {
    while (*link != NULL) {
        if (ph_is_closing(*link)) {
            (*link)->async.listed = 0;
            *link = (*link)->async.next;
        } else {
            link = &(*link)->async.next;
        }
    }
}

static bool take_marks(struct uv__mailbox* mailbox) {
    return __atomic_load_n(&mailbox->marked, __ATOMIC_RELAXED) != 0 &&
           __atomic_exchange_n(&mailbox->marked, 0, __ATOMIC_ACQUIRE) != 0;
}

static void take_pile(uv_loop_t* loop, uv_async_t* newest, bool marked) {
    uv_async_t** taken = &loop->internal.taken.asyncs;
    struct pile pile; /* its runs are set when they begin */
    pile.run_count = 0;
    pile.count = 0;
    pile.is_mixed = false;
    sort_out(&pile, newest);
    if (marked) {
        drop_closing(taken);
        *taken = collect(loop).first;
    } else {
        *taken = merge(taken_before(*taken), put_in_order(loop, &pile)).first;
    }
}

/* In the order in which the handles were initialised, whatever the order of sending. */
bool ph_take_asyncs(uv_loop_t* loop) {
    bool marked = take_marks(&loop->internal.mailbox);
    uv_async_t* newest = ph_mailbox_take(&loop->internal.mailbox.asyncs);
    uv_async_t** taken = &loop->internal.taken.asyncs;
    if (newest == NULL && !marked)
        return *taken != NULL;
    __atomic_store_n(&loop->internal.mailbox.pushed, 0, __ATOMIC_RELAXED);
    if (!marked && newest->async.next == NULL && *taken == NULL)
        *taken = newest;
    else
        take_pile(loop, newest, marked);
    return true;
}

void ph_run_asyncs(uv_loop_t* loop) {
    while (loop->internal.taken.asyncs != NULL) {
        uv_async_t* handle = loop->internal.taken.asyncs;
        loop->internal.taken.asyncs = handle->async.next;
        handle->async.listed = 0;
        if (ph_is_closing(handle))
            continue;
        __atomic_store_n(&handle->async.pending, NOT_SENT, __ATOMIC_SEQ_CST);
        if (handle->async.cb != NULL)
            PH_DISPATCH(loop, handle, handle->async.cb, handle);
    }
}

bool ph_async_close(uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    int before = __atomic_exchange_n(&async->async.pending, LINKED, __ATOMIC_SEQ_CST);
    async->async.listed = before == LINKED;
    ph_handle_stop(async);
    return true;
}

/* What stays goes back to the stack: it is not for this turn. */
static void drop_closing_from_stack(struct uv__mailbox* mailbox) {
    uv_async_t* rest = ph_mailbox_take(&mailbox->asyncs);
    drop_closing(&rest);
    while (rest != NULL) {
        uv_async_t* handle = rest;
        rest = handle->async.next;
        ph_mailbox_push(&mailbox->asyncs, handle, (void**)&handle->async.next);
    }
}

/* The caller may free the handle after its close callback, and then the loop: by then the handle is
 * out of the mailbox and every sender is done. */
void ph_async_finish(uv_loop_t* loop, uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    while (__atomic_load_n(&async->async.senders, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
    if (async->async.listed && __atomic_load_n(&async->async.pending, __ATOMIC_RELAXED) == LINKED) {
        drop_closing(&loop->internal.taken.asyncs);
        drop_closing_from_stack(&loop->internal.mailbox);
    }
}

static void send_anew(struct uv__mailbox* mailbox, struct uv__queue* head) {
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        uv_async_t* async = (uv_async_t*)handle;
        if (handle->type != UV_ASYNC)
            continue;
        async->async.senders = 0;
        async->async.listed = 0;
        if (async->async.pending == NOT_SENT || ph_is_closing(handle))
            continue;
        async->async.pending = LINKED;
        ph_mailbox_push(&mailbox->asyncs, async, (void**)&async->async.next);
    }
}

/* A thread that was sending may have begun to hand its handle over, or be counted as a sender for
 * ever. So the list of what was sent is made anew from what the handles say. */
void ph_asyncs_fork(uv_loop_t* loop) {
    struct uv__mailbox* mailbox = &loop->internal.mailbox;
    mailbox->asyncs = NULL;
    mailbox->marked = 0;
    mailbox->pushed = 0;
    loop->internal.taken.asyncs = NULL;
    send_anew(mailbox, &loop->handle_queue);
    for (struct uv__walk* walk = loop->internal.walks; walk != NULL; walk = walk->outer)
        send_anew(mailbox, &walk->rest);
}
