#include <limits.h>

#include "base/loop_alloc.h"
#include "base/queue.h"
#include "base/timer_wheel.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/loop.h"
#include "core/precise_timer.h"

int ph_timers_open(uv_loop_t* loop) {
    struct uv__timers* wheel = ph_loop_malloc(loop, sizeof(*wheel));
    if (wheel == NULL)
        return UV_ENOMEM;
    ph_wheel_init(wheel, loop->internal.clock.ms);
    loop->internal.timers = wheel;
    return 0;
}

void ph_timers_close(uv_loop_t* loop) {
    ph_loop_free(loop, loop->internal.timers);
    loop->internal.timers = NULL;
}

static int wait_until(const uv_loop_t* loop, uint64_t due) {
    uint64_t now = loop->internal.clock.ms;
    if (due == PH_WHEEL_NEVER)
        return -1;
    if (due <= now)
        return 0;
    return due - now < INT_MAX ? (int)(due - now) : INT_MAX;
}

int ph_timers_wait(uv_loop_t* loop) {
    struct uv__timers* wheel = loop->internal.timers;
    if (wheel->quiet_until != PH_WHEEL_NEVER)
        ph_wheel_turn(wheel, loop->internal.clock.ms);
    return wait_until(loop, wheel->quiet_until);
}

/* Whoever embeds the loop watches the kernel's set, so that must be told what has changed first. */
int uv_backend_timeout(const uv_loop_t* loop) {
    if (ph_loop_must_not_block(loop) || !ph_queue_empty(&loop->internal.poller.changed))
        return 0;
    return ph_precise_shorten(loop, wait_until(loop, ph_wheel_next_due(loop->internal.timers)));
}

/* Arms a timer that is not armed. Takes the loop as an argument because reading it from the handle
 * would touch one more cache line. */
static void arm(uv_loop_t* loop, uv_timer_t* handle, uint64_t timeout) {
    uint64_t due = loop->internal.clock.ms + timeout;
    handle->timer.wheel.due = due >= timeout ? due : UINT64_MAX;
    ph_wheel_add(loop->internal.timers, &handle->timer.wheel);
}

static bool run_wheel(uv_loop_t* loop) {
    struct uv__queue* ready = &loop->internal.timers->ready;
    ph_wheel_collect(loop->internal.timers, loop->internal.clock.ms);
    if (ph_queue_empty(ready))
        return false;
    struct uv__queue* warm = ready->prev;
    while (!ph_queue_empty(ready)) {
        uv_timer_t* handle = PH_CONTAINER_OF(ready->next, uv_timer_t, timer.wheel.node);
        warm = ph_wheel_warm(warm);
        ph_wheel_remove(&handle->timer.wheel);
        ph_tell_timer_is_due(handle, handle->timer.wheel.due);
        if (handle->timer.repeat != 0)
            arm(loop, handle, handle->timer.repeat);
        else
            ph_handle_stop_in(loop, handle);
        PH_DISPATCH(loop, handle, handle->timer.cb, handle);
    }
    return true;
}

bool ph_run_timers(uv_loop_t* loop) {
    bool ran = run_wheel(loop);
    if (loop->internal.precise != NULL && ph_precise_run(loop))
        ran = true;
    return ran;
}

int uv_timer_init(uv_loop_t* loop, uv_timer_t* handle) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_TIMER);
    handle->timer.cb = NULL;
    handle->timer.wheel.due = 0;
    handle->timer.repeat = 0;
    return 0;
}

int uv_timer_start(uv_timer_t* handle, uv_timer_cb cb, uint64_t timeout, uint64_t repeat) {
    uv_loop_t* loop = handle->loop;
    if (ph_is_closing(handle) || cb == NULL)
        return UV_EINVAL;
    if (ph_is_active(handle))
        ph_wheel_remove(&handle->timer.wheel);
    handle->timer.cb = cb;
    handle->timer.repeat = repeat;
    arm(loop, handle, timeout);
    ph_handle_start_in(loop, handle);
    return 0;
}

int uv_timer_stop(uv_timer_t* handle) {
    if (!ph_is_active(handle))
        return 0;
    ph_wheel_remove(&handle->timer.wheel);
    ph_handle_stop(handle);
    return 0;
}

int uv_timer_again(uv_timer_t* handle) {
    if (handle->timer.cb == NULL)
        return UV_EINVAL;
    if (handle->timer.repeat == 0)
        return 0;
    return uv_timer_start(handle, handle->timer.cb, handle->timer.repeat, handle->timer.repeat);
}

void uv_timer_set_repeat(uv_timer_t* handle, uint64_t repeat) {
    handle->timer.repeat = repeat;
}

uint64_t uv_timer_get_repeat(const uv_timer_t* handle) {
    return handle->timer.repeat;
}

uint64_t uv_timer_get_due_in(const uv_timer_t* handle) {
    uint64_t now = handle->loop->internal.clock.ms;
    return handle->timer.wheel.due <= now ? 0 : handle->timer.wheel.due - now;
}

bool ph_timer_close(uv_handle_t* handle) {
    uv_timer_stop((uv_timer_t*)handle);
    return true;
}
