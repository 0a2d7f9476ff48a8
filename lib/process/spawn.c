#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "core/handle.h"
#include "os/fd.h"
#include "os/libc.h"
#include "os/poller.h"
#include "process/launch.h"
#include "process/reap.h"
#include "process/spawn.h"
#include "stream/stream.h"

enum {
    KINDS = UV_CREATE_PIPE | UV_INHERIT_FD | UV_INHERIT_STREAM,
    ALL_FLAGS = UV_PROCESS_SETUID | UV_PROCESS_SETGID | UV_PROCESS_WINDOWS_VERBATIM_ARGUMENTS |
                UV_PROCESS_DETACHED | UV_PROCESS_WINDOWS_HIDE | UV_PROCESS_WINDOWS_HIDE_CONSOLE |
                UV_PROCESS_WINDOWS_HIDE_GUI | UV_PROCESS_WINDOWS_FILE_PATH_EXACT_NAME,
    FEW = 8
};

/* The child's descriptors: which it takes over, and our ends of the pipes that are made for it. */
struct stdio {
    int count;
    struct ph_child_fd* fds;
    int* ours; /* -1: not a pipe that was made here */
    struct ph_child_fd few_fds[FEW];
    int few_ours[FEW];
};

static int stdio_open(struct stdio* stdio, int count) {
    stdio->count = count < 3 ? 3 : count;
    stdio->fds = stdio->few_fds;
    stdio->ours = stdio->few_ours;
    if (stdio->count > FEW) {
        size_t each = sizeof(*stdio->fds) + sizeof(*stdio->ours);
        stdio->fds = ph_malloc((size_t)stdio->count * each);
        if (stdio->fds == NULL)
            return UV_ENOMEM;
        stdio->ours = (int*)(stdio->fds + stdio->count);
    }
    for (int i = 0; i < stdio->count; i++) {
        stdio->fds[i] = (struct ph_child_fd){.source = -1};
        stdio->ours[i] = -1;
    }
    return 0;
}

/* Closes the child's ends, and ours that no stream has taken. */
static void stdio_close(struct stdio* stdio) {
    for (int i = 0; i < stdio->count; i++) {
        if (stdio->fds[i].source != -1 && !stdio->fds[i].inherited)
            ph_fd_close(stdio->fds[i].source);
        if (stdio->ours[i] != -1)
            ph_fd_close(stdio->ours[i]);
    }
    if (stdio->fds != stdio->few_fds)
        ph_free(stdio->fds);
}

/* Everything that could keep the stream from being opened later. */
static int check_stream(const uv_process_options_t* options, int index) {
    uv_stream_t* stream = options->stdio[index].data.stream;
    if (stream == NULL || stream->type != UV_NAMED_PIPE || ph_is_closing(stream))
        return UV_EINVAL;
    if (ph_stream_fd(stream) != -1)
        return UV_EBUSY;
    for (int i = 0; i < index; i++)
        if ((options->stdio[i].flags & KINDS) == UV_CREATE_PIPE &&
            options->stdio[i].data.stream == stream)
            return UV_EBUSY;
    return 0;
}

int ph_leave_standard_numbers(int* fd) {
    if (*fd > STDERR_FILENO)
        return 0;
    int moved = fcntl(*fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (moved == -1)
        return ph_errno();
    ph_fd_close(*fd);
    *fd = moved;
    return 0;
}

static int make_pipe(struct stdio* stdio, const uv_process_options_t* options, int index) {
    int ends[2];
    int err = check_stream(options, index);
    if (err != 0)
        return err;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return ph_errno();
    stdio->ours[index] = ends[0];
    stdio->fds[index].source = ends[1];
    err = ph_leave_standard_numbers(&stdio->ours[index]);
    if (err == 0)
        err = ph_fd_set_nonblocking(stdio->ours[index], true);
    if (err == 0)
        err = ph_poller_reserve(options->stdio[index].data.stream->loop, stdio->ours[index]);
    return err;
}

static int inherit(struct ph_child_fd* fd, int source) {
    if (source < 0)
        return UV_EINVAL;
    *fd = (struct ph_child_fd){.source = source, .inherited = true};
    return 0;
}

static int stdio_add(struct stdio* stdio, const uv_process_options_t* options, int index) {
    const uv_stdio_container_t* container = &options->stdio[index];
    switch ((int)container->flags & KINDS) {
    case UV_IGNORE:
        return 0;
    case UV_CREATE_PIPE:
        return make_pipe(stdio, options, index);
    case UV_INHERIT_FD:
        return inherit(&stdio->fds[index], container->data.fd);
    case UV_INHERIT_STREAM:
        if (container->data.stream == NULL)
            return UV_EINVAL;
        return inherit(&stdio->fds[index], ph_stream_fd(container->data.stream));
    default:
        return UV_EINVAL;
    }
}

/* The directions are named from the child's side. */
static void open_streams(struct stdio* stdio, const uv_process_options_t* options) {
    for (int i = 0; i < options->stdio_count; i++) {
        if (stdio->ours[i] == -1)
            continue;
        int flags = (int)options->stdio[i].flags;
        unsigned int directions = (flags & UV_READABLE_PIPE ? PH_WRITABLE : 0) |
                                  (flags & UV_WRITABLE_PIPE ? PH_READABLE : 0);
        if (ph_stream_open(options->stdio[i].data.stream, stdio->ours[i], directions) == 0)
            stdio->ours[i] = -1;
    }
}

/* A program that was started with SIGCHLD ignored, or asked for no zombies: the exit status would
 * be lost. */
static void keep_exit_statuses(void) {
    struct sigaction action;
    if (sigaction(SIGCHLD, NULL, &action) != 0 ||
        (action.sa_handler != SIG_IGN && !(action.sa_flags & SA_NOCLDWAIT)))
        return;
    if (action.sa_handler == SIG_IGN)
        action.sa_handler = SIG_DFL;
    action.sa_flags &= ~SA_NOCLDWAIT;
    sigaction(SIGCHLD, &action, NULL);
}

/* Streams are opened even if the program could not be executed: programs read from them without
 * asking, and get the end of the stream. Only a lack of memory leaves everything as it was. */
static int start(uv_process_t* process, const uv_process_options_t* options, struct stdio* stdio,
                 int terminal) {
    struct ph_launch launch = {
        .options = options, .fds = stdio->fds, .fd_count = stdio->count, .terminal = terminal};
    struct uv__child* child = ph_child_new(process);
    if (child == NULL)
        return UV_ENOMEM;
    keep_exit_statuses();
    ph_reap_abandoned();
    int err = ph_launch(&launch);
    if (err != UV_ENOMEM)
        open_streams(stdio, options);
    if (err != 0) {
        ph_child_free(child);
        return err;
    }
    process->pid = launch.pid;
    process->process.child = child;
    process->process.killable = true;
    ph_child_watch(child, launch.pid, launch.pidfd);
    ph_handle_start(process);
    return 0;
}

void ph_process_init(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options) {
    ph_handle_init(loop, PH_HANDLE(process), UV_PROCESS);
    process->exit_cb = options->exit_cb;
    process->pid = 0;
    process->process.child = NULL;
    process->process.killable = 0;
}

int uv_spawn(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options) {
    return ph_spawn(loop, process, options, -1);
}

/* On failure the handle is initialised but not active, and may be closed. */
int ph_spawn(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options,
             int terminal) {
    struct stdio stdio;
    ph_process_init(loop, process, options);
    if (options->file == NULL || (options->flags & ~(unsigned)ALL_FLAGS) != 0 ||
        options->stdio_count < 0 || (options->stdio_count > 0 && options->stdio == NULL))
        return UV_EINVAL;
    int err = stdio_open(&stdio, options->stdio_count);
    if (err != 0)
        return err;
    for (int i = 0; i < options->stdio_count && err == 0; i++)
        err = stdio_add(&stdio, options, i);
    if (err == 0)
        err = start(process, options, &stdio, terminal);
    stdio_close(&stdio);
    return err;
}

int uv_kill(int pid, int signum) {
    return kill(pid, signum) == 0 ? 0 : ph_errno();
}

/* The number of a child that was reaped may be someone else's by now. */
int uv_process_kill(uv_process_t* process, int signum) {
    if (!process->process.killable)
        return UV_ESRCH;
    return uv_kill(process->pid, signum);
}

uv_pid_t uv_process_get_pid(const uv_process_t* proc) {
    return proc->pid;
}

/* False: the kernel does not list them. */
static bool keep_listed_from_children(void) {
    DIR* list = opendir("/proc/self/fd");
    const struct dirent* entry;
    if (list == NULL)
        return false;
    while ((entry = readdir(list)) != NULL)
        if (entry->d_name[0] != '.')
            ph_fd_set_cloexec(atoi(entry->d_name), true);
    closedir(list);
    return true;
}

void uv_disable_stdio_inheritance(void) {
    if (close_range(0, ~0U, CLOSE_RANGE_CLOEXEC) == 0 || keep_listed_from_children())
        return;
    /* Up to the first gap past the numbers that are likely to be inherited. */
    for (int fd = 0; ph_fd_set_cloexec(fd, true) == 0 || fd < 16; fd++)
        continue;
}
