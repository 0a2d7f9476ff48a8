#include "world/counter.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include "world/epoll.h"
#include "world/raw.h"
#include "world/real.h"
#include "world/socket.h"
#include "world/table.h"

#define EXPORT __attribute__((visibility("default")))

static struct ph_socket* counter_of(int fd) {
    return ph_world != NULL && ph_fd_kind(fd) == PH_FD_COUNTER ? ph_fd_object(fd) : NULL;
}

/* A real descriptor of the same kind keeps the number. */
static int adopt(int fd, int clock, uint64_t count, bool one_by_one) {
    if (fd == -1 || ph_world == NULL)
        return fd;
    ph_world_lock();
    struct ph_socket* counter = ph_socket_new(AF_UNSPEC, PH_COUNTER);
    if (counter != NULL) {
        counter->count = count;
        counter->one_by_one = one_by_one;
        counter->clock = clock;
    }
    ph_world_unlock();
    if (counter != NULL && ph_fd_set(fd, PH_FD_COUNTER, counter))
        return fd;
    ph_raw_close(fd);
    errno = ENOMEM;
    return -1;
}

EXPORT int eventfd(unsigned count, int flags) {
    return adopt(ph_raw_eventfd(count, flags), -1, count, flags & EFD_SEMAPHORE);
}

EXPORT int timerfd_create(clockid_t clock, int flags) {
    return adopt((int)ph_raw_call(SYS_timerfd_create, clock, flags), clock, 0, false);
}

static uint64_t to_ns(const struct timespec* time) {
    return (uint64_t)time->tv_sec * PH_S + (uint64_t)time->tv_nsec;
}

static struct timespec to_time(uint64_t ns) {
    return (struct timespec){.tv_sec = (time_t)(ns / PH_S), .tv_nsec = (long)(ns % PH_S)};
}

static void tell(const struct ph_socket* timer, struct itimerspec* value) {
    uint64_t due = timer->expiry.place != 0 ? timer->expiry.time : 0;
    value->it_interval = to_time(timer->interval);
    value->it_value = to_time(due > ph_world->now ? due - ph_world->now : due != 0);
}

EXPORT int timerfd_gettime(int fd, struct itimerspec* value) {
    const struct ph_socket* timer = counter_of(fd);
    if (timer == NULL)
        return (int)ph_raw_call(SYS_timerfd_gettime, fd, value);
    ph_world_lock();
    tell(timer, value);
    ph_world_unlock();
    return 0;
}

EXPORT int timerfd_settime(int fd, int flags, const struct itimerspec* value,
                           struct itimerspec* old) {
    struct ph_socket* timer = counter_of(fd);
    if (timer == NULL || timer->clock < 0)
        return (int)ph_raw_call(SYS_timerfd_settime, fd, flags, value, old);
    if (value->it_value.tv_nsec < 0 || value->it_value.tv_nsec >= (long)PH_S ||
        value->it_interval.tv_nsec < 0 || value->it_interval.tv_nsec >= (long)PH_S) {
        errno = EINVAL;
        return -1;
    }
    ph_world_lock();
    if (old != NULL)
        tell(timer, old);
    ph_event_cancel(&timer->expiry);
    timer->count = 0;
    timer->interval = to_ns(&value->it_interval);
    uint64_t ns = to_ns(&value->it_value);
    if (ns != 0)
        ph_event_at(&timer->expiry, PH_EVENT_EXPIRY,
                    ph_clock_deadline(timer->clock, flags & TFD_TIMER_ABSTIME, ns));
    ph_world_unlock();
    return 0;
}

void ph_run_expiry(struct ph_event* event) {
    struct ph_socket* timer = PH_CONTAINER_OF(event, struct ph_socket, expiry);
    timer->count++;
    if (timer->interval > 0)
        ph_event_at(event, PH_EVENT_EXPIRY, event->time + timer->interval);
    ph_socket_changed(timer);
}

ssize_t ph_counter_read(int fd, void* bytes, size_t size) {
    struct ph_socket* counter = ph_fd_object(fd);
    uint64_t count = 0;
    if (size < sizeof(count)) {
        errno = EINVAL;
        return -1;
    }
    bool waits = (ph_raw_fcntl(fd, F_GETFL, 0) & O_NONBLOCK) == 0;
    ph_world_lock();
    while (waits && counter->count == 0)
        ph_epoll_await(counter, EPOLLIN, PH_NEVER);
    count = counter->one_by_one && counter->count > 0 ? 1 : counter->count;
    __atomic_sub_fetch(&counter->count, count, __ATOMIC_SEQ_CST);
    ph_socket_changed(counter);
    ph_world_unlock();
    if (count == 0) {
        errno = EAGAIN;
        return -1;
    }
    memcpy(bytes, &count, sizeof(count));
    return sizeof(count);
}

static void announce(const void* counter) {
    ph_world_lock();
    ph_socket_changed((struct ph_socket*)(uintptr_t)counter);
    ph_world_unlock();
}

/* Also in a signal handler, which may have interrupted a thread that holds the world's lock. */
ssize_t ph_counter_write(int fd, const void* bytes, size_t size) {
    struct ph_socket* counter = ph_fd_object(fd);
    uint64_t more = 0;
    if (size >= sizeof(more))
        memcpy(&more, bytes, sizeof(more));
    if (size < sizeof(more) || more == UINT64_MAX || counter->clock >= 0) {
        errno = EINVAL;
        return -1;
    }
    if (more > UINT64_MAX - 1 - counter->count) {
        errno = EAGAIN;
        return -1;
    }
    __atomic_add_fetch(&counter->count, more, __ATOMIC_SEQ_CST);
    if (!ph_world_postpone(announce, counter))
        announce(counter);
    return sizeof(more);
}
