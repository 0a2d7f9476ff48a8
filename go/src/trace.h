#ifndef GO_TRACE_H
#define GO_TRACE_H

/* Where the loop is Phasor's and is recorded, coroutines are in the recording too. On another libuv
 * none of this is there. */

#include "scheduler.h"

GO__HIDDEN extern const int* go__recording; /* the lowest bit says so */
GO__HIDDEN void go__trace_look(void);       /* once for each scheduler */
GO__HIDDEN void go__trace_tell(const go_t* go, int step, const char* name);

enum { GO__STARTS, GO__WAITS, GO__RUNS, GO__ENDS }; /* enum phasor_task_step of phasor.h */

/* True: it was told. */
static inline bool go__trace(const go_t* go, int step, const char* name) {
    const int* flag = __atomic_load_n(&go__recording, __ATOMIC_RELAXED);
    bool recorded = __atomic_load_n(flag, __ATOMIC_RELAXED) & 1;
    if (__builtin_expect(recorded, 0))
        go__trace_tell(go, step, name);
    return recorded;
}

#endif
