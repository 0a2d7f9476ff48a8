#include "process/child.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    SIGNALS = 65,
    FIRST_REALTIME = 32,
    LAST_OF_C_LIBRARY = 33,
    SIGSET_SIZE = 8,
    /* The kernel's: handler, flags, restorer and the set. */
    ACTION_WORDS = 3 + SIGSET_SIZE / sizeof(long)
};

/* Where numbers of users once had 16 bits, the call under the old name still takes such. */
#ifdef SYS_setuid32
enum { SET_GROUPS = SYS_setgroups32, SET_GID = SYS_setgid32, SET_UID = SYS_setuid32 };
#else
enum { SET_GROUPS = SYS_setgroups, SET_GID = SYS_setgid, SET_UID = SYS_setuid };
#endif

#define IN_CHILD __attribute__((no_sanitize("address", "thread", "undefined"), noinline))

/* These say false, with errno, when the kernel refuses. */

/* The lower numbers are open by now, so this one is the lowest free. */
IN_CHILD static bool set_null(int number) {
    if (number > 2)
        return true;
    syscall(SYS_close, number);
    int access = number == 0 ? O_RDONLY : O_RDWR;
    return syscall(SYS_openat, AT_FDCWD, _PATH_DEVNULL, access) != -1;
}

IN_CHILD static bool set_fd(const struct ph_child_fd* fd, int number) {
    if (fd->source == number) {
        if (syscall(SYS_fcntl, number, F_SETFD, 0) == -1)
            return false;
    } else if (syscall(SYS_dup3, fd->source, number, 0) == -1) {
        return false;
    }
    if (number > 2 || !fd->inherited)
        return true;
    long flags = syscall(SYS_fcntl, number, F_GETFL);
    if (flags != -1 && (flags & O_NONBLOCK))
        syscall(SYS_fcntl, number, F_SETFL, flags & ~O_NONBLOCK);
    return true;
}

/* Out of the way of the numbers that are about to be set. */
IN_CHILD static bool move_up(int* fd, int count) {
    *fd = (int)syscall(SYS_fcntl, *fd, F_DUPFD_CLOEXEC, count);
    return *fd != -1;
}

/* The numbers are set in rising order. A source below its number would be overwritten by then, so
 * it is moved first. */
IN_CHILD static bool set_fds(struct ph_child_fd* fds, int count) {
    for (int i = 1; i < count; i++)
        if (fds[i].source != -1 && fds[i].source < i && !move_up(&fds[i].source, count))
            return false;
    for (int i = 0; i < count; i++)
        if (!(fds[i].source == -1 ? set_null(i) : set_fd(&fds[i], i)))
            return false;
    return true;
}

/* What was passed on under a number of its own is not passed on under its old one as well. */
IN_CHILD static void close_sources(const struct ph_child_fd* fds, int count) {
    for (int i = 0; i < count; i++)
        if (fds[i].source >= count)
            syscall(SYS_close, fds[i].source);
}

/* The groups go first: afterwards there is no right to change them. Without that right there is
 * nothing to give up either. */
IN_CHILD static bool set_user(const uv_process_options_t* options) {
    if (ph_changes_user(options))
        syscall(SET_GROUPS, 0, NULL);
    if ((options->flags & UV_PROCESS_SETGID) && syscall(SET_GID, options->gid) == -1)
        return false;
    return !(options->flags & UV_PROCESS_SETUID) || syscall(SET_UID, options->uid) != -1;
}

/*
 * The kernel resets what is caught at exec, but not what is ignored; and a handler of the parent
 * must not run here once the mask is empty. As with libuv, an ignored real-time signal stays
 * ignored for a child with a user of its own, and so do those of the C library for every child.
 */
IN_CHILD static void reset_signals(bool keeps_realtime) {
    const unsigned long default_action[ACTION_WORDS] = {0};
    unsigned long old[ACTION_WORDS];
    const unsigned char no_signals[SIGSET_SIZE] = {0};
    for (int signum = 1; signum < SIGNALS; signum++) {
        bool keeps = signum >= FIRST_REALTIME && (keeps_realtime || signum <= LAST_OF_C_LIBRARY);
        syscall(SYS_rt_sigaction, signum, default_action, old, SIGSET_SIZE);
        if (keeps && old[0] == (unsigned long)SIG_IGN)
            syscall(SYS_rt_sigaction, signum, old, NULL, SIGSET_SIZE);
    }
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, no_signals, NULL, SIGSET_SIZE);
}

/* For a child with a user of its own, a file that is executable but of no known format is a script
 * for the shell; for others it is an error. */
IN_CHILD static void execute(struct ph_start* start, const char* file) {
    char** args = start->options->args;
    syscall(SYS_execve, file, args, start->env);
    if (errno != ENOEXEC || !ph_changes_user(start->options))
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

/* The program is looked for in the child's PATH, not in the parent's. */
IN_CHILD static const char* path_of(char* const* env) {
    for (; env != NULL && *env != NULL; env++)
        if (strncmp(*env, "PATH=", 5) == 0)
            return *env + 5;
    return "/bin:/usr/bin";
}

/* Sets errno: that of the first file that may not be executed, or else of the last one tried. */
IN_CHILD static void search(struct ph_start* start, const char* file) {
    const char* from = path_of(start->env);
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

/* Returns only if something failed. */
IN_CHILD static void start_program(struct ph_start* start) {
    const uv_process_options_t* options = start->options;
    if (options->flags & UV_PROCESS_DETACHED)
        syscall(SYS_setsid);
    if (start->terminal != -1 && syscall(SYS_ioctl, start->terminal, TIOCSCTTY, 0) == -1)
        return;
    if (start->report != -1 && start->report < start->fd_count &&
        !move_up(&start->report, start->fd_count))
        return;
    if (!set_fds(start->fds, start->fd_count) ||
        (options->cwd != NULL && syscall(SYS_chdir, options->cwd) == -1) || !set_user(options))
        return;
    if (!ph_changes_user(options))
        close_sources(start->fds, start->fd_count);
    reset_signals(ph_changes_user(options));
    start->env = options->env != NULL ? options->env : environ;
    if (strchr(options->file, '/') == NULL)
        search(start, options->file);
    else
        execute(start, options->file);
}

IN_CHILD int ph_child_run(void* arg) {
    struct ph_start* start = arg;
    start_program(start);
    start->error = -errno;
    if (start->report != -1)
        syscall(SYS_write, start->report, &start->error, sizeof(start->error));
    syscall(SYS_exit_group, 127);
    return 127;
}
