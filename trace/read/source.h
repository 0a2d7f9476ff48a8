#ifndef PH_TOOLS_TRACE_SOURCE_H
#define PH_TOOLS_TRACE_SOURCE_H

/* The bytes of a file, a part of which is in memory. Not mapped: a file that is still being written
 * may become shorter. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source {
    int fd;
    uint64_t size;
    unsigned char* window;
    uint64_t window_at; /* where in the file it begins */
    size_t window_size;
    size_t window_room;
    uint64_t loaded; /* bytes so far */
};

/* False: it can't be read, or is not a regular file with something in it. */
bool source_open(struct source* source, const char* path, char* error, size_t error_size);
void source_close(struct source* source);
/* Good until the next call. NULL: they are not there. */
const unsigned char* source_bytes(struct source* source, uint64_t offset, size_t size);
/* Where the byte comes next, from the offset on; the size of the file: nowhere. */
uint64_t source_find(struct source* source, uint64_t offset, unsigned char byte);

#endif
