#ifndef PH_TOOLS_TRACE_MAPPINGS_H
#define PH_TOOLS_TRACE_MAPPINGS_H

/* A source map, by lines. */

#include <stdint.h>

struct mappings;

/* From its JSON; `path` is that of the file in which it is. NULL: it is none. */
struct mappings* mappings_read(const char* json, const char* path);
/* The source's path, and the line there, both from 1, of what comes first on a line; NULL: not
 * known, or the line is from several places. */
const char* mappings_find(const struct mappings* mappings, uint32_t line, uint32_t* source_line);
void mappings_free(struct mappings* mappings);

#endif
