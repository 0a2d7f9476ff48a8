#ifndef PH_CORE_DISPATCH_H
#define PH_CORE_DISPATCH_H

/*
 * The only place that calls a user's callback: PH_DISPATCH(loop, subject, function, arguments...).
 * `subject` is the handle or request that the callback belongs to. The callback may do anything
 * that the API allows, closing the subject or freeing a request included: don't touch either
 * afterwards without knowing that it is still there.
 */

#include "base/queue.h"
#include "core/parts.h"
#include "trace/trace.h"

static inline void ph_dispatch_begins(uv_loop_t* loop) {
    loop->internal.in_callback++;
}

/* Writes after the first in one callback are held back and leave together when it returns. */
static inline void ph_dispatch_ends(uv_loop_t* loop) {
    loop->internal.in_callback--;
    if (!ph_queue_empty(&loop->internal.flush))
        ph_streams_flush(loop);
}

#define PH_DISPATCH(loop_, subject, function, ...)                                    \
    do {                                                                              \
        uv_loop_t* dispatch_loop = (loop_);                                           \
        ph_dispatch_begins(dispatch_loop);                                            \
        if (ph_trace_on()) {                                                          \
            ph_trace_callback_begins(dispatch_loop, (subject), (uintptr_t)(function), \
                                     PH_CALLBACK_KIND(function));                     \
            (function)(__VA_ARGS__);                                                  \
            ph_trace_callback_ends();                                                 \
        } else {                                                                      \
            (function)(__VA_ARGS__);                                                  \
        }                                                                             \
        ph_dispatch_ends(dispatch_loop);                                              \
    } while (0)

#endif
