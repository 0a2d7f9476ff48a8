/* uv_fs_event_t on inotify: one inotify descriptor per loop, opened by the first start. */

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "base/copy_out.h"
#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"
#include "core/parts.h"
#include "fs/watch_tree.h"
#include "os/fd.h"
#include "os/poller.h"

enum {
    BUFFER = 2048, /* threads may have small stacks */
    READS = 128,   /* before the other descriptors get their turn */
    CHANGES = IN_ATTRIB | IN_MODIFY,
    ARRIVALS = IN_CREATE | IN_MOVED_TO,
    DEPARTURES = IN_DELETE | IN_MOVED_FROM
};

static void tell(uv_fs_event_t* handle, const char* filename, int events, int status) {
    PH_DISPATCH(handle->loop, handle, handle->fs_event.cb, handle, filename, events, status);
}

/* Whether the handle is still as it was before a callback, which may have stopped or restarted it.
 * A handle closed there is not freed before the closing phase, so it may be looked at. */
static bool goes_on(uv_fs_event_t* handle, uint64_t started) {
    return ph_is_active(handle) && handle->fs_event.started == started;
}

static const char* own_name(const char* path) {
    const char* slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* Anything besides a change of contents or attributes counts as a rename, the mark of a folder
 * included: programs know it so. */
static int events_of(const struct inotify_event* event) {
    int events = 0;
    if (event->mask & CHANGES)
        events |= UV_CHANGE;
    if (event->mask & ~(uint32_t)CHANGES)
        events |= UV_RENAME;
    return events;
}

/* Keeps the tree of a recursive handle as the file system is. */
static int follow(struct uv__inotify* inotify, struct uv__watched* place,
                  const struct inotify_event* event, struct uv__queue* found) {
    struct uv__watched* child = ph_watch_child(place, event->name);
    /* A folder that is moved in takes the place of an empty one, whose end is told later. */
    if ((event->mask & (DEPARTURES | IN_MOVED_TO)) && child != NULL) {
        ph_watch_drop(inotify, child);
        child = NULL;
    }
    if ((event->mask & ARRIVALS) && child == NULL)
        return ph_watch_add(inotify, place, event->name, found);
    return 0;
}

static void tell_found(uv_fs_event_t* handle, uint64_t started, struct uv__queue* found) {
    uv_loop_t* loop = handle->loop;
    struct uv__queue* node;
    while ((node = ph_queue_pop(found)) != NULL) {
        struct ph_found* item = PH_CONTAINER_OF(node, struct ph_found, node);
        if (goes_on(handle, started))
            tell(handle, item->path, UV_RENAME, 0);
        ph_loop_free(loop, item);
    }
}

/* Not inlined: nobody but this needs room for a path. */
static __attribute__((noinline)) void tell_event(struct uv__watched* place,
                                                 const struct inotify_event* event, int err) {
    char joined[PATH_MAX + NAME_MAX + 2];
    uv_fs_event_t* handle = place->handle;
    uint64_t started = handle->fs_event.started;
    const char* name = event->name;
    if (place->parent == NULL) {
        if (event->len == 0)
            name = own_name(handle->fs_event.path);
    } else {
        snprintf(joined, sizeof(joined), "%s/%s", place->path, event->name);
        name = joined;
    }
    tell(handle, name, events_of(event), 0);
    if (err != 0 && goes_on(handle, started))
        tell(handle, name, 0, err);
}

/* The place itself may be gone after a callback. */
static void deliver_to(struct uv__inotify* inotify, struct uv__watched* place,
                       const struct inotify_event* event) {
    uv_fs_event_t* handle = place->handle;
    uint64_t started = handle->fs_event.started;
    struct uv__queue found;
    int err = 0;
    ph_queue_init(&found);
    if (handle->fs_event.recursive && event->len > 0 && (event->mask & IN_ISDIR))
        err = follow(inotify, place, event, &found);
    if (place->parent != NULL && event->len == 0) {
        /* A folder's own fate is told by its parent's watch. */
        if (event->mask & IN_IGNORED)
            ph_watch_drop(inotify, place);
        return;
    }
    tell_event(place, event, err);
    tell_found(handle, started, &found);
}

static void deliver(struct uv__inotify* inotify, const struct inotify_event* event) {
    struct watch* watch = ph_watch_find(inotify, event->wd);
    struct uv__queue rest;
    struct uv__queue* node;
    if (watch == NULL)
        return;
    watch->pins++;
    if (event->mask & IN_IGNORED)
        ph_watch_gone(inotify, watch);
    ph_queue_move(&rest, &watch->places);
    while ((node = ph_queue_pop(&rest)) != NULL) {
        ph_queue_push(&watch->places, node);
        deliver_to(inotify, PH_CONTAINER_OF(node, struct uv__watched, of_watch), event);
    }
    watch->pins--;
    ph_watch_release(inotify, watch);
}

/* The kernel has dropped events: anything may have happened anywhere. */
static void deliver_overflow(struct uv__inotify* inotify) {
    struct uv__queue rest;
    struct uv__queue* node;
    ph_queue_move(&rest, &inotify->roots);
    while ((node = ph_queue_pop(&rest)) != NULL) {
        struct uv__watched* root = PH_CONTAINER_OF(node, struct uv__watched, sibling);
        uv_fs_event_t* handle = root->handle;
        uint64_t started = handle->fs_event.started;
        ph_queue_push(&inotify->roots, node);
        int err = ph_watch_renew(inotify, root);
        tell(handle, NULL, UV_RENAME | UV_CHANGE, 0);
        if (err != 0 && goes_on(handle, started))
            tell(handle, NULL, 0, err);
    }
}

/* False if a callback has forked: what is left belongs to the parent. */
static bool deliver_all(struct uv__inotify* inotify, const char* bytes, ssize_t length) {
    unsigned forks = inotify->forks;
    const char* end = bytes + length;
    while (bytes < end) {
        const struct inotify_event* event = (const struct inotify_event*)bytes;
        bytes += sizeof(*event) + event->len;
        if (event->mask & IN_Q_OVERFLOW)
            deliver_overflow(inotify);
        else
            deliver(inotify, event);
        if (inotify->forks != forks)
            return false;
    }
    return true;
}

static void on_events(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    _Alignas(struct inotify_event) char buffer[BUFFER];
    struct uv__inotify* inotify = loop->internal.inotify;
    (void)events;
    for (int i = 0; i < READS; i++) {
        ssize_t length = read(watcher->fd, buffer, sizeof(buffer));
        if (length == -1 && errno == EINTR)
            continue;
        if (length <= 0 || !deliver_all(inotify, buffer, length))
            return;
    }
}

static int open_descriptor(uv_loop_t* loop, struct uv__inotify* inotify) {
    int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    if (fd == -1)
        return ph_errno();
    int err = ph_poller_reserve(loop, fd);
    if (err != 0) {
        ph_fd_close(fd);
        return err;
    }
    ph_watcher_init(&inotify->watcher, on_events, fd);
    ph_watcher_start(loop, &inotify->watcher, EPOLLIN);
    return 0;
}

static int open_inotify(uv_loop_t* loop) {
    struct uv__inotify* inotify = loop->internal.inotify;
    if (inotify != NULL)
        return inotify->watcher.fd != -1 ? 0 : open_descriptor(loop, inotify);
    inotify = ph_loop_calloc(loop, 1, sizeof(*inotify));
    if (inotify == NULL)
        return UV_ENOMEM;
    inotify->loop = loop;
    int err = open_descriptor(loop, inotify);
    if (err != 0) {
        ph_loop_free(loop, inotify);
        return err;
    }
    ph_queue_init(&inotify->roots);
    loop->internal.inotify = inotify;
    return 0;
}

/* All handles are closed by now. */
void ph_inotify_close(uv_loop_t* loop) {
    struct uv__inotify* inotify = loop->internal.inotify;
    if (inotify == NULL)
        return;
    ph_watcher_close(loop, &inotify->watcher);
    ph_fd_close(inotify->watcher.fd);
    ph_loop_free(loop, inotify->buckets);
    ph_loop_free(loop, inotify);
    loop->internal.inotify = NULL;
}

/* Takes the place off its watch without telling the kernel, whose watches are the parent's. */
static void forget_watch(struct uv__inotify* inotify, struct uv__watched* root) {
    struct watch* watch = root->watch;
    ph_queue_remove(&root->of_watch);
    root->watch = NULL;
    if (watch != NULL)
        ph_watch_release(inotify, watch);
}

/* The child's descriptor is shared with the parent: reading it would steal the parent's events. */
int ph_inotify_fork(uv_loop_t* loop) {
    struct uv__inotify* inotify = loop->internal.inotify;
    if (inotify == NULL)
        return 0;
    uv__io_t old = inotify->watcher;
    ph_watcher_close(loop, &inotify->watcher);
    int err = open_descriptor(loop, inotify);
    ph_fd_close(old.fd);
    if (err != 0) {
        inotify->watcher.fd = -1;
        return ph_queue_empty(&inotify->roots) ? 0 : err; /* whoever watches next tries again */
    }
    inotify->forks++;
    for (unsigned i = 0; i < inotify->bucket_count; i++)
        while (inotify->buckets[i] != NULL)
            ph_watch_gone(inotify, inotify->buckets[i]);
    struct uv__queue* head = &inotify->roots;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        struct uv__watched* root = PH_CONTAINER_OF(node, struct uv__watched, sibling);
        forget_watch(inotify, root);
        int failed = ph_watch_renew(inotify, root);
        if (err == 0)
            err = failed;
    }
    return err;
}

int uv_fs_event_init(uv_loop_t* loop, uv_fs_event_t* handle) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_FS_EVENT);
    handle->fs_event.path = NULL;
    handle->fs_event.cb = NULL;
    handle->fs_event.root = NULL;
    handle->fs_event.started = 0;
    handle->fs_event.recursive = 0;
    return 0;
}

int uv_fs_event_start(uv_fs_event_t* handle, uv_fs_event_cb cb, const char* path,
                      unsigned int flags) {
    uv_loop_t* loop = handle->loop;
    if (ph_is_active(handle) || ph_is_closing(handle) || cb == NULL || path == NULL)
        return UV_EINVAL;
    int err = open_inotify(loop);
    if (err != 0)
        return err;
    struct uv__inotify* inotify = loop->internal.inotify;
    handle->fs_event.path = ph_loop_strdup(loop, path);
    if (handle->fs_event.path == NULL)
        return UV_ENOMEM;
    handle->fs_event.recursive = (flags & UV_FS_EVENT_RECURSIVE) != 0;
    err = ph_watch_root(inotify, handle);
    if (err != 0) {
        ph_loop_free(loop, handle->fs_event.path);
        handle->fs_event.path = NULL;
        return err;
    }
    handle->fs_event.cb = cb;
    handle->fs_event.started = ++inotify->starts;
    ph_handle_start(handle);
    return 0;
}

int uv_fs_event_stop(uv_fs_event_t* handle) {
    if (!ph_is_active(handle))
        return 0;
    ph_handle_stop(handle);
    ph_watch_drop(handle->loop->internal.inotify, handle->fs_event.root);
    ph_loop_free(handle->loop, handle->fs_event.path);
    handle->fs_event.root = NULL;
    handle->fs_event.path = NULL;
    return 0;
}

int uv_fs_event_getpath(uv_fs_event_t* handle, char* buffer, size_t* size) {
    if (!ph_is_active(handle) || buffer == NULL || size == NULL)
        return UV_EINVAL;
    return ph_copy_out(handle->fs_event.path, strlen(handle->fs_event.path), buffer, size);
}

bool ph_fs_event_close(uv_handle_t* handle) {
    uv_fs_event_stop((uv_fs_event_t*)handle);
    return true;
}
