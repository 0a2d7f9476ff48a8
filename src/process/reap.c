#include "process/reap.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "os/fd.h"
#include "os/poller.h"
#include "process/signal.h"

/*
 * Each child has a pidfd that its loop watches, so an exit costs the same however many children
 * there are. Without a pidfd (an old kernel, no descriptor or memory left) the child has a signal
 * handle of its own that asks after it whenever SIGCHLD comes. Never waits for any child but its
 * own: the others are the program's.
 */

struct uv__child {
    uv_loop_t* loop;
    uv_process_t* process; /* NULL: closed before the exit */
    struct uv__queue node; /* in the loop's list of children */
    struct uv__child* next_abandoned;
    uv__io_t watcher;    /* of the pidfd; -1 when there is none */
    uv_signal_t sigchld; /* only if `by_signal` */
    int pid;
    bool by_signal;
};

enum outcome { RUNNING, ENDED, LOST };

static void* abandoned; /* a stack of children, linked by next_abandoned */

struct uv__child* ph_child_new(uv_process_t* process) {
    struct uv__child* child = ph_malloc(sizeof(*child));
    if (child == NULL)
        return NULL;
    child->loop = process->loop;
    child->process = process;
    ph_queue_init(&child->node);
    child->watcher.fd = -1;
    child->by_signal = false;
    return child;
}

static void close_pidfd(struct uv__child* child) {
    if (child->watcher.fd == -1)
        return;
    ph_watcher_close(child->loop, &child->watcher);
    ph_fd_close(child->watcher.fd);
    child->watcher.fd = -1;
}

static void free_with_signal(uv_handle_t* sigchld) {
    ph_free(PH_CONTAINER_OF(sigchld, struct uv__child, sigchld));
}

/* Also from inside the signal handle's callback: its memory stays until the closing phase. */
void ph_child_free(struct uv__child* child) {
    ph_queue_remove(&child->node);
    close_pidfd(child);
    if (child->by_signal)
        uv_close(PH_HANDLE(&child->sigchld), free_with_signal);
    else
        ph_free(child);
}

static enum outcome wait_by_pid(int pid, int* status) {
    int result;
    do
        result = waitpid(pid, status, WNOHANG);
    while (result == -1 && errno == EINTR);
    if (result == 0)
        return RUNNING;
    return result == pid ? ENDED : LOST;
}

/* An old kernel or a sandbox may refuse the question about a descriptor; the number works anywhere.
 */
static enum outcome wait_for(const struct uv__child* child, int* status) {
    siginfo_t info = {0};
    int result;
    if (child->watcher.fd == -1)
        return wait_by_pid(child->pid, status);
    do
        result = waitid((idtype_t)P_PIDFD, (id_t)child->watcher.fd, &info, WEXITED | WNOHANG);
    while (result == -1 && errno == EINTR);
    if (result != 0)
        return errno == ECHILD ? LOST : wait_by_pid(child->pid, status);
    if (info.si_pid == 0)
        return RUNNING;
    *status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status;
    return ENDED;
}

static void end(struct uv__child* child, int status) {
    uv_process_t* process = child->process;
    int64_t exit_status = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    int term_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    ph_child_free(child);
    if (process == NULL)
        return;
    process->process.child = NULL;
    process->process.killable = 0;
    ph_handle_stop(process);
    if (process->exit_cb != NULL)
        PH_DISPATCH(process->loop, process, process->exit_cb, process, exit_status, term_signal);
}

/* A child that can't be waited for: there is no status to report, so its handle stays as it is. */
static void lose(struct uv__child* child) {
    if (child->process == NULL) {
        ph_child_free(child);
        return;
    }
    close_pidfd(child);
    if (child->by_signal)
        uv_signal_stop(&child->sigchld);
}

static void on_sigchld(uv_signal_t* handle, int signum) {
    struct uv__child* child = PH_CONTAINER_OF(handle, struct uv__child, sigchld);
    int status = 0;
    (void)signum;
    switch (wait_for(child, &status)) {
    case RUNNING:
        break;
    case ENDED:
        end(child, status);
        break;
    case LOST:
        lose(child);
        break;
    }
}

/* The child may have ended before the signal was caught, hence the first delivery by hand. */
static void watch_by_signal(struct uv__child* child) {
    close_pidfd(child);
    uv_signal_init(child->loop, &child->sigchld);
    child->sigchld.flags |= PH_INTERNAL;
    uv_unref(PH_HANDLE(&child->sigchld));
    child->by_signal = true;
    uv_signal_start(&child->sigchld, on_sigchld, SIGCHLD);
    ph_signal_deliver(&child->sigchld);
}

static void after_batch(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    struct uv__child* child = PH_CONTAINER_OF(watcher, struct uv__child, watcher);
    int status = 0;
    (void)loop, (void)events;
    switch (wait_for(child, &status)) {
    case RUNNING: /* the poller could not watch the descriptor */
        watch_by_signal(child);
        break;
    case ENDED:
        end(child, status);
        break;
    case LOST:
        lose(child);
        break;
    }
}

/* An exit is reported after the other events of its batch, so that what the child wrote last is
 * read first. */
static void on_pidfd(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    ph_watcher_stop(loop, watcher, EPOLLIN);
    watcher->on_events = after_batch;
    ph_watcher_feed(loop, watcher, events);
}

void ph_child_watch(struct uv__child* child, int pid, int pidfd) {
    uv_loop_t* loop = child->loop;
    child->pid = pid;
    ph_queue_push(&loop->internal.processes, &child->node);
    ph_watcher_init(&child->watcher, on_pidfd, pidfd);
    if (pidfd != -1 && ph_poller_reserve(loop, pidfd) == 0)
        ph_watcher_start(loop, &child->watcher, EPOLLIN);
    else
        watch_by_signal(child);
}

bool ph_process_close(uv_handle_t* handle) {
    uv_process_t* process = (uv_process_t*)handle;
    struct uv__child* child = process->process.child;
    ph_handle_stop(process);
    if (child == NULL)
        return true;
    process->process.child = NULL;
    child->process = NULL;
    if (child->watcher.fd == -1 && !(child->by_signal && ph_is_active(&child->sigchld)))
        ph_child_free(child); /* lost earlier */
    return true;
}

void ph_children_fork(uv_loop_t* loop) {
    struct uv__queue children;
    struct uv__queue* node;
    ph_queue_move(&children, &loop->internal.processes);
    while ((node = ph_queue_pop(&children)) != NULL) {
        ph_queue_push(&loop->internal.processes, node);
        lose(PH_CONTAINER_OF(node, struct uv__child, node));
    }
}

static void abandon(struct uv__child* child) {
    ph_mailbox_push(&abandoned, child, (void**)&child->next_abandoned);
}

void ph_reap_abandoned(void) {
    struct uv__child* child = ph_mailbox_take(&abandoned);
    while (child != NULL) {
        struct uv__child* next = child->next_abandoned;
        int status;
        if (wait_for(child, &status) == RUNNING) {
            abandon(child);
        } else {
            if (child->watcher.fd != -1)
                ph_fd_close(child->watcher.fd);
            ph_free(child);
        }
        child = next;
    }
}

/* All handles are closed by now: these are children whose handles were closed before they ended.
 * They keep their pidfd: once such a child is gone, its number may be that of another one. */
void ph_processes_close(uv_loop_t* loop) {
    struct uv__queue* node;
    while ((node = ph_queue_pop(&loop->internal.processes)) != NULL) {
        struct uv__child* child = PH_CONTAINER_OF(node, struct uv__child, node);
        if (child->watcher.fd != -1)
            ph_watcher_close(loop, &child->watcher);
        if (child->by_signal) {
            uv_signal_stop(&child->sigchld);
            ph_signal_finish(PH_HANDLE(&child->sigchld));
            ph_handle_forget(PH_HANDLE(&child->sigchld));
        }
        abandon(child);
    }
    ph_reap_abandoned();
}
