/* The part of the poller that is the same however the kernel is asked: who watches what. */

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "os/poll_set.h"
#include "os/poller.h"

int ph_poller_open(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    memset(poller, 0, sizeof(*poller));
    ph_queue_init(&poller->changed);
    return ph_set_open(loop);
}

void ph_poller_close(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    ph_set_close(loop, poller);
    ph_loop_free(loop, poller->watchers);
    poller->watchers = NULL;
    poller->watcher_count = 0;
}

static void note_change(struct uv__poller* poller, uv__io_t* watcher) {
    if (ph_queue_empty(&watcher->changed))
        ph_queue_push(&poller->changed, &watcher->changed);
}

int ph_poller_fork(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    struct uv__poller old = *poller;
    memset(poller, 0, sizeof(*poller));
    ph_queue_init(&poller->changed);
    int err = ph_set_open(loop);
    if (err != 0) {
        *poller = old;
        return err;
    }
    ph_set_close(loop, &old);
    poller->watchers = old.watchers;
    poller->watcher_count = old.watcher_count;
    poller->watched = old.watched;
    poller->embedded = old.embedded;
    poller->generation = old.generation;
    for (unsigned fd = 0; fd < poller->watcher_count; fd++) {
        uv__io_t* watcher = poller->watchers[fd];
        if (watcher == NULL)
            continue;
        watcher->registered = 0;
        ph_queue_init(&watcher->changed);
        if (watcher->wanted != 0)
            note_change(poller, watcher);
    }
    return 0;
}

int ph_poller_reserve(uv_loop_t* loop, int fd) {
    struct uv__poller* poller = &loop->internal.poller;
    if (fd < 0)
        return UV_EBADF;
    if ((unsigned)fd < poller->watcher_count)
        return 0;
    unsigned count = poller->watcher_count > 0 ? poller->watcher_count : 16;
    while (count <= (unsigned)fd)
        count *= 2;
    uv__io_t** watchers = ph_loop_realloc(loop, poller->watchers, count * sizeof(uv__io_t*));
    if (watchers == NULL)
        return UV_ENOMEM;
    for (unsigned i = poller->watcher_count; i < count; i++)
        watchers[i] = NULL;
    poller->watchers = watchers;
    poller->watcher_count = count;
    return 0;
}

static uv__io_t* watcher_of(const struct uv__poller* poller, int fd) {
    return fd >= 0 && (unsigned)fd < poller->watcher_count ? poller->watchers[fd] : NULL;
}

bool ph_poller_watches(uv_loop_t* loop, int fd) {
    const uv__io_t* watcher = watcher_of(&loop->internal.poller, fd);
    return watcher != NULL && watcher->wanted != 0;
}

void ph_watcher_init(uv__io_t* watcher, ph_watcher_cb cb, int fd) {
    watcher->on_events = cb;
    ph_queue_init(&watcher->pending);
    ph_queue_init(&watcher->changed);
    watcher->wanted = 0;
    watcher->registered = 0;
    watcher->generation = 0;
    watcher->fed = 0;
    watcher->fd = fd;
}

/* Never 0, in as many bits as the watcher has room for. */
static void give_generation(struct uv__poller* poller, uv__io_t* watcher) {
    do
        watcher->generation = (__typeof__(watcher->generation))++poller->generation;
    while (watcher->generation == 0);
}

void ph_watcher_start(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    struct uv__poller* poller = &loop->internal.poller;
    uv__io_t** owner = &poller->watchers[watcher->fd];
    if (*owner != watcher) {
        /* A new owner: whatever the kernel knows under the old tag must not reach it. */
        *owner = watcher;
        give_generation(poller, watcher);
        note_change(poller, watcher);
    }
    if (watcher->wanted == 0)
        poller->watched++;
    watcher->wanted = (unsigned short)(watcher->wanted | events);
    if ((watcher->registered & watcher->wanted) != watcher->wanted)
        note_change(poller, watcher);
}

void ph_watcher_stop(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    if (watcher->wanted == 0)
        return;
    watcher->wanted = (unsigned short)(watcher->wanted & ~events);
    if (watcher->wanted != 0)
        return;
    loop->internal.poller.watched--;
    ph_queue_remove(&watcher->changed);
}

void ph_watcher_close(uv_loop_t* loop, uv__io_t* watcher) {
    struct uv__poller* poller = &loop->internal.poller;
    ph_watcher_stop(loop, watcher, watcher->wanted);
    ph_queue_remove(&watcher->pending);
    watcher->fed = 0;
    if (watcher_of(poller, watcher->fd) != watcher)
        return;
    /* Not left to close(2): another process or a duplicate may keep the description alive. */
    if (watcher->registered != 0)
        ph_set_remove(loop, watcher->fd);
    poller->watchers[watcher->fd] = NULL;
    watcher->registered = 0;
    watcher->generation = 0;
}

void ph_watcher_feed(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    watcher->fed |= (__typeof__(watcher->fed))events;
    if (ph_queue_empty(&watcher->pending))
        ph_queue_push(&loop->internal.pending, &watcher->pending);
}

bool ph_poller_update(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    struct uv__queue changed;
    struct uv__queue* node;
    bool complete = true;
    if (ph_queue_empty(&poller->changed))
        return true;
    ph_queue_move(&changed, &poller->changed);
    while ((node = ph_queue_pop(&changed)) != NULL) {
        uv__io_t* watcher = PH_CONTAINER_OF(node, uv__io_t, changed);
        if (poller->watchers[watcher->fd] != watcher)
            continue;
        int err = ph_set_put(loop, watcher);
        if (err == ENOMEM || err == ENOSPC) {
            note_change(poller, watcher);
            complete = false;
        } else if (err != 0) {
            ph_watcher_feed(loop, watcher, watcher->wanted | EPOLLERR);
        }
    }
    return complete;
}

/* The kernel reported what nobody wants (any more): ask for less. */
static void narrow(uv_loop_t* loop, uv__io_t* watcher) {
    if (watcher->wanted != 0) {
        ph_set_put(loop, watcher);
        return;
    }
    ph_set_remove(loop, watcher->fd);
    watcher->registered = 0;
}

unsigned int ph_poller_unasked(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    unsigned int wanted = watcher->wanted;
    unsigned int trouble = events & (EPOLLERR | EPOLLHUP);
    if (wanted != 0 && trouble != 0)
        return (trouble & EPOLLERR ? wanted & ~(unsigned)EPOLLPRI : wanted) | trouble;
    narrow(loop, watcher);
    return 0;
}

void ph_poller_interrupt(uv_loop_t* loop) {
    int saved = errno;
    uint64_t one = 1;
    ssize_t n;
    do
        n = write(loop->internal.poller.wake_fd, &one, sizeof(one));
    while (n == -1 && errno == EINTR);
    errno = saved;
}
