#ifndef PH_TOOLS_COMPARE_H
#define PH_TOOLS_COMPARE_H

/* Whether durations of one recording are longer than those of another, and how sure that is. */

#include <stdbool.h>
#include <stddef.h>

#include "report/histogram.h"

enum verdict {
    VERDICT_FEW,  /* too few of them to say anything */
    VERDICT_SAME, /* no difference that can be told */
    VERDICT_SLOWER,
    VERDICT_FASTER
};

struct comparison {
    enum verdict verdict;
    double chance; /* that a difference like this comes about by itself */
    double larger; /* how often one of `b` is longer than one of `a`: 0.5 when they are alike */
};

/* Ranks of all, by Mann and Whitney. `tests` is how many comparisons are made at once. */
struct comparison compare_times(const struct histogram* a, const struct histogram* b, size_t tests);

#endif
