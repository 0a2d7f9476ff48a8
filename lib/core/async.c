#include <sched.h>

#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "recorder/trace.h"

/*
 * `pending` goes from 0 to 1 with the first send and back to 0 just before the callback; only the
 * sender that made it 1 pushes the handle, so a handle is in the mailbox at most once. Closing
 * makes it 1 for good: later sends do nothing. `listed` says that the loop has taken the handle
 * from the mailbox and not called it yet, or that a closing handle may still be in the mailbox.
 */

int uv_async_init(uv_loop_t* loop, uv_async_t* handle, uv_async_cb async_cb) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_ASYNC);
    handle->async.cb = async_cb;
    handle->async.next = NULL;
    handle->async.pending = 0;
    handle->async.listed = 0;
    handle->async.senders = 0;
    handle->async.number = loop->internal.taken.asyncs_made++;
    ph_handle_start(handle);
    return 0;
}

static __attribute__((noinline)) int send_first(uv_async_t* handle) {
    uv_loop_t* loop = handle->loop;
    __atomic_add_fetch(&handle->async.senders, 1, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&handle->async.pending, 1, __ATOMIC_SEQ_CST) == 0) {
        ph_trace_send(loop, handle);
        ph_mailbox_push(&loop->internal.mailbox.asyncs, handle, (void**)&handle->async.next);
        ph_mailbox_wake(loop);
    }
    __atomic_sub_fetch(&handle->async.senders, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* Most sends of a busy program find that one is on its way already. */
int uv_async_send(uv_async_t* handle) {
    if (__atomic_load_n(&handle->async.pending, __ATOMIC_SEQ_CST) != 0)
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

/* The loop's handles are in the order of their making, but for those that were made while uv_walk
 * ran: to go through all of them finds in order what was taken. While it runs not all are there. */
static struct run collect(uv_loop_t* loop) {
    struct uv__queue* head = &loop->handle_queue;
    struct run run = {NULL, NULL};
    bool in_order = true;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        uv_async_t* async = (uv_async_t*)handle;
        if (handle->type != UV_ASYNC || ph_is_closing(handle) || !async->async.listed)
            continue;
        struct run one = {async, async};
        async->async.next = NULL;
        in_order = in_order && (run.first == NULL || is_before(run.last, async));
        run = run.first == NULL ? one : append(run, one);
    }
    return in_order ? run : sort(run.first);
}

/* Few runs are merged. Of many, a good part of all handles is looked up, and less is sorted. */
static struct run put_in_order(uv_loop_t* loop, struct pile* pile) {
    struct run all = {NULL, NULL};
    if (pile->is_mixed && pile->count >= loop->internal.handle_count / WORTH_A_WALK &&
        loop->internal.taken.asyncs == NULL && loop->internal.walks == 0)
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

/* In the order in which the handles were initialised, whatever the order of sending. */
bool ph_take_asyncs(uv_loop_t* loop) {
    uv_async_t* newest = ph_mailbox_take(&loop->internal.mailbox.asyncs);
    uv_async_t** taken = &loop->internal.taken.asyncs;
    if (newest == NULL)
        return *taken != NULL;
    if (newest->async.next == NULL && *taken == NULL) {
        *taken = newest;
        return true;
    }
    struct pile pile; /* its runs are set when they begin */
    pile.run_count = 0;
    pile.count = 0;
    pile.is_mixed = false;
    sort_out(&pile, newest);
    *taken = merge(taken_before(*taken), put_in_order(loop, &pile)).first;
    return true;
}

void ph_run_asyncs(uv_loop_t* loop) {
    while (loop->internal.taken.asyncs != NULL) {
        uv_async_t* handle = loop->internal.taken.asyncs;
        loop->internal.taken.asyncs = handle->async.next;
        handle->async.listed = 0;
        if (ph_is_closing(handle))
            continue;
        __atomic_store_n(&handle->async.pending, 0, __ATOMIC_SEQ_CST);
        if (handle->async.cb != NULL)
            PH_DISPATCH(loop, handle, handle->async.cb, handle);
    }
}

bool ph_async_close(uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    async->async.listed = __atomic_exchange_n(&async->async.pending, 1, __ATOMIC_SEQ_CST);
    ph_handle_stop(async);
    return true;
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
void ph_async_finish(uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    uv_loop_t* loop = handle->loop;
    while (async->async.listed) {
        drop_closing(&loop->internal.taken.asyncs);
        drop_closing_from_stack(&loop->internal.mailbox);
        if (async->async.listed)
            sched_yield();
    }
    while (__atomic_load_n(&async->async.senders, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
}

/* A thread that was sending may have marked its handle and not pushed it yet, or be counted as a
 * sender for ever. So the list of what was sent is made anew from the marks. */
void ph_asyncs_fork(uv_loop_t* loop) {
    struct uv__mailbox* mailbox = &loop->internal.mailbox;
    struct uv__queue* head = &loop->handle_queue;
    mailbox->asyncs = NULL;
    loop->internal.taken.asyncs = NULL;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        if (handle->type != UV_ASYNC)
            continue;
        uv_async_t* async = (uv_async_t*)handle;
        async->async.senders = 0;
        async->async.listed = 0;
        if (async->async.pending && !ph_is_closing(handle))
            ph_mailbox_push(&mailbox->asyncs, async, (void**)&async->async.next);
    }
}
