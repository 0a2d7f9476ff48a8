/* Children in a terminal of their own. */

#include <errno.h>
#include <fcntl.h>
#include <phasor.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/error.h"
#include "os/fd.h"
#include "process/spawn.h"
#include "stream/stream.h"

enum { STANDARD = 3, NAME_SIZE = 64 };

struct pair {
    int ours, theirs;
};

static void close_pair(const struct pair* pair) {
    if (pair->ours != -1)
        ph_fd_close(pair->ours);
    if (pair->theirs != -1)
        ph_fd_close(pair->theirs);
}

static int set_size(int fd, const struct phasor_terminal_size* size) {
    const struct winsize window = {.ws_col = size->columns,
                                   .ws_row = size->rows,
                                   .ws_xpixel = size->width,
                                   .ws_ypixel = size->height};
    return ioctl(fd, TIOCSWINSZ, &window) == 0 ? 0 : ph_errno();
}

/* What is open by then is in the pair, also when something fails. */
static int open_pair(struct pair* pair, uv_loop_t* loop, const struct phasor_terminal_size* size) {
    char name[NAME_SIZE];
    pair->ours = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    int err = pair->ours == -1 ? ph_errno() : ph_leave_standard_numbers(&pair->ours);
    if (err == 0 && (unlockpt(pair->ours) != 0 || ptsname_r(pair->ours, name, NAME_SIZE) != 0))
        err = ph_errno();
    if (err == 0) {
        pair->theirs = open(name, O_RDWR | O_NOCTTY | O_CLOEXEC);
        err = pair->theirs == -1 ? ph_errno() : ph_leave_standard_numbers(&pair->theirs);
    }
    if (err == 0 && size != NULL)
        err = set_size(pair->ours, size);
    if (err == 0)
        err = ph_fd_set_nonblocking(pair->ours, true);
    if (err == 0)
        err = ph_poller_reserve(loop, pair->ours);
    return err;
}

/* The options, with the terminal where the child's standard descriptors are not given. */
static int spawn(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options,
                 int terminal) {
    int count = options->stdio_count > STANDARD ? options->stdio_count : STANDARD;
    uv_process_options_t own = *options;
    own.stdio = ph_calloc((size_t)count, sizeof(*own.stdio));
    if (own.stdio == NULL) {
        ph_process_init(loop, process, options);
        return UV_ENOMEM;
    }
    if (options->stdio_count > 0)
        memcpy(own.stdio, options->stdio, (size_t)options->stdio_count * sizeof(*own.stdio));
    own.stdio_count = count;
    own.flags |= UV_PROCESS_DETACHED;
    for (int i = 0; i < STANDARD; i++)
        if (own.stdio[i].flags == UV_IGNORE) {
            own.stdio[i].flags = UV_INHERIT_FD;
            own.stdio[i].data.fd = terminal;
        }
    int err = ph_spawn(loop, process, &own, terminal);
    ph_free(own.stdio);
    return err;
}

static bool is_free(const uv_pipe_t* pipe, const uv_loop_t* loop) {
    return pipe != NULL && pipe->type == UV_NAMED_PIPE && pipe->loop == loop && !pipe->ipc &&
           !ph_is_closing(pipe) && ph_stream_fd((const uv_stream_t*)pipe) == -1;
}

/* As with uv_spawn, the process handle is initialised whatever happens. */
int phasor_spawn_in_terminal(uv_loop_t* loop, uv_process_t* process,
                             const uv_process_options_t* options, uv_pipe_t* terminal,
                             const struct phasor_terminal_size* size) {
    struct pair pair = {-1, -1};
    int err = UV_EINVAL;
    if (is_free(terminal, loop) && options->stdio_count >= 0 &&
        (options->stdio_count == 0 || options->stdio != NULL))
        err = open_pair(&pair, loop, size);
    if (err != 0)
        ph_process_init(loop, process, options);
    else
        err = spawn(loop, process, options, pair.theirs);
    if (err == 0) {
        ph_stream_open(PH_STREAM(terminal), pair.ours, PH_READABLE | PH_WRITABLE);
        ph_extra(PH_STREAM(terminal))->terminal = 1;
        pair.ours = -1;
    }
    close_pair(&pair);
    return err;
}

int phasor_terminal_resize(uv_pipe_t* terminal, const struct phasor_terminal_size* size) {
    int fd = ph_stream_fd((const uv_stream_t*)terminal);
    if (size == NULL || fd == -1 || !ph_extra((const uv_stream_t*)terminal)->terminal)
        return UV_EINVAL;
    return set_size(fd, size);
}
