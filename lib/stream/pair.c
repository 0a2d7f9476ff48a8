/* New pairs of connected descriptors. */

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/error.h"
#include "os/fd.h"
#include "uv.h"

/* Each end has its own O_NONBLOCK, if asked for. */
static int set_each_nonblocking(int fds[2], int flags0, int flags1) {
    int err = 0;
    if (flags0 & UV_NONBLOCK_PIPE)
        err = ph_fd_set_nonblocking(fds[0], true);
    if (err == 0 && (flags1 & UV_NONBLOCK_PIPE))
        err = ph_fd_set_nonblocking(fds[1], true);
    if (err != 0) {
        ph_fd_close(fds[0]);
        ph_fd_close(fds[1]);
    }
    return err;
}

int uv_socketpair(int type, int protocol, uv_os_sock_t socket_vector[2], int flags0, int flags1) {
    int fds[2];
    if (socketpair(AF_UNIX, type | SOCK_CLOEXEC, protocol, fds) != 0)
        return ph_errno();
    int err = set_each_nonblocking(fds, flags0, flags1);
    if (err != 0)
        return err;
    socket_vector[0] = fds[0];
    socket_vector[1] = fds[1];
    return 0;
}

int uv_pipe(uv_os_fd_t fds[2], int read_flags, int write_flags) {
    int made[2];
    if (pipe2(made, O_CLOEXEC) != 0)
        return ph_errno();
    int err = set_each_nonblocking(made, read_flags, write_flags);
    if (err != 0)
        return err;
    fds[0] = made[0];
    fds[1] = made[1];
    return 0;
}
