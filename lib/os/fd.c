#include "os/fd.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/error.h"

static int set_flag(int fd, int get, int set, int flag, bool on) {
    int flags = fcntl(fd, get);
    if (flags == -1)
        return ph_errno();
    int wanted = on ? flags | flag : flags & ~flag;
    if (wanted != flags && fcntl(fd, set, wanted) == -1)
        return ph_errno();
    return 0;
}

int ph_fd_set_nonblocking(int fd, bool on) {
    return set_flag(fd, F_GETFL, F_SETFL, O_NONBLOCK, on);
}

int ph_fd_set_cloexec(int fd, bool on) {
    return set_flag(fd, F_GETFD, F_SETFD, FD_CLOEXEC, on);
}

void ph_fd_close(int fd) {
    int saved = errno;
    close(fd);
    errno = saved;
}
