#ifndef PH_TRACE_TRACE_H
#define PH_TRACE_TRACE_H

/*
 * The hooks: what the library says about itself while a recording is on. Off, each costs one branch
 * on one word.
 */

#include <stdbool.h>

#include "recorder/format.h"
#include "uv.h"

/* Bits of enum ph_trace_flag. */
extern int ph_tracing __attribute__((visibility("hidden")));

/* Compiled with PH_WITHOUT_HOOKS, the library shows what they cost (bench/trace.sh). */
#ifdef PH_WITHOUT_HOOKS
#define ph_trace_on() false
#define ph_trace_is_commanded() false
#else
static inline bool ph_trace_on(void) {
    return __builtin_expect(__atomic_load_n(&ph_tracing, __ATOMIC_RELAXED) != 0, 0);
}

/* Another process wants a recording to begin or to end (phasor attach). */
static inline bool ph_trace_is_commanded(void) {
    return __builtin_expect(
        (__atomic_load_n(&ph_tracing, __ATOMIC_RELAXED) & PH_TRACE_COMMANDED) != 0, 0);
}
#endif

/* Safe in a signal handler. Does nothing while no recording is on. */
void ph_trace_event(enum ph_trace_type type, const void* loop, const void* subject, uint64_t detail,
                    uint32_t value);

/* On the loop's thread, outside of signal handlers: the two places where a recording starts by
 * itself, as the environment or another process says. */
void ph_trace_loop_opens(uv_loop_t* loop);
void ph_trace_iteration_begins(uv_loop_t* loop, uv_run_mode mode);
/* Where no other one follows at once. */
void ph_trace_iteration_ends(uv_loop_t* loop);

/* Told where the iterations do not say it: that the loop was stopped, or has nothing left to do.
 * The latter often is the end of the program, which may leave by _exit: what was recorded is
 * written out. */
void ph_trace_run_ends(uv_loop_t* loop, uv_run_mode mode, int alive);

static inline void ph_trace_loop_closes(const uv_loop_t* loop) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_LOOP_CLOSE, loop, NULL, 0, 0);
}

static inline void ph_trace_phase(const uv_loop_t* loop, enum ph_phase phase) {
    ph_trace_event(PH_EV_PHASE, loop, NULL, 0, phase);
}

static inline void ph_trace_wait_begins(const uv_loop_t* loop, int timeout) {
    ph_trace_event(PH_EV_WAIT_BEGIN, loop, NULL, 0, (uint32_t)timeout);
}

static inline void ph_trace_wait_ends(const uv_loop_t* loop, int count, unsigned asked) {
    uint32_t events = count > 0 ? (uint32_t)count : 0;
    ph_trace_event(PH_EV_WAIT_END, loop, NULL, 0, events | (asked + 1) << PH_ASKED_SHIFT);
}

/* False: it is not told of, nor is its end. */
bool ph_trace_callback_begins(uv_loop_t* loop, const void* subject, uintptr_t function,
                              enum ph_callback_kind kind);

static inline void ph_trace_callback_ends(void) {
    ph_trace_event(PH_EV_CALLBACK_END, NULL, NULL, 0, 0);
}

/* Before a timer is armed again and called. */
static inline void ph_trace_timer(const uv_timer_t* handle, uint64_t due) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_TIMER_DUE, NULL, handle, due, 0);
}

static inline void ph_trace_request(const uv_loop_t* loop, const void* req, uv_req_type type) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_REQUEST, loop, req, 0,
                       type == UV_FS ? type | (uint32_t)((const uv_fs_t*)req)->fs_type << 8 : type);
}

/* For a request that ends without a callback; a callback says it for the others. */
static inline void ph_trace_request_ends(const uv_loop_t* loop, const void* req) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_REQUEST_END, loop, req, 0, 0);
}

/* `subject` is the request, or the part of it that the pool knows. */
static inline void ph_trace_work(enum ph_trace_type type, const uv_loop_t* loop,
                                 const void* subject) {
    if (ph_trace_on())
        ph_trace_event(type, loop, subject, 0, 0);
}

static inline void ph_trace_send(const uv_loop_t* loop, const uv_async_t* handle) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_SEND, loop, handle, 0, 0);
}

static inline void ph_trace_wake(const uv_loop_t* loop) {
    if (ph_trace_on())
        ph_trace_event(PH_EV_WAKE, loop, NULL, 0, 0);
}

static inline void ph_trace_handle(enum ph_trace_type type, const uv_handle_t* handle) {
    if (ph_trace_on())
        ph_trace_event(type, handle->loop, handle, 0, handle->type);
}

/* The kind of a callback, by its type. */
#define PH_CALLBACK_CASE(NAME, type) uv_##type : PH_CB_##NAME,
#define PH_CALLBACK_KIND(function) \
    _Generic((function), PH_CALLBACKS(PH_CALLBACK_CASE) default : PH_CB_OTHER)

#endif
