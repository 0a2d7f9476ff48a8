#ifndef PH_TRACE_RECORDER_H
#define PH_TRACE_RECORDER_H

/* The recorder's inside: starting and stopping (recorder.c), buffers that threads fill (buffers.c)
 * in memory that outlives them (memory.c), the thread that empties them into
 * the file (writer.c, blocks.c, file.c), what the file says about the process (snapshot.c), names
 * (names.c), when events are (event_clock.c), how much threads have run (account.c), and the last
 * moments of a program that crashes (crash.c). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "recorder/event_clock.h"
#include "recorder/format.h"

enum { PH_LARGEST_RING = 32768 /* events; 1.3 MB */, PH_MOST_BUFFERS = 1200 };

enum { PH_TYPE = 0xff, PH_TOOK_SHIFT = 8, PH_MOST_OPEN = 4 };

struct ph_record {
    uint64_t time;
    uint64_t loop;
    uint64_t subject;
    uint64_t detail;
    uint32_t value;
    /* PH_TYPE, and above it how long it took, in ns; 0: it has not ended, or its end is told for
     * itself. A thread fills that in as long as the record is in reach, so that an end needs none
     * of its own. */
    uint32_t type;
};

/* For others than the thread, which may be filling it in. */
static inline uint32_t ph_record_type(const struct ph_record* record) {
    return __atomic_load_n(&record->type, __ATOMIC_ACQUIRE);
}

/* When what it tells of was over, as far as it tells. */
static inline uint64_t ph_record_end(const struct ph_record* record) {
    return record->time + (ph_record_type(record) >> PH_TOOK_SHIFT);
}

/* First lines of HTTP requests, and the numbers of their names. */
enum { PH_ASKED_LINES = 32 };

struct ph_asked {
    unsigned session; /* the recording in which they are valid */
    struct ph_asked_line {
        uint32_t name;
        uint16_t size; /* 0: nothing */
        char text[58];
    } lines[PH_ASKED_LINES];
};

/*
 * One thread puts, the writer takes. Never freed: a thread may be about to put something when the
 * recording stops. When its thread has ended, another one gets it.
 */
struct ph_buffer {
    struct ph_buffer* next;
    int owner;      /* the thread's id; 0: free */
    bool is_shared; /* in the memory that somebody else can read */
    char name[16];

    /* The owner's. What each event needs is in two lines: where programs do much between two
     * events, these are in no near cache. */
    _Alignas(64) uint64_t head;
    uint64_t full;      /* the head that finds no room, as far as the owner knows */
    uint64_t latest;    /* when the last event came */
    uint64_t accounted; /* when it was last said how much the thread has run */
    struct ph_event_clock clock;
    uint64_t since; /* ns: when its outermost callback began; 0: in none */
    uint64_t lost;  /* since the last event that found room */
    uint32_t capacity;
    volatile int busy; /* a signal handler must not put anything now */
    unsigned depth;    /* of callbacks and a runtime's functions that it is in */
    bool is_retired;   /* of an earlier recording, whose memory is gone: the owner takes another */
    bool is_flushed;   /* it waits until all it has said is written */
    bool outside;      /* uv_run has returned, and `since` is when it did */
    uint8_t open_count;
    uint32_t open[PH_MOST_OPEN]; /* records of what it is in, that may still be filled in */

    bool may_wait;          /* outside, for the loop's descriptor: somebody has asked for it */
    bool beyond;            /* outside, before the first turn or after the last one */
    bool has_runtime;       /* that tells of stacks itself */
    bool is_crowded;        /* it has waited for a processor of late */
    uint32_t waited;        /* how long in all, when the kernel was last asked */
    uint64_t asked_kernel;  /* when that was */
    uint64_t had_run;       /* for how long, when that was last said */
    uint64_t lost_since;    /* when the first lost event came; 0: none is lost */
    void* isolate;          /* of V8, that the thread was in last */
    void* interpreter;      /* the same of Python: the thread's state there */
    void* lua;              /* the state in which it runs Lua; NULL: in none */
    int schedstat;          /* the descriptor; 0: not yet, -1: there is none */
    dev_t schedstat_device; /* of its file: the program may have closed it */
    ino_t schedstat_inode;
    struct ph_asked asked_for;

    _Alignas(64) uint64_t tail; /* the writer's */
    uint64_t last_time;         /* of what it has written */
    uint32_t last_type;
    int asking;       /* the sampler's, from here on: the callback must not end now */
    uint64_t asked;   /* ns: a stack is wanted since then */
    uint64_t ran;     /* ns on a processor, when it was asked for */
    uint64_t sampled; /* `since` of what was looked at last */
    uint64_t next_sample;
    uint64_t next_brief; /* of a callback that is not long */

    _Alignas(64) struct ph_record records[];
};

/* Records that are older than so many others, and what takes longer than can be told at once, are
 * filled in no more. */
static inline uint32_t ph_buffer_reach(const struct ph_buffer* buffer) {
    return buffer->capacity / 8;
}

/* For others than the thread, which may have ended: then another one may be taking the buffer. */
static inline int ph_buffer_owner(const struct ph_buffer* buffer) {
    return __atomic_load_n(&buffer->owner, __ATOMIC_RELAXED);
}

struct ph_buffer* ph_buffers(void);
/* The calling thread's; NULL: it has none. */
struct ph_buffer* ph_own_buffer(void);
/* The same, made if there is none. */
struct ph_buffer* ph_buffer_here(void);
/* From now on, or no longer, all that the calling thread has said may be written as it is. */
void ph_buffer_is_flushed(bool flushed);
/* What was lost until now, as an event. */
struct ph_record ph_buffer_gap(struct ph_buffer* buffer, uint64_t time);
/* What is in them is of an earlier recording. */
void ph_buffers_empty(void);
/* After a recording: those whose memory is about to go are used no more. */
void ph_buffers_retire(void);
/* In a forked child. */
void ph_buffers_forget(void);

/* The writer: a thread from start to stop. Each returns 0 or a negative error code. */
int ph_writer_start(const char* path, uint64_t limit, bool never_replace);
int ph_writer_stop(void);
/* Threads call this when their buffer is half full. Safe in a signal handler. */
void ph_writer_wake(void);
/* Returns when everything that the calling thread has said is in the file. */
void ph_writer_flush(void);
/* The same in a signal handler, for a process that is about to die: gives up after a while. */
void ph_writer_flush_in_crash(void);
/*
 * For the recorder's threads, first of all: a table of descriptors of their own, empty. The program
 * neither sees theirs nor closes them, and its system calls cost what they cost while nobody shares
 * its table. Kernels before 5.9 can't do it: there the table stays the program's.
 */
void ph_leave_descriptors(void);
void ph_writer_before_fork(void);
void ph_writer_after_fork(bool child);
/* Where the recording goes. */
const char* ph_writer_path(void);
/* Not between a fork and the child's first iteration. */
bool ph_recorder_takes_events(void);
/* Or later, by a command or in a forked child. */
bool ph_recorder_began_with_process(void);
/* Called by the writer when it can't go on. */
void ph_recorder_failed(void);

/* A buffer that grows; `failed` once there was no memory. */
struct ph_text {
    char* data;
    size_t size;
    size_t room;
    bool failed;
};

void ph_text_add(struct ph_text* text, const void* data, size_t size);
void ph_text_print(struct ph_text* text, const char* format, ...)
    __attribute__((format(printf, 2, 3)));
void ph_text_free(struct ph_text* text);

/*
 * How long a buffer's thread has been on a processor, in ns, and how long it has waited for one, in
 * µs + 1, or 0 where that can't be known. False: the thread is gone, or nothing is known. By a
 * thread of the recorder.
 */
bool ph_account_read(const struct ph_buffer* buffer, uint64_t* ran, uint32_t* waited);
/* The same by the thread itself, at this time, since which it has slept: without asking how long it
 * has waited where it can't have waited long. */
bool ph_account_own(struct ph_buffer* buffer, uint64_t time, uint64_t slept, uint64_t* ran,
                    uint32_t* waited);
/* By a thread of the recorder that still has the program's table of descriptors: from then on the
 * threads of the program keep theirs open. */
void ph_account_make_room(void);
/* The descriptor that the thread may have opened. By a thread of the program: it is in its table.
 */
void ph_account_close(struct ph_buffer* buffer);

/* From the beginning of a recording to its end. */
void ph_crash_watch(void);
void ph_crash_unwatch(void);

/* What is needed to find the names of functions later. */
void ph_snapshot_info(struct ph_text* text);
void ph_snapshot_maps(struct ph_text* text);
void ph_snapshot_builds(struct ph_text* text);
/* Changes when a library is loaded. */
uint64_t ph_snapshot_generation(void);

/* See phasor_trace_name. */
unsigned ph_name_number(const char* function, const char* file, int line);
/* The name with this number, encoded for a block of names; 0 bytes if `mark` has seen it already.
 */
size_t ph_name_encode(unsigned number, uint64_t mark, unsigned char* out, size_t room);
/* Into the shared memory, all that there are. */
void ph_names_note(void);
/* At the end of the process: numbers given out are no longer valid. */
void ph_names_free(void);
void ph_names_before_fork(void);
void ph_names_after_fork(void);

static inline size_t ph_put_varint(unsigned char* out, uint64_t value) {
    size_t n = 0;
    if (value < 0x80) {
        out[0] = (unsigned char)value;
        return 1;
    }
    if (value < 0x4000) {
        out[0] = (unsigned char)(value | 0x80);
        out[1] = (unsigned char)(value >> 7);
        return 2;
    }
    while (value >= 0x80) {
        out[n++] = (unsigned char)(value | 0x80);
        value >>= 7;
    }
    out[n++] = (unsigned char)value;
    return n;
}

static inline size_t ph_put_delta(unsigned char* out, uint64_t value, uint64_t* last) {
    int64_t delta = (int64_t)(value - *last);
    *last = value;
    return ph_put_varint(out, (uint64_t)delta << 1 ^ (uint64_t)(delta >> 63));
}

#endif
