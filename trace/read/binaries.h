#ifndef PH_TOOLS_TRACE_BINARIES_H
#define PH_TOOLS_TRACE_BINARIES_H

/*
 * What binaries say, by elfutils. It is a part of its own, lib/phasor/binaries.so (*_dw.c), loaded
 * when a name is wanted: a program that runs in our runtime has no use for five more libraries.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct binaries;
struct raw_stack;
struct stuck_place;
struct trace_file;

struct binaries_table {
    /* `executable` becomes its own. */
    struct binaries* (*open)(const struct trace_file* file, char* executable);
    void (*close)(struct binaries* binaries);
    char* (*function)(struct binaries* binaries, uint64_t address);
    const char* (*problem)(const struct binaries* binaries);
    uint64_t (*start)(struct binaries* binaries, uint64_t address);
    size_t (*unwind)(struct binaries* binaries, const struct raw_stack* raw, uint64_t* addresses,
                     size_t most);
    /* See stuck.h. */
    bool (*look)(pid_t pid, pid_t tid, struct stuck_place* place);
};

/* NULL: it is not there. */
const struct binaries_table* binaries_table(void);

#endif
