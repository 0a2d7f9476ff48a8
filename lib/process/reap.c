#include "process/reap.h"

#include <errno.h>
#include <stdbool.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/mailbox.h"
#include "core/parts.h"
#include "os/fd.h"
#include "os/libc.h"
#include "os/poller.h"
#include "process/signal.h"

/*
 * A loop with children catches SIGCHLD, and asks after them when it comes to that signal: so exits
 * are told in libuv's order among the signals, and all that have ended together in the order of
 * spawning.
 *
 * Which children have ended is asked of an epoll set of their pidfds, so an exit costs the same
 * however many there are. The loop also watches the set itself: a program may block SIGCHLD or
 * take it away. A child that is not in the set (an old kernel, no descriptor or memory left) is
 * asked after with each SIGCHLD. Never waits for any child but its own: the others are the
 * program's.
 */

struct uv__children {
    uv_loop_t* loop;
    struct uv__queue left;  /* not reaped */
    struct uv__queue ended; /* reaped and not told, in the order of spawning */
    uv_signal_t sigchld;
    uv__io_t set;   /* of the pidfds; its fd is -1 until there is one */
    uv__io_t later; /* fed when the set has something, to be called after the batch */
    unsigned int spawned;
    unsigned int running; /* not reaped, and their handles are open */
    unsigned int in_set;
    unsigned int asked; /* with each SIGCHLD */
};

enum watched { NOT_AT_ALL, IN_SET, WITH_SIGCHLD };

struct uv__child {
    uv_loop_t* loop;
    uv_process_t* process; /* NULL: closed before the exit was told */
    struct uv__queue node;
    struct uv__child* next_abandoned;
    enum watched watched;
    unsigned int number; /* in the order of spawning */
    int pid;
    int pidfd; /* -1: none */
    int status;
    bool is_reaped;
};

enum outcome { RUNNING, ENDED, LOST };
enum { BATCH = 32 };

static void* abandoned; /* a stack of children, linked by next_abandoned */

static void on_sigchld(uv_signal_t* handle, int signum);
static void after_batch(uv_loop_t* loop, uv__io_t* later, unsigned int events);

static struct uv__children* children_of(uv_loop_t* loop) {
    struct uv__children* children = loop->internal.children;
    if (children != NULL)
        return children;
    children = ph_loop_calloc(loop, 1, sizeof(*children));
    if (children == NULL)
        return NULL;
    children->loop = loop;
    ph_queue_init(&children->left);
    ph_queue_init(&children->ended);
    ph_signal_init_own(loop, &children->sigchld);
    ph_watcher_init(&children->set, NULL, -1);
    ph_watcher_init(&children->later, after_batch, -1);
    loop->internal.children = children;
    return children;
}

struct uv__child* ph_child_new(uv_process_t* process) {
    struct uv__children* children = children_of(process->loop);
    struct uv__child* child = children != NULL ? ph_calloc(1, sizeof(*child)) : NULL;
    if (child == NULL)
        return NULL;
    child->loop = process->loop;
    child->process = process;
    child->pidfd = -1;
    ph_queue_init(&child->node);
    uv_signal_start(&children->sigchld, on_sigchld, SIGCHLD);
    return child;
}

static void unwatch(struct uv__child* child) {
    struct uv__children* children = child->loop->internal.children;
    if (child->watched == IN_SET) {
        struct epoll_event event = {0};
        epoll_ctl(children->set.fd, EPOLL_CTL_DEL, child->pidfd, &event);
        if (--children->in_set == 0)
            ph_watcher_stop(child->loop, &children->set, EPOLLIN);
    } else if (child->watched == WITH_SIGCHLD) {
        children->asked--;
    }
    child->watched = NOT_AT_ALL;
}

static void watch_by_signal(struct uv__child* child) {
    unwatch(child);
    child->watched = WITH_SIGCHLD;
    child->loop->internal.children->asked++;
}

static void close_pidfd(struct uv__child* child) {
    if (child->pidfd != -1)
        ph_fd_close(child->pidfd);
    child->pidfd = -1;
}

void ph_child_free(struct uv__child* child) {
    ph_queue_remove(&child->node);
    unwatch(child);
    close_pidfd(child);
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
    if (child->pidfd == -1)
        return wait_by_pid(child->pid, status);
    do
        result = waitid(PH_P_PIDFD, (id_t)child->pidfd, &info, WEXITED | WNOHANG);
    while (result == -1 && errno == EINTR);
    if (result != 0)
        return errno == ECHILD ? LOST : wait_by_pid(child->pid, status);
    if (info.si_pid == 0)
        return RUNNING;
    *status = info.si_code == CLD_EXITED ? (info.si_status & 0xff) << 8 : info.si_status;
    return ENDED;
}

/* SIGCHLD is the loop's as long as it has children whose exit is to be told, as in libuv. */
static void leave_sigchld(struct uv__children* children) {
    if (children->running == 0 && children->asked == 0)
        uv_signal_stop(&children->sigchld);
}

/* A child that can't be waited for: there is no status to report, so its handle stays as it is. */
static void lose(struct uv__child* child) {
    if (child->process == NULL) {
        ph_child_free(child);
        return;
    }
    unwatch(child);
    close_pidfd(child);
}

static void put_among_ended(struct uv__children* children, struct uv__child* child) {
    struct uv__queue* before = children->ended.prev;
    while (before != &children->ended &&
           (int)(PH_CONTAINER_OF(before, struct uv__child, node)->number - child->number) > 0)
        before = before->prev;
    ph_queue_remove(&child->node);
    ph_queue_push_front(before, &child->node);
}

static void reap(struct uv__children* children, struct uv__child* child) {
    switch (wait_for(child, &child->status)) {
    case RUNNING: /* somebody who traces it is told first */
        if (child->watched == IN_SET)
            watch_by_signal(child);
        break;
    case ENDED:
        unwatch(child);
        close_pidfd(child);
        child->is_reaped = true;
        put_among_ended(children, child);
        if (child->process != NULL) {
            child->process->process.killable = 0;
            children->running--;
        } else {
            leave_sigchld(children);
        }
        break;
    case LOST:
        lose(child);
        break;
    }
}

/* All that have ended are reaped before any is told. */
static void reap_all(struct uv__children* children) {
    struct epoll_event events[BATCH];
    int count = BATCH;
    while (count == BATCH && children->in_set > 0) {
        count = epoll_wait(children->set.fd, events, BATCH, 0);
        for (int i = 0; i < count; i++)
            reap(children, events[i].data.ptr);
    }
    struct uv__queue* next;
    struct uv__queue* node = children->asked > 0 ? children->left.next : &children->left;
    for (; node != &children->left; node = next) {
        struct uv__child* child = PH_CONTAINER_OF(node, struct uv__child, node);
        next = node->next;
        if (child->watched == WITH_SIGCHLD)
            reap(children, child);
    }
}

static void end(struct uv__child* child) {
    uv_process_t* process = child->process;
    int64_t exit_status = WIFEXITED(child->status) ? WEXITSTATUS(child->status) : 0;
    int term_signal = WIFSIGNALED(child->status) ? WTERMSIG(child->status) : 0;
    ph_child_free(child);
    if (process == NULL)
        return;
    process->process.child = NULL;
    ph_handle_stop(process);
    if (process->exit_cb != NULL)
        PH_DISPATCH(process->loop, process, process->exit_cb, process, exit_status, term_signal);
}

static void tell(struct uv__children* children) {
    while (!ph_queue_empty(&children->ended))
        end(PH_CONTAINER_OF(children->ended.next, struct uv__child, node));
}

static void on_sigchld(uv_signal_t* handle, int signum) {
    struct uv__children* children = PH_CONTAINER_OF(handle, struct uv__children, sigchld);
    (void)signum;
    ph_queue_remove(&children->later.pending);
    reap_all(children);
    tell(children);
}

/* An exit is reported after the other events of its batch, so that what the child wrote last is
 * read first. */
static void on_set(uv_loop_t* loop, uv__io_t* set, unsigned int events) {
    ph_watcher_feed(loop, &PH_CONTAINER_OF(set, struct uv__children, set)->later, events);
}

/* The kernel has sent SIGCHLD by the time a child can be reaped. If it was caught, the exit is told
 * where it stands among the signals. */
static void after_batch(uv_loop_t* loop, uv__io_t* later, unsigned int events) {
    struct uv__children* children = PH_CONTAINER_OF(later, struct uv__children, later);
    (void)loop, (void)events;
    reap_all(children);
    if (!ph_signal_is_caught(&children->sigchld))
        tell(children);
}

/* A loop on poll(2) may live in a sandbox that makes such a set and refuses to ask it. */
static bool can_be_asked(int set) {
    struct epoll_event none;
    return epoll_wait(set, &none, 1, 0) == 0;
}

static bool open_set(struct uv__children* children) {
    if (children->set.fd != -1)
        return true;
    int fd = epoll_create1(EPOLL_CLOEXEC);
    if (fd == -1)
        return false;
    if (!can_be_asked(fd) || ph_poller_reserve(children->loop, fd) != 0) {
        ph_fd_close(fd);
        return false;
    }
    ph_watcher_init(&children->set, on_set, fd);
    return true;
}

static void close_set(struct uv__children* children) {
    if (children->set.fd == -1)
        return;
    ph_watcher_close(children->loop, &children->set);
    ph_fd_close(children->set.fd);
    children->set.fd = -1;
    children->in_set = 0;
}

/* Edge-triggered: the set tells of each once. */
static bool enter_set(struct uv__children* children, struct uv__child* child) {
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = child};
    if (child->pidfd == -1 || !open_set(children) ||
        epoll_ctl(children->set.fd, EPOLL_CTL_ADD, child->pidfd, &event) != 0)
        return false;
    child->watched = IN_SET;
    if (children->in_set++ == 0)
        ph_watcher_start(children->loop, &children->set, EPOLLIN);
    return true;
}

void ph_child_watch(struct uv__child* child, int pid, int pidfd) {
    struct uv__children* children = child->loop->internal.children;
    child->pid = pid;
    child->pidfd = pidfd;
    child->number = children->spawned++;
    children->running++;
    ph_queue_push(&children->left, &child->node);
    if (!enter_set(children, child))
        watch_by_signal(child);
}

bool ph_process_close(uv_handle_t* handle) {
    uv_process_t* process = (uv_process_t*)handle;
    struct uv__child* child = process->process.child;
    struct uv__children* children = process->loop->internal.children;
    ph_handle_stop(process);
    process->process.child = NULL;
    if (child != NULL) {
        child->process = NULL;
        children->running -= !child->is_reaped;
        if (!child->is_reaped && child->watched == NOT_AT_ALL)
            ph_child_free(child); /* lost earlier */
    }
    if (children != NULL)
        leave_sigchld(children);
    return true;
}

/* The set is the parent's too: nothing is taken out of it here. */
void ph_children_fork(uv_loop_t* loop) {
    struct uv__children* children = loop->internal.children;
    struct uv__queue inherited;
    struct uv__queue* node;
    if (children == NULL)
        return;
    close_set(children);
    ph_queue_move(&inherited, &children->left);
    while ((node = ph_queue_pop(&inherited)) != NULL) {
        struct uv__child* child = PH_CONTAINER_OF(node, struct uv__child, node);
        ph_queue_push(&children->left, node);
        if (child->watched == IN_SET)
            child->watched = NOT_AT_ALL;
        lose(child);
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
            close_pidfd(child);
            ph_free(child);
        }
        child = next;
    }
}

/* All handles are closed by now: these are children whose handles were closed before they ended.
 * They keep their pidfd: once such a child is gone, its number may be that of another one. */
void ph_processes_close(uv_loop_t* loop) {
    struct uv__children* children = loop->internal.children;
    struct uv__queue* node;
    if (children == NULL)
        return;
    uv_signal_stop(&children->sigchld);
    close_set(children);
    while ((node = ph_queue_pop(&children->left)) != NULL)
        abandon(PH_CONTAINER_OF(node, struct uv__child, node));
    while ((node = ph_queue_pop(&children->ended)) != NULL)
        ph_free(PH_CONTAINER_OF(node, struct uv__child, node));
    ph_loop_free(loop, children);
    loop->internal.children = NULL;
    ph_reap_abandoned();
}
