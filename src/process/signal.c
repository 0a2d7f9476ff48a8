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
 * The handler counts a delivery in each handle and puts the handle into its loop's mailbox, unless
 * it is there already (`queued`). It does so under the lock: a handle that has left the registry is
 * not put there any more.
 */

enum { SIGNALS = 65 };

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

static int registry_lock;
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

/* Runs on any thread, at any time: only what is safe in a signal handler. */
void ph_signal_deliver(uv_signal_t* handle) {
    uv_loop_t* loop = handle->loop;
    __atomic_fetch_add(&handle->signal.caught, 1, __ATOMIC_SEQ_CST);
    if (__atomic_exchange_n(&handle->signal.queued, 1, __ATOMIC_SEQ_CST))
        return;
    ph_mailbox_push(&loop->internal.mailbox.signals, handle, (void**)&handle->signal.next_caught);
    ph_mailbox_wake(loop);
}

static void on_signal(int signum) {
    int saved = errno;
    acquire();
    struct uv__queue* head = &registry[signum].handles;
    for (struct uv__queue* node = head->next; node != head; node = node->next)
        ph_signal_deliver(PH_CONTAINER_OF(node, uv_signal_t, signal.registered));
    release();
    errno = saved;
}

static int set_disposition(int signum, enum disposition disposition) {
    struct registration* registration = &registry[signum];
    struct sigaction action;
    if (registration->disposition == disposition)
        return 0;
    memset(&action, 0, sizeof(action));
    sigfillset(&action.sa_mask);
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
    registration->persistent -= !handle->signal.oneshot;
    if (ph_queue_empty(&registration->handles))
        set_disposition(handle->signum, DEFAULT);
    else
        set_disposition(handle->signum, registration->persistent > 0 ? CAUGHT : CAUGHT_ONCE);
}

/* The order in which the handles of a signal are called: the lasting ones first, then by their
 * place in memory, as libuv has it. */
static bool comes_after(const struct uv__queue* node, const uv_signal_t* handle, bool oneshot) {
    const uv_signal_t* other = PH_CONTAINER_OF(node, uv_signal_t, signal.registered);
    if (other->signal.oneshot != oneshot)
        return oneshot;
    return (uintptr_t)handle > (uintptr_t)other;
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
    if (handle->signal.counted != signum)
        handle->signal.dispatched = __atomic_load_n(&handle->signal.caught, __ATOMIC_SEQ_CST);
    handle->signal.counted = (unsigned char)signum;
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

/* What the parent has caught is the parent's. */
static void after_fork_in_child(void) {
    for (int signum = 1; signum < SIGNALS; signum++) {
        struct uv__queue* head = &registry[signum].handles;
        for (struct uv__queue* node = head->next; node != NULL && node != head; node = node->next) {
            uv_signal_t* handle = PH_CONTAINER_OF(node, uv_signal_t, signal.registered);
            handle->signal.dispatched = handle->signal.caught;
            uv_signal_t* caught = ph_mailbox_take(&handle->loop->internal.mailbox.signals);
            for (; caught != NULL; caught = caught->signal.next_caught) {
                caught->signal.dispatched = caught->signal.caught;
                caught->signal.queued = 0;
            }
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

int uv_signal_init(uv_loop_t* loop, uv_signal_t* handle) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_SIGNAL);
    handle->signal_cb = NULL;
    handle->signum = 0;
    memset(&handle->signal, 0, sizeof(handle->signal));
    ph_queue_init(&handle->signal.registered);
    return 0;
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

/* What ph_signals_run has yet to call. A callback may run the loop itself, which may end the life
 * of any handle. */
struct walk {
    uv_signal_t* current; /* NULL: its memory is the caller's again */
    uv_signal_t* rest;
    struct walk* outer;
};

static _Thread_local struct walk* walks;

/* One call for each delivery so far; what its callback stops or turns to another signal gets none
 * of the rest. */
static void run(uv_loop_t* loop, struct walk* walk) {
    uv_signal_t* handle = walk->current;
    int signum = handle->signum;
    unsigned int end = __atomic_load_n(&handle->signal.caught, __ATOMIC_SEQ_CST);
    while ((int)(end - handle->signal.dispatched) > 0) {
        handle->signal.dispatched++;
        if (signum == 0 || handle->signum != signum)
            continue;
        bool oneshot = handle->signal.oneshot;
        if (handle->signal_cb != NULL)
            PH_DISPATCH(loop, handle, handle->signal_cb, handle, signum);
        if (walk->current == NULL)
            return;
        if (oneshot)
            uv_signal_stop(handle);
    }
}

void ph_signals_run(uv_loop_t* loop, uv_signal_t* caught) {
    struct walk walk = {.outer = walks};
    while (caught != NULL) {
        uv_signal_t* next = caught->signal.next_caught;
        caught->signal.next_caught = walk.rest;
        walk.rest = caught;
        caught = next;
    }
    walks = &walk;
    while (walk.rest != NULL) {
        walk.current = walk.rest;
        walk.rest = walk.current->signal.next_caught;
        /* From here on, a delivery queues the handle anew. */
        __atomic_store_n(&walk.current->signal.queued, 0, __ATOMIC_SEQ_CST);
        run(loop, &walk);
    }
    walks = walk.outer;
}

bool ph_signal_close(uv_handle_t* handle) {
    uv_signal_stop((uv_signal_t*)handle);
    return true;
}

static bool unlink_from(uv_signal_t** list, uv_signal_t* handle) {
    while (*list != NULL && *list != handle)
        list = &(*list)->signal.next_caught;
    if (*list == NULL)
        return false;
    *list = handle->signal.next_caught;
    return true;
}

/* Nobody pushes while the registry is locked, and only this thread takes. */
static void leave_mailbox(uv_signal_t* handle) {
    void** stack = &handle->loop->internal.mailbox.signals;
    sigset_t saved;
    lock(&saved);
    uv_signal_t* newest = __atomic_load_n(stack, __ATOMIC_ACQUIRE);
    unlink_from(&newest, handle);
    __atomic_store_n(stack, newest, __ATOMIC_RELEASE);
    unlock(&saved);
}

/* The caller may free the handle after its close callback, so nothing may lead to it by then. */
void ph_signal_finish(uv_handle_t* handle) {
    uv_signal_t* signal = (uv_signal_t*)handle;
    bool queued = signal->signal.queued;
    for (struct walk* walk = walks; walk != NULL; walk = walk->outer) {
        if (walk->current == signal)
            walk->current = NULL;
        if (queued && unlink_from(&walk->rest, signal))
            queued = false;
    }
    if (queued)
        leave_mailbox(signal);
    signal->signal.queued = 0;
}
