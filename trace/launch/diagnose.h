#ifndef PH_TOOLS_TRACE_DIAGNOSE_H
#define PH_TOOLS_TRACE_DIAGNOSE_H

#include <stddef.h>

/* Why nothing was recorded of a program that was started with this library: a sentence without its
 * full stop, about `program` (a path). */
void trace_diagnose(const char* program, const char* library, char* out, size_t size);

#endif
