/* Descriptors of handles: what they are, their buffers, and new pairs of them. */

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "os/fd.h"
#include "stream/stream.h"

/* UV_EINVAL: not a kind that has one. */
static int find_fd(const uv_handle_t* handle) {
    int fd;
    switch (handle->type) {
    case UV_TCP:
    case UV_NAMED_PIPE:
    case UV_TTY:
        fd = ph_stream_fd((const uv_stream_t*)handle);
        break;
    case UV_UDP:
        fd = ((const uv_udp_t*)handle)->io_watcher.fd;
        break;
    case UV_POLL:
        fd = ((const uv_poll_t*)handle)->io_watcher.fd;
        break;
    default:
        return UV_EINVAL;
    }
    return ph_is_closing(handle) || fd == -1 ? UV_EBADF : fd;
}

int uv_fileno(const uv_handle_t* handle, uv_os_fd_t* fd) {
    int found = find_fd(handle);
    if (found < 0)
        return found;
    if (handle->type != UV_UDP && handle->type != UV_POLL) {
        /* Whoever asks may write to it: what was written before comes first, now and later. */
        uv_stream_t* stream = (uv_stream_t*)(uintptr_t)handle;
        ph_stream_flush(stream);
        ph_extra(stream)->exposed = 1;
    }
    *fd = found;
    return 0;
}

static int buffer_size(uv_handle_t* handle, int option, int* value) {
    socklen_t size = sizeof(*value);
    if (handle == NULL || value == NULL)
        return UV_EINVAL;
    if (handle->type != UV_TCP && handle->type != UV_NAMED_PIPE && handle->type != UV_UDP)
        return UV_ENOTSUP;
    int fd = find_fd(handle);
    if (fd < 0)
        return fd;
    int result = *value == 0 ? getsockopt(fd, SOL_SOCKET, option, value, &size)
                             : setsockopt(fd, SOL_SOCKET, option, value, size);
    return result == 0 ? 0 : ph_errno();
}

int uv_send_buffer_size(uv_handle_t* handle, int* value) {
    return buffer_size(handle, SO_SNDBUF, value);
}

int uv_recv_buffer_size(uv_handle_t* handle, int* value) {
    return buffer_size(handle, SO_RCVBUF, value);
}

static uv_handle_type guess_socket(int fd) {
    int type;
    int domain;
    socklen_t type_size = sizeof(type);
    socklen_t domain_size = sizeof(domain);
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &type_size) != 0 ||
        getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &domain_size) != 0)
        return UV_UNKNOWN_HANDLE;
    bool internet = domain == AF_INET || domain == AF_INET6;
    if (type == SOCK_DGRAM && internet)
        return UV_UDP;
    if (type == SOCK_STREAM && internet)
        return UV_TCP;
    if (type == SOCK_STREAM && domain == AF_UNIX)
        return UV_NAMED_PIPE;
    return UV_UNKNOWN_HANDLE;
}

uv_handle_type uv_guess_handle(uv_file file) {
    struct stat info;
    if (file < 0)
        return UV_UNKNOWN_HANDLE;
    if (isatty(file))
        return UV_TTY;
    if (fstat(file, &info) != 0)
        return UV_UNKNOWN_HANDLE;
    switch (info.st_mode & S_IFMT) {
    case S_IFREG:
    case S_IFCHR:
        return UV_FILE;
    case S_IFIFO:
        return UV_NAMED_PIPE;
    case S_IFSOCK:
        return guess_socket(file);
    default:
        return UV_UNKNOWN_HANDLE;
    }
}

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
