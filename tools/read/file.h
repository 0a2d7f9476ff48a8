#ifndef PH_TOOLS_TRACE_FILE_H
#define PH_TOOLS_TRACE_FILE_H

/* Reads a trace file (docs/TRACE_FORMAT.md). The file is not trusted: whatever is wrong with it,
 * what can be read is given, and `problems` says in sentences what is missing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/format.h"

struct trace_event {
    uint64_t time;
    uint64_t loop;
    uint64_t subject;
    uint64_t detail;
    uint32_t value;
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

struct trace_file {
    struct ph_trace_header header;
    char* info; /* the texts of the blocks; never NULL */
    char* maps;
    char* builds;
    struct trace_event* events; /* by time */
    size_t event_count;
    struct trace_thread* threads;
    size_t thread_count;
    struct trace_name* names; /* by number */
    size_t name_count;
    uint64_t last_sequence;
    uint64_t size; /* of the file */
    char problems[8][160];
    size_t problem_count;
    bool partial; /* the beginning was left out, as asked for */
    bool damaged; /* something was not as it should be, other than a recording that was cut short */
};

/* Blocks with a sequence of at most `after` are left out, those with names and maps apart. False:
 * nothing at all could be read, and `error` says why. */
bool trace_file_read(struct trace_file* file, const char* path, uint64_t after, char* error,
                     size_t error_size);
void trace_file_free(struct trace_file* file);

/* The value of a line of the information, NULL if there is none. The caller frees it. */
char* trace_file_info(const struct trace_file* file, const char* key);
/* The command line with blanks between the arguments. The caller frees it. */
char* trace_file_command(const struct trace_file* file);

#endif
