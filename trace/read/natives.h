#ifndef PH_TOOLS_NATIVES_H
#define PH_TOOLS_NATIVES_H

/* What native code of an engine is called in its language: "JSON.parse", "garbage collection". */

#include <stdbool.h>
#include <stddef.h>

/* By the functions on the machine's stack, innermost first. False: it has no such name. */
bool natives_name(const char* const* functions, size_t count, char* name, size_t size);

#endif
