#ifndef PH_TOOLS_TRACE_EXCHANGES_H
#define PH_TOOLS_TRACE_EXCHANGES_H

/*
 * HTTP requests to the program, and what they led to: the callback in which one was read, what that
 * submitted to the pool or opened, the callbacks of those, and so on until it is answered.
 */

#include "read/map.h"
#include "read/stream.h"

struct builder;
struct exchange;
struct object;
struct span;

struct exchanges {
    struct exchange* list; /* place 0 is not used */
    size_t count;
    uint32_t free_place; /* the first of those that have ended; linked by `name` */
    uint32_t last_number;
    struct map streams; /* by the stream's address: the place of the one that is not answered */
    struct map numbers; /* the same by number */
};

void exchanges_event(struct builder* b, const struct trace_event* event);
/* A callback begins: which request it is for, by what has come on its stream, or who made its
 * object. `place` may be 0. */
void exchanges_callback_begins(struct builder* b, const struct trace_event* event, uint32_t place,
                               struct span* span);
/* A callback has ended. NULL: none has. */
void exchanges_callback_ends(struct builder* b, unsigned thread, const struct span* span);
/* Something was made: for the request that what goes on is for. */
void exchanges_note(struct builder* b, unsigned thread, struct object* object);
/* A request to the pool, or for something else, is over. */
void exchanges_request_ends(struct builder* b, const struct object* object);
/* At the end of the recording: those that are not answered. */
void exchanges_end(struct builder* b);
void exchanges_free(struct exchanges* exchanges);

#endif
