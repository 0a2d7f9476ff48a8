#include "core/handle.h"

#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "hooks.h"

void ph_handle_init(uv_loop_t* loop, uv_handle_t* handle, uv_handle_type type) {
    handle->loop = loop;
    handle->type = type;
    handle->flags = PH_REF;
    handle->close_cb = NULL;
    handle->next_closing = NULL;
    ph_queue_push(&loop->handle_queue, &handle->handle_queue);
    loop->internal.handle_count++;
    ph_tell_handle(PH_HANDLE_OPENS, handle);
}

void ph_handle_forget(uv_handle_t* handle) {
    ph_tell_handle(PH_HANDLE_IS_CLOSED, handle);
    ph_queue_remove(&handle->handle_queue);
    handle->loop->internal.handle_count--;
}

void uv_close(uv_handle_t* handle, uv_close_cb close_cb) {
    const struct ph_kind* kind = ph_kind_of(handle->type);
    if (kind == NULL || kind->close == NULL)
        ph_fatal("uv_close: %p is not a handle", (void*)handle);
    if (ph_is_closing(handle))
        ph_fatal("uv_close: the %s handle %p is closing already", kind->name, (void*)handle);
    handle->flags |= PH_CLOSING;
    handle->close_cb = close_cb;
    ph_tell_handle(PH_HANDLE_CLOSES, handle);
    if (kind->close(handle))
        ph_handle_close_later(handle);
}

/* A stack: programs are used to the handle closed last being called back first. */
void ph_handle_close_later(uv_handle_t* handle) {
    handle->next_closing = handle->loop->internal.closing;
    handle->loop->internal.closing = handle;
}

/* The loop is not read from the handle: there are programs that free a handle which they close
 * without a callback at once, and allocators write over the first words of what is free. */
static void finish_close(uv_loop_t* loop, uv_handle_t* handle) {
    const struct ph_kind* kind = ph_kind_of(handle->type);
    handle->flags |= PH_CLOSED;
    if (kind->finish != NULL)
        kind->finish(loop, handle);
    ph_handle_stop_in(loop, handle);
    handle->flags &= ~(unsigned)PH_REF;
    ph_queue_remove(&handle->handle_queue);
    loop->internal.handle_count--;
    ph_tell_handle(PH_HANDLE_IS_CLOSED, handle);
    if (handle->close_cb != NULL)
        PH_DISPATCH(loop, handle, handle->close_cb, handle);
}

/* What the callbacks close waits for the next iteration. */
void ph_run_closing(uv_loop_t* loop) {
    uv_handle_t* handle = loop->internal.closing;
    if (handle == NULL)
        return;
    ph_tell_phase(loop, PH_PHASE_CLOSING);
    loop->internal.closing = NULL;
    while (handle != NULL) {
        uv_handle_t* next = handle->next_closing;
        finish_close(loop, handle);
        handle = next;
    }
}

void uv_ref(uv_handle_t* handle) {
    if (handle->flags & PH_REF)
        return;
    handle->flags |= PH_REF;
    if (ph_is_active(handle))
        handle->loop->active_handles++;
}

void uv_unref(uv_handle_t* handle) {
    if (!(handle->flags & PH_REF))
        return;
    handle->flags &= ~(unsigned)PH_REF;
    if (ph_is_active(handle))
        handle->loop->active_handles--;
}

int uv_has_ref(const uv_handle_t* handle) {
    return (handle->flags & PH_REF) != 0;
}

int uv_is_active(const uv_handle_t* handle) {
    return ph_is_active(handle);
}

int uv_is_closing(const uv_handle_t* handle) {
    return ph_is_closing(handle);
}

uv_handle_type uv_handle_get_type(const uv_handle_t* handle) {
    return handle->type;
}

void* uv_handle_get_data(const uv_handle_t* handle) {
    return handle->data;
}

uv_loop_t* uv_handle_get_loop(const uv_handle_t* handle) {
    return handle->loop;
}

void uv_handle_set_data(uv_handle_t* handle, void* data) {
    handle->data = data;
}

/* Each handle goes back to the loop's queue before its callback, which may close it or others. */
void uv_walk(uv_loop_t* loop, uv_walk_cb walk_cb, void* arg) {
    struct uv__walk walk = {.outer = loop->internal.walks};
    struct uv__queue* node;
    ph_queue_move(&walk.rest, &loop->handle_queue);
    loop->internal.walks = &walk;
    while ((node = ph_queue_pop(&walk.rest)) != NULL) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        ph_queue_push(&loop->handle_queue, node);
        if (!(handle->flags & PH_INTERNAL))
            PH_DISPATCH(loop, handle, walk_cb, handle, arg);
    }
    loop->internal.walks = walk.outer;
}

static void print_handles(uv_loop_t* loop, bool only_active, FILE* stream) {
    if (loop == NULL)
        loop = uv_default_loop();
    struct uv__queue* head = &loop->handle_queue;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* h = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        if (only_active && !ph_is_active(h))
            continue;
        fprintf(stream, "[%c%c%c] %-8s %p\n", h->flags & PH_REF ? 'R' : '-',
                h->flags & PH_ACTIVE ? 'A' : '-', h->flags & PH_INTERNAL ? 'I' : '-',
                ph_kind_of(h->type)->name, (void*)h);
    }
}

void uv_print_all_handles(uv_loop_t* loop, FILE* stream) {
    print_handles(loop, false, stream);
}

void uv_print_active_handles(uv_loop_t* loop, FILE* stream) {
    print_handles(loop, true, stream);
}
