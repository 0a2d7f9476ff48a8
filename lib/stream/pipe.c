#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "core/kind.h"
#include "os/fd.h"
#include "stream/stream.h"

static int fd_of(const uv_pipe_t* handle) {
    return ph_stream_fd((const uv_stream_t*)handle);
}

int uv_pipe_init(uv_loop_t* loop, uv_pipe_t* handle, int ipc) {
    ph_stream_init(loop, PH_STREAM(handle), UV_NAMED_PIPE);
    handle->ipc = ipc;
    handle->pipe_fname = NULL;
    return 0;
}

int uv_pipe_open(uv_pipe_t* handle, uv_file fd) {
    if (ph_poller_watches(handle->loop, fd))
        return UV_EEXIST;
    int mode = fcntl(fd, F_GETFL);
    if (mode == -1)
        return ph_errno();
    int err = ph_fd_set_nonblocking(fd, true);
    if (err != 0)
        return err;
    mode &= O_ACCMODE;
    unsigned int flags =
        (mode != O_WRONLY ? PH_READABLE : 0) | (mode != O_RDONLY ? PH_WRITABLE : 0);
    return ph_stream_open(PH_STREAM(handle), fd, flags);
}

/*
 * A name as the kernel wants it. One that begins with NUL is abstract, may contain any byte and has
 * no file; for an empty one the kernel makes up an abstract name. A name that fills sun_path has no
 * NUL at its end. Longer ones are cut, unless the caller forbids it.
 */
static int make_address(const char* name, size_t length, unsigned int flags,
                        struct sockaddr_un* address, socklen_t* size) {
    if ((flags & ~(unsigned)UV_PIPE_NO_TRUNCATE) != 0 || name == NULL)
        return UV_EINVAL;
    bool abstract = length == 0 || name[0] == '\0';
    if (!abstract && memchr(name, '\0', length) != NULL)
        return UV_EINVAL;
    if (length > sizeof(address->sun_path)) {
        if (flags & UV_PIPE_NO_TRUNCATE)
            return UV_EINVAL;
        length = sizeof(address->sun_path);
    }
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    memcpy(address->sun_path, name, length);
    *size = abstract ? (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length)
                     : (socklen_t)sizeof(*address);
    return 0;
}

static int new_socket(void) {
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    return fd == -1 ? ph_errno() : fd;
}

static int bind_socket(uv_pipe_t* handle, const struct sockaddr_un* address, socklen_t size) {
    int fd = new_socket();
    if (fd < 0)
        return fd;
    int err = ph_poller_reserve(handle->loop, fd);
    if (err == 0 && bind(fd, (const struct sockaddr*)address, size) != 0)
        err = errno == ENOENT ? UV_EACCES : ph_errno(); /* as on Windows */
    if (err == 0)
        err = ph_stream_open(PH_STREAM(handle), fd, 0);
    if (err != 0)
        ph_fd_close(fd);
    return err;
}

int uv_pipe_bind2(uv_pipe_t* handle, const char* name, size_t namelen, unsigned int flags) {
    struct sockaddr_un address;
    socklen_t size;
    int err = make_address(name, namelen, flags, &address, &size);
    if (err != 0)
        return err;
    if (fd_of(handle) != -1 || ph_is_closing(handle))
        return UV_EINVAL;
    char* path = NULL;
    if (namelen > 0 && name[0] != '\0') {
        path = ph_loop_calloc(handle->loop, 1, sizeof(address.sun_path) + 1);
        if (path == NULL)
            return UV_ENOMEM;
        memcpy(path, address.sun_path, sizeof(address.sun_path));
    }
    err = bind_socket(handle, &address, size);
    if (err == 0)
        handle->pipe_fname = path;
    else
        ph_loop_free(handle->loop, path);
    return err;
}

int uv_pipe_bind(uv_pipe_t* handle, const char* name) {
    return uv_pipe_bind2(handle, name, name != NULL ? strlen(name) : 0, 0);
}

static int start_connecting(uv_pipe_t* handle, const struct sockaddr_un* address, socklen_t size) {
    int err;
    if (fd_of(handle) == -1) {
        int fd = new_socket();
        if (fd < 0)
            return fd;
        err = ph_stream_open(PH_STREAM(handle), fd, 0);
        if (err != 0) {
            ph_fd_close(fd);
            return err;
        }
    }
    err = ph_connect_socket(fd_of(handle), address, size);
    if (err == 0)
        handle->flags |= PH_READABLE | PH_WRITABLE;
    return err;
}

int uv_pipe_connect2(uv_connect_t* req, uv_pipe_t* handle, const char* name, size_t namelen,
                     unsigned int flags, uv_connect_cb cb) {
    struct sockaddr_un address;
    socklen_t size;
    int err = make_address(name, namelen, flags, &address, &size);
    if (err != 0)
        return err;
    if (ph_is_closing(handle) || namelen == 0)
        return UV_EINVAL;
    if (handle->requests.connect != NULL)
        return UV_EALREADY;
    err = start_connecting(handle, &address, size);
    ph_stream_connecting(req, PH_STREAM(handle), err, cb);
    return 0;
}

/* Has no way to say that something is wrong, except the callback. */
void uv_pipe_connect(uv_connect_t* req, uv_pipe_t* handle, const char* name, uv_connect_cb cb) {
    size_t length = name != NULL ? strlen(name) : 0;
    int err = uv_pipe_connect2(req, handle, name, length, 0, cb);
    if (err != 0 && handle->requests.connect == NULL)
        ph_stream_connecting(req, PH_STREAM(handle), err, cb);
}

typedef int (*name_call)(int fd, struct sockaddr* name, socklen_t* size);

/* A path is given with a NUL behind it, an abstract name is exactly as long as it is. */
static int get_name(const uv_pipe_t* handle, name_call call, char* buffer, size_t* size) {
    struct sockaddr_un address;
    socklen_t used = sizeof(address);
    if (buffer == NULL || size == NULL || *size == 0)
        return UV_EINVAL;
    memset(&address, 0, sizeof(address));
    if (call(fd_of(handle), (struct sockaddr*)&address, &used) != 0) {
        *size = 0;
        return ph_errno();
    }
    size_t length = used - offsetof(struct sockaddr_un, sun_path);
    bool abstract = length > 0 && address.sun_path[0] == '\0';
    if (!abstract)
        length = strnlen(address.sun_path, sizeof(address.sun_path));
    size_t needed = abstract ? length : length + 1;
    if (needed > *size) {
        *size = needed;
        return UV_ENOBUFS;
    }
    memcpy(buffer, address.sun_path, length);
    if (!abstract)
        buffer[length] = '\0';
    *size = length;
    return 0;
}

int uv_pipe_getsockname(const uv_pipe_t* handle, char* buffer, size_t* size) {
    return get_name(handle, getsockname, buffer, size);
}

int uv_pipe_getpeername(const uv_pipe_t* handle, char* buffer, size_t* size) {
    return get_name(handle, getpeername, buffer, size);
}

int uv_pipe_chmod(uv_pipe_t* handle, int mode) {
    char path[sizeof(((struct sockaddr_un*)0)->sun_path) + 1];
    size_t size = sizeof(path);
    if (handle == NULL || fd_of(handle) == -1)
        return UV_EBADF;
    if (mode == 0 || (mode & ~(UV_READABLE | UV_WRITABLE)) != 0)
        return UV_EINVAL;
    int err = uv_pipe_getsockname(handle, path, &size);
    if (err != 0)
        return err;
    mode_t wanted = 0;
    if (mode & UV_READABLE)
        wanted |= S_IRUSR | S_IRGRP | S_IROTH;
    if (mode & UV_WRITABLE)
        wanted |= S_IWUSR | S_IWGRP | S_IWOTH;
    return chmod(path, wanted) == 0 ? 0 : ph_errno();
}

/* A setting of Windows. */
void uv_pipe_pending_instances(uv_pipe_t* handle, int count) {
    (void)handle;
    (void)count;
}

int uv_pipe_pending_count(uv_pipe_t* handle) {
    return handle->ipc ? (int)ph_fds_waiting(PH_STREAM(handle)) : 0;
}

uv_handle_type uv_pipe_pending_type(uv_pipe_t* handle) {
    if (!handle->ipc || handle->stream.accepted_fd == -1)
        return UV_UNKNOWN_HANDLE;
    return uv_guess_handle(handle->stream.accepted_fd);
}

bool ph_pipe_close(uv_handle_t* handle) {
    uv_pipe_t* pipe = (uv_pipe_t*)handle;
    if (pipe->pipe_fname != NULL) {
        unlink(pipe->pipe_fname);
        ph_loop_free(pipe->loop, (char*)(uintptr_t)pipe->pipe_fname);
        pipe->pipe_fname = NULL;
    }
    return ph_stream_close(handle);
}
