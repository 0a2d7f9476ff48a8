#ifndef PH_OS_FD_H
#define PH_OS_FD_H

/* Small things done to descriptors. Errors are the library's negative ones. */

#include <stdbool.h>

int ph_fd_set_nonblocking(int fd, bool on);
int ph_fd_set_cloexec(int fd, bool on);
/* Never retried after EINTR: on Linux the descriptor is gone by then. Keeps errno. */
void ph_fd_close(int fd);

#endif
