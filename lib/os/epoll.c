#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "os/libc.h"
#include "os/poller.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

static uint64_t tag_of(int fd, unsigned generation) {
    return (uint64_t)generation << 32 | (unsigned)fd;
}

int ph_poller_open(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    memset(poller, 0, sizeof(*poller));
    ph_queue_init(&poller->changed);
    poller->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (poller->epoll_fd == -1)
        return ph_errno();
    poller->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* Edge-triggered: every write wakes, and nobody has to read the counter back. */
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = PH_POLLER_WAKE_TAG};
    if (poller->wake_fd == -1 ||
        epoll_ctl(poller->epoll_fd, EPOLL_CTL_ADD, poller->wake_fd, &event) != 0) {
        int err = ph_errno();
        ph_poller_close(loop);
        return err;
    }
    return 0;
}

void ph_poller_close(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    if (poller->wake_fd != -1)
        close(poller->wake_fd);
    close(poller->epoll_fd);
    ph_loop_free(loop, poller->watchers);
    poller->watchers = NULL;
    poller->watcher_count = 0;
    poller->epoll_fd = -1;
    poller->wake_fd = -1;
}

static void note_change(struct uv__poller* poller, uv__io_t* watcher) {
    if (ph_queue_empty(&watcher->changed))
        ph_queue_push(&poller->changed, &watcher->changed);
}

int ph_poller_fork(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    struct uv__poller old = *poller;
    int err = ph_poller_open(loop);
    if (err != 0) {
        *poller = old;
        return err;
    }
    close(old.wake_fd);
    close(old.epoll_fd);
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

int ph_poller_probe(uv_loop_t* loop, int fd) {
    int epoll_fd = loop->internal.poller.epoll_fd;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = tag_of(fd, 0)};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
        return errno == EEXIST ? 0 : ph_errno();
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, &event);
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

static unsigned int next_generation(struct uv__poller* poller) {
    if (++poller->generation == 0)
        poller->generation = 1;
    return poller->generation;
}

void ph_watcher_start(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    struct uv__poller* poller = &loop->internal.poller;
    uv__io_t** owner = &poller->watchers[watcher->fd];
    if (*owner != watcher) {
        /* A new owner: whatever the kernel knows under the old tag must not reach it. */
        *owner = watcher;
        watcher->generation = next_generation(poller);
        note_change(poller, watcher);
    }
    if (watcher->wanted == 0)
        poller->watched++;
    watcher->wanted |= events;
    if ((watcher->registered & watcher->wanted) != watcher->wanted)
        note_change(poller, watcher);
}

void ph_watcher_stop(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    if (watcher->wanted == 0)
        return;
    watcher->wanted &= ~events;
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
    if (watcher->registered != 0) {
        /* Not left to close(2): another process or a duplicate may keep the description alive. */
        struct epoll_event event = {0};
        epoll_ctl(poller->epoll_fd, EPOLL_CTL_DEL, watcher->fd, &event);
    }
    poller->watchers[watcher->fd] = NULL;
    watcher->registered = 0;
    watcher->generation = 0;
}

void ph_watcher_feed(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    watcher->fed |= events;
    if (ph_queue_empty(&watcher->pending))
        ph_queue_push(&loop->internal.pending, &watcher->pending);
}

/* 0 or errno. What the kernel knows may differ from `registered` when a caller closed the
 * descriptor without telling us, so each of the two errors means: try the other way. */
static int register_wanted(struct uv__poller* poller, uv__io_t* watcher) {
    int fd = watcher->fd;
    struct epoll_event event = {.events = watcher->wanted,
                                .data.u64 = tag_of(fd, watcher->generation)};
    int op = watcher->registered != 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    int result = epoll_ctl(poller->epoll_fd, op, fd, &event);
    if (result != 0 && (errno == EEXIST || errno == ENOENT))
        result = epoll_ctl(poller->epoll_fd, op == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD,
                           fd, &event);
    if (result != 0)
        return errno;
    watcher->registered = watcher->wanted;
    return 0;
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
        int err = register_wanted(poller, watcher);
        if (err == ENOMEM || err == ENOSPC) {
            note_change(poller, watcher);
            complete = false;
        } else if (err != 0) {
            ph_watcher_feed(loop, watcher, watcher->wanted | EPOLLERR);
        }
    }
    return complete;
}

static int no_events(void) {
    if (errno != EINTR)
        ph_fatal("epoll_wait: %s", strerror(errno));
    return 0;
}

int ph_poller_wait(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout,
                   const sigset_t* mask) {
    int epoll_fd = loop->internal.poller.epoll_fd;
    int n = mask == NULL ? epoll_wait(epoll_fd, batch->events, PH_POLLER_BATCH, timeout)
                         : epoll_pwait(epoll_fd, batch->events, PH_POLLER_BATCH, timeout, mask);
    return n >= 0 ? n : no_events();
}

int ph_poller_wait_ns(uv_loop_t* loop, struct ph_poller_batch* batch, uint64_t ns,
                      const sigset_t* mask) {
    static int missing; /* an old kernel, or a sandbox that does not let it through */
    if (!__atomic_load_n(&missing, __ATOMIC_RELAXED)) {
        struct timespec time = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
        int n = epoll_pwait2(loop->internal.poller.epoll_fd, batch->events, PH_POLLER_BATCH, &time,
                             mask);
        if (n >= 0 || (errno != ENOSYS && errno != EPERM))
            return n >= 0 ? n : no_events();
        __atomic_store_n(&missing, 1, __ATOMIC_RELAXED);
    }
    uint64_t ms = ns / NS_PER_MS + (ns % NS_PER_MS != 0);
    return ph_poller_wait(loop, batch, ms < INT_MAX ? (int)ms : INT_MAX, mask);
}

/* The kernel reported what nobody wants (any more): ask for less. */
static void narrow(struct uv__poller* poller, uv__io_t* watcher) {
    if (watcher->wanted != 0) {
        register_wanted(poller, watcher);
        return;
    }
    struct epoll_event event = {0};
    epoll_ctl(poller->epoll_fd, EPOLL_CTL_DEL, watcher->fd, &event);
    watcher->registered = 0;
}

unsigned int ph_poller_unasked(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    unsigned int wanted = watcher->wanted;
    unsigned int trouble = events & (EPOLLERR | EPOLLHUP);
    if (wanted != 0 && trouble != 0)
        return (trouble & EPOLLERR ? wanted & ~(unsigned)EPOLLPRI : wanted) | trouble;
    narrow(&loop->internal.poller, watcher);
    return 0;
}

void ph_poller_embed(uv_loop_t* loop) {
    __atomic_store_n(&loop->internal.poller.embedded, 1, __ATOMIC_RELAXED);
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
