#ifndef PH_SIM_TABLE_H
#define PH_SIM_TABLE_H

/* What this process's descriptors are. A socket of the world has a real, unconnected socket under
 * its number: options are set on that one, and the number can't be taken by anything else. */

#include <stdbool.h>

enum ph_fd_kind {
    PH_FD_REAL,
    PH_FD_SOCKET,
    PH_FD_COUNTER, /* an eventfd or a timerfd of the program: see counter.h */
    PH_FD_EPOLL,
    PH_FD_WAKE,    /* the eventfd of a loop of the library */
    PH_FD_OUTSIDE, /* real, and watched; its object is the number of the epoll set */
    PH_FD_INNER    /* the same, of a pair or a pipe that the program has made for itself */
};

enum ph_fd_kind ph_fd_kind(int fd);
/* What the descriptor is by its kind; NULL for a real one. */
void* ph_fd_object(int fd);
/* False: there is no memory. */
bool ph_fd_set(int fd, enum ph_fd_kind kind, void* object);
void ph_fd_forget(int fd);

#endif
