#ifndef GO_WATCH_H
#define GO_WATCH_H

/*
 * Who waits for a handle. Its data belongs to the program, so handles are found in a table, by
 * their address and what is waited for. An entry is there only while somebody waits, or while the
 * loop is told to look for it: nothing is left of a handle that is closed and freed.
 */

#include "waiter.h"

enum go__kind { GO__READ, GO__RECEIVE, GO__ACCEPT, GO__WRITE, GO__EVENT, GO__CLOSE, GO__KINDS };

/* In a cache line of its own. */
struct go__watch {
    struct go__watch* next;
    const void* handle;
    enum go__kind kind;
    bool active; /* the loop reads; somebody writes */
    struct go_link waiters;
    go_event_t* event; /* has those who wait for a signal, a tick, the end of a child */
} __attribute__((aligned(64)));

GO__HIDDEN struct go__watch* go__watch_search(struct go__scheduler* s, const void* handle,
                                              enum go__kind kind);

static inline bool go__watch_is(const struct go__watch* watch, const void* handle,
                                enum go__kind kind) {
    return watch != NULL && watch->handle == handle && watch->kind == kind;
}

/* NULL: there is none. */
static inline struct go__watch* go__watch_find(struct go__scheduler* s, const void* handle,
                                               enum go__kind kind) {
    struct go__watch* watch = s->last_watch;
    if (go__watch_is(watch, handle, kind))
        return watch;
    return go__watch_search(s, handle, kind);
}

/* Made if there is none. NULL: no memory. */
GO__HIDDEN struct go__watch* go__watch_get(struct go__scheduler* s, const void* handle,
                                           enum go__kind kind);
GO__HIDDEN void go__watch_drop(struct go__scheduler* s, struct go__watch* watch);
GO__HIDDEN void go__watches_free(struct go__scheduler* s);

#endif
