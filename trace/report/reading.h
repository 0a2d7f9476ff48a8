#ifndef PH_TOOLS_READING_H
#define PH_TOOLS_READING_H

#include "report/report.h"

/* A file that is read, with what it says. */
struct reading {
    struct trace_file file;
    struct symbols* symbols;
    struct report report;
};

/* What is wrong with it is said on standard error, by `command`. False: nothing could be read. */
bool reading_open(struct reading* reading, const char* command, const char* path, uint64_t from,
                  uint64_t to);
void reading_close(struct reading* reading);

#endif
