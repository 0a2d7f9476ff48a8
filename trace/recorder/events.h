#ifndef PH_TRACE_EVENTS_H
#define PH_TRACE_EVENTS_H

/* Events, from the hooks and from runtimes to the buffers of their threads. */

#include <stdbool.h>

#include "recorder/format.h"

/* Whether events are recorded. */
extern int ph_tracing __attribute__((visibility("hidden")));

static inline bool ph_trace_on(void) {
    return __atomic_load_n(&ph_tracing, __ATOMIC_RELAXED) != 0;
}

/* Safe in a signal handler. Does nothing while no recording is on. */
void ph_trace_event(enum ph_trace_type type, const void* loop, const void* subject, uint64_t detail,
                    uint32_t value);

/* What the library calls while a recording is on: hooks.c. */
extern const struct ph_hooks ph_recording_hooks __attribute__((visibility("hidden")));
/* Counts recordings; loops note which one knows their handles. */
extern unsigned ph_session __attribute__((visibility("hidden")));

static inline unsigned ph_recorder_session(void) {
    return __atomic_load_n(&ph_session, __ATOMIC_RELAXED);
}

/* Before an iteration: a command of another process is obeyed, and a forked child goes on in a file
 * of its own. */
bool ph_recorder_is_wanted(void);
void ph_recorder_comes(void);

#endif
