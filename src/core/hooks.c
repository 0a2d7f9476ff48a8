/* Idle, prepare and check: three phases that call every active handle of their kind once. */

#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/loop.h"

/*
 * The newest handle comes first. A handle goes back to its queue before its callback, which may
 * stop or close any of them; what it starts waits for the next iteration.
 */
#define DEFINE_HOOK(name, NAME)                                                   \
    int uv_##name##_init(uv_loop_t* loop, uv_##name##_t* handle) {                \
        ph_handle_init(loop, PH_HANDLE(handle), UV_##NAME);                       \
        ph_queue_init(&handle->queue);                                            \
        handle->name##_cb = NULL;                                                 \
        return 0;                                                                 \
    }                                                                             \
                                                                                  \
    int uv_##name##_start(uv_##name##_t* handle, uv_##name##_cb cb) {             \
        if (ph_is_active(handle))                                                 \
            return 0;                                                             \
        if (cb == NULL || ph_is_closing(handle))                                  \
            return UV_EINVAL;                                                     \
        ph_queue_push_front(&handle->loop->internal.name, &handle->queue);        \
        handle->name##_cb = cb;                                                   \
        ph_handle_start(handle);                                                  \
        return 0;                                                                 \
    }                                                                             \
                                                                                  \
    int uv_##name##_stop(uv_##name##_t* handle) {                                 \
        if (!ph_is_active(handle))                                                \
            return 0;                                                             \
        if (handle->loop->internal.hook_cursor == &handle->queue)                 \
            handle->loop->internal.hook_cursor = handle->queue.next;              \
        ph_queue_remove(&handle->queue);                                          \
        ph_handle_stop(handle);                                                   \
        return 0;                                                                 \
    }                                                                             \
                                                                                  \
    bool ph_##name##_close(uv_handle_t* handle) {                                 \
        uv_##name##_stop((uv_##name##_t*)handle);                                 \
        return true;                                                              \
    }                                                                             \
                                                                                  \
    void ph_run_##name(uv_loop_t* loop) {                                         \
        struct uv__queue* head = &loop->internal.name;                            \
        struct uv__queue** cursor = &loop->internal.hook_cursor;                  \
        for (struct uv__queue* node = head->next; node != head; node = *cursor) { \
            uv_##name##_t* handle = PH_CONTAINER_OF(node, uv_##name##_t, queue);  \
            *cursor = node->next;                                                 \
            PH_DISPATCH(loop, handle, handle->name##_cb, handle);                 \
        }                                                                         \
    }

DEFINE_HOOK(idle, IDLE)
DEFINE_HOOK(prepare, PREPARE)
DEFINE_HOOK(check, CHECK)
