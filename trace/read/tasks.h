#ifndef PH_TOOLS_TRACE_TASKS_H
#define PH_TOOLS_TRACE_TASKS_H

/* Coroutines and actors: each has a track of its own, with what it waited for and when it ran. */

#include "read/map.h"
#include "read/stream.h"

struct builder;

struct tasks {
    struct map places;
    struct task* list; /* place 0 is not used */
    size_t count;
    uint32_t free_place; /* the first of those that have ended; linked by `what` */
    unsigned shown;
};

void tasks_event(struct builder* b, const struct trace_event* event);
/* At the end of the recording: what still goes on. */
void tasks_end(struct builder* b);
void tasks_free(struct tasks* tasks);

#endif
