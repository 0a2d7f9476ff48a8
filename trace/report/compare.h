#ifndef PH_TOOLS_COMPARE_H
#define PH_TOOLS_COMPARE_H

/*
 * Whether something takes longer in some runs than in others, and how sure that is. Calls of one
 * run are not independent of each other: they share its memory layout, its neighbours on the
 * machine and its luck. So a run counts as one, with its median.
 */

#include <stddef.h>
#include <stdint.h>

enum verdict {
    VERDICT_FEW,  /* too few runs to say anything */
    VERDICT_SAME, /* no difference that can be told */
    VERDICT_SLOWER,
    VERDICT_FASTER
};

enum { COMPARE_FEWEST = 4 /* runs of each side */ };

/* The median of each run, in ns. */
struct runs {
    uint64_t* medians;
    size_t count;
};

struct comparison {
    enum verdict verdict;
    double chance; /* that a difference like this comes about by itself in any of the comparisons */
    double larger; /* in which share of the pairs of runs the later one takes longer */
    double change; /* of the typical run: 0.25 is a quarter longer */
};

/* `tests` is how many comparisons are made at once. */
struct comparison compare_runs(const struct runs* before, const struct runs* after, size_t tests);

#endif
