#ifndef PH_TOOLS_TRACE_FILE_H
#define PH_TOOLS_TRACE_FILE_H

/* Reads a trace file (docs/TRACE_FORMAT.md): what it is about, and where its blocks are. The events
 * are read one after the other by a stream (read/stream.h), so that a file may be of any length.
 * The file is not trusted: whatever is wrong with it, what can be read is given, and `problems`
 * says in sentences what is missing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "read/source.h"
#include "recorder/format.h"

struct trace_event {
    uint64_t time;
    uint64_t loop;
    uint64_t subject;
    uint64_t detail;
    uint32_t value;
    uint32_t took;   /* ns, of what is told at once; a stream gives its end later, for itself */
    uint16_t thread; /* index into threads */
    uint8_t type;
};

struct trace_thread {
    int tid;
    char name[17];
};

struct trace_name {
    char* function;
    char* file;
    uint32_t line;
};

/* A block that was sound when the file was opened. */
struct trace_block {
    uint64_t sequence;
    uint64_t offset; /* of its payload */
    uint64_t time;   /* events: of the first */
    uint32_t size;
    uint32_t checksum;
    uint32_t kind;
    uint16_t thread; /* events: whose */
};

/* Where events of a thread were lost: somewhere between the two times. */
struct trace_gap {
    uint64_t from;
    uint64_t to;
};

struct trace_file {
    struct ph_trace_header header;
    struct source source;
    char* info; /* the texts of the blocks; never NULL */
    char* maps;
    char* builds;
    struct trace_block* blocks; /* by sequence */
    size_t block_count;
    size_t event_count;
    uint64_t first_time; /* of all events, as `last_time` */
    uint64_t last_time;
    struct trace_thread* threads;
    size_t thread_count;
    struct trace_name* names; /* by number */
    size_t name_count;
    size_t own_name_count;  /* without those that stacks_open has added; 0: it has not */
    struct stacks* stacks;  /* read/stacks.h; NULL: not read */
    struct trace_gap* gaps; /* by `from`; the later one ends later */
    size_t gap_count;
    uint64_t last_sequence;
    uint64_t size; /* of the file */
    char problems[8][160];
    size_t problem_count;
    bool is_mapped;   /* source_maps_apply was called, and before it: */
    bool has_scripts; /* names are of a runtime's */
    bool partial;     /* the beginning was left out, as asked for */
    bool live;        /* the process is known to go on */
    bool damaged; /* something was not as it should be, other than a recording that was cut short */
};

/* Events in blocks with a sequence of at most `after` are left out. False: nothing at all could be
 * read, and `error` says why. */
bool trace_file_open(struct trace_file* file, const char* path, uint64_t after, char* error,
                     size_t error_size);
void trace_file_close(struct trace_file* file);

/* The payload of a block, good until the next call. NULL: it has been overwritten since. */
const unsigned char* trace_file_payload(struct trace_file* file, const struct trace_block* block);
/* Whether events may be missing between the two times. */
bool trace_file_has_gap(const struct trace_file* file, uint64_t from, uint64_t to);

/* The value of a line of the information, NULL if there is none. The caller frees it. */
char* trace_file_info(const struct trace_file* file, const char* key);
/* The command line with blanks between the arguments. The caller frees it. */
char* trace_file_command(const struct trace_file* file);

/* For read/scan.c. */
__attribute__((format(printf, 2, 3))) void trace_file_problem(struct trace_file* file,
                                                              const char* format, ...);
/* read/scan.c: what the blocks of events hold, all together. */
void trace_file_scan(struct trace_file* file);

#endif
