#ifndef PH_CORE_HANDLE_H
#define PH_CORE_HANDLE_H

/* What all handles share: the flags word, the life from init to the close callback, the kinds. */

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

/*
 * The flags word. Programs copy it between TCP handles and set the readable bit by hand, so the
 * first two groups keep their places. The bits from 0x100 on belong to the handle's own kind.
 */
enum {
    PH_CLOSING = 0x1,
    PH_CLOSED = 0x2,
    PH_ACTIVE = 0x4,
    PH_REF = 0x8,
    PH_INTERNAL = 0x10, /* the library's own: uv_walk and uv_loop_close do not see it */
    PH_READABLE = 0x4000,
    PH_WRITABLE = 0x8000
};

/* One row per kind of handle. */
struct ph_kind {
    const char* name;
    size_t size;
    /* Stops everything the handle does. False: the family calls ph_handle_close_later itself when
     * what is still under way has ended, and keeps the loop alive until then. */
    bool (*close)(uv_handle_t* handle);
    /* In the closing phase, just before the close callback: cancels what was outstanding. May be
     * NULL. */
    void (*finish)(uv_loop_t* loop, uv_handle_t* handle);
};

/* By type; in assembly/tables.c. */
extern const struct ph_kind ph_kinds[UV_HANDLE_TYPE_MAX];
/* NULL for a type that is not a kind. */
const struct ph_kind* ph_kind_of(uv_handle_type type);

/* Registers the handle with the loop: referenced, not active. Touches nothing past uv_handle_t. */
void ph_handle_init(uv_loop_t* loop, uv_handle_t* handle, uv_handle_type type);
/* Undoes ph_handle_init for an init function that failed afterwards. */
void ph_handle_forget(uv_handle_t* handle);
/* Puts the handle on the list of the closing phase. */
void ph_handle_close_later(uv_handle_t* handle);
/* While uv_walk runs: the handles that it has not come to are not in the loop's queue. */
struct uv__walk {
    struct uv__queue rest;
    struct uv__walk* outer;
};
/* The closing phase. */
void ph_run_closing(uv_loop_t* loop);

#define PH_HANDLE(h) ((uv_handle_t*)(h))

static inline bool ph_is_closing(const void* handle) {
    return (((const uv_handle_t*)handle)->flags & (PH_CLOSING | PH_CLOSED)) != 0;
}

static inline bool ph_is_active(const void* handle) {
    return (((const uv_handle_t*)handle)->flags & PH_ACTIVE) != 0;
}

/* Active and referenced handles keep the loop alive. All are idempotent. The forms with a loop
 * spare the load of handle->loop. */
static inline void ph_handle_start_in(uv_loop_t* loop, void* handle) {
    uv_handle_t* h = handle;
    if (h->flags & PH_ACTIVE)
        return;
    h->flags |= PH_ACTIVE;
    if (h->flags & PH_REF)
        loop->active_handles++;
}

static inline void ph_handle_stop_in(uv_loop_t* loop, void* handle) {
    uv_handle_t* h = handle;
    if (!(h->flags & PH_ACTIVE))
        return;
    h->flags &= ~(unsigned)PH_ACTIVE;
    if (h->flags & PH_REF)
        loop->active_handles--;
}

static inline void ph_handle_start(void* handle) {
    ph_handle_start_in(((uv_handle_t*)handle)->loop, handle);
}

static inline void ph_handle_stop(void* handle) {
    ph_handle_stop_in(((uv_handle_t*)handle)->loop, handle);
}

#endif
