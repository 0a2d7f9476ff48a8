#ifndef PH_TOOLS_TRACE_MODEL_H
#define PH_TOOLS_TRACE_MODEL_H

/* What happened, worked out from the events of a file: spans on tracks, handles and requests. */

#include <stdbool.h>

#include "read/file.h"

/* The numbers are those of the page's rows (viewer/DATA.md). */
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
    SPAN_MARK
};

enum { NO_TRACK = 0xffff, MOST_TRACKS = 0xfff0 };

struct span {
    uint64_t start;    /* ns since the recording began */
    uint64_t end;      /* equal to start for an instant */
    uint64_t function; /* an address, 0: none */
    int64_t value;     /* iteration: its number from 1; wait: planned ms, -1 no limit; callback of a
                          timer: lateness in ns; wake: the sender's track or -1; lost: how many */
    uint32_t name;     /* in the file's names, 0: none */
    uint32_t subject;  /* in the model's objects, 0: none */
    uint32_t inside;   /* the span that this one ran in, + 1; 0: none */
    uint32_t events;   /* wait: that the kernel gave */
    uint16_t track;
    uint8_t kind;
    uint8_t detail;   /* phase; tick: 1 is a microtask; else unused */
    uint8_t callback; /* enum ph_callback_kind */
    bool unfinished;  /* its end was not recorded */
};

struct object {
    uint64_t address;
    uint64_t born;    /* handle: opened; request: submitted */
    uint64_t started; /* request: on a thread, or on the ring; 0: never */
    uint64_t done;
    uint64_t ended;        /* closed; called back, or over without */
    uint32_t submitted_in; /* the span, + 1 */
    uint16_t track;        /* the loop's */
    uint16_t pool_track;   /* where it ran, or NO_TRACK */
    uint8_t type;          /* see object_type_name */
    bool is_request;
    bool for_pool;
    bool on_ring;
    bool cancelled;
};

enum track_kind { TRACK_LOOP, TRACK_POOL, TRACK_THREAD };

struct track {
    enum track_kind kind;
    uint64_t loop; /* its address, for a loop */
    int tid;
    unsigned number; /* of its kind, from 1 */
    char name[32];
    bool is_main; /* of the loops */
};

struct model {
    const struct trace_file* file;
    uint64_t began; /* the clock at time 0 */
    uint64_t first; /* when what was read begins, of a file that was read in part */
    uint64_t duration;
    struct span* spans; /* by start; what encloses comes first */
    size_t span_count;
    struct object* objects; /* number 0 is nothing */
    size_t object_count;
    struct track* tracks;
    size_t track_count;
    uint64_t lost;
    bool is_script; /* a program on a runtime that names its functions */
};

void model_build(struct model* model, const struct trace_file* file);
void model_free(struct model* model);
/* trace_scripts.c; a part of building. */
void model_regroup_scripts(struct model* model);

const char* phase_name(unsigned phase);
/* "timer_cb"; never NULL. */
const char* callback_name(unsigned callback);
/* "tcp", "write", "fs open"; "" for 0. There are TYPE_COUNT of them. */
const char* object_type_name(unsigned type);
enum { TYPE_COUNT = 96 };

#endif
