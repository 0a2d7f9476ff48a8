#ifndef PH_TOOLS_CHOICE_H
#define PH_TOOLS_CHOICE_H

/* What of a recording the page shows in full: everything, or, if that is too much, the worst
 * moments and what was around them. The seconds of the loops tell of the rest. */

#include "report/report.h"

struct range {
    uint64_t from;
    uint64_t to;
};

struct choice {
    struct range* ranges; /* by time, apart from each other */
    size_t count;
    bool everything;
};

void choice_make(struct choice* choice, const struct report* report);
void choice_free(struct choice* choice);
/* Whether the unit is shown. */
bool choice_has(const struct choice* choice, const struct span* unit, size_t count);
/* What the page has to know of it: `, "seconds": {...}` and, if it is not everything,
 * `, "detail": [...]`. */
void choice_write(const struct choice* choice, const struct report* report, FILE* out);

#endif
