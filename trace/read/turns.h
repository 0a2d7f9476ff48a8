#ifndef PH_TOOLS_TRACE_TURNS_H
#define PH_TOOLS_TRACE_TURNS_H

/*
 * What a recording does not say because it follows from the rest (PH_TURN_IS_BRIEF), as events:
 * phases in which there was nothing to do, and that a turn ends where the next one begins.
 */

#include "read/file.h"

enum {
    MOST_TURNS = 8 /* inside each other on one thread */,
    MOST_IMPLIED = 2 * PH_PHASE_COUNT + 4
};

struct turn {
    uint64_t loop;
    uint32_t callbacks; /* that it is in */
    int phase;
    bool brief;
};

/* Of one thread; zero at first. */
struct turns {
    struct turn open[MOST_TURNS];
    unsigned depth;
};

/* Writes the events that `event` stands for, with itself, at most MOST_IMPLIED; gives how many. */
unsigned turns_expand(struct turns* turns, const struct trace_event* event,
                      struct trace_event* events);

#endif
