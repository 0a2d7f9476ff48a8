#ifndef PH_OS_POLLER_H
#define PH_OS_POLLER_H

/*
 * Readiness of descriptors. The poller collects events; the core runs callbacks. Events have
 * epoll's names and numbers, however the kernel is asked: see poll_set.h.
 *
 * - A descriptor has at most one watcher at a time. Interest is noted in memory and told to the
 * kernel once before the next wait, so starting and stopping in one iteration costs no system call.
 * - A registration may be wider than what is wanted; the first unwanted event narrows it.
 * - Every registration carries a generation: an event of an older owner of the same descriptor
 * number is recognised and dropped.
 */

#include <stdbool.h>
#include <sys/epoll.h>

#include "uv.h"

enum { PH_POLLER_BATCH = 1024 };

#define PH_POLLER_WAKE_TAG UINT64_MAX

struct ph_poller_batch {
    struct epoll_event events[PH_POLLER_BATCH];
    unsigned asked; /* so often the kernel was, by whoever counts it */
};

typedef void (*ph_watcher_cb)(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);

int ph_poller_open(uv_loop_t* loop);
void ph_poller_close(uv_loop_t* loop);
static inline bool ph_poller_is_open(const uv_loop_t* loop) {
    return loop->internal.poller.wake_fd != -1;
}
/* In the child after a fork: a new set with the same watchers. */
int ph_poller_fork(uv_loop_t* loop);

/* Makes room for a descriptor: after it, starting its watcher can't fail. */
int ph_poller_reserve(uv_loop_t* loop, int fd);
/* 0 if the kernel can watch this descriptor; a regular file gets UV_EPERM. */
int ph_poller_probe(uv_loop_t* loop, int fd);
/* Whether some watcher is started on the descriptor. */
bool ph_poller_watches(uv_loop_t* loop, int fd);

/* `fd` may be -1 until the first start. */
void ph_watcher_init(uv__io_t* watcher, ph_watcher_cb cb, int fd);
/* Adds to, or takes away from, the events wanted (EPOLLIN, EPOLLOUT, EPOLLRDHUP, EPOLLPRI). */
void ph_watcher_start(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);
void ph_watcher_stop(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);
/* To be called before the descriptor is closed: no event arrives afterwards, fed ones included. */
void ph_watcher_close(uv_loop_t* loop, uv__io_t* watcher);
/* The pending phase calls the watcher back with `events`, as if they had been polled. */
void ph_watcher_feed(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);

static inline bool ph_watcher_wants(const uv__io_t* watcher, unsigned int events) {
    return (watcher->wanted & events) != 0;
}

/* Tells the kernel what has changed. Call before every wait; a descriptor that can't be watched is
 * fed the events that it wants, so that its owner's read or write finds the error. False: the
 * kernel is short of memory, ask again soon. */
bool ph_poller_update(uv_loop_t* loop);
/* Up to PH_POLLER_BATCH events; 0 when the time (ms, -1: none) is up or a signal came. */
int ph_poller_wait(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout,
                   const sigset_t* mask);
/* The same for so many ns; ms, rounded up, where the kernel does not know of these. */
int ph_poller_wait_ns(uv_loop_t* loop, struct ph_poller_batch* batch, uint64_t ns,
                      const sigset_t* mask);
/* What to deliver when the kernel reports none of the events asked for: trouble arrives as the
 * readiness that was asked for, so that the read or write finds the error; the rest is unwanted. */
unsigned int ph_poller_unasked(uv_loop_t* loop, uv__io_t* watcher, unsigned int events);

/* Soon to be claimed: with thousands of watchers none of them is in the cache. */
static inline void ph_poller_prefetch(const uv_loop_t* loop, const struct epoll_event* event) {
    uint32_t fd = (uint32_t)event->data.u64;
    if (fd < loop->internal.poller.watcher_count)
        __builtin_prefetch(loop->internal.poller.watchers[fd]);
}

/* The watcher of a batch's event and what to deliver; NULL if nobody wants it any more. */
static inline uv__io_t* ph_poller_claim(uv_loop_t* loop, const struct epoll_event* event,
                                        unsigned int* events) {
    if (event->data.u64 == PH_POLLER_WAKE_TAG)
        return NULL;
    uv__io_t* watcher = loop->internal.poller.watchers[(uint32_t)event->data.u64];
    if (watcher == NULL || watcher->generation != event->data.u64 >> 32)
        return NULL;
    *events = event->events & (watcher->wanted | EPOLLERR | EPOLLHUP);
    if ((*events & watcher->wanted) == 0)
        *events = ph_poller_unasked(loop, watcher, event->events);
    return *events != 0 ? watcher : NULL;
}
/* Somebody else waits on the set's own descriptor. May be called on any thread. */
void ph_poller_embed(uv_loop_t* loop);
/* Whether the kernel can have anything to say that is not in memory too. */
static inline bool ph_poller_may_have_events(const uv_loop_t* loop) {
    const struct uv__poller* poller = &loop->internal.poller;
    return poller->watched != 0 || __atomic_load_n(&poller->embedded, __ATOMIC_RELAXED) != 0;
}
/* Ends a wait from another thread or from a signal handler. */
void ph_poller_interrupt(uv_loop_t* loop);

#endif
