/* Idle, prepare and check: three phases that call every active handle of their kind once. */

#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/loop.h"

/* The three kinds differ in the types of their callbacks only. */
#define SAME_PLACE(a, b) (offsetof(uv_##a##_t, queue) == offsetof(uv_##b##_t, queue))
_Static_assert(SAME_PLACE(idle, prepare) && SAME_PLACE(idle, check), "one layout");

static struct uv__queue* node_of(void* handle) {
    return &((uv_idle_t*)handle)->queue;
}

static int init(uv_loop_t* loop, void* handle, uv_handle_type type) {
    ph_handle_init(loop, handle, type);
    ph_queue_init(node_of(handle));
    return 0;
}

/* The newest handle comes first. */
static void enter(struct uv__queue* list, void* handle) {
    ph_queue_push_front(list, node_of(handle));
    ph_handle_start(handle);
}

static int leave(void* handle) {
    ph_queue_remove(node_of(handle));
    ph_handle_stop(handle);
    return 0;
}

static inline __attribute__((always_inline)) void call(uv_loop_t* loop, uv_handle_type type,
                                                       struct uv__queue* node) {
    uv_idle_t* handle = PH_CONTAINER_OF(node, uv_idle_t, queue);
    if (type == UV_IDLE) {
        PH_DISPATCH(loop, handle, handle->idle_cb, handle);
    } else if (type == UV_PREPARE) {
        uv_prepare_t* prepare = (uv_prepare_t*)handle;
        PH_DISPATCH(loop, prepare, prepare->prepare_cb, prepare);
    } else {
        uv_check_t* check = (uv_check_t*)handle;
        PH_DISPATCH(loop, check, check->check_cb, check);
    }
}

/*
 * A handle goes back to its list before its callback, which may stop or close any of them, or run
 * the loop; what it starts waits for the next iteration. One alone need not be moved for that.
 */
static inline __attribute__((always_inline)) void run(uv_loop_t* loop, uv_handle_type type,
                                                      struct uv__queue* list) {
    struct uv__queue rest;
    struct uv__queue* node = list->next;
    if (node == list)
        return;
    if (node->next == list) {
        call(loop, type, node);
        return;
    }
    ph_queue_move(&rest, list);
    while ((node = ph_queue_pop(&rest)) != NULL) {
        ph_queue_push(list, node);
        call(loop, type, node);
    }
}

#define DEFINE_HOOK(name, NAME)                                       \
    int uv_##name##_init(uv_loop_t* loop, uv_##name##_t* handle) {    \
        handle->name##_cb = NULL;                                     \
        return init(loop, handle, UV_##NAME);                         \
    }                                                                 \
    int uv_##name##_start(uv_##name##_t* handle, uv_##name##_cb cb) { \
        if (ph_is_active(handle))                                     \
            return 0;                                                 \
        if (cb == NULL || ph_is_closing(handle))                      \
            return UV_EINVAL;                                         \
        handle->name##_cb = cb;                                       \
        enter(&handle->loop->internal.name, handle);                  \
        return 0;                                                     \
    }                                                                 \
    int uv_##name##_stop(uv_##name##_t* handle) {                     \
        return leave(handle);                                         \
    }                                                                 \
    void ph_run_##name(uv_loop_t* loop) {                             \
        run(loop, UV_##NAME, &loop->internal.name);                   \
    }

DEFINE_HOOK(idle, IDLE)
DEFINE_HOOK(prepare, PREPARE)
DEFINE_HOOK(check, CHECK)

bool ph_hook_close(uv_handle_t* handle) {
    leave(handle);
    return true;
}
