#ifndef PH_TOOLS_MOMENT_H
#define PH_TOOLS_MOMENT_H

/* A part of a recording as a recording of its own. */

#include "read/file.h"

/* What went on between the two times, which are those of the file; the beginning and end of what
 * reaches beyond them included, as far as they are there. The file is made, and for its owner
 * alone; one of this name is replaced. False: errno says why it can't be written. */
bool moment_write(struct trace_file* file, uint64_t from, uint64_t to, const char* path);

#endif
