#ifndef PH_SIM_TABLE_H
#define PH_SIM_TABLE_H

/* What this process's descriptors are. A socket of the world has a real, unconnected socket under
 * its number: options are set on that one, and the number can't be taken by anything else. */

#include <stdbool.h>

enum ph_fd_kind { PH_FD_REAL, PH_FD_SOCKET, PH_FD_EPOLL, PH_FD_WAKE };

enum ph_fd_kind ph_fd_kind(int fd);
/* The socket or epoll set; NULL for other kinds. */
void* ph_fd_object(int fd);
/* False: there is no memory. */
bool ph_fd_set(int fd, enum ph_fd_kind kind, void* object);
void ph_fd_forget(int fd);

#endif
