#ifndef PH_OS_POLL_SET_H
#define PH_OS_POLL_SET_H

/*
 * What one way of asking the kernel (epoll.c, poll.c) gives to the part of the poller that all of
 * them share (watcher.c), beside ph_poller_probe, the waits and ph_poller_embed of poller.h. One of
 * them is compiled: -DPHASOR_POLLER says which.
 *
 * A set holds descriptors with the events that are asked for. It reports trouble (EPOLLERR,
 * EPOLLHUP) unasked, and a descriptor that is still ready again with every wait. What was reported
 * carries the descriptor and the generation that its watcher had at that moment.
 */

#include "uv.h"

/* Fills what the set needs of the loop's poller; it is all zeros before. */
int ph_set_open(uv_loop_t* loop);
/* `poller` is the loop's, or a copy of what it was before a fork. */
void ph_set_close(uv_loop_t* loop, struct uv__poller* poller);
/* Asks for what the watcher wants, and notes that in `registered`. 0 or errno; ENOMEM and ENOSPC
 * mean that another try may succeed. */
int ph_set_put(uv_loop_t* loop, uv__io_t* watcher);
void ph_set_remove(uv_loop_t* loop, int fd);

static inline uint64_t ph_set_tag(int fd, unsigned generation) {
    return (uint64_t)generation << 32 | (unsigned)fd;
}

#endif
