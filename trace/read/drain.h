#ifndef PH_TOOLS_DRAIN_H
#define PH_TOOLS_DRAIN_H

#include <stdbool.h>
#include <stdint.h>

#include "recorder/format.h"

/* How its process has ended, for a recording; `at` is when, 0: not known. */
struct trace_end {
    enum ph_trace_end kind;
    int value;
    uint64_t at;
};

/*
 * Completes the recording of a process that is gone: what was left in its memory (trace/memory.h)
 * is written to the file, and the memory given back. Does nothing to a recording that goes on, is
 * somebody else's, or has its end. `end` may be NULL: nobody knows.
 */
void trace_drain(const char* path, const struct trace_end* end);

/* Gives back memory of processes that are gone, and whose recordings are, too. */
void trace_sweep(void);

#endif
