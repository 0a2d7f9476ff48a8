#include "process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/at_fork.h"
#include "base/error.h"
#include "os/fd.h"
#include "process/child.h"

/*
 * The fast way: the child borrows the parent's memory until it executes its program, and the
 * calling thread sleeps until then (CLONE_VM | CLONE_VFORK). Nothing is copied, however large the
 * parent is, and an error reaches the parent by a plain store.
 *
 * The other way is a fork, where an error comes through a pipe that exec closes. It is taken where
 * the difference would be seen: if someone waits for forks, if the child changes its user (the
 * kernel then takes the right to look into the memory, which would be the parent's), and where a
 * tool copies memory that was to be borrowed (valgrind, qemu).
 */

enum { STACK_SIZE = 32 * 1024, BORROWING = CLONE_VM | CLONE_VFORK };

/* The thread sanitizer takes every clone() for a fork with memory of its own; it does not know the
 * C library's other name for it. */
#if defined(__has_feature)
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#ifdef __SANITIZE_THREAD__
int __clone(int (*fn)(void*), void* stack, int flags, void* arg, ...);
#define clone __clone
#endif

/* A start with the stack that a child in borrowed memory needs. */
struct start {
    struct ph_start child;
    _Alignas(16) char stack[STACK_SIZE];
};

static int prepare(struct ph_launch* launch, struct start** result) {
    const uv_process_options_t* options = launch->options;
    const char* file = options->file;
    size_t arg_count = 0;
    while (options->args != NULL && options->args[arg_count] != NULL)
        arg_count++;
    if (strchr(file, '/') == NULL && strlen(file) > NAME_MAX)
        return UV_ENAMETOOLONG;
    size_t fds_size = (size_t)launch->fd_count * sizeof(*launch->fds);
    struct start* start = ph_malloc(sizeof(*start) + (arg_count + 3) * sizeof(char*) + fds_size);
    if (start == NULL)
        return UV_ENOMEM;
    struct ph_start* child = &start->child;
    child->options = options;
    child->shell_args = (char**)(start + 1);
    child->fds = memcpy(child->shell_args + arg_count + 3, launch->fds, fds_size);
    child->fd_count = launch->fd_count;
    child->terminal = launch->terminal;
    child->error = 0;
    child->report = -1;
    *result = start;
    return 0;
}

__attribute__((no_sanitize("address", "thread", "undefined"))) static int mark(void* marked) {
    *(volatile int*)marked = 1;
    syscall(SYS_exit_group, 0);
    return 0;
}

/* Asked once. The child sends no signal at its end and is not seen by who waits for any child. */
static bool memory_can_be_borrowed(struct start* start) {
    static enum { UNKNOWN, YES, NO } answer;
    int known = (int)__atomic_load_n(&answer, __ATOMIC_RELAXED);
    if (known != UNKNOWN)
        return known == YES;
    volatile int marked = 0;
    int pid = clone(mark, start->stack + STACK_SIZE, BORROWING, (void*)&marked);
    if (pid == -1)
        return false;
    while (waitpid(pid, NULL, __WALL) == -1 && errno == EINTR)
        continue;
    __atomic_store_n(&answer, marked ? YES : NO, __ATOMIC_RELAXED);
    return marked;
}

static int clone_child(struct ph_launch* launch, struct start* start, int flags) {
    launch->pidfd = -1;
    launch->pid = clone(ph_child_run, start->stack + STACK_SIZE, BORROWING | flags, &start->child,
                        &launch->pidfd);
    return launch->pid == -1 ? ph_errno() : start->child.error;
}

static int start_in_borrowed_memory(struct ph_launch* launch, struct start* start) {
    int err = clone_child(launch, start, CLONE_PIDFD | SIGCHLD);
    if (launch->pid == -1 && (err == UV_EMFILE || err == UV_ENFILE || err == UV_EINVAL))
        err = clone_child(launch, start, SIGCHLD);
    return err;
}

/* What the child has reported; the end of the pipe is its exec. */
static int receive_error(int fd) {
    int error;
    ssize_t n;
    do
        n = read(fd, &error, sizeof(error));
    while (n == -1 && errno == EINTR);
    return n == (ssize_t)sizeof(error) ? error : 0;
}

static int start_by_fork(struct ph_launch* launch, struct start* start) {
    int ends[2];
    launch->pidfd = -1;
    launch->pid = -1;
    if (pipe2(ends, O_CLOEXEC) == -1)
        return ph_errno();
    start->child.report = ends[1];
    launch->pid = fork();
    if (launch->pid == 0)
        ph_child_run(&start->child);
    int err = launch->pid == -1 ? ph_errno() : 0;
    ph_fd_close(ends[1]);
    if (err == 0)
        err = receive_error(ends[0]);
    ph_fd_close(ends[0]);
    if (err == 0)
        launch->pidfd = (int)syscall(SYS_pidfd_open, launch->pid, 0);
    return err;
}

static void reap_failed(struct ph_launch* launch) {
    if (launch->pidfd != -1)
        ph_fd_close(launch->pidfd);
    while (waitpid(launch->pid, NULL, 0) == -1 && errno == EINTR)
        continue;
}

int ph_launch(struct ph_launch* launch) {
    struct start* start;
    sigset_t all, saved;
    int saved_errno = errno;
    int err = prepare(launch, &start);
    if (err != 0)
        return err;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &saved);
    if (ph_changes_user(launch->options) || ph_others_await_forks() ||
        !memory_can_be_borrowed(start))
        err = start_by_fork(launch, start);
    else
        err = start_in_borrowed_memory(launch, start);
    if (err != 0 && launch->pid != -1)
        reap_failed(launch);
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    ph_free(start);
    errno = saved_errno;
    return err;
}
