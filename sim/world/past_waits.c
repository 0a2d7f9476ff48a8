/* Waiting for descriptors, by programs that do not ask the library for it: epoll, poll, select. */

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

#include "world/epoll.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"
#include "world/world.h"

#define EXPORT __attribute__((visibility("default")))

EXPORT int epoll_create1(int flags) {
    return __wrap_epoll_create1(flags);
}

EXPORT int epoll_create(int size) {
    if (size > 0)
        return __wrap_epoll_create1(0);
    errno = EINVAL;
    return -1;
}

EXPORT int epoll_ctl(int set, int op, int fd, struct epoll_event* event) {
    return __wrap_epoll_ctl(set, op, fd, event);
}

EXPORT int epoll_wait(int set, struct epoll_event* events, int room, int ms) {
    return __wrap_epoll_wait(set, events, room, ms);
}

EXPORT int epoll_pwait(int set, struct epoll_event* events, int room, int ms,
                       const sigset_t* mask) {
    return __wrap_epoll_pwait(set, events, room, ms, mask);
}

EXPORT int epoll_pwait2(int set, struct epoll_event* events, int room, const struct timespec* time,
                        const sigset_t* mask) {
    return __wrap_epoll_pwait2(set, events, room, time, mask);
}

static const struct ph_socket* socket_of(int fd) {
    enum ph_fd_kind kind = ph_fd_kind(fd);
    return kind == PH_FD_SOCKET || kind == PH_FD_COUNTER ? ph_fd_object(fd) : NULL;
}

/* What is ready now; the bits of poll and of epoll are the same. */
static int look(struct pollfd* fds, nfds_t count) {
    const struct timespec at_once = {0};
    int ready = 0;
    for (nfds_t i = 0; i < count; i++) {
        const struct ph_socket* socket = socket_of(fds[i].fd);
        fds[i].revents = 0;
        if (socket != NULL) {
            ph_world_lock();
            fds[i].revents =
                (short)(ph_socket_events(socket) & ((uint32_t)fds[i].events | EPOLLERR | EPOLLHUP));
            ph_world_unlock();
        } else if (fds[i].fd >= 0) {
            ph_raw_poll(&fds[i], 1, &at_once);
        }
        ready += fds[i].revents != 0;
    }
    return ready;
}

/* A set for this wait alone. A descriptor may be there several times. */
static bool watch_all(int set, const struct pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++) {
        struct epoll_event event = {.events = (uint32_t)(unsigned short)fds[i].events};
        bool seen = fds[i].fd < 0;
        for (nfds_t k = 0; k < i && !seen; k++)
            seen = fds[k].fd == fds[i].fd;
        for (nfds_t k = i + 1; k < count; k++)
            if (fds[k].fd == fds[i].fd)
                event.events |= (uint32_t)(unsigned short)fds[k].events;
        if (!seen && __wrap_epoll_ctl(set, EPOLL_CTL_ADD, fds[i].fd, &event) != 0)
            return false;
    }
    return true;
}

/* The set's number is taken back before the program goes on. */
static void unwatch_all(int set, const struct pollfd* fds, nfds_t count) {
    for (nfds_t i = 0; i < count; i++)
        if (fds[i].fd >= 0)
            __wrap_epoll_ctl(set, EPOLL_CTL_DEL, fds[i].fd, NULL);
    __wrap_close(set);
}

/* For so many ns, or PH_NEVER. */
static int wait_for_some(struct pollfd* fds, nfds_t count, uint64_t ns) {
    struct epoll_event event;
    uint64_t end = ns == PH_NEVER ? PH_NEVER : ph_world->now + ns;
    int ready = look(fds, count);
    if (ready > 0)
        return ready;
    int set = __wrap_epoll_create1(EPOLL_CLOEXEC);
    if (set == -1)
        return -1;
    bool watched = watch_all(set, fds, count);
    while (watched && ready == 0) {
        uint64_t left = end == PH_NEVER ? PH_NEVER : end > ph_world->now ? end - ph_world->now : 0;
        int result = ph_epoll_wait_for(ph_fd_object(set), &event, 1, left);
        ready = result == -1 ? -1 : look(fds, count);
        if (left == 0 && ready == 0)
            break;
    }
    int error = errno;
    unwatch_all(set, fds, count);
    errno = error;
    return watched ? ready : -1;
}

/* Threads that the world does not know, and what is not in it, wait outside. */
static bool is_inside(const struct pollfd* fds, nfds_t count) {
    if (ph_world == NULL || ph_sleeper_known() != NULL)
        return ph_world != NULL;
    for (nfds_t i = 0; i < count; i++)
        if (socket_of(fds[i].fd) != NULL)
            return true;
    return false;
}

static uint64_t to_ns(const struct timespec* time) {
    return time == NULL ? PH_NEVER : (uint64_t)time->tv_sec * PH_S + (uint64_t)time->tv_nsec;
}

EXPORT int ppoll(struct pollfd* fds, nfds_t count, const struct timespec* limit,
                 const sigset_t* mask) {
    (void)mask;
    return is_inside(fds, count) ? wait_for_some(fds, count, to_ns(limit))
                                 : ph_raw_poll(fds, count, limit);
}

EXPORT int poll(struct pollfd* fds, nfds_t count, int ms) {
    struct timespec limit = {.tv_sec = ms / 1000, .tv_nsec = (long)(ms % 1000) * 1000000};
    return ppoll(fds, count, ms < 0 ? NULL : &limit, NULL);
}

static int to_list(int count, const fd_set* readers, const fd_set* writers, const fd_set* urgent,
                   struct pollfd* fds) {
    int used = 0;
    for (int fd = 0; fd < count; fd++) {
        short events = 0;
        events |= readers != NULL && FD_ISSET(fd, readers) ? POLLIN : 0;
        events |= writers != NULL && FD_ISSET(fd, writers) ? POLLOUT : 0;
        events |= urgent != NULL && FD_ISSET(fd, urgent) ? POLLPRI : 0;
        if (events != 0)
            fds[used++] = (struct pollfd){.fd = fd, .events = events};
    }
    return used;
}

static int keep(fd_set* set, int fd, bool ready) {
    if (set == NULL || !FD_ISSET(fd, set))
        return 0;
    if (!ready)
        FD_CLR(fd, set);
    return ready;
}

EXPORT int pselect(int count, fd_set* restrict readers, fd_set* restrict writers,
                   fd_set* restrict urgent, const struct timespec* restrict limit,
                   const sigset_t* restrict mask) {
    struct pollfd fds[FD_SETSIZE];
    if (count < 0 || count > FD_SETSIZE) {
        errno = EINVAL;
        return -1;
    }
    int used = to_list(count, readers, writers, urgent, fds);
    int ready = ppoll(fds, (nfds_t)used, limit, mask);
    int found = 0;
    if (ready == -1)
        return -1;
    for (int i = 0; i < used; i++) {
        if (fds[i].revents & POLLNVAL) {
            errno = EBADF;
            return -1;
        }
        found += keep(readers, fds[i].fd, fds[i].revents & (POLLIN | POLLHUP | POLLERR));
        found += keep(writers, fds[i].fd, fds[i].revents & (POLLOUT | POLLERR));
        found += keep(urgent, fds[i].fd, fds[i].revents & POLLPRI);
    }
    return found;
}

EXPORT int select(int count, fd_set* restrict readers, fd_set* restrict writers,
                  fd_set* restrict urgent, struct timeval* restrict limit) {
    struct timespec time = {0};
    if (limit != NULL)
        time = (struct timespec){.tv_sec = limit->tv_sec, .tv_nsec = limit->tv_usec * 1000};
    return pselect(count, readers, writers, urgent, limit != NULL ? &time : NULL, NULL);
}
