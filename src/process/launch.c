#include "process/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <paths.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "os/fd.h"

/*
 * The child borrows the parent's memory until it executes its program, and the calling thread
 * sleeps until then (CLONE_VM | CLONE_VFORK): nothing is copied, however large the parent is, and
 * an error reaches the parent by a plain store. In exchange the child
 *  - has a stack of its own and writes to nothing but that, its `struct start` and errno;
 *  - makes system calls directly: the C library's functions may keep state, and its setuid would
 *    talk to the parent's threads;
 *  - runs with all signals blocked until no handler of the parent is left.
 */

enum { STACK_SIZE = 32 * 1024, SIGNALS = 65, SIGSET_SIZE = 8 };

/* The child's own part of the memory. */
struct start {
    struct ph_launch* launch;
    char* const* env;
    const char* path; /* where to search; NULL: the file's name says it all */
    char** shell_args;
    struct ph_child_fd* fds; /* a copy: the parent still needs the original */
    int error;               /* what went wrong in the child */
    char candidate[PATH_MAX + NAME_MAX + 2];
    char stack[STACK_SIZE];
};

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

#define IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* The lower numbers are open by now, so this one is the lowest free. */
IN_CHILD static int set_null(const struct ph_child_fd* fds, int number) {
    if (number > 2)
        return 0;
    if (number == 2 && fds[1].source == -1)
        return (int)syscall(SYS_dup3, 1, 2, 0);
    syscall(SYS_close, number);
    return (int)syscall(SYS_openat, AT_FDCWD, _PATH_DEVNULL, number == 0 ? O_RDONLY : O_RDWR);
}

IN_CHILD static int set_fd(const struct ph_child_fd* fd, int number) {
    if (fd->source == number) {
        if (syscall(SYS_fcntl, number, F_SETFD, 0) == -1)
            return -1;
    } else if (syscall(SYS_dup3, fd->source, number, 0) == -1) {
        return -1;
    }
    if (number > 2 || !fd->inherited)
        return 0;
    long flags = syscall(SYS_fcntl, number, F_GETFL);
    if (flags != -1 && (flags & O_NONBLOCK))
        syscall(SYS_fcntl, number, F_SETFL, flags & ~O_NONBLOCK);
    return 0;
}

/* The numbers are set in rising order. A source below its number would be overwritten by then, so
 * it is moved out of the way first. */
IN_CHILD static int set_fds(struct ph_child_fd* fds, int count) {
    for (int i = 0; i < count; i++) {
        if (fds[i].source == -1 || fds[i].source >= i)
            continue;
        fds[i].source = (int)syscall(SYS_fcntl, fds[i].source, F_DUPFD_CLOEXEC, count);
        if (fds[i].source == -1)
            return -1;
    }
    for (int i = 0; i < count; i++)
        if ((fds[i].source == -1 ? set_null(fds, i) : set_fd(&fds[i], i)) == -1)
            return -1;
    return 0;
}

/* The groups go first: afterwards there is no right to change them. Without that right there is
 * nothing to give up either. */
IN_CHILD static int set_user(const uv_process_options_t* options) {
    if (options->flags & (UV_PROCESS_SETUID | UV_PROCESS_SETGID))
        syscall(SYS_setgroups, 0, NULL);
    if ((options->flags & UV_PROCESS_SETGID) && syscall(SYS_setgid, options->gid) == -1)
        return -1;
    if ((options->flags & UV_PROCESS_SETUID) && syscall(SYS_setuid, options->uid) == -1)
        return -1;
    return 0;
}

/* The kernel resets what is caught at exec, but not what is ignored; and a handler of the parent
 * must not run here once the mask is empty. */
IN_CHILD static void reset_signals(void) {
    unsigned long default_action[4] = {0};
    unsigned long no_signals = 0;
    for (int signum = 1; signum < SIGNALS; signum++)
        syscall(SYS_rt_sigaction, signum, default_action, NULL, SIGSET_SIZE);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, &no_signals, NULL, SIGSET_SIZE);
}

/* A file that is executable but of no known format is a script for the shell. */
IN_CHILD static void execute(struct start* start, const char* file) {
    char** args = start->launch->options->args;
    syscall(SYS_execve, file, args, start->env);
    if (errno != ENOEXEC)
        return;
    start->shell_args[0] = (char*)_PATH_BSHELL;
    start->shell_args[1] = (char*)file;
    int i = 1;
    for (; args != NULL && args[0] != NULL && args[i] != NULL; i++)
        start->shell_args[i + 1] = args[i];
    start->shell_args[i + 1] = NULL;
    syscall(SYS_execve, _PATH_BSHELL, start->shell_args, start->env);
}

static bool search_goes_on(int err) {
    return err == EACCES || err == ENOENT || err == ENOTDIR || err == ESTALE || err == ENODEV ||
           err == ETIMEDOUT;
}

/* Sets errno: that of the first file that may not be executed, or else of the last one tried. */
IN_CHILD static void search(struct start* start, const char* file) {
    const char* from = start->path;
    bool denied = false;
    for (;;) {
        size_t length = 0, end = 0;
        for (; from[end] != '\0' && from[end] != ':'; end++)
            if (end < PATH_MAX)
                start->candidate[length++] = from[end];
        if (length > 0)
            start->candidate[length++] = '/';
        for (size_t i = 0; length == 0 || start->candidate[length - 1] != '\0'; i++)
            start->candidate[length++] = file[i];
        if (end < PATH_MAX) {
            execute(start, start->candidate);
            if (!search_goes_on(errno))
                return;
            denied = denied || errno == EACCES;
        }
        if (from[end] == '\0')
            break;
        from += end + 1;
    }
    if (denied)
        errno = EACCES;
}

IN_CHILD static int run_child(void* arg) {
    struct start* start = arg;
    const uv_process_options_t* options = start->launch->options;
    if (options->flags & UV_PROCESS_DETACHED)
        syscall(SYS_setsid);
    if (set_fds(start->fds, start->launch->fd_count) == 0 &&
        (options->cwd == NULL || syscall(SYS_chdir, options->cwd) == 0) && set_user(options) == 0) {
        reset_signals();
        if (start->path != NULL)
            search(start, options->file);
        else
            execute(start, options->file);
    }
    start->error = -errno;
    syscall(SYS_exit_group, 127);
    return 127;
}

/* The program is looked for in the child's PATH, not in the parent's. */
static const char* path_of(char* const* env) {
    for (; env != NULL && *env != NULL; env++)
        if (strncmp(*env, "PATH=", 5) == 0)
            return *env + 5;
    return "/bin:/usr/bin";
}

static int prepare(struct ph_launch* launch, struct start** result) {
    const uv_process_options_t* options = launch->options;
    const char* file = options->file;
    size_t arg_count = 0;
    while (options->args != NULL && options->args[arg_count] != NULL)
        arg_count++;
    bool has_folder = strchr(file, '/') != NULL;
    if (file[0] == '\0')
        return UV_ENOENT;
    if (!has_folder && strlen(file) > NAME_MAX)
        return UV_ENAMETOOLONG;
    size_t fds_size = (size_t)launch->fd_count * sizeof(*launch->fds);
    struct start* start = ph_malloc(sizeof(*start) + (arg_count + 3) * sizeof(char*) + fds_size);
    if (start == NULL)
        return UV_ENOMEM;
    start->launch = launch;
    start->env = options->env != NULL ? options->env : environ;
    start->path = has_folder ? NULL : path_of(start->env);
    start->shell_args = (char**)(start + 1);
    start->fds = memcpy(start->shell_args + arg_count + 3, launch->fds, fds_size);
    start->error = 0;
    *result = start;
    return 0;
}

static int clone_child(struct ph_launch* launch, struct start* start, int flags) {
    launch->pidfd = -1;
    launch->pid = clone(run_child, start->stack + STACK_SIZE, CLONE_VM | CLONE_VFORK | flags, start,
                        &launch->pidfd);
    return launch->pid == -1 ? ph_errno() : 0;
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
    err = clone_child(launch, start, CLONE_PIDFD | SIGCHLD);
    if (err == UV_EMFILE || err == UV_ENFILE || err == UV_EINVAL)
        err = clone_child(launch, start, SIGCHLD);
    if (err == 0 && start->error != 0) {
        err = start->error;
        reap_failed(launch);
    }
    pthread_sigmask(SIG_SETMASK, &saved, NULL);
    ph_free(start);
    errno = saved_errno;
    return err;
}
