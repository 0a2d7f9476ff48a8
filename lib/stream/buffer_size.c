/* The kernel's buffers of a socket. */

#include <sys/socket.h>

#include "base/error.h"
#include "stream/stream.h"

static int buffer_size(uv_handle_t* handle, int option, int* value) {
    socklen_t size = sizeof(*value);
    if (handle == NULL || value == NULL)
        return UV_EINVAL;
    if (handle->type != UV_TCP && handle->type != UV_NAMED_PIPE && handle->type != UV_UDP)
        return UV_ENOTSUP;
    int fd = ph_handle_fd(handle);
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
