#include "process/signal.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "base/at_fork.h"
#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "process/reap.h"

/*
 * The registry: for each signal, the started handles of all loops. It is guarded by a spinlock that
 * the signal handler takes too. A thread blocks all signals while it holds the lock, and the
 * handler runs with all signals blocked, so no thread ever waits for itself.
 *
 * The handler writes each delivery into the log of the handle's loop. It does so under the lock: a
 * handle that has left the registry is not written there any more.
 */

enum {
    SIGNALS = 65,
    ROOM = sizeof((uv_loop_t){0}.internal.signal_log.entries) / sizeof(struct uv__caught_signal)
};

enum disposition {
    DEFAULT,
    CAUGHT_ONCE, /* there are only oneshot handles: the kernel goes back to the default at once */
    CAUGHT
};

static struct registration {
    struct uv__queue handles;
    unsigned int persistent; /* handles that are not oneshot */
    enum disposition disposition;
} registry[SIGNALS];

static int registry_lock; /* a word: not every processor exchanges bytes */
static sigset_t mask_before_fork;
static pthread_once_t fork_handlers = PTHREAD_ONCE_INIT;

static void acquire(void) {
    while (__atomic_exchange_n(&registry_lock, 1, __ATOMIC_ACQUIRE))
        while (__atomic_load_n(&registry_lock, __ATOMIC_RELAXED))
            sched_yield();
}

static void release(void) {
    __atomic_store_n(&registry_lock, 0, __ATOMIC_RELEASE);
}

static void lock(sigset_t* saved) {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, saved);
    acquire();
}

static void unlock(const sigset_t* saved) {
    release();
    pthread_sigmask(SIG_SETMASK, saved, NULL);
}

/* Not by the flags: other threads ask, under the lock, while the loop's thread changes those. */
static bool is_own(const uv_signal_t* handle) {
    return handle->signal.own != 0;
}

static bool is_full(const struct uv__signal_log* log) {
    return log->tail - __atomic_load_n(&log->head, __ATOMIC_ACQUIRE) == ROOM;
}

static void append(struct uv__signal_log* log, uv_signal_t* handle) {
    log->entries[log->tail % ROOM] = (struct uv__caught_signal){handle, handle->signum};
    __atomic_store_n(&log->tail, log->tail + 1, __ATOMIC_RELEASE);
}

/* Under the lock, on any thread, at any time: only what is safe in a signal handler. What finds no
 * room is not lost, but only its number is kept. */
static void deliver(uv_signal_t* handle) {
    uv_loop_t* loop = handle->loop;
    struct uv__signal_log* log = &loop->internal.signal_log;
    if (is_full(log)) {
        if (is_own(handle) && handle->signal.missed > 0)
            return;
        handle->signal.missed++;
        log->missed++;
    } else {
        append(log, handle);
    }
    __atomic_store_n(&loop->internal.mailbox.signals, log, __ATOMIC_SEQ_CST);
    ph_mailbox_wake(loop);
}

static void on_signal(int signum) {
    int saved = errno;
    acquire();
    struct uv__queue* head = &registry[signum].handles;
    for (struct uv__queue* node = head->next; node != head; node = node->next)
        deliver(PH_CONTAINER_OF(node, uv_signal_t, signal.registered));
    release();
    errno = saved;
}

static int set_disposition(int signum, enum disposition disposition) {
    struct registration* registration = &registry[signum];
    struct sigaction action;
    if (registration->disposition == disposition)
        return 0;
    sigfillset(&action.sa_mask);
    /* Faults: blocked, they would end the process instead of reaching who handles them. */
    sigdelset(&action.sa_mask, SIGSEGV);
    sigdelset(&action.sa_mask, SIGSYS);
    action.sa_handler = disposition == DEFAULT ? SIG_DFL : on_signal;
    action.sa_flags = SA_RESTART | (disposition == CAUGHT_ONCE ? (int)SA_RESETHAND : 0);
    if (sigaction(signum, &action, NULL) != 0)
        return ph_errno();
    registration->disposition = disposition;
    return 0;
}

static void leave_registry(uv_signal_t* handle) {
    struct registration* registration = &registry[handle->signum];
    ph_queue_remove(&handle->signal.registered);
    handle->loop->internal.signal_log.missed -= handle->signal.missed;
    handle->signal.missed = 0;
    registration->persistent -= !handle->signal.oneshot;
    if (ph_queue_empty(&registration->handles))
        set_disposition(handle->signum, DEFAULT);
    else
        set_disposition(handle->signum, registration->persistent > 0 ? CAUGHT : CAUGHT_ONCE);
}

static uintptr_t place_of(const uv_signal_t* handle) {
    return is_own(handle) ? (uintptr_t)handle->loop : (uintptr_t)handle;
}

/* The order in which the handles of a signal are called: the lasting ones first, then by their
 * place in memory, as libuv has it. */
static bool comes_after(const struct uv__queue* node, const uv_signal_t* handle, bool oneshot) {
    const uv_signal_t* other = PH_CONTAINER_OF(node, uv_signal_t, signal.registered);
    if (other->signal.oneshot != oneshot)
        return oneshot;
    return place_of(handle) > place_of(other);
}

/* If the kernel refuses the new signal, the handle keeps what it had. */
static int enter_registry(uv_signal_t* handle, int signum, bool oneshot) {
    struct registration* registration = &registry[signum];
    if (registration->handles.next == NULL)
        ph_queue_init(&registration->handles);
    bool once = oneshot && registration->persistent == 0;
    int err = set_disposition(signum, once ? CAUGHT_ONCE : CAUGHT);
    if (err != 0)
        return err;
    if (handle->signum != 0)
        leave_registry(handle);
    struct uv__queue* before = registration->handles.prev;
    while (before != &registration->handles && !comes_after(before, handle, oneshot))
        before = before->prev;
    ph_queue_push_front(before, &handle->signal.registered);
    registration->persistent += !oneshot;
    handle->signal.oneshot = oneshot;
    handle->signum = signum;
    return 0;
}

static void before_fork(void) {
    sigset_t saved;
    lock(&saved);
    mask_before_fork = saved;
}

static void after_fork_in_parent(void) {
    sigset_t saved = mask_before_fork;
    unlock(&saved);
}

/* What the parent has caught is the parent's, but closes that wait for it still wait. */
static void forget_caught(uv_loop_t* loop) {
    struct uv__signal_log* log = &loop->internal.signal_log;
    loop->internal.mailbox.signals = NULL;
    for (unsigned int at = log->head; at != log->tail; at++) {
        struct uv__caught_signal* caught = &log->entries[at % ROOM];
        if (caught->handle != NULL && ph_is_closing(caught->handle))
            loop->internal.mailbox.signals = log;
        else
            caught->handle = NULL;
    }
    log->missed = 0;
}

static void after_fork_in_child(void) {
    for (int signum = 1; signum < SIGNALS; signum++) {
        struct uv__queue* head = &registry[signum].handles;
        for (struct uv__queue* node = head->next; node != NULL && node != head; node = node->next) {
            uv_signal_t* handle = PH_CONTAINER_OF(node, uv_signal_t, signal.registered);
            handle->signal.missed = 0;
            forget_caught(handle->loop);
        }
    }
    after_fork_in_parent();
}

static void install_fork_handlers(void) {
    ph_at_fork(before_fork, after_fork_in_parent, after_fork_in_child);
}

void ph_signals_fork(uv_loop_t* loop) {
    ph_children_fork(loop);
}

void ph_signals_shutdown(void) {
    sigset_t saved;
    lock(&saved);
    for (int signum = 1; signum < SIGNALS; signum++)
        set_disposition(signum, DEFAULT);
    unlock(&saved);
}

static void init_state(uv_signal_t* handle) {
    handle->signal_cb = NULL;
    handle->signum = 0;
    memset(&handle->signal, 0, sizeof(handle->signal));
}

int uv_signal_init(uv_loop_t* loop, uv_signal_t* handle) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_SIGNAL);
    init_state(handle);
    return 0;
}

void ph_signal_init_own(uv_loop_t* loop, uv_signal_t* handle) {
    handle->loop = loop;
    handle->type = UV_SIGNAL;
    handle->flags = PH_INTERNAL;
    init_state(handle);
    handle->signal.own = true;
}

static int start(uv_signal_t* handle, uv_signal_cb signal_cb, int signum, bool oneshot) {
    sigset_t saved;
    if (ph_is_closing(handle) || signum <= 0 || signum >= SIGNALS)
        return UV_EINVAL;
    /* Only the callback changes, so that no delivery gets lost; not even the kind of start does. */
    if (handle->signum == signum) {
        handle->signal_cb = signal_cb;
        return 0;
    }
    pthread_once(&fork_handlers, install_fork_handlers);
    lock(&saved);
    int err = enter_registry(handle, signum, oneshot);
    unlock(&saved);
    if (err != 0)
        return err;
    handle->signal_cb = signal_cb;
    ph_handle_start(handle);
    return 0;
}

int uv_signal_start(uv_signal_t* handle, uv_signal_cb signal_cb, int signum) {
    return start(handle, signal_cb, signum, false);
}

int uv_signal_start_oneshot(uv_signal_t* handle, uv_signal_cb signal_cb, int signum) {
    return start(handle, signal_cb, signum, true);
}

int uv_signal_stop(uv_signal_t* handle) {
    sigset_t saved;
    if (handle->signum == 0)
        return 0;
    lock(&saved);
    leave_registry(handle);
    unlock(&saved);
    handle->signum = 0;
    ph_handle_stop(handle);
    return 0;
}

/* The handle that is being called. Its callback may run the loop, which may end the handle's life.
 */
struct call {
    uv_signal_t* handle; /* NULL: its memory is the caller's again */
    struct call* outer;
};

static _Thread_local struct call* calls;

/* A handle that was stopped, or turned to another signal, since is not called. */
static void call(uv_loop_t* loop, struct uv__caught_signal caught) {
    if (caught.handle == NULL || caught.handle->signum != caught.signum)
        return;
    if (is_own(caught.handle)) {
        /* The library's own, not a callback of the program. */
        void (*reap)(uv_signal_t*, int) = caught.handle->signal_cb;
        reap(caught.handle, caught.signum);
        return;
    }
    struct call this = {caught.handle, calls};
    bool oneshot = caught.handle->signal.oneshot;
    calls = &this;
    if (caught.handle->signal_cb != NULL)
        PH_DISPATCH(loop, caught.handle, caught.handle->signal_cb, caught.handle, caught.signum);
    calls = this.outer;
    if (oneshot && this.handle != NULL)
        uv_signal_stop(this.handle);
}

/* How many there are by now. What comes later waits for the next turn. */
static unsigned int take(uv_loop_t* loop) {
    struct uv__signal_log* log = &loop->internal.signal_log;
    sigset_t saved;
    lock(&saved);
    __atomic_store_n(&loop->internal.mailbox.signals, NULL, __ATOMIC_RELAXED);
    unsigned int count = log->tail - log->head + log->missed;
    unlock(&saved);
    return count;
}

static void refill_from(struct uv__queue* head, uv_loop_t* loop) {
    struct uv__signal_log* log = &loop->internal.signal_log;
    for (struct uv__queue* node = head->next; node != NULL && node != head; node = node->next) {
        uv_signal_t* handle = PH_CONTAINER_OF(node, uv_signal_t, signal.registered);
        for (; handle->loop == loop && handle->signal.missed > 0 && !is_full(log); log->missed--) {
            append(log, handle);
            handle->signal.missed--;
        }
    }
}

/* The log is empty: those that found no room in it follow. */
static void refill(uv_loop_t* loop) {
    sigset_t saved;
    lock(&saved);
    if (loop->internal.signal_log.missed > 0)
        for (int signum = 1; signum < SIGNALS; signum++)
            refill_from(&registry[signum].handles, loop);
    unlock(&saved);
}

static bool is_empty(const struct uv__signal_log* log) {
    return log->head == __atomic_load_n(&log->tail, __ATOMIC_ACQUIRE);
}

static bool is_in_log(const struct uv__signal_log* log, const uv_signal_t* handle) {
    for (unsigned int at = log->head; at != __atomic_load_n(&log->tail, __ATOMIC_ACQUIRE); at++)
        if (log->entries[at % ROOM].handle == handle)
            return true;
    return false;
}

bool ph_signal_is_caught(const uv_signal_t* handle) {
    const struct uv__signal_log* log = &handle->loop->internal.signal_log;
    sigset_t saved;
    lock(&saved);
    bool caught = handle->signum != 0 && (handle->signal.missed > 0 || is_in_log(log, handle));
    unlock(&saved);
    return caught;
}

/* A loop that a callback runs looks into the log by itself only if there is mail. */
static void set_mail(uv_loop_t* loop) {
    struct uv__signal_log* log = &loop->internal.signal_log;
    sigset_t saved;
    lock(&saved);
    bool is_mail = !is_empty(log) || log->missed > 0;
    __atomic_store_n(&loop->internal.mailbox.signals, is_mail ? log : NULL, __ATOMIC_SEQ_CST);
    unlock(&saved);
}

/* Of what was caught for a handle that was closed since; the last one lets it close. */
static void skip(uv_loop_t* loop, uv_signal_t* handle) {
    if (is_in_log(&loop->internal.signal_log, handle))
        return;
    loop->active_reqs.count--;
    ph_handle_close_later(PH_HANDLE(handle));
    set_mail(loop);
}

void ph_signals_run(uv_loop_t* loop) {
    struct uv__signal_log* log = &loop->internal.signal_log;
    for (unsigned int left = take(loop); left > 0; left--) {
        if (is_empty(log))
            refill(loop);
        if (is_empty(log))
            break;
        struct uv__caught_signal caught = log->entries[log->head % ROOM];
        __atomic_store_n(&log->head, log->head + 1, __ATOMIC_RELEASE);
        if (caught.handle != NULL && ph_is_closing(caught.handle))
            skip(loop, caught.handle);
        else
            call(loop, caught);
    }
    /* What a callback that closed a handle left as mail has been run here. */
    if (__atomic_load_n(&loop->internal.mailbox.signals, __ATOMIC_RELAXED) != NULL && is_empty(log))
        set_mail(loop);
}

/* As in libuv, what was caught and not told delays the close callback until its turn comes. */
bool ph_signal_close(uv_handle_t* handle) {
    uv_signal_stop((uv_signal_t*)handle);
    if (!is_in_log(&handle->loop->internal.signal_log, (uv_signal_t*)handle))
        return true;
    handle->loop->active_reqs.count++;
    set_mail(handle->loop);
    return false;
}

/* The caller may free the handle after its close callback, so nothing may lead to it by then. */
void ph_signal_finish(uv_loop_t* loop, uv_handle_t* handle) {
    (void)loop;
    for (struct call* call = calls; call != NULL; call = call->outer)
        if (call->handle == (uv_signal_t*)handle)
            call->handle = NULL;
}
