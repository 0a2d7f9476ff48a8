#ifndef PH_TRACE_MEMORY_H
#define PH_TRACE_MEMORY_H

/*
 * Memory that is there after the process: a file in /dev/shm that only its user can open, for the
 * buffers of a recording and the names that it uses. Where a process ends without a word (a signal,
 * _exit), whoever looks at the recording next takes the rest from here (trace/read/drain.c).
 */

#include <sys/stat.h>

#include "recorder/file.h"
#include "recorder/recorder.h"

#define PH_MEMORY_MAGIC "PHASORM2"
#define PH_MEMORY_FOLDER "/dev/shm/"
#define PH_MEMORY_PREFIX "phasor-"

enum {
    PH_MEMORY_PAGE = 4096,
    PH_MEMORY_NAMES = 4 << 20, /* bytes, behind the head */
    PH_MEMORY_NAME = 40,       /* of the file: the prefix, 32 digits */
    PH_MEMORY_STACKS =
        1 << 20 /* bytes of stacks, from one time that the file is written to the next */
};

/* Stacks on their way to the file, each behind its size (32 bits). */
struct ph_stack_queue {
    uint64_t used;
    unsigned char bytes[PH_MEMORY_STACKS];
};

/* The head. */
struct ph_memory {
    char magic[8];
    uint32_t buffer_size; /* of the structs, which tells other versions */
    uint32_t record_size;
    uint32_t pid;
    uint32_t buffer_count;
    uint64_t clock; /* of the recording's header */
    uint64_t size;
    /* Of the recording: where the writer goes on, and the header as it will be. */
    uint64_t offset;
    uint64_t sequence;
    uint64_t segment;
    uint64_t limit;
    uint64_t names;  /* bytes: number, sizes and texts, as in a block of names */
    uint64_t taken;  /* bytes of the whole, for buffers and the queue of stacks */
    uint64_t stacks; /* where that is, in pages; 0: not here */
    uint64_t device; /* of the recording, and its path: without it this is of no use */
    uint64_t inode;
    struct ph_surroundings {
        uint64_t processes; /* the namespace in which the number of the process counts */
        uint64_t root_device;
        uint64_t root_inode;
    } surroundings; /* in which this can be judged: containers may share the folder */
    char path[PATH_MAX + 16];
    uint32_t incomplete;               /* a buffer is elsewhere: there was no room for it */
    uint32_t buffers[PH_MOST_BUFFERS]; /* where they are, in pages; 0: not to be had */
};

enum {
    PH_MEMORY_HEAD =
        (sizeof(struct ph_memory) + PH_MEMORY_PAGE - 1) / PH_MEMORY_PAGE * PH_MEMORY_PAGE
};

/* Of the calling process. */
static inline struct ph_surroundings ph_surroundings(void) {
    struct ph_surroundings here = {0};
    struct stat info;
    if (stat("/proc/self/ns/pid", &info) == 0)
        here.processes = info.st_ino;
    if (stat("/", &info) == 0) {
        here.root_device = info.st_dev;
        here.root_inode = info.st_ino;
    }
    return here;
}

/* From the beginning of a recording to its end; does without where it can't be had. */
void ph_memory_open(void);
void ph_memory_close(void);
/* In a forked child: it is the parent's. */
void ph_memory_forget(void);
/* The file's name; "": there is none. */
const char* ph_memory_name(void);

/* Zeroed; NULL: none is left. Safe in a signal handler. */
void* ph_memory_take(size_t size);
/* The same for the one queue of stacks. */
struct ph_stack_queue* ph_memory_take_stacks(void);
/* By the writer, when it has written something. */
void ph_memory_note_file(const struct ph_trace_file* file);
/* Under the names' lock. */
void ph_memory_note_name(const unsigned char* data, size_t size);

#endif
