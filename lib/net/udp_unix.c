/* Datagrams between the processes of one machine, on uv_udp_t. */

#include <phasor.h>
#include <stddef.h>
#include <string.h>
#include <sys/un.h>

#include "base/error.h"
#include "core/handle.h"
#include "net/udp.h"
#include "os/fd.h"

/* An abstract name has exactly its bytes; that of a file ends with NUL. */
static int make_address(const char* name, size_t length, struct sockaddr_un* address,
                        socklen_t* size) {
    if (name == NULL && length > 0)
        return UV_EINVAL;
    if (length >= sizeof(address->sun_path))
        return UV_ENAMETOOLONG;
    bool abstract = length == 0 || name[0] == '\0';
    if (!abstract && memchr(name, '\0', length) != NULL)
        return UV_EINVAL;
    memset(address, 0, sizeof(*address));
    address->sun_family = AF_UNIX;
    if (length > 0)
        memcpy(address->sun_path, name, length);
    *size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + length + !abstract);
    if (length == 0)
        *size = sizeof(address->sun_family);
    return 0;
}

static int ready(uv_udp_t* udp, bool* created) {
    *created = udp->io_watcher.fd == -1;
    if (udp->type != UV_UDP || ph_is_closing(udp) || (!*created && !(udp->flags & PH_UDP_UNIX)))
        return UV_EINVAL;
    return *created ? ph_udp_create_socket(udp, AF_UNIX) : 0;
}

int phasor_udp_bind_unix(uv_udp_t* udp, const char* name, size_t length) {
    struct sockaddr_un address;
    socklen_t size;
    bool created;
    int err = make_address(name, length, &address, &size);
    if (err == 0)
        err = ready(udp, &created);
    if (err != 0)
        return err;
    if (bind(udp->io_watcher.fd, (const struct sockaddr*)&address, size) != 0) {
        err = ph_errno();
        if (created)
            ph_udp_drop_socket(udp);
    }
    return err;
}

int phasor_udp_connect_unix(uv_udp_t* udp, const char* name, size_t length) {
    struct sockaddr_un address;
    socklen_t size;
    bool created;
    int err = length > 0 ? make_address(name, length, &address, &size) : UV_EINVAL;
    if (err == 0 && (udp->flags & PH_UDP_CONNECTED))
        err = UV_EISCONN;
    if (err == 0)
        err = ready(udp, &created);
    if (err != 0)
        return err;
    err = ph_udp_connect_socket(udp->io_watcher.fd, (const struct sockaddr*)&address, size);
    if (err == 0)
        udp->flags |= PH_UDP_CONNECTED;
    else if (created)
        ph_udp_drop_socket(udp);
    return err;
}

int phasor_udp_pair(uv_udp_t* one, uv_udp_t* other) {
    int ends[2];
    if (one == other || one->io_watcher.fd != -1 || other->io_watcher.fd != -1)
        return UV_EINVAL;
    if (socketpair(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, ends) != 0)
        return ph_errno();
    int err = uv_udp_open_ex(one, ends[0], 0);
    if (err != 0) {
        ph_fd_close(ends[0]);
        ph_fd_close(ends[1]);
        return err;
    }
    err = uv_udp_open_ex(other, ends[1], 0);
    if (err != 0) {
        ph_udp_drop_socket(one);
        ph_fd_close(ends[1]);
    }
    return err;
}
