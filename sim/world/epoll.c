#include "world/epoll.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "world/faults.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"

static struct ph_watch* watch_of(struct uv__queue* node) {
    return PH_CONTAINER_OF(node, struct ph_watch, in_ready);
}

/* What the watch would report; asking clears nothing. Who waits for room is to hear of it, also
 * where the write that took the last of it was not refused. */
static uint32_t report_of(const struct ph_watch* watch) {
    struct ph_socket* socket = watch->socket;
    if (watch->spent)
        return 0;
    uint32_t events = ph_socket_events(socket);
    if ((watch->events & ~events & EPOLLOUT) && socket->state == PH_SOCKET_CONNECTED)
        socket->no_room = true;
    return events & (watch->events | EPOLLERR | EPOLLHUP);
}

bool ph_epoll_is_ready(struct ph_epoll* epoll) {
    if (epoll->outside_ready || __atomic_load_n(&epoll->woken, __ATOMIC_SEQ_CST))
        return true;
    for (struct uv__queue *next, *node = epoll->ready.next; node != &epoll->ready; node = next) {
        next = node->next;
        if (report_of(watch_of(node)) != 0)
            return true;
        ph_queue_remove(node);
    }
    return false;
}

void ph_epoll_look_outside(struct ph_epoll* epoll) {
    struct pollfd set = {.fd = epoll->fd, .events = POLLIN};
    const struct timespec at_once = {0};
    if (epoll->outside == 0 && epoll->inner == 0)
        return;
    /* Not epoll_wait: that would take what is told only once (EPOLLET). */
    epoll->outside_ready = ph_raw_poll(&set, 1, &at_once) > 0;
}

void ph_socket_changed(struct ph_socket* socket) {
    for (struct uv__queue* node = socket->watches.next; node != &socket->watches;
         node = node->next) {
        struct ph_watch* watch = PH_CONTAINER_OF(node, struct ph_watch, in_socket);
        if (ph_queue_empty(&watch->in_ready))
            ph_queue_push(&watch->epoll->ready, &watch->in_ready);
    }
}

static void drop(struct ph_watch* watch) {
    ph_queue_remove(&watch->in_epoll);
    ph_queue_remove(&watch->in_ready);
    ph_queue_remove(&watch->in_socket);
    ph_world_free(watch, sizeof(*watch));
}

void ph_socket_unwatch(struct ph_socket* socket) {
    while (!ph_queue_empty(&socket->watches))
        drop(PH_CONTAINER_OF(socket->watches.next, struct ph_watch, in_socket));
}

static struct ph_epoll* make(int fd) {
    struct ph_epoll* epoll = ph_world_alloc(sizeof(*epoll));
    if (epoll == NULL)
        return NULL;
    ph_world->waits++;
    ph_sleeper_own()->counts = true;
    ph_queue_init(&epoll->watches);
    ph_queue_init(&epoll->ready);
    epoll->fd = fd;
    epoll->wake_fd = -1;
    return epoll;
}

int __wrap_epoll_create1(int flags) {
    int fd = __real_epoll_create1(flags);
    if (fd == -1 || ph_world == NULL)
        return fd;
    ph_world_lock();
    struct ph_epoll* epoll = make(fd);
    ph_world_unlock();
    if (epoll == NULL || !ph_fd_set(fd, PH_FD_EPOLL, epoll)) {
        __real_close(fd);
        errno = ENOMEM;
        return -1;
    }
    return fd;
}

void ph_epoll_close(struct ph_epoll* epoll) {
    while (!ph_queue_empty(&epoll->watches))
        drop(PH_CONTAINER_OF(epoll->watches.next, struct ph_watch, in_epoll));
    if (epoll->watcher != NULL)
        epoll->watcher->outside -= epoll->outside;
    ph_world_free(epoll, sizeof(*epoll));
}

int __wrap_eventfd(unsigned count, int flags) {
    int fd = __real_eventfd(count, flags);
    if (fd != -1 && ph_world != NULL)
        ph_fd_set(fd, PH_FD_WAKE, NULL);
    return fd;
}

void ph_wake_written(int fd) {
    struct ph_epoll* epoll = ph_fd_object(fd);
    if (epoll != NULL)
        __atomic_store_n(&epoll->woken, 1, __ATOMIC_SEQ_CST);
}

/* By number too: copies of a descriptor are watched each for itself. */
static struct ph_watch* find(struct ph_epoll* epoll, struct ph_socket* socket, int fd) {
    for (struct uv__queue* node = socket->watches.next; node != &socket->watches;
         node = node->next) {
        struct ph_watch* watch = PH_CONTAINER_OF(node, struct ph_watch, in_socket);
        if (watch->epoll == epoll && watch->fd == fd)
            return watch;
    }
    return NULL;
}

static struct ph_watch* add(struct ph_epoll* epoll, struct ph_socket* socket, int fd) {
    struct ph_watch* watch = ph_world_alloc(sizeof(*watch));
    if (watch == NULL)
        return NULL;
    ph_queue_init(&watch->in_ready);
    ph_queue_push(&epoll->watches, &watch->in_epoll);
    ph_queue_push(&socket->watches, &watch->in_socket);
    watch->epoll = epoll;
    watch->socket = socket;
    watch->fd = fd;
    return watch;
}

static int control(struct ph_epoll* epoll, int op, int fd, const struct epoll_event* event) {
    struct ph_socket* socket = ph_fd_object(fd);
    struct ph_watch* watch = find(epoll, socket, fd);
    if (op == EPOLL_CTL_ADD ? watch != NULL : watch == NULL)
        return op == EPOLL_CTL_ADD ? EEXIST : ENOENT;
    if (op == EPOLL_CTL_DEL) {
        drop(watch);
        return 0;
    }
    if (watch == NULL && (watch = add(epoll, socket, fd)) == NULL)
        return ENOMEM;
    watch->events = event->events;
    watch->spent = false;
    watch->data = event->data.u64;
    if (ph_queue_empty(&watch->in_ready))
        ph_queue_push(&epoll->ready, &watch->in_ready);
    return 0;
}

/* What the report calls a descriptor of the outside. */
static void name_outside(struct ph_epoll* epoll, int fd) {
    char path[64];
    char target[sizeof(epoll->outside_what)];
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    ssize_t length = readlink(path, target, sizeof(target) - 1);
    target[length > 0 ? length : 0] = '\0';
    const char* what = strstr(target, "pidfd") != NULL       ? "a child process"
                       : strstr(target, "eventpoll") != NULL ? "a child process"
                       : strstr(target, "inotify") != NULL   ? "changes of files"
                       : fd == 0                             ? "standard input"
                                                             : "a descriptor of the outside";
    snprintf(epoll->outside_what, sizeof(epoll->outside_what), "%s", what);
}

/* A set in which no loop waits, such as that of a loop's children: a loop watches it as one
 * descriptor, and what is in it counts as that loop's. */
static bool is_inner_set(struct ph_epoll* epoll) {
    return epoll->wake_fd == -1 && ph_queue_empty(&epoll->watches);
}

static void count_outside(struct ph_epoll* epoll, uint32_t more, uint32_t fewer, int fd) {
    epoll->outside += more;
    epoll->outside -= fewer < epoll->outside ? fewer : epoll->outside;
    if (more > 0)
        name_outside(epoll, fd);
    if (epoll->watcher != NULL)
        count_outside(epoll->watcher, more, fewer, fd);
}

static int control_outside(struct ph_epoll* epoll, int op, int fd, struct epoll_event* event) {
    int result = __real_epoll_ctl(epoll->fd, op, fd, event);
    if (result != 0)
        return result;
    struct ph_epoll* set = ph_fd_kind(fd) == PH_FD_EPOLL ? ph_fd_object(fd) : NULL;
    bool added = op == EPOLL_CTL_ADD, removed = op == EPOLL_CTL_DEL;
    bool inner = ph_pair_is_inner(fd);
    if (added && set == NULL)
        ph_fd_set(fd, inner ? PH_FD_INNER : PH_FD_OUTSIDE, (void*)(intptr_t)epoll->fd);
    else if (removed && set == NULL)
        ph_fd_forget(fd);
    ph_world_lock();
    if (inner) {
        epoll->inner += added;
        epoll->inner -= removed && epoll->inner > 0;
    } else if (set != NULL && is_inner_set(set)) {
        count_outside(epoll, added ? set->outside : 0, removed ? set->outside : 0, fd);
        set->watcher = added ? epoll : removed ? NULL : set->watcher;
    } else {
        count_outside(epoll, added, removed, fd);
    }
    ph_world_unlock();
    return 0;
}

void ph_epoll_forget(int fd) {
    enum ph_fd_kind kind = ph_fd_kind(fd);
    int set = kind == PH_FD_OUTSIDE || kind == PH_FD_INNER ? (int)(intptr_t)ph_fd_object(fd) : -1;
    if (ph_fd_kind(set) != PH_FD_EPOLL)
        return;
    struct ph_epoll* epoll = ph_fd_object(set);
    ph_world_lock();
    if (kind == PH_FD_OUTSIDE)
        count_outside(epoll, 0, 1, fd);
    else
        epoll->inner -= epoll->inner > 0;
    ph_world_unlock();
}

static struct ph_epoll* set_of(int fd) {
    return ph_world != NULL && ph_fd_kind(fd) == PH_FD_EPOLL ? ph_fd_object(fd) : NULL;
}

int __wrap_epoll_ctl(int epoll_fd, int op, int fd, struct epoll_event* event) {
    struct ph_epoll* epoll = set_of(epoll_fd);
    if (epoll == NULL)
        return __real_epoll_ctl(epoll_fd, op, fd, event);
    if (ph_fd_kind(fd) == PH_FD_WAKE) {
        epoll->wake_fd = fd;
        epoll->wake_data = event->data.u64;
        ph_fd_set(fd, PH_FD_WAKE, epoll);
        return 0;
    }
    if (ph_fd_kind(fd) != PH_FD_SOCKET && ph_fd_kind(fd) != PH_FD_COUNTER)
        return control_outside(epoll, op, fd, event);
    ph_world_lock();
    int err = control(epoll, op, fd, event);
    ph_world_unlock();
    errno = err;
    return err == 0 ? 0 : -1;
}

static void shuffle(struct epoll_event* events, int count) {
    for (int i = count - 1; i > 0; i--) {
        int other = (int)ph_draw_below(PH_CHANCE_ORDER, (uint64_t)i + 1);
        struct epoll_event event = events[i];
        events[i] = events[other];
        events[other] = event;
    }
}

/* The events of the world and of the outside, in an order of chance; those that are reported stay
 * in the list of what may be ready, because they are until somebody has read, but for those that
 * are told once. */
static int harvest(struct ph_epoll* epoll, struct epoll_event* events, int room) {
    int count = 0;
    for (struct uv__queue *next, *node = epoll->ready.next; node != &epoll->ready && count < room;
         node = next) {
        struct ph_watch* watch = watch_of(node);
        next = node->next;
        uint32_t report = report_of(watch);
        if (report != 0)
            events[count++] = (struct epoll_event){.events = report, .data.u64 = watch->data};
        if (report == 0 || (watch->events & (EPOLLET | EPOLLONESHOT)))
            ph_queue_remove(node);
        watch->spent |= report != 0 && (watch->events & EPOLLONESHOT);
    }
    if (epoll->outside_ready && count < room) {
        int more = __real_epoll_wait(epoll->fd, events + count, room - count, 0);
        epoll->outside_ready = false;
        count += more > 0 ? more : 0;
    }
    shuffle(events, count);
    if (__atomic_exchange_n(&epoll->woken, 0, __ATOMIC_SEQ_CST) && count < room)
        events[count++] = (struct epoll_event){.events = EPOLLIN, .data.u64 = epoll->wake_data};
    return count;
}

bool ph_epoll_await(struct ph_socket* socket, uint32_t events, uint64_t deadline) {
    struct ph_epoll* epoll = make(-1);
    struct ph_watch* watch = epoll != NULL ? add(epoll, socket, -1) : NULL;
    if (watch == NULL)
        ph_world_end("the world has no room for another watched socket");
    watch->events = events;
    ph_queue_push(&epoll->ready, &watch->in_ready);
    ph_process_here()->has_waited = true;
    if (ph_thread_counts())
        ph_sleep_holds(ph_unkind_before_wait(&deadline));
    ph_sleep(deadline, epoll);
    bool came = ph_epoll_is_ready(epoll);
    ph_epoll_close(epoll);
    return came;
}

int ph_epoll_wait_for(struct ph_epoll* epoll, struct epoll_event* events, int room, uint64_t ns) {
    ph_world_lock();
    if (ph_fault("epoll_wait", PH_FAULT_CALL, ns != 0 ? EINTR : 0, 0)) {
        ph_world_unlock();
        return -1;
    }
    ph_process_here()->has_waited = true;
    int host = ph_host_here();
    uint64_t deadline = PH_NEVER;
    if (ns != PH_NEVER)
        deadline = ph_clock_reached(host, ph_clock_of(host, ph_world->now) + ns);
    ph_sleep_holds(ph_unkind_before_wait(&deadline));
    ph_sleep(deadline, epoll);
    int count = harvest(epoll, events, room);
    ph_world_unlock();
    return count;
}

int __wrap_epoll_wait(int epoll_fd, struct epoll_event* events, int room, int timeout) {
    struct ph_epoll* epoll = set_of(epoll_fd);
    if (epoll == NULL || (timeout == 0 && is_inner_set(epoll)))
        return __real_epoll_wait(epoll_fd, events, room, timeout);
    return ph_epoll_wait_for(epoll, events, room,
                             timeout >= 0 ? (uint64_t)timeout * PH_MS : PH_NEVER);
}

int __wrap_epoll_pwait2(int epoll_fd, struct epoll_event* events, int room,
                        const struct timespec* time, const sigset_t* mask) {
    struct ph_epoll* epoll = set_of(epoll_fd);
    if (epoll == NULL)
        return __real_epoll_pwait2(epoll_fd, events, room, time, mask);
    uint64_t ns = time == NULL ? PH_NEVER : (uint64_t)time->tv_sec * PH_S + (uint64_t)time->tv_nsec;
    return ph_epoll_wait_for(epoll, events, room, ns);
}

int __wrap_epoll_pwait(int epoll_fd, struct epoll_event* events, int room, int timeout,
                       const sigset_t* mask) {
    if (set_of(epoll_fd) == NULL)
        return __real_epoll_pwait(epoll_fd, events, room, timeout, mask);
    return __wrap_epoll_wait(epoll_fd, events, room, timeout);
}
