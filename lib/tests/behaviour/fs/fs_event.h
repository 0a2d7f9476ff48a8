#ifndef FS_EVENT_H
#define FS_EVENT_H

/* What the tests of fs_event share: a record of the callbacks, and waiting for one of them. */

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

struct event {
    uv_fs_event_t* handle;
    char name[256]; /* "(null)" for none */
    int events;
    int status;
};

enum { EVENTS_KEPT = 20000, PATIENCE = 20000 };

static struct event* seen;
static int seen_count;
static size_t longest_seen; /* name */

static inline void record(uv_fs_event_t* handle, const char* name, int events, int status) {
    if (seen == NULL)
        seen = calloc(EVENTS_KEPT, sizeof(*seen));
    CHECK_LT(seen_count, EVENTS_KEPT);
    struct event* event = &seen[seen_count++];
    if (name != NULL && strlen(name) > longest_seen)
        longest_seen = strlen(name);
    event->handle = handle;
    event->events = events;
    event->status = status;
    snprintf(event->name, sizeof(event->name), "%s", name != NULL ? name : "(null)");
}

static inline void forget_seen(void) {
    free(seen);
    seen = NULL;
    seen_count = 0;
}

/* How often the handle (NULL: any) was told of the name with at least these events. */
static inline int count_of(const uv_fs_event_t* handle, const char* name, int events) {
    int count = 0;
    for (int i = 0; i < seen_count; i++)
        if ((handle == NULL || seen[i].handle == handle) && strcmp(seen[i].name, name) == 0 &&
            (seen[i].events & events) == events)
            count++;
    return count;
}

static inline void on_patience_ends(uv_timer_t* timer) {
    *(int*)timer->data = 1;
}

/* Runs the loop until the handle was told of the name. */
static inline void wait_for(uv_loop_t* loop, const uv_fs_event_t* handle, const char* name,
                            int events) {
    uv_timer_t timer;
    int expired = 0;
    CHECK_OK(uv_timer_init(loop, &timer));
    timer.data = &expired;
    CHECK_OK(uv_timer_start(&timer, on_patience_ends, PATIENCE, 0));
    while (count_of(handle, name, events) == 0) {
        if (expired)
            test_fail(__FILE__, __LINE__, "no event %d for %s among %d", events, name, seen_count);
        uv_run(loop, UV_RUN_ONCE);
    }
    uv_close((uv_handle_t*)&timer, NULL);
    uv_run(loop, UV_RUN_NOWAIT);
}

static inline void make_file(const char* path) {
    int fd = open(path, O_CREAT | O_WRONLY, 0600);
    CHECK_GE(fd, 0);
    close(fd);
}

static inline void append_to(const char* path) {
    int fd = open(path, O_WRONLY | O_APPEND);
    CHECK_GE(fd, 0);
    CHECK_EQ(write(fd, "x", 1), 1);
    close(fd);
}

static inline void watch_path(uv_loop_t* loop, uv_fs_event_t* handle, const char* path,
                              unsigned flags) {
    CHECK_OK(uv_fs_event_init(loop, handle));
    CHECK_OK(uv_fs_event_start(handle, record, path, flags));
}

/* Closes the handles and the loop, and frees the record. */
static inline void end_watching(uv_loop_t* loop, uv_fs_event_t* handles, int count) {
    for (int i = 0; i < count; i++)
        if (!uv_is_closing((uv_handle_t*)&handles[i]))
            uv_close((uv_handle_t*)&handles[i], NULL);
    CHECK_EQ(uv_run(loop, UV_RUN_DEFAULT), 0);
    CHECK_OK(uv_loop_close(loop));
    forget_seen();
}

#endif
