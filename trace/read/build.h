#ifndef PH_TOOLS_TRACE_BUILD_H
#define PH_TOOLS_TRACE_BUILD_H

/* A model while it is made: what is open on each thread, and which object an address stands for. */

#include "read/exchanges.h"
#include "read/later.h"
#include "read/map.h"
#include "read/model.h"
#include "read/scripts.h"
#include "read/shares.h"
#include "read/tasks.h"

enum { MOST_DEPTH = 64 };

/* The unit that a thread is in, and what is open in it, outermost first. */
struct thread_state {
    struct span* spans;
    size_t span_count;
    size_t room;
    uint32_t open[MOST_DEPTH];
    unsigned depth;
    unsigned too_deep;
    uint16_t track;     /* of the thread itself, or NO_TRACK */
    uint64_t last;      /* when it was heard of */
    uint64_t due_timer; /* 0: of a runtime, for the function that it calls next */
    uint64_t due;       /* ms, 0: none */
    struct shares shares;
    struct shares_mark* marks; /* when each of the open ones began; MOST_DEPTH, or NULL */
    uint64_t left_loop;        /* that has turned and may turn again; 0: none */
    struct shares_mark left;   /* when uv_run returned */
    uint64_t gaps;             /* in which events are lost, so far */
    uint64_t dry_loop;         /* that has nothing left to do; 0: none */
    struct shares_mark dry;    /* since when */
    uint32_t later;            /* that is about to run; 0: none */
    uint32_t exchange;         /* that was read, before its callback begins; 0: none */
};

/* A loop that has not turned since it was made. */
struct opening {
    struct shares_mark since;
    uint64_t gaps;   /* that its thread had by then */
    unsigned thread; /* that made it, + 1; 0: it has turned, or was there before */
};

struct builder {
    struct model* model;
    struct opening* openings; /* by track */
    size_t opening_count;
    const struct model_sink* sink;
    struct thread_state* threads;
    struct object* objects; /* those that may be heard of again; place 0 is not used */
    size_t place_count;
    uint32_t free_place;              /* the first; its `track` and `type` are not used */
    struct map places;                /* by address */
    struct map works;                 /* by the address that the pool knows */
    struct map purposes;              /* of requests that come next, by address */
    struct map loops;                 /* by address: the track, + 1 */
    unsigned numbers[TRACK_TASK + 1]; /* of tracks, by kind */
    struct regrouping regrouping;
    struct tasks tasks;
    struct exchanges exchanges;
    struct laters laters;
};

/* Tracks: made when they are first asked for. */
uint16_t build_loop_track(struct builder* b, uint64_t loop);
uint16_t build_thread_track(struct builder* b, unsigned thread, enum track_kind kind);
/* NULL: it has no name. */
uint16_t build_task_track(struct builder* b, const char* name);
/* The loop turns on this thread. */
void build_set_thread(struct builder* b, uint16_t track, unsigned thread);
/* Where something that a thread does is shown: the innermost open span's track. NO_TRACK: none. */
uint16_t build_track_here(struct builder* b, unsigned thread);

/* Spans. The pointers are good until the next one of the thread is added. */
struct span* build_add_span(struct builder* b, const struct trace_event* event, enum span_kind kind,
                            uint16_t track);
struct span* build_open_span(struct builder* b, const struct trace_event* event,
                             enum span_kind kind, uint16_t track);
/* The innermost one that is open on the thread; NULL: none. */
struct span* build_top(struct builder* b, unsigned thread);
/* How much of the time since the mark its thread ran. */
void build_set_shares(struct span* span, const struct shares* shares,
                      const struct shares_mark* mark, uint64_t time);
/* Ends that one. */
void build_pop(struct builder* b, const struct trace_event* event, bool finished);
/* The innermost open span of this kind, as an index into the thread's stack; -1: none. Looks no
 * further out than the iteration that is running. */
int build_find_open(struct builder* b, unsigned thread, enum span_kind kind);
/* Ends the innermost span of the kind, and what is still open in it. NULL: there is none. */
struct span* build_close_span(struct builder* b, const struct trace_event* event,
                              enum span_kind kind);
void build_close_all(struct builder* b, const struct trace_event* event);
/* Gives the thread's unit to the sink, if nothing is open in it and nothing may follow. */
void build_give_unit(struct builder* b, unsigned thread, bool last);

/* Outside of uv_run (outside.c): the program goes on between two turns; it has made a loop; a loop
 * has nothing left to do. */
void outside_begins(struct builder* b, const struct trace_event* event);
void outside_begins_before(struct builder* b, const struct trace_event* event, uint16_t track);
void outside_has_no_turn_left(struct builder* b, const struct trace_event* event);
/* A turn begins. */
void outside_ends(struct builder* b, const struct trace_event* event, uint16_t track);
/* Something is closed: after the last turn, that is because nothing follows. */
void outside_closes(struct builder* b, const struct trace_event* event);
/* Events of this thread are missing. */
void outside_is_lost(struct builder* b, const struct trace_event* event);
/* The recording has ended: on this thread, and for all loops. */
void outside_is_over(struct builder* b, const struct trace_event* event);
void outside_has_not_turned(struct builder* b, const struct trace_event* end);

/* Objects (objects.c), by their place. The pointers are good until the next one is added. */
uint32_t build_add_object(struct builder* b, const struct trace_event* event, bool is_request,
                          unsigned type);
/* What the address stands for; 0: nothing, or something else whose end was lost. */
uint32_t build_find_object(struct builder* b, const struct trace_event* event, bool is_request);
/* The request that this address of the pool's lies in. One that is not known (it was submitted
 * before the recording) is made up. */
uint32_t build_work_object(struct builder* b, const struct trace_event* event);
/* The object of a callback; made up if the recording began after it. */
uint32_t build_callback_object(struct builder* b, const struct trace_event* event);
/* The span is about it. */
void build_set_subject(struct builder* b, struct span* span, uint32_t place);
/* It is over. */
void build_end_request(struct builder* b, uint32_t place);
void build_end_all_objects(struct builder* b);

#endif
