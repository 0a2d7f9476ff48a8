#ifndef PH_TOOLS_TRACE_MODEL_H
#define PH_TOOLS_TRACE_MODEL_H

/* What happened, worked out from the events of a file in one pass: spans on tracks, handles and
 * requests. A sink gets them as they end, so that nothing has to hold a whole recording. */

#include <stdbool.h>

#include "read/file.h"

/* The numbers are those of the page's rows (trace/viewer/DATA.md). */
enum span_kind {
    SPAN_ITERATION = 1,
    SPAN_PHASE,
    SPAN_WAIT,
    SPAN_CALLBACK,
    SPAN_TICK,
    SPAN_WORK,
    SPAN_SUBMIT,
    SPAN_DONE,
    SPAN_WAKE,
    SPAN_BIRTH,
    SPAN_CLOSE,
    SPAN_LOST,
    SPAN_MARK,
    SPAN_OUTSIDE /* of uv_run: enum outside */
};

/* What `detail` of SPAN_OUTSIDE says. */
enum outside {
    OUTSIDE_BETWEEN,
    OUTSIDE_MAY_WAIT, /* between turns, and somebody may have waited for the loop's descriptor */
    OUTSIDE_BEFORE,   /* since the loop was made, before its first turn */
    OUTSIDE_AFTER     /* the loop had nothing left to do */
};

enum { NO_TRACK = 0xffff, MOST_TRACKS = 0xfff0 };

struct span {
    uint64_t start;    /* ns since the recording began */
    uint64_t end;      /* equal to start for an instant */
    uint64_t function; /* an address, 0: none; work: what it ran */
    int64_t value;     /* iteration: its number from 1; wait: planned ms, -1 no limit; callback of a
                          timer: lateness in ns; wake: the sender's track or -1; lost: how many */
    uint32_t name;     /* in the file's names, 0: none */
    uint32_t longest;  /* the longest named span directly inside, + 1; 0: none */
    uint32_t called;   /* its name, if it has one, or else that of the longest inside */
    uint32_t culprit;  /* of a callback that took long: the name of who took the time, by its
                          stacks; 0: not known */
    uint32_t caller;   /* of the culprit, where the callback is called after that; 0: not known */
    uint32_t native;   /* in_native: the name of what it had called; 0: not known */
    uint32_t subject;  /* the number of a handle or request, 0: none */
    uint32_t inside;   /* the span of the unit that this one ran in, + 1; 0: none */
    uint32_t events;   /* wait: that the kernel gave */
    uint32_t purpose;  /* what a request to the pool is for: in the file's names, 0: not said */
    uint32_t exchange; /* the number of the HTTP request that led to it, 0: none */
    uint32_t route;    /* and what that is called: in the file's names */
    uint32_t maker;    /* who asked for it, or put it off: in the file's names; 0: not known */
    uint16_t track;
    uint16_t calls;      /* wait: how often the kernel was asked */
    uint8_t detail;      /* phase; tick: 1 is a microtask; mark: its kind; outside: enum outside;
                            else unused */
    uint8_t callback;    /* enum ph_callback_kind */
    uint8_t type;        /* of the subject, see object_type_name */
    uint8_t kind : 4;    /* together in one byte: recordings have millions of spans */
    bool of_request : 1; /* that is what the subject is */
    bool unfinished : 1; /* its end was not recorded */
    bool has_shares : 1;
    bool in_native : 1;  /* the culprit had called native code, and that took the time */
    uint64_t ran;        /* of its time, on a processor; with has_shares */
    uint64_t queued;     /* and waiting for one; the rest is in system calls */
    uint64_t ran_before; /* what its thread had run, and waited for a processor, when it began */
    uint64_t queued_before;
};

struct object {
    uint64_t address;
    uint64_t work;    /* the address that the pool knows; 0: none */
    uint64_t seen;    /* the clock when it was certainly this one */
    uint64_t born;    /* handle: opened; request: submitted; 0: not known */
    uint64_t started; /* request: on a thread, or on the ring; 0: never */
    uint64_t done;
    uint64_t ended;      /* closed; called back, or over without */
    uint64_t maker;      /* the callback in which it was made, 0: in none; its function, */
    uint32_t maker_name; /* or what a runtime calls that, 0: nothing */
    uint32_t number;     /* from 1; 0: this place is free */
    uint32_t purpose;    /* in the file's names, 0: not said */
    uint32_t exchange;   /* the HTTP request that led to it, and its name; 0: none */
    uint32_t route;
    uint16_t track;      /* the loop's */
    uint16_t pool_track; /* where it ran, or NO_TRACK */
    uint8_t type;        /* see object_type_name */
    uint8_t maker_kind;  /* enum ph_callback_kind */
    bool is_request;
    bool for_pool;
    bool on_ring;
    bool cancelled;
};

/* An HTTP request to the program. */
struct exchange {
    uint32_t number; /* from 1 */
    uint32_t name;   /* in the file's names: "GET /users/:id"; 0: not known */
    uint64_t stream;
    uint64_t born;     /* read */
    uint64_t ended;    /* the beginning of its answer was given to the kernel; 0: there was none */
    uint64_t own;      /* of that time, in callbacks that it led to */
    uint64_t waited;   /* its loop was asleep */
    uint64_t queued;   /* what it submitted to the pool waited for a thread, together */
    uint64_t trace[2]; /* as it was told in traceparent: the trace, 0: none */
    uint64_t parent;   /* and the span */
    uint32_t status;
    uint16_t track; /* the loop's */
};

enum track_kind { TRACK_LOOP, TRACK_POOL, TRACK_THREAD, TRACK_TASK };

struct track {
    enum track_kind kind;
    uint64_t loop; /* its address, for a loop */
    int tid;
    unsigned number; /* of its kind, from 1 */
    uint64_t turns;  /* of a loop, that were not inside something else */
    uint64_t waited; /* of a loop, until now */
    char name[32];
    char thread[17]; /* what its thread calls itself */
    bool is_main;    /* of the loops; known at the end */
};

struct model {
    struct trace_file* file;
    uint64_t began; /* the clock at time 0 */
    uint64_t first; /* when what was read begins, of a file that was read in part */
    uint64_t duration;
    uint64_t from; /* only what goes on in this time is given */
    uint64_t to;
    struct track* tracks;
    size_t track_count;
    uint32_t object_count; /* the highest number */
    uint64_t lost;
    bool is_script;    /* a program on a runtime that names its functions */
    bool names_timers; /* or one that names those of timers and immediates */
};

struct model_sink {
    void* context;
    /* Spans of one thread that belong together, by start; what encloses comes first: a turn of a
     * loop, or something outside of all turns. */
    void (*unit)(void* context, const struct model* model, const struct span* spans, size_t count);
    /* A request that is over, or will not be heard of again. NULL: not wanted. */
    void (*request)(void* context, const struct model* model, const struct object* object);
    /* A handle that is open at the end. NULL: not wanted. */
    void (*handle)(void* context, const struct model* model, const struct object* object);
    /* An HTTP request that is answered, or never will be. NULL: not wanted. */
    void (*exchange)(void* context, const struct model* model, const struct exchange* exchange);
};

/* When the recording began, and how long it is. */
void model_bounds(const struct trace_file* file, uint64_t* began, uint64_t* duration);

/* `from` and `to` are ns since the beginning; 0 and UINT64_MAX for everything. */
void model_run(struct model* model, struct trace_file* file, uint64_t from, uint64_t to,
               const struct model_sink* sink);
void model_free(struct model* model);

/* Within a unit: the span around it, the innermost one of a kind around it; NULL: none. */
static inline const struct span* span_outer(const struct span* unit, const struct span* span) {
    return span->inside != 0 ? &unit[span->inside - 1] : NULL;
}

static inline const struct span* span_outer_of_kind(const struct span* unit,
                                                    const struct span* span, enum span_kind kind) {
    for (span = span_outer(unit, span); span != NULL && span->kind != kind;)
        span = span_outer(unit, span);
    return span;
}

const char* phase_name(unsigned phase);
/* "timer_cb"; never NULL. */
const char* callback_name(unsigned callback);
/* "tcp", "write", "fs open"; "" for 0. There are TYPE_COUNT of them. */
const char* object_type_name(unsigned type);
enum { TYPE_COUNT = 96 };

#endif
