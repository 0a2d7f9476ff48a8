#include "core/loop.h"

#include <signal.h>
#include <stdarg.h>
#include <string.h>

#include "base/alloc.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/handle.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "core/post.h"
#include "core/precise_timer.h"
#include "os/clock.h"
#include "os/poller.h"
#include "recording.h"

static void iterate(uv_loop_t* loop, uv_run_mode mode) {
    struct uv__loop_state* state = &loop->internal;
    ph_tell_iteration_begins(loop, mode);
    uv_update_time(loop);
    bool timers_ran = ph_run_timers(loop);
    bool has_work = !ph_queue_empty(&state->pending) || !ph_queue_empty(&state->idle);
    ph_run_pending(loop);
    ph_run_idle(loop);
    ph_run_prepare(loop);
    state->metrics.loop_count++;
    ph_run_poll(loop, mode == UV_RUN_DEFAULT || (mode == UV_RUN_ONCE && !has_work));
    ph_run_check(loop);
    ph_run_closing(loop);
    if (mode == UV_RUN_ONCE && !timers_ran) {
        uv_update_time(loop);
        ph_tell_phase(loop, PH_PHASE_TIMERS);
        ph_run_timers(loop);
    }
}

int uv_run(uv_loop_t* loop, uv_run_mode mode) {
    struct uv__loop_state* state = &loop->internal;
    int alive = uv_loop_alive(loop);
    if (!alive)
        uv_update_time(loop);
    ph_mailbox_awake(loop);

    while (alive && !state->stop_flag) {
        iterate(loop, mode);
        alive = uv_loop_alive(loop);
        if (mode != UV_RUN_DEFAULT) {
            ph_tell_iteration_ends(loop);
            break;
        }
    }

    ph_tell_run_ends(loop, mode, alive);
    state->stop_flag = 0;
    ph_mailbox_leave(loop);
    return alive;
}

void uv_stop(uv_loop_t* loop) {
    loop->internal.stop_flag = 1;
}

/* Finished work that no request stands for has been posted. */
static bool has_posts(const uv_loop_t* loop) {
    return loop->internal.taken.work != NULL ||
           __atomic_load_n(&loop->internal.mailbox.finished, __ATOMIC_RELAXED) != NULL;
}

int uv_loop_alive(const uv_loop_t* loop) {
    return loop->active_handles > 0 || loop->active_reqs.count > 0 ||
           loop->internal.closing != NULL || has_posts(loop);
}

bool ph_loop_must_not_block(const uv_loop_t* loop) {
    const struct uv__loop_state* state = &loop->internal;
    return state->stop_flag || (loop->active_handles == 0 && loop->active_reqs.count == 0) ||
           !ph_queue_empty(&state->idle) || !ph_queue_empty(&state->pending) ||
           state->closing != NULL;
}

void uv_update_time(uv_loop_t* loop) {
    ph_clock_ms(&loop->internal.clock);
}

uint64_t uv_now(const uv_loop_t* loop) {
    return loop->internal.clock.ms;
}

/* Whoever asks waits on the descriptor, so from now on every poll looks at it, and what had made it
 * readable is gone when uv_run returns. */
int uv_backend_fd(const uv_loop_t* loop) {
    ph_poller_embed((uv_loop_t*)loop);
    return loop->internal.poller.epoll_fd;
}

static int init(uv_loop_t* loop, const struct phasor_allocator* allocator) {
    struct uv__loop_state* state = &loop->internal;
    void* data = loop->data;
    memset(loop, 0, sizeof(*loop));
    loop->data = data;
    state->allocator = allocator;
    ph_queue_init(&loop->handle_queue);
    ph_queue_init(&state->idle);
    ph_queue_init(&state->prepare);
    ph_queue_init(&state->check);
    ph_queue_init(&state->pending);
    ph_mailbox_open(loop);
    uv_update_time(loop);
    int err = ph_timers_open(loop);
    if (err != 0)
        return err;
    err = ph_poller_open(loop);
    if (err != 0) {
        ph_timers_close(loop);
        return err;
    }
    ph_recording_look_for();
    ph_tell_loop_opens(loop);
    return 0;
}

int uv_loop_init(uv_loop_t* loop) {
    return init(loop, NULL);
}

int phasor_loop_init(uv_loop_t* loop, const struct phasor_allocator* allocator) {
    if (allocator == NULL || allocator->malloc == NULL || allocator->calloc == NULL ||
        allocator->realloc == NULL || allocator->free == NULL)
        return UV_EINVAL;
    return init(loop, allocator);
}

static bool has_handles(const uv_loop_t* loop) {
    const struct uv__queue* head = &loop->handle_queue;
    for (const struct uv__queue* node = head->next; node != head; node = node->next)
        if (!(PH_CONTAINER_OF(node, uv_handle_t, handle_queue)->flags & PH_INTERNAL))
            return true;
    return false;
}

static uv_loop_t default_loop_memory;
static uv_loop_t* default_loop;

/* A loop that is closed already is busy, as in libuv: programs close it until it says so. */
int uv_loop_close(uv_loop_t* loop) {
    if (!ph_poller_is_open(loop) || loop->active_reqs.count > 0 || loop->internal.closing != NULL ||
        has_handles(loop) || ph_has_precise(loop))
        return UV_EBUSY;
    ph_tell_loop_closes(loop);
    ph_parts.pool_release(loop);
    ph_posts_close(loop);
    ph_parts.processes_close(loop);
    ph_parts.inotify_close(loop);
    ph_poller_close(loop);
    ph_timers_close(loop);
    ph_precise_close(loop);
    if (loop == default_loop)
        default_loop = NULL;
    return 0;
}

uv_loop_t* uv_default_loop(void) {
    if (default_loop == NULL && uv_loop_init(&default_loop_memory) == 0)
        default_loop = &default_loop_memory;
    return default_loop;
}

uv_loop_t* uv_loop_new(void) {
    uv_loop_t* loop = ph_calloc(1, sizeof(*loop));
    if (loop != NULL && uv_loop_init(loop) != 0) {
        ph_free(loop);
        loop = NULL;
    }
    return loop;
}

void uv_loop_delete(uv_loop_t* loop) {
    bool allocated = loop != default_loop;
    uv_loop_close(loop);
    if (allocated)
        ph_free(loop);
}

int uv_loop_fork(uv_loop_t* loop) {
    int err = ph_poller_fork(loop);
    if (err == 0)
        err = ph_parts.inotify_fork(loop);
    if (err == 0)
        ph_parts.signals_fork(loop);
    ph_asyncs_fork(loop);
    ph_mailbox_leave(loop); /* mail that came before the fork wakes the new descriptors */
    return err;
}

int uv_loop_configure(uv_loop_t* loop, uv_loop_option option, ...) {
    va_list args;
    va_start(args, option);
    int signum = option == UV_LOOP_BLOCK_SIGNAL ? va_arg(args, int) : 0;
    va_end(args);
    switch ((int)option) {
    case UV_LOOP_BLOCK_SIGNAL:
        if (signum != SIGPROF)
            return UV_EINVAL;
        loop->internal.options |= PH_LOOP_BLOCKS_SIGPROF;
        return 0;
    case UV_METRICS_IDLE_TIME:
        loop->internal.options |= PH_LOOP_IDLE_TIME;
        return 0;
    case UV_LOOP_USE_IO_URING_SQPOLL:
        return 0; /* a hint, for a ring that this library does not have */
    default:
        return UV_ENOSYS;
    }
}

size_t uv_loop_size(void) {
    return sizeof(uv_loop_t);
}

void* uv_loop_get_data(const uv_loop_t* loop) {
    return loop->data;
}

void uv_loop_set_data(uv_loop_t* loop, void* data) {
    loop->data = data;
}

int uv_metrics_info(uv_loop_t* loop, uv_metrics_t* metrics) {
    const struct uv__loop_metrics* from = &loop->internal.metrics;
    memset(metrics, 0, sizeof(*metrics));
    metrics->loop_count = from->loop_count;
    metrics->events = from->events;
    metrics->events_waiting = from->events_waiting;
    return 0;
}

uint64_t uv_metrics_idle_time(uv_loop_t* loop) {
    const struct uv__loop_metrics* metrics = &loop->internal.metrics;
    uint64_t since = __atomic_load_n(&metrics->idle_since, __ATOMIC_RELAXED);
    uint64_t total = __atomic_load_n(&metrics->idle_time, __ATOMIC_RELAXED);
    return since > 0 ? total + (uv_hrtime() - since) : total;
}

/* The second time does nothing. */
static void shut_down(bool at_exit) {
    static int done;
    if (__atomic_exchange_n(&done, 1, __ATOMIC_RELAXED))
        return;
    ph_parts.title_shutdown();
    ph_parts.signals_shutdown();
    ph_parts.pool_shutdown(at_exit);
}

void uv_library_shutdown(void) {
    shut_down(false);
}

__attribute__((destructor)) static void shut_down_at_exit(void) {
    shut_down(true);
}
