#include <sched.h>

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

/* Moves what was sent to the end of the loop's own list, oldest first. */
static void fetch(uv_loop_t* loop) {
    struct uv__mailbox* mailbox = &loop->internal.mailbox;
    uv_async_t* newest = ph_mailbox_take(&mailbox->asyncs);
    uv_async_t* oldest = NULL;
    while (newest != NULL) {
        uv_async_t* next = newest->async.next;
        newest->async.next = oldest;
        oldest = newest;
        newest = next;
    }
    uv_async_t** end = &mailbox->todo;
    while (*end != NULL)
        end = &(*end)->async.next;
    *end = oldest;
}

unsigned ph_run_asyncs(uv_loop_t* loop) {
    struct uv__mailbox* mailbox = &loop->internal.mailbox;
    unsigned count = 0;
    fetch(loop);
    while (mailbox->todo != NULL) {
        uv_async_t* handle = mailbox->todo;
        mailbox->todo = handle->async.next;
        if (ph_is_closing(handle)) {
            handle->async.listed = 0;
            continue;
        }
        __atomic_store_n(&handle->async.pending, 0, __ATOMIC_SEQ_CST);
        count++;
        if (handle->async.cb != NULL)
            PH_DISPATCH(loop, handle, handle->async.cb, handle);
    }
    return count;
}

bool ph_async_close(uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    async->async.listed = __atomic_exchange_n(&async->async.pending, 1, __ATOMIC_SEQ_CST);
    ph_handle_stop(async);
    return true;
}

/* The caller may free the handle after its close callback, and then the loop: by then the handle is
 * out of the mailbox and every sender is done. */
void ph_async_finish(uv_handle_t* handle) {
    uv_async_t* async = (uv_async_t*)handle;
    while (async->async.listed) {
        fetch(handle->loop);
        for (uv_async_t** link = &handle->loop->internal.mailbox.todo; *link != NULL;) {
            if (ph_is_closing(*link)) {
                (*link)->async.listed = 0;
                *link = (*link)->async.next;
            } else {
                link = &(*link)->async.next;
            }
        }
        if (async->async.listed)
            sched_yield();
    }
    while (__atomic_load_n(&async->async.senders, __ATOMIC_SEQ_CST) != 0)
        sched_yield();
}
