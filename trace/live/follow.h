#ifndef PH_TOOLS_FOLLOW_H
#define PH_TOOLS_FOLLOW_H

/*
 * A recording that is being written, read once as it grows: what its loops' turns took, and nothing
 * else. A pass costs what is new, so that somebody can look for as long as a program runs.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "recorder/format.h"
#include "report/histogram.h"
#include "report/metrics.h"

/* Turns of the last FOLLOW_RECENT_NS to twice that, in two halves. */
#define FOLLOW_RECENT_NS 10000000000ull

struct followed_loop {
    uint64_t address;
    int tid;
    char name[32];       /* "main loop", "loop 2" */
    uint64_t turn_began; /* 0: no turn goes on */
    uint64_t waited;     /* in this turn */
    uint64_t wait_began; /* 0: it does not wait */
    uint64_t
        run_ended; /* uv_run has returned from a turn then, to be called again; 0: it has not */
    bool may_wait; /* outside of uv_run, for the loop's descriptor */
    bool is_told;  /* the turn that goes on is a stall, and that was said */
    uint64_t iterations;
    uint64_t active; /* ns, all together */
    uint64_t idle;
    uint64_t stalls;
    uint64_t stalled; /* ns */
    struct metric_times lag;
    struct histogram recent[2];
    double squares[2]; /* of the recent ones, s² */
    uint64_t recent_active[2], recent_idle[2];
};

/* A loop that was blocked for longer than the limit, or still is. Times are those of the file. */
struct stall {
    const struct followed_loop* loop;
    uint64_t from;
    uint64_t to;
    uint64_t lag; /* without the waiting in between */
    bool goes_on;
};

struct follow {
    int fd;
    struct ph_trace_header header;
    uint64_t offset;     /* of the next block */
    uint64_t segment;    /* that it is in, from 0; UINT64_MAX: before the segments */
    uint64_t sequence;   /* of the last block */
    uint64_t missed;     /* times that blocks were overwritten before they were read */
    uint64_t limit;      /* of a stall */
    uint64_t told_limit; /* of one that goes on */
    uint64_t recent_began;
    struct followed_loop* loops;
    size_t loop_count;
    unsigned char* payload;
    size_t room;
    void (*on_stall)(void* context, const struct stall* stall);
    void* context;
};

/* `limit` and `told_limit` are ns: what is a stall, and from when on one that goes on is told of at
 * once. False: there is no such file yet. */
bool follow_open(struct follow* follow, const char* path, uint64_t limit, uint64_t told_limit);
/* Reads what is new. */
void follow_read(struct follow* follow);
void follow_close(struct follow* follow);

/* Both halves together. The caller frees it. */
struct histogram follow_recent(const struct followed_loop* loop);

#endif
