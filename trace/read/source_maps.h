#ifndef PH_TOOLS_TRACE_SOURCE_MAPS_H
#define PH_TOOLS_TRACE_SOURCE_MAPS_H

/*
 * Places in what a compiler has written become those in what the programmer wrote, where the file
 * names a source map (revision 3), inside or beside it. Recordings have lines, not columns: a line
 * stands for what comes first on it.
 */

#include "read/file.h"

/* Of all names of the file. A script that was changed since the recording is left alone. */
void source_maps_apply(struct trace_file* file);

#endif
