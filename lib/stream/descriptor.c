/* From a handle to its descriptor, and from a descriptor to the kind of handle that fits it. */

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "stream/stream.h"

int ph_handle_fd(const uv_handle_t* handle) {
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
    int found = ph_handle_fd(handle);
    if (found < 0)
        return found;
    *fd = found;
    return 0;
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
