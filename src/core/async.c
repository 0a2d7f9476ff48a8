#include <sched.h>

#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "trace/trace.h"

/*
 * `pending` goes from 0 to 1 with the first send and back to 0 just before the callback; only the
 * sender that made it 1 pushes the handle, so a handle is in the mailbox at most once. Closing
 * makes it 1 for good: later sends do nothing. `listed` says that a closing handle may still be in
 * the mailbox.
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

/* The numbers go round; handles that are there at the same time are never that far apart. */
static bool is_before(const uv_async_t* a, const uv_async_t* b) {
    return (int)(a->async.number - b->async.number) < 0;
}

static uv_async_t* merge(uv_async_t* a, uv_async_t* b) {
    uv_async_t* first = NULL;
    uv_async_t** end = &first;
    while (a != NULL && b != NULL) {
        uv_async_t** lower = is_before(a, b) ? &a : &b;
        *end = *lower;
        end = &(*end)->async.next;
        *lower = *end;
    }
    *end = a != NULL ? a : b;
    return first;
}

/* Cuts the part that is in order off the beginning of the list. */
static uv_async_t* cut_run(uv_async_t** list) {
    uv_async_t* first = *list;
    uv_async_t* last = first;
    while (last->async.next != NULL && is_before(last, last->async.next))
        last = last->async.next;
    *list = last->async.next;
    last->async.next = NULL;
    return first;
}

/* Sorts by number; handles that were sent in order cost one look each. merged[i] is empty or made
 * of 2^i runs. */
static uv_async_t* in_order(uv_async_t* list) {
    enum { MOST = 32 };
    uv_async_t* first = cut_run(&list);
    if (list == NULL)
        return first;
    uv_async_t* merged[MOST] = {first};
    while (list != NULL) {
        uv_async_t* run = cut_run(&list);
        int i = 0;
        for (; merged[i] != NULL; i++) {
            run = merge(merged[i], run);
            merged[i] = NULL;
        }
        merged[i] = run;
    }
    uv_async_t* all = NULL;
    for (int i = 0; i < MOST; i++)
        all = merge(merged[i], all);
    return all;
}

/* In the order in which the handles were initialised, whatever the order of sending. */
void ph_take_asyncs(uv_loop_t* loop) {
    uv_async_t* newest = ph_mailbox_take(&loop->internal.mailbox.asyncs);
    uv_async_t* oldest = NULL;
    if (newest == NULL)
        return;
    if (newest->async.next == NULL && loop->internal.taken.asyncs == NULL) {
        loop->internal.taken.asyncs = newest;
        return;
    }
    while (newest != NULL) {
        uv_async_t* next = newest->async.next;
        newest->async.next = oldest;
        oldest = newest;
        newest = next;
    }
    uv_async_t** taken = &loop->internal.taken.asyncs;
    *taken = merge(*taken, in_order(oldest));
}

void ph_run_asyncs(uv_loop_t* loop) {
    while (loop->internal.taken.asyncs != NULL) {
        uv_async_t* handle = loop->internal.taken.asyncs;
        loop->internal.taken.asyncs = handle->async.next;
        if (ph_is_closing(handle)) {
            handle->async.listed = 0;
            continue;
        }
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
