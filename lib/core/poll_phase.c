/* The pending and poll phases: readiness from the kernel and mail from other threads become
 * callbacks. */

#include <errno.h>
#include <signal.h>

#include "base/queue.h"
#include "core/loop.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "core/precise_timer.h"
#include "hooks.h"
#include "os/clock.h"
#include "os/poller.h"

enum {
    FULL_BATCHES = 48,  /* polled again at most this often before the other phases get their turn */
    PENDING_ROUNDS = 8, /* run after poll at most this often, for the same reason */
    PREFETCHED = 6,     /* watchers ahead of the one that is called */
    RETRY_REGISTRATION = 10 /* ms, while the kernel has no memory for another registration */
};

static bool run_fed(uv_loop_t* loop) {
    struct uv__queue rest;
    struct uv__queue* node;
    bool ran = false;
    ph_queue_move(&rest, &loop->internal.pending);
    while ((node = ph_queue_pop(&rest)) != NULL) {
        uv__io_t* watcher = PH_CONTAINER_OF(node, uv__io_t, pending);
        unsigned int events = watcher->fed;
        watcher->fed = 0;
        watcher->on_events(loop, watcher, events);
        ran = true;
    }
    return ran;
}

void ph_run_pending(uv_loop_t* loop) {
    if (ph_queue_empty(&loop->internal.pending))
        return;
    ph_tell_phase(loop, PH_PHASE_PENDING);
    run_fed(loop);
}

static unsigned deliver(uv_loop_t* loop, struct ph_poller_batch* batch, int count) {
    unsigned delivered = 0;
    loop->internal.poller.reported = (unsigned)count;
    for (int i = 0; i < count; i++) {
        unsigned int events;
        if (i + PREFETCHED < count)
            ph_poller_prefetch(loop, &batch->events[i + PREFETCHED]);
        uv__io_t* watcher = ph_poller_claim(loop, &batch->events[i], &events);
        if (watcher == NULL)
            continue;
        watcher->on_events(loop, watcher, events);
        delivered++;
    }
    return delivered;
}

/*
 * Everything is taken before anything is run. Says how many events are to be counted besides those
 * that are counted here, as libuv does it: there all mail comes through one descriptor, which is
 * one event, and each finished piece of work but one is an event more.
 */
static unsigned run_mail(uv_loop_t* loop, bool waiting) {
    struct uv__loop_metrics* metrics = &loop->internal.metrics;
    ph_take_finished_work(loop);
    bool any = ph_take_asyncs(loop) || loop->internal.taken.work != NULL;
    unsigned finished = ph_run_finished_work(loop);
    if (finished > 1) {
        metrics->events += finished - 1;
        metrics->events_waiting += waiting ? finished - 1 : 0;
    }
    ph_run_asyncs(loop);
    return any;
}

static bool has_signals(uv_loop_t* loop) {
    return __atomic_load_n(&loop->internal.mailbox.signals, __ATOMIC_RELAXED) != NULL;
}

/* Other threads may read the idle time at any moment. */
static void idle_begins(uv_loop_t* loop, uint64_t now) {
    if (loop->internal.options & PH_LOOP_IDLE_TIME)
        __atomic_store_n(&loop->internal.metrics.idle_since, now, __ATOMIC_RELAXED);
}

static void idle_ends(uv_loop_t* loop, uint64_t began) {
    struct uv__loop_metrics* metrics = &loop->internal.metrics;
    if (metrics->idle_since == 0)
        return;
    uint64_t waited = uv_hrtime() - began;
    __atomic_store_n(&metrics->idle_since, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&metrics->idle_time, metrics->idle_time + waited, __ATOMIC_RELAXED);
}

static int ask_kernel(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout) {
    sigset_t mask;
    const sigset_t* blocked = NULL;
    uint64_t ns;
    batch->asked++;
    if (loop->internal.options & PH_LOOP_BLOCKS_SIGPROF) {
        pthread_sigmask(SIG_SETMASK, NULL, &mask);
        sigaddset(&mask, SIGPROF);
        blocked = &mask;
    }
    if (timeout != 0 && ph_precise_comes_within(loop, timeout, &ns))
        return ph_poller_wait_ns(loop, batch, ns, blocked);
    return ph_poller_wait(loop, batch, timeout, blocked);
}

static int sleep_for_events(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout) {
    bool timed = loop->internal.options & PH_LOOP_IDLE_TIME || ph_mailbox_times_sleep(loop);
    uint64_t began = timed ? uv_hrtime() : 0;
    idle_begins(loop, began);
    int count = ask_kernel(loop, batch, timeout);
    ph_mailbox_awake(loop);
    ph_mailbox_slept(loop, began);
    idle_ends(loop, began);
    ph_clock_ms(&loop->internal.clock);
    return count;
}

/* `waiting`: what it brings was there before the loop could sleep. To tell that apart takes a
 * system call more, so it is told only where idle time is measured. */
static int wait_for_events(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout,
                           bool* waiting) {
    if (timeout != 0 && *waiting) {
        int count = ask_kernel(loop, batch, 0);
        if (count != 0 || ph_mailbox_has_mail(loop))
            return count;
        *waiting = false;
    }
    if (timeout != 0 && !ph_mailbox_spin(loop) && ph_mailbox_fall_asleep(loop))
        return sleep_for_events(loop, batch, timeout);
    if (!ph_poller_may_have_events(loop))
        return 0;
    return ask_kernel(loop, batch, 0);
}

/* How long to block: not at all, or until the next timer or event. */
static int plan_wait(uv_loop_t* loop, bool may_block) {
    bool registered = ph_poller_update(loop);
    if (!may_block || ph_loop_must_not_block(loop))
        return 0;
    int timeout = ph_precise_shorten(loop, ph_timers_wait(loop));
    if (!registered && (timeout == -1 || timeout > RETRY_REGISTRATION))
        return RETRY_REGISTRATION;
    return timeout;
}

/* Asking the kernel is the first thing that the phase will do. */
static bool begins_with_wait(const uv_loop_t* loop) {
    return ph_poller_may_have_events(loop) && ph_queue_empty(&loop->internal.poller.changed);
}

/*
 * What is there when the wait returns is run once: mail first, then descriptors, then signals,
 * which end the phase. Mail and signals that come while these callbacks run wait for the next turn,
 * also when a full batch of descriptors is followed by another.
 *
 * A wait that brought nothing (a signal handler ran, or the wheel's bound came before its timer)
 * goes on until something happens or a timer is due, or somebody wants a recording, which begins
 * with an iteration.
 */
static __attribute__((noinline)) void poll_once_or_wait(uv_loop_t* loop, bool may_block) {
    struct ph_poller_batch batch;
    struct uv__loop_metrics* metrics = &loop->internal.metrics;
    if (!begins_with_wait(loop))
        ph_tell_phase(loop, PH_PHASE_POLL);
    for (int full = 0; full < FULL_BATCHES;) {
        int timeout = plan_wait(loop, may_block);
        int count = 0;
        bool summoned = false;
        bool waiting = loop->internal.options & PH_LOOP_IDLE_TIME;
        /* Otherwise nothing but mail can have come, and that is seen without asking the kernel. */
        if (timeout != 0 || ph_poller_may_have_events(loop)) {
            batch.asked = 0;
            ph_tell_wait_begins(loop, timeout);
            count = wait_for_events(loop, &batch, timeout, &waiting);
            summoned = ph_tell_wait_ends(loop, count, batch.asked);
        }
        bool signalled = full == 0 && has_signals(loop);
        /* A signal cuts the wait short; what had become ready before it is told before it, such as
         * the end of a pipe before the exit of the child that closed it. */
        if (signalled && count == 0 && ph_poller_may_have_events(loop))
            count = ask_kernel(loop, &batch, 0);
        unsigned delivered = full == 0 ? run_mail(loop, waiting || timeout == 0) : 0;
        delivered += deliver(loop, &batch, count) + signalled;
        metrics->events += delivered;
        if (waiting)
            metrics->events_waiting += delivered;
        if (signalled) {
            ph_parts.signals_run(loop);
            return;
        }
        if (count == PH_POLLER_BATCH) {
            full++;
            may_block = false;
        } else if (timeout == 0 || delivered != 0 || summoned || ph_precise_is_due(loop)) {
            return;
        }
    }
}

/* Poll would not block, nothing is watched or to be told to the kernel, and no mail has come. */
static bool finds_nothing(const uv_loop_t* loop, bool may_block) {
    return (!may_block || ph_loop_must_not_block(loop)) && !ph_poller_may_have_events(loop) &&
           ph_queue_empty(&loop->internal.poller.changed) && !ph_mailbox_has_mail(loop);
}

void ph_run_poll(uv_loop_t* loop, bool may_block) {
    if (!finds_nothing(loop, may_block))
        poll_once_or_wait(loop, may_block);
    else if (ph_queue_empty(&loop->internal.pending))
        return;
    else
        ph_tell_phase(loop, PH_PHASE_POLL);
    for (int i = 0; i < PENDING_ROUNDS && run_fed(loop); i++)
        continue;
}
