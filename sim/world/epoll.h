#ifndef PH_SIM_EPOLL_H
#define PH_SIM_EPOLL_H

/*
 * What a loop watches. Sockets of the world are watched here; descriptors of the outside (files
 * that a program opened itself, children, terminals) go to a real epoll set under the same number.
 */

#include <stdbool.h>
#include <stdint.h>

#include "world/world.h"

struct epoll_event;
struct ph_socket;

struct ph_epoll {
    int fd; /* the real set */
    struct uv__queue watches;
    struct uv__queue ready;   /* watches that may have something to report */
    uint32_t outside;         /* descriptors of the outside */
    struct ph_epoll* watcher; /* the loop's that watches this set; NULL: none */
    uint32_t inner;           /* ends of pairs that the program has made for itself */
    char outside_what[32];
    bool outside_ready; /* the real set has something to report */
    uint32_t woken;     /* atomic: somebody has written to the loop's eventfd */
    int wake_fd;
    uint64_t wake_data;
};

struct ph_watch {
    struct uv__queue in_epoll;
    struct uv__queue in_ready;
    struct uv__queue in_socket;
    struct ph_epoll* epoll;
    struct ph_socket* socket;
    int fd;
    uint32_t events;
    bool spent; /* EPOLLONESHOT: it has reported, and waits to be asked again */
    uint64_t data;
};

/* From write(2), also in a signal handler: the loop of this eventfd has something to do. */
void ph_wake_written(int fd);
void ph_epoll_close(struct ph_epoll* epoll);
bool ph_epoll_is_ready(struct ph_epoll* epoll);
void ph_epoll_look_outside(struct ph_epoll* epoll);
/* Something has changed about the socket: those who watch it look. With the lock held. */
void ph_socket_changed(struct ph_socket* socket);
/* Sleeps until the socket has one of the events, or an error. False: the deadline came. With the
 * lock held. */
bool ph_epoll_await(struct ph_socket* socket, uint32_t events, uint64_t deadline);
/* epoll_wait for so many ns, or PH_NEVER. */
int ph_epoll_wait_for(struct ph_epoll* epoll, struct epoll_event* events, int room, uint64_t ns);
/* A real descriptor is closed, and so watched no more. */
void ph_epoll_forget(int fd);
/* The socket is closed: nobody watches it any more. */
void ph_socket_unwatch(struct ph_socket* socket);

#endif
