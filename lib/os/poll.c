/*
 * The poller's set in memory, shown to the kernel with every wait: poll(2). Each wait costs as much
 * as there are descriptors, so this is for systems and sandboxes without epoll, and for
 * comparison. There is no descriptor that another loop could wait on.
 */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "os/poll_set.h"
#include "os/poller.h"

_Static_assert(EPOLLIN == POLLIN && EPOLLPRI == POLLPRI && EPOLLOUT == POLLOUT &&
                   EPOLLERR == POLLERR && EPOLLHUP == POLLHUP && EPOLLRDHUP == POLLRDHUP,
               "events have the same numbers in both");

enum { NS_PER_S = 1000000000, ASKED = POLLIN | POLLPRI | POLLOUT | POLLRDHUP };

/* Dense, in any order; the first is always the descriptor that wakes the loop. */
struct uv__poll_set {
    struct pollfd* items;
    unsigned int count;
    unsigned int room;
    unsigned int* places; /* by descriptor: its index in `items`, 0: not there */
    unsigned int place_count;
    unsigned int next; /* where the next look for events begins, so that nobody starves */
};

static struct uv__poll_set* set_of(const uv_loop_t* loop) {
    return loop->internal.poller.set;
}

static bool make_room(const uv_loop_t* loop, struct uv__poll_set* set) {
    if (set->count < set->room)
        return true;
    unsigned room = set->room > 0 ? set->room * 2 : 16;
    struct pollfd* items = ph_loop_realloc(loop, set->items, room * sizeof(*items));
    if (items == NULL)
        return false;
    set->items = items;
    set->room = room;
    return true;
}

static bool make_places(const uv_loop_t* loop, struct uv__poll_set* set) {
    unsigned count = loop->internal.poller.watcher_count;
    if (count <= set->place_count)
        return true;
    unsigned* places = ph_loop_realloc(loop, set->places, count * sizeof(*places));
    if (places == NULL)
        return false;
    memset(places + set->place_count, 0, (count - set->place_count) * sizeof(*places));
    set->places = places;
    set->place_count = count;
    return true;
}

int ph_set_open(uv_loop_t* loop) {
    struct uv__poller* poller = &loop->internal.poller;
    poller->epoll_fd = -1;
    poller->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (poller->wake_fd == -1)
        return ph_errno();
    poller->set = ph_loop_calloc(loop, 1, sizeof(*poller->set));
    if (poller->set == NULL || !make_room(loop, poller->set)) {
        ph_set_close(loop, poller);
        return UV_ENOMEM;
    }
    poller->set->items[0] = (struct pollfd){.fd = poller->wake_fd, .events = POLLIN};
    poller->set->count = 1;
    return 0;
}

void ph_set_close(uv_loop_t* loop, struct uv__poller* poller) {
    if (poller->wake_fd != -1)
        close(poller->wake_fd);
    poller->wake_fd = -1;
    if (poller->set == NULL)
        return;
    ph_loop_free(loop, poller->set->items);
    ph_loop_free(loop, poller->set->places);
    ph_loop_free(loop, poller->set);
    poller->set = NULL;
}

/* poll(2) takes any file for ready; epoll says that such a file can't be watched. */
static int refusal(int fd) {
    struct stat info;
    if (fstat(fd, &info) != 0)
        return errno;
    return S_ISREG(info.st_mode) || S_ISDIR(info.st_mode) ? EPERM : 0;
}

int ph_poller_probe(uv_loop_t* loop, int fd) {
    (void)loop;
    return -refusal(fd);
}

int ph_set_put(uv_loop_t* loop, uv__io_t* watcher) {
    struct uv__poll_set* set = set_of(loop);
    int fd = watcher->fd;
    if (!make_places(loop, set))
        return ENOMEM;
    if (set->places[fd] == 0) {
        int err = refusal(fd);
        if (err != 0)
            return err;
        if (!make_room(loop, set))
            return ENOMEM;
        set->places[fd] = set->count++;
    }
    set->items[set->places[fd]] =
        (struct pollfd){.fd = fd, .events = (short)(watcher->wanted & ASKED)};
    watcher->registered = watcher->wanted;
    return 0;
}

void ph_set_remove(uv_loop_t* loop, int fd) {
    struct uv__poll_set* set = set_of(loop);
    unsigned place = (unsigned)fd < set->place_count ? set->places[fd] : 0;
    if (place == 0)
        return;
    struct pollfd last = set->items[--set->count];
    set->items[place] = last;
    set->places[last.fd] = place;
    set->places[fd] = 0;
}

/* The program has closed the descriptor without telling us: epoll forgets it without a word. */
static void forget(uv_loop_t* loop, int fd) {
    uv__io_t* watcher = loop->internal.poller.watchers[fd];
    ph_set_remove(loop, fd);
    if (watcher != NULL)
        watcher->registered = 0;
}

static void drain_wake_ups(struct uv__poll_set* set) {
    uint64_t count;
    while (set->items[0].revents != 0 && read(set->items[0].fd, &count, sizeof(count)) == -1 &&
           errno == EINTR)
        continue;
}

/* The batch may be too small for all: the next one begins where this one ends. */
static int collect(uv_loop_t* loop, struct ph_poller_batch* batch, int ready) {
    struct uv__poll_set* set = set_of(loop);
    int count = 0;
    ready -= set->items[0].revents != 0;
    drain_wake_ups(set);
    unsigned place = set->next;
    for (unsigned looked = set->count; looked > 0 && ready > 0 && count < PH_POLLER_BATCH;
         looked--, place++) {
        if (place == 0 || place >= set->count)
            place = 1;
        const struct pollfd* item = &set->items[place];
        if (item->revents == 0)
            continue;
        ready--;
        if (item->revents & POLLNVAL) {
            forget(loop, item->fd);
            place--; /* another one has taken its place */
            continue;
        }
        const uv__io_t* watcher = loop->internal.poller.watchers[item->fd];
        batch->events[count].events = (unsigned short)item->revents;
        batch->events[count++].data.u64 = ph_set_tag(item->fd, watcher->generation);
    }
    set->next = place;
    return count;
}

/* `time` NULL: for ever. */
static int wait_for(uv_loop_t* loop, struct ph_poller_batch* batch, const struct timespec* time,
                    const sigset_t* mask) {
    struct uv__poll_set* set = set_of(loop);
    int n = ppoll(set->items, set->count, time, mask);
    if (n > 0)
        return collect(loop, batch, n);
    /* Short of memory, the kernel can't even look, and the loop asks again. */
    if (n == -1 && errno != EINTR && errno != ENOMEM)
        ph_fatal("poll: %s", strerror(errno));
    return 0;
}

int ph_poller_wait(uv_loop_t* loop, struct ph_poller_batch* batch, int timeout,
                   const sigset_t* mask) {
    struct timespec time = {timeout / 1000, timeout % 1000 * 1000000L};
    return wait_for(loop, batch, timeout >= 0 ? &time : NULL, mask);
}

int ph_poller_wait_ns(uv_loop_t* loop, struct ph_poller_batch* batch, uint64_t ns,
                      const sigset_t* mask) {
    struct timespec time = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
    return wait_for(loop, batch, &time, mask);
}

void ph_poller_embed(uv_loop_t* loop) {
    (void)loop;
}
