#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "os/fd.h"
#include "os/poller.h"

enum { ALL_EVENTS = UV_READABLE | UV_WRITABLE | UV_DISCONNECT | UV_PRIORITIZED };

static unsigned int to_epoll(int events) {
    return (events & UV_READABLE ? EPOLLIN : 0u) | (events & UV_WRITABLE ? EPOLLOUT : 0u) |
           (events & UV_DISCONNECT ? EPOLLRDHUP : 0u) | (events & UV_PRIORITIZED ? EPOLLPRI : 0u);
}

_Static_assert((int)EPOLLIN == (int)UV_READABLE && EPOLLOUT == UV_WRITABLE << 1 &&
                   EPOLLRDHUP == UV_DISCONNECT << 11 && EPOLLPRI == UV_PRIORITIZED >> 2,
               "events are translated by shifting");

static int from_epoll(unsigned int events) {
    return (int)((events & EPOLLIN) | (events & EPOLLOUT) >> 1 | (events & EPOLLRDHUP) >> 11 |
                 (events & EPOLLPRI) << 2);
}

/* In the spare bytes of uv_handle_t: the turn in which the handle was started again last. */
static uint64_t* restarted_in(uv_poll_t* handle) {
    return (uint64_t*)handle->u.reserved;
}

static void on_events(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    uv_poll_t* handle = PH_CONTAINER_OF(watcher, uv_poll_t, io_watcher);
    /* What poll found before the handle was started again is old: it is asked again next turn. */
    if (*restarted_in(handle) == loop->internal.metrics.loop_count && !(events & EPOLLERR))
        return;
    /* An error without readiness that was asked for: reported once, and the handle stops. An urgent
     * byte also shows as an error on some descriptors, so that is not one. */
    if ((events & EPOLLERR) && !(events & EPOLLPRI)) {
        ph_watcher_close(loop, watcher);
        ph_handle_stop(handle);
        PH_DISPATCH(loop, handle, handle->poll_cb, handle, UV_EBADF, 0);
        return;
    }
    /* A hang-up is everything but writable, for those who ask. */
    if (events & EPOLLHUP)
        events |= watcher->wanted & (EPOLLIN | EPOLLRDHUP | EPOLLPRI);
    PH_DISPATCH(loop, handle, handle->poll_cb, handle, 0, from_epoll(events));
}

int uv_poll_init(uv_loop_t* loop, uv_poll_t* handle, int fd) {
    if (ph_poller_watches(loop, fd))
        return UV_EEXIST;
    int err = ph_poller_probe(loop, fd);
    if (err == 0)
        err = ph_fd_set_nonblocking(fd, true);
    if (err == 0)
        err = ph_poller_reserve(loop, fd);
    if (err != 0)
        return err;
    ph_handle_init(loop, PH_HANDLE(handle), UV_POLL);
    ph_watcher_init(&handle->io_watcher, on_events, fd);
    handle->poll_cb = NULL;
    *restarted_in(handle) = 0;
    return 0;
}

int uv_poll_init_socket(uv_loop_t* loop, uv_poll_t* handle, uv_os_sock_t socket) {
    return uv_poll_init(loop, handle, socket);
}

/* The caller may close the descriptor right after a stop, so the kernel forgets it at once. */
static void stop(uv_poll_t* handle) {
    ph_watcher_close(handle->loop, &handle->io_watcher);
    ph_handle_stop(handle);
}

int uv_poll_start(uv_poll_t* handle, int pevents, uv_poll_cb poll_cb) {
    uv_loop_t* loop = handle->loop;
    uv__io_t* watcher = &handle->io_watcher;
    if (ph_is_closing(handle) || (pevents & ~ALL_EVENTS) != 0)
        return UV_EINVAL;
    if (watcher->wanted == 0 && ph_poller_watches(loop, watcher->fd))
        return UV_EEXIST;
    unsigned int wanted = to_epoll(pevents);
    if (wanted == 0) {
        stop(handle);
        return 0;
    }
    if (watcher->wanted != 0)
        *restarted_in(handle) = loop->internal.metrics.loop_count;
    ph_watcher_start(loop, watcher, wanted);
    ph_watcher_stop(loop, watcher, ~wanted);
    handle->poll_cb = poll_cb;
    ph_handle_start(handle);
    return 0;
}

int uv_poll_stop(uv_poll_t* handle) {
    if (ph_is_closing(handle))
        return UV_EINVAL;
    stop(handle);
    return 0;
}

bool ph_poll_close(uv_handle_t* handle) {
    stop((uv_poll_t*)handle);
    return true;
}
