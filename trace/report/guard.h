#ifndef PH_TOOLS_GUARD_H
#define PH_TOOLS_GUARD_H

/* `--fail-if 'p99 lag > 20ms'`: a condition on a report's figures.
 *
 *   CONDITION  [STATISTIC] FIGURE OPERATOR VALUE
 *   STATISTIC  median, mean, worst, or p and a number from 0 to 100; without one: worst
 *   FIGURE     lag, lateness, queue wait, ran, way back, outside, or the name of a function in
 *              quotes; and, without a statistic: utilisation (a share, 80%), lost (a number)
 *   OPERATOR   >, >=, < or <=
 *   VALUE      20ms, 1.5s, 300us, 800ns; 80%; 5
 */

#include "report/report.h"

enum guard_figure {
    GUARD_LAG,
    GUARD_LATENESS,
    GUARD_QUEUE_WAIT,
    GUARD_RAN,
    GUARD_WAY_BACK,
    GUARD_OUTSIDE,
    GUARD_UTILISATION,
    GUARD_LOST,
    GUARD_FUNCTION
};

struct guard {
    const char* text;
    enum guard_figure figure;
    double share;       /* 0.99; 1: the worst; -1: the mean */
    char function[256]; /* a part of its name */
    bool less;          /* < instead of > */
    bool or_equal;
    double value; /* ns, a share, a number */
    bool ran;     /* so far: a function of that name; see guard_holds */
};

/* False: `error` has a sentence without its full stop. */
bool guard_parse(struct guard* guard, const char* text, char* error, size_t size);
/* True: the condition holds, somewhere; `where` says where and what the figure is. Notes whether
 * the function that it is about has run. */
bool guard_holds(struct guard* guard, const struct report* report, char* where, size_t size);
/* It is about a function that ran in none of the reports. */
bool guard_is_void(const struct guard* guard);

#endif
