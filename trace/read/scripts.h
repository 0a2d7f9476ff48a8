#ifndef PH_TOOLS_TRACE_SCRIPTS_H
#define PH_TOOLS_TRACE_SCRIPTS_H

/* Programs in JavaScript, or whatever else runs on a runtime that names its functions.
 *
 * The recording has the callbacks of the loop and, inside them, the functions and ticks that the
 * runtime tells of. People think of it the other way around: a timer's callback is their function,
 * and its ticks belong to it. So
 * - a tick without a name gets that of the function that it runs first;
 * - a callback of the loop becomes the function that runs in it. If there are several (timers that
 *   were due together, immediates), each becomes a callback of its own;
 * - the ticks that follow a function are inside it: it ends when the last of them has;
 * - what the runtime needs for itself (an empty check callback, an allocation) is left out.
 */

#include "read/model.h"

/* A moment, and what the thread had run and waited for a processor until then. */
struct reckoning {
    uint64_t time;
    uint64_t ran;
    uint64_t queued;
    bool known; /* ran and queued are */
};

/* What is known of a span of the unit while it is regrouped. */
struct regrouped {
    struct reckoning content; /* when the last thing inside ended; time 0: there is nothing */
    struct reckoning whole;   /* when the loop's callback ends, of one that was split */
    uint32_t stands_for;      /* where what is inside it belongs */
    bool has_tick;
    bool removed;
};

struct regrouping {
    struct span* spans;
    size_t count;
    struct regrouped* of; /* by span */
    size_t room;
    uint32_t outside; /* the function that ran last outside of everything, + 1 */
    bool only_timers; /* what follows a function is not told, and belongs to it */
};

/* Node, of which timers and immediates alone are told. */
bool scripts_are_timers(const struct trace_file* file);
/* Whether names say that the program is a script. */
bool scripts_are_in(const struct trace_file* file);
/* Regroups a unit in place; how many spans it has then. */
size_t scripts_regroup(struct regrouping* regrouping, struct span* spans, size_t count);

#endif
