/*
 * uv_fs_poll_t: a stat in the pool, a timer until the next one.
 *
 * Each start has a context of its own, which owns the timer and the request. A stop lets go of it;
 * it ends by itself when its stat is back and its timer closed, so a handle can be stopped and
 * started again at once. The handle's close waits for all of its contexts.
 */

#include <string.h>

#include "base/copy_out.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/handle.h"
#include "core/kind.h"

struct context {
    uv_fs_poll_t* handle;
    struct context* next; /* an older one of the same handle, on its way out */
    uv_fs_poll_cb cb;
    uv_timer_t timer;
    uv_fs_t request;
    uv_stat_t last;
    uint64_t interval; /* ms */
    uint64_t begun;    /* the loop's time when the stat was asked for */
    int status;        /* of the last stat; 1: there was none */
    bool stat_pending;
    bool stopped;
    char path[];
};

static bool same_time(const uv_timespec_t* a, const uv_timespec_t* b) {
    return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

/* The access time is left out: reading a file is no change. */
static bool same(const uv_stat_t* a, const uv_stat_t* b) {
    return same_time(&a->st_ctim, &b->st_ctim) && same_time(&a->st_mtim, &b->st_mtim) &&
           same_time(&a->st_birthtim, &b->st_birthtim) && a->st_size == b->st_size &&
           a->st_mode == b->st_mode && a->st_uid == b->st_uid && a->st_gid == b->st_gid &&
           a->st_ino == b->st_ino && a->st_dev == b->st_dev;
}

static void on_timer_closed(uv_handle_t* timer) {
    struct context* context = PH_CONTAINER_OF(timer, struct context, timer);
    uv_fs_poll_t* handle = context->handle;
    struct context** link = (struct context**)&handle->poll_ctx;
    while (*link != context)
        link = &(*link)->next;
    *link = context->next;
    ph_loop_free(handle->loop, context);
    if (handle->poll_ctx == NULL && ph_is_closing(handle))
        ph_handle_close_later(PH_HANDLE(handle));
}

/* Ends a stopped context that has no stat under way. */
static void end(struct context* context) {
    uv_close(PH_HANDLE(&context->timer), on_timer_closed);
}

static void on_stat(uv_fs_t* request);

static int ask(struct context* context) {
    uv_loop_t* loop = context->handle->loop;
    context->begun = uv_now(loop);
    int err = uv_fs_stat(loop, &context->request, context->path, on_stat);
    context->stat_pending = err == 0;
    return err;
}

static void on_timer(uv_timer_t* timer) {
    struct context* context = PH_CONTAINER_OF(timer, struct context, timer);
    if (ask(context) != 0) /* no memory now: again after the interval */
        uv_timer_start(timer, on_timer, context->interval, 0);
}

/* The first stat only sets what later ones are compared with; an error is told when it begins. */
static void compare(struct context* context, int status, const uv_stat_t* now) {
    static const uv_stat_t nothing;
    uv_fs_poll_t* handle = context->handle;
    int before = context->status;
    context->status = status;
    if (status != 0) {
        if (before != status)
            PH_DISPATCH(handle->loop, handle, context->cb, handle, status, &context->last,
                        &nothing);
        return;
    }
    if (before < 0 || (before == 0 && !same(&context->last, now)))
        PH_DISPATCH(handle->loop, handle, context->cb, handle, 0, &context->last, now);
    context->last = *now;
}

static void on_stat(uv_fs_t* request) {
    struct context* context = PH_CONTAINER_OF(request, struct context, request);
    uv_loop_t* loop = context->handle->loop;
    if (!context->stopped)
        compare(context, (int)request->result, &request->statbuf);
    uv_fs_req_cleanup(request);
    context->stat_pending = false;
    if (context->stopped) {
        end(context);
        return;
    }
    /* Keeps to the grid of intervals, whatever the stat took. */
    uint64_t taken = uv_now(loop) - context->begun;
    uv_timer_start(&context->timer, on_timer, context->interval - taken % context->interval, 0);
}

int uv_fs_poll_init(uv_loop_t* loop, uv_fs_poll_t* handle) {
    ph_handle_init(loop, PH_HANDLE(handle), UV_FS_POLL);
    handle->poll_ctx = NULL;
    return 0;
}

int uv_fs_poll_start(uv_fs_poll_t* handle, uv_fs_poll_cb cb, const char* path,
                     unsigned int interval) {
    uv_loop_t* loop = handle->loop;
    if (ph_is_closing(handle) || cb == NULL || path == NULL)
        return UV_EINVAL;
    if (ph_is_active(handle))
        return 0;
    size_t size = strlen(path) + 1;
    struct context* context = ph_loop_calloc(loop, 1, sizeof(*context) + size);
    if (context == NULL)
        return UV_ENOMEM;
    memcpy(context->path, path, size);
    context->handle = handle;
    context->cb = cb;
    context->interval = interval > 0 ? interval : 1;
    context->status = 1;
    uv_timer_init(loop, &context->timer);
    context->timer.flags |= PH_INTERNAL;
    uv_unref(PH_HANDLE(&context->timer)); /* the handle's own state keeps the loop alive, or not */
    int err = ask(context);
    if (err != 0) {
        ph_handle_forget(PH_HANDLE(&context->timer));
        ph_loop_free(loop, context);
        return err;
    }
    context->next = handle->poll_ctx;
    handle->poll_ctx = context;
    ph_handle_start(handle);
    return 0;
}

int uv_fs_poll_stop(uv_fs_poll_t* handle) {
    if (!ph_is_active(handle))
        return 0;
    struct context* context = handle->poll_ctx;
    ph_handle_stop(handle);
    context->stopped = true;
    if (!context->stat_pending)
        end(context);
    return 0;
}

int uv_fs_poll_getpath(uv_fs_poll_t* handle, char* buffer, size_t* size) {
    if (!ph_is_active(handle) || buffer == NULL || size == NULL)
        return UV_EINVAL;
    struct context* context = handle->poll_ctx;
    return ph_copy_out(context->path, strlen(context->path), buffer, size);
}

bool ph_fs_poll_close(uv_handle_t* handle) {
    uv_fs_poll_t* poll = (uv_fs_poll_t*)handle;
    uv_fs_poll_stop(poll);
    return poll->poll_ctx == NULL;
}
