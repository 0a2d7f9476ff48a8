#ifndef PH_TOOLS_TRACE_LATER_H
#define PH_TOOLS_TRACE_LATER_H

/* What a runtime puts off, timers and immediates of its own: who did, and for which request. */

#include "read/map.h"
#include "read/stream.h"

struct builder;
struct span;

struct later {
    uint32_t maker; /* the function in which it was put off: in the file's names; 0: not known */
    uint32_t exchange;
    uint32_t route;
};

struct laters {
    struct later* list; /* place 0 is not used */
    size_t count;
    struct map places; /* by id */
};

void later_event(struct builder* b, const struct trace_event* event);
/* A function of the runtime begins: it may be what was put off. */
void later_begins(struct builder* b, unsigned thread, struct span* span);
void later_free(struct laters* laters);

#endif
