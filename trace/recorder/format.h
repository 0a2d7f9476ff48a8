#ifndef PH_TRACE_FORMAT_H
#define PH_TRACE_FORMAT_H

/*
 * The trace file, for who writes it (trace/recorder) and who reads it (tools). Phases and kinds of
 * callbacks are those of the hooks. docs/TRACE_FORMAT.md says the same in words. All numbers are
 * little-endian.
 */

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hooks.h"

#define PH_TRACE_MAGIC "PHASORTR"
enum {
    PH_TRACE_VERSION = 2,
    PH_TRACE_OLDEST = 1, /* that can be read: another checksum, and nothing told at once */
    PH_TRACE_BLOCK_MAGIC = 0x4b4c4250 /* "PBLK" */
};

enum ph_trace_status {
    PH_TRACE_RECORDING, /* or killed while recording */
    PH_TRACE_COMPLETE,
    PH_TRACE_FAILED /* `error` says why */
};

/* At the beginning of the file; rewritten in place. */
struct ph_trace_header {
    char magic[8];
    uint32_t version;
    uint32_t header_size;  /* the first block is behind it */
    uint64_t data_offset;  /* where the segments begin; before: blocks that are never overwritten */
    uint64_t segment_size; /* 0: one segment, to the end of the file */
    uint64_t clock;        /* ns, CLOCK_MONOTONIC, like all times in the file */
    uint64_t wall_clock;   /* ns since 1970 at the same moment */
    uint32_t pid;
    uint32_t status;
    int32_t error; /* a negative errno value */
    uint32_t parent_pid;
    uint64_t ended;       /* ns: when the recording ended, or until when it has certainly gone on */
    uint64_t overwritten; /* segments that are gone */
    uint32_t end;         /* of the process: enum ph_trace_end */
    int32_t end_value;    /* its exit status, or the signal's number */
    uint64_t reserved[5];
};

/* How the process ended, as far as whoever drained the recording knows. */
enum ph_trace_end {
    PH_END_UNKNOWN, /* it goes on, or nobody was there to see */
    PH_END_EXITED,
    PH_END_SIGNALLED,
    PH_END_GONE /* without the usual steps: killed, or by _exit */
};

/* Before each block's payload. `sequence` grows by one from block to block, so that in a segment
 * that is written again the rest of its earlier content is recognised. */
struct ph_trace_block {
    uint32_t magic;
    uint32_t kind;
    uint32_t size;     /* of the payload */
    uint32_t checksum; /* of the payload */
    uint64_t sequence; /* from 1 */
};

enum ph_trace_block_kind {
    PH_BLOCK_INFO = 1, /* lines: key=value */
    PH_BLOCK_MAPS,     /* the file-backed lines of /proc/self/maps */
    PH_BLOCK_BUILDS,   /* lines: load address, build id, both hexadecimal, path */
    PH_BLOCK_NAMES,    /* number, function, file, line */
    PH_BLOCK_EVENTS,   /* of one thread */
    PH_BLOCK_STACK     /* of one thread, while something took long */
};

/* Which fields an event has. */
enum { PH_HAS_LOOP = 1, PH_HAS_SUBJECT = 2, PH_HAS_DETAIL = 4, PH_HAS_VALUE = 8 };

/*
 * name, fields, what they are (loop, subject, detail, value in this order)
 */
#define PH_TRACE_EVENTS(X)                                                                         \
    X(LOST, PH_HAS_VALUE) /* so many are missing before this; only in older recordings */          \
    X(LOOP_OPEN, PH_HAS_LOOP)                                                                      \
    X(LOOP_CLOSE, PH_HAS_LOOP)                                                                     \
    X(ITERATION_BEGIN, PH_HAS_LOOP | PH_HAS_DETAIL | PH_HAS_VALUE) /* number from 0, ph_turn */    \
    X(ITERATION_END, PH_HAS_LOOP)                                                                  \
    X(PHASE, PH_HAS_LOOP | PH_HAS_VALUE)      /* begins; ends with the next or the iteration */    \
    X(WAIT_BEGIN, PH_HAS_LOOP | PH_HAS_VALUE) /* planned ms, UINT32_MAX: no limit */               \
    X(WAIT_END, PH_HAS_LOOP | PH_HAS_VALUE)   /* kernel events, and PH_ASKED_SHIFT */              \
    X(CALLBACK_BEGIN, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_DETAIL | PH_HAS_VALUE)                 \
    X(CALLBACK_END, 0)                                                                             \
    X(TIMER_DUE, PH_HAS_SUBJECT | PH_HAS_DETAIL)            /* when it was due, ms on the clock */ \
    X(REQUEST, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_VALUE) /* type, fs type from bit 8 on */      \
    X(WORK_SUBMIT, PH_HAS_LOOP | PH_HAS_SUBJECT)            /* an address inside the request */    \
    X(WORK_BEGIN, PH_HAS_SUBJECT)                                                                  \
    X(WORK_END, PH_HAS_SUBJECT)                                                                    \
    X(WORK_CANCEL, PH_HAS_SUBJECT)                                                                 \
    X(RING_SUBMIT, PH_HAS_SUBJECT) /* this and the next: only in older recordings */               \
    X(RING_DONE, PH_HAS_SUBJECT)                                                                   \
    X(SEND, PH_HAS_LOOP | PH_HAS_SUBJECT) /* uv_async_send, the first until its callback */        \
    X(WAKE, PH_HAS_LOOP)                  /* a sleeping loop is interrupted */                     \
    X(HANDLE_OPEN, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_VALUE) /* type, PH_HANDLE_WAS_THERE */    \
    X(HANDLE_CLOSE, PH_HAS_LOOP | PH_HAS_SUBJECT)               /* uv_close was called */          \
    X(HANDLE_CLOSED, PH_HAS_LOOP | PH_HAS_SUBJECT) /* the memory is the caller's again */          \
    X(SPAN_BEGIN, PH_HAS_DETAIL | PH_HAS_VALUE)    /* name, enum phasor_span */                    \
    X(SPAN_END, PH_HAS_VALUE)                                                                      \
    X(REQUEST_END, PH_HAS_LOOP | PH_HAS_SUBJECT) /* of one that is not called back */              \
    X(ACCOUNT, PH_HAS_DETAIL | PH_HAS_VALUE)     /* ns on a processor so far, µs waited + 1 */    \
    X(GAP, PH_HAS_DETAIL | PH_HAS_VALUE)         /* ns that it lasted; so many events are lost */  \
    X(MARK, PH_HAS_SUBJECT | PH_HAS_DETAIL | PH_HAS_VALUE) /* ns since it began, name, kind */     \
    X(REQUEST_NAME, PH_HAS_SUBJECT | PH_HAS_DETAIL)        /* what a request to the pool is for */ \
    X(RUN_END, PH_HAS_LOOP | PH_HAS_VALUE) /* of uv_run; alive: whether the loop is */             \
    X(TASK, PH_HAS_SUBJECT | PH_HAS_DETAIL | PH_HAS_VALUE) /* name, enum phasor_task_step */       \
    X(HTTP_REQUEST, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_DETAIL) /* stream, name: "GET /a" */     \
    X(HTTP_PARENT, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_DETAIL)  /* its traceparent: ids */       \
    X(HTTP_ANSWER, PH_HAS_LOOP | PH_HAS_SUBJECT | PH_HAS_VALUE)   /* stream, status */             \
    X(LATER, PH_HAS_SUBJECT | PH_HAS_VALUE)                       /* enum phasor_later */

enum ph_trace_type {
    PH_EV_NONE,
#define X(NAME, fields) PH_EV_##NAME,
    PH_TRACE_EVENTS(X)
#undef X
        PH_EV_COUNT
};

enum { PH_HANDLE_WAS_THERE = 0x100 };

/*
 * Beginning and end told at once: in the file a bit of the type's byte, after which the time comes
 * how long it took, in ns, and less than PH_TOLD_AT_ONCE_NS. What follows in the file may have
 * happened inside. A wait has a detail then: the value that its end would have.
 */
enum { PH_AT_ONCE = 0x80, PH_TOLD_AT_ONCE_NS = 1 << 24 };

/* What can be told so; the type of its end is the next one. */
static inline int ph_trace_begins(unsigned type) {
    const uint64_t types = 1ull << PH_EV_WAIT_BEGIN | 1ull << PH_EV_CALLBACK_BEGIN |
                           1ull << PH_EV_WORK_BEGIN | 1ull << PH_EV_SPAN_BEGIN;
    return type < PH_EV_COUNT && (types >> type & 1);
}

static inline int ph_trace_ends(unsigned type) {
    return ph_trace_begins(type - 1);
}

/* An iteration's value: the uv_run_mode, and these. */
enum ph_turn {
    PH_TURN_MODE = 3,
    PH_TURN_IS_EMBEDDED = 4, /* somebody has asked for the loop's descriptor, and may wait on it */
    PH_TURN_WAS_RUNNING = 8, /* before the recording began: without its beginning and phases */
    /* What follows from the rest is not told: that it begins with the timers' phase; a phase in
     * which there was nothing to do, or that begins with a callback of its kind or with a wait; and
     * its end, if the loop's next iteration begins there. */
    PH_TURN_IS_BRIEF = 16
};

/* In a wait's value, above the events: 1 + how often the kernel was asked; 0: it is not said. */
enum { PH_ASKED_SHIFT = 16 };

/* A thread that says something says how much it has run if it has said nothing for so long, and
 * every so often anyway. */
enum { PH_ACCOUNT_NS = 2000000, PH_ACCOUNT_MOST_NS = 10000000 };

static inline unsigned ph_trace_fields(unsigned type) {
    static const unsigned char fields[PH_EV_COUNT] = {0,
#define X(NAME, mask) (mask),
                                                      PH_TRACE_EVENTS(X)
#undef X
    };
    return type < PH_EV_COUNT ? fields[type] : 0;
}

/* Of version 1. */
static inline uint32_t ph_trace_old_checksum(const void* data, size_t size) {
    const unsigned char* p = data;
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ p[i]) * 16777619u;
    return sum;
}

/* Eight bytes at a time, the last ones filled up with zeros. */
static inline uint32_t ph_trace_checksum(const void* data, size_t size) {
    const unsigned char* p = data;
    uint64_t sum = size, word;
    size_t left = size;
    for (; left >= 8; left -= 8, p += 8) {
        memcpy(&word, p, 8);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    if (left > 0) {
        word = 0;
        memcpy(&word, p, left);
        sum = (sum ^ word) * 0x9e3779b97f4a7c15u;
        sum ^= sum >> 32;
    }
    return (uint32_t)sum;
}

#endif
