#ifndef PH_HOOKS_H
#define PH_HOOKS_H

/*
 * What the library says about itself, to whoever records it: all that it knows of recording is
 * this table and the pointer to it, which is NULL while nobody looks. Each hook costs one branch
 * then. Hooks are called on any thread; those about asyncs and wake-ups also in signal handlers.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "uv.h"

/* The phases of an iteration, in their order. */
enum ph_phase {
    PH_PHASE_TIMERS,
    PH_PHASE_PENDING,
    PH_PHASE_IDLE,
    PH_PHASE_PREPARE,
    PH_PHASE_POLL,
    PH_PHASE_CHECK,
    PH_PHASE_CLOSING,
    PH_PHASE_COUNT
};

/* Kinds of callbacks: one per callback type of uv.h. */
#define PH_CALLBACKS(X)            \
    X(TIMER, timer_cb)             \
    X(IDLE, idle_cb)               \
    X(PREPARE, prepare_cb)         \
    X(CHECK, check_cb)             \
    X(ASYNC, async_cb)             \
    X(CLOSE, close_cb)             \
    X(ALLOC, alloc_cb)             \
    X(READ, read_cb)               \
    X(WRITE, write_cb)             \
    X(CONNECT, connect_cb)         \
    X(SHUTDOWN, shutdown_cb)       \
    X(CONNECTION, connection_cb)   \
    X(POLL, poll_cb)               \
    X(EXIT, exit_cb)               \
    X(WALK, walk_cb)               \
    X(FS, fs_cb)                   \
    X(WORK, work_cb)               \
    X(AFTER_WORK, after_work_cb)   \
    X(GETADDRINFO, getaddrinfo_cb) \
    X(GETNAMEINFO, getnameinfo_cb) \
    X(RANDOM, random_cb)           \
    X(FS_EVENT, fs_event_cb)       \
    X(FS_POLL, fs_poll_cb)         \
    X(SIGNAL, signal_cb)           \
    X(UDP_SEND, udp_send_cb)       \
    X(UDP_RECV, udp_recv_cb)

enum ph_callback_kind {
    PH_CB_OTHER,
#define X(NAME, type) PH_CB_##NAME,
    PH_CALLBACKS(X)
#undef X
        PH_CB_COUNT
};

/* The kind of a callback, by its type. */
#define PH_CALLBACK_CASE(NAME, type) uv_##type : PH_CB_##NAME,
#define PH_CALLBACK_KIND(function) \
    _Generic((function), PH_CALLBACKS(PH_CALLBACK_CASE) default : PH_CB_OTHER)

enum ph_work_step { PH_WORK_SUBMITTED, PH_WORK_BEGINS, PH_WORK_ENDS, PH_WORK_CANCELLED };
enum ph_handle_step { PH_HANDLE_OPENS, PH_HANDLE_CLOSES, PH_HANDLE_IS_CLOSED };

struct ph_hooks {
    void (*loop_opens)(uv_loop_t* loop);
    void (*loop_closes)(const uv_loop_t* loop);
    /* The end only where no other iteration can follow at once. */
    void (*iteration_begins)(uv_loop_t* loop, uv_run_mode mode);
    void (*iteration_ends)(uv_loop_t* loop);
    void (*run_ends)(uv_loop_t* loop, uv_run_mode mode, int alive);
    /* Only where nothing else says that it begins: see PH_TURN_IS_BRIEF of the recorder. */
    void (*phase)(const uv_loop_t* loop, enum ph_phase phase);
    void (*wait_begins)(const uv_loop_t* loop, int timeout);
    /* `asked`: so often the kernel was. True: somebody wants an iteration to begin. */
    bool (*wait_ends)(const uv_loop_t* loop, int count, unsigned asked);
    /* False: it is not told of, nor is its end. */
    bool (*callback_begins)(uv_loop_t* loop, const void* subject, uintptr_t function,
                            enum ph_callback_kind kind);
    void (*callback_ends)(void);
    /* Before a timer is armed again and called. */
    void (*timer_is_due)(const uv_timer_t* handle, uint64_t due);
    void (*request_begins)(const uv_loop_t* loop, const void* req, uv_req_type type);
    /* For a request that ends without a callback; a callback says it for the others. */
    void (*request_ends)(const uv_loop_t* loop, const void* req);
    /* `subject` is the request, or the part of it that the pool knows. */
    void (*work)(enum ph_work_step step, const uv_loop_t* loop, const void* subject);
    void (*async_is_sent)(const uv_loop_t* loop, const uv_async_t* handle);
    void (*loop_wakes)(const uv_loop_t* loop);
    void (*handle)(enum ph_handle_step step, const uv_handle_t* handle);
    /* Bytes that have come, before their callback, or that the kernel has taken: of these, the
     * beginning. */
    void (*stream_has)(const uv_stream_t* stream, const char* data, size_t size, bool received);
};

extern const struct ph_hooks* ph_hooks __attribute__((visibility("hidden")));

/* The table, or NULL. Compiled with PH_WITHOUT_HOOKS, the library shows what they cost
 * (bench/trace.sh). */
static inline const struct ph_hooks* ph_watcher(void) {
#ifdef PH_WITHOUT_HOOKS
    return NULL;
#else
    return __atomic_load_n(&ph_hooks, __ATOMIC_ACQUIRE);
#endif
}

#ifdef PH_WITHOUT_HOOKS
#define PH_IS_THERE(watcher) 0 /* no branch, whether optimised or not */
#else
#define PH_IS_THERE(watcher) __builtin_expect((watcher) != NULL, 0)
#endif

#define PH_TELL(hook, ...)                              \
    do {                                                \
        const struct ph_hooks* watcher_ = ph_watcher(); \
        if (PH_IS_THERE(watcher_))                      \
            watcher_->hook(__VA_ARGS__);                \
    } while (0)

static inline void ph_tell_loop_opens(uv_loop_t* loop) {
    PH_TELL(loop_opens, loop);
}

static inline void ph_tell_loop_closes(const uv_loop_t* loop) {
    PH_TELL(loop_closes, loop);
}

static inline void ph_tell_iteration_begins(uv_loop_t* loop, uv_run_mode mode) {
    PH_TELL(iteration_begins, loop, mode);
}

static inline void ph_tell_iteration_ends(uv_loop_t* loop) {
    PH_TELL(iteration_ends, loop);
}

static inline void ph_tell_run_ends(uv_loop_t* loop, uv_run_mode mode, int alive) {
    PH_TELL(run_ends, loop, mode, alive);
}

static inline void ph_tell_phase(const uv_loop_t* loop, enum ph_phase phase) {
    PH_TELL(phase, loop, phase);
}

static inline void ph_tell_wait_begins(const uv_loop_t* loop, int timeout) {
    PH_TELL(wait_begins, loop, timeout);
}

static inline bool ph_tell_wait_ends(const uv_loop_t* loop, int count, unsigned asked) {
    const struct ph_hooks* watcher = ph_watcher();
    return __builtin_expect(watcher != NULL, 0) && watcher->wait_ends(loop, count, asked);
}

static inline void ph_tell_timer_is_due(const uv_timer_t* handle, uint64_t due) {
    PH_TELL(timer_is_due, handle, due);
}

static inline void ph_tell_request_begins(const uv_loop_t* loop, const void* req,
                                          uv_req_type type) {
    PH_TELL(request_begins, loop, req, type);
}

static inline void ph_tell_request_ends(const uv_loop_t* loop, const void* req) {
    PH_TELL(request_ends, loop, req);
}

static inline void ph_tell_work(enum ph_work_step step, const uv_loop_t* loop,
                                const void* subject) {
    PH_TELL(work, step, loop, subject);
}

static inline void ph_tell_async_is_sent(const uv_loop_t* loop, const uv_async_t* handle) {
    PH_TELL(async_is_sent, loop, handle);
}

static inline void ph_tell_loop_wakes(const uv_loop_t* loop) {
    PH_TELL(loop_wakes, loop);
}

static inline void ph_tell_stream_has(const uv_stream_t* stream, const char* data, size_t size,
                                      bool received) {
    PH_TELL(stream_has, stream, data, size, received);
}

static inline void ph_tell_handle(enum ph_handle_step step, const uv_handle_t* handle) {
    PH_TELL(handle, step, handle);
}

#endif
