#ifndef PH_TOOLS_QUANTITY_H
#define PH_TOOLS_QUANTITY_H

/* Times as people write them: 2.5s, 300ms, 20 µs, 800ns. */

#include <stdbool.h>
#include <stdint.h>

/* The time at the beginning of the text, in ns; `end` is behind it. A unit is needed, unless
 * `seconds` says that a number alone is meant so. */
bool quantity_time(const char* text, bool seconds, const char** end, uint64_t* ns);

#endif
