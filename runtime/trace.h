// What a recording (phasor.h) is told about JavaScript: the functions of the program that the
// runtime calls, with their place, each tick and each promise job. Off, a look costs one branch.
#ifndef PH_RUNTIME_TRACE_H
#define PH_RUNTIME_TRACE_H

#include <phasor.h>

#include "engine.h"

// The recorder's own word: it may change at any time.
extern const int* ph_trace_flag;

static inline bool ph_trace_on(void) {
    return __builtin_expect(__atomic_load_n(ph_trace_flag, __ATOMIC_RELAXED) & 1, 0);
}

// Once per process, before the first world.
void ph_trace_init(void);
void ph_trace_free(ph_env* env);

// From the first call while recording on, the engine tells which functions run.
void ph_trace_watch_calls(void);

static inline void ph_trace_entry(void) {
    if (ph_trace_on())
        ph_trace_watch_calls();
}

// Around one tick or promise job; the functions inside give it its name.
static inline void ph_trace_begins(enum phasor_span span) {
    if (ph_trace_on())
        phasor_trace_begin(span, 0);
}

static inline void ph_trace_ends(enum phasor_span span) {
    if (ph_trace_on())
        phasor_trace_end(span);
}

#endif
