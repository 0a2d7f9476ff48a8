/* The poller's set in the kernel: epoll. */

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/error.h"
#include "os/libc.h"
#include "os/poll_set.h"
#include "os/poller.h"
#include "os/refusal.h"

enum { NS_PER_MS = 1000000, NS_PER_S = 1000000000 };

int ph_set_open(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    poller->wake_fd = -1;
    poller->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
    if (poller->epoll_fd == -1)
        return ph_errno();
    poller->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    /* Edge-triggered: every write wakes, and nobody has to read the counter back. */
    struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.u64 = PH_POLLER_WAKE_TAG};
    if (poller->wake_fd == -1 ||
        epoll_ctl(poller->epoll_fd, EPOLL_CTL_ADD, poller->wake_fd, &event) != 0) {
        int err = ph_errno();
        ph_set_close(loop, poller);
        return err;
    }
    return 0;
}

void ph_set_close(uv_loop_t* loop, struct uv__poller* poller) {
    (void)loop;
    if (poller->wake_fd != -1)
        close(poller->wake_fd);
    close(poller->epoll_fd);
    poller->epoll_fd = -1;
    poller->wake_fd = -1;
}

void ph_set_remove(uv_loop_t* loop, int fd) {
    struct epoll_event event = {0};
    epoll_ctl(loop->internal.poller.epoll_fd, EPOLL_CTL_DEL, fd, &event);
}

int ph_poller_probe(uv_loop_t* loop, int fd) {
    int epoll_fd = loop->internal.poller.epoll_fd;
    struct epoll_event event = {.events = EPOLLIN, .data.u64 = ph_set_tag(fd, 0)};
    if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, fd, &event) != 0)
        return errno == EEXIST ? 0 : ph_errno();
    epoll_ctl(epoll_fd, EPOLL_CTL_DEL, fd, &event);
    return 0;
}

/* What the kernel knows may differ from `registered` when a caller closed the
 * descriptor without telling us, so each of the two errors means: try the other way. */
int ph_set_put(uv_loop_t* loop, uv__io_t* watcher) {
    int epoll_fd = loop->internal.poller.epoll_fd;
    int fd = watcher->fd;
    struct epoll_event event = {.events = watcher->wanted,
                                .data.u64 = ph_set_tag(fd, watcher->generation)};
    int op = watcher->registered != 0 ? EPOLL_CTL_MOD : EPOLL_CTL_ADD;
    int result = epoll_ctl(epoll_fd, op, fd, &event);
    if (result != 0 && (errno == EEXIST || errno == ENOENT))
        result =
            epoll_ctl(epoll_fd, op == EPOLL_CTL_ADD ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
    if (result != 0)
        return errno;
    watcher->registered = watcher->wanted;
    return 0;
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
        if (n >= 0 || !ph_is_refusal(errno))
            return n >= 0 ? n : no_events();
        __atomic_store_n(&missing, 1, __ATOMIC_RELAXED);
    }
    uint64_t ms = ns / NS_PER_MS + (ns % NS_PER_MS != 0);
    return ph_poller_wait(loop, batch, ms < INT_MAX ? (int)ms : INT_MAX, mask);
}

void ph_poller_embed(uv_loop_t* loop) {
    __atomic_store_n(&loop->internal.poller.embedded, 1, __ATOMIC_RELAXED);
}
