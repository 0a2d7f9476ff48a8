#ifndef PH_TOOLS_TRACE_REDIRECT_H
#define PH_TOOLS_TRACE_REDIRECT_H

/* Programs that have libuv built in and export it: trace/preload/redirect.c makes its functions
 * ours. */

#include <stdbool.h>
#include <stddef.h>

/* Sets LD_PRELOAD if the program, or what runs it if it is a script, is one of those. `library` is
 * our libuv.so.1. */
void trace_redirect(const char* program, const char* library);
/* Why that was not possible, as a sentence; false: it was, or was not tried. */
bool trace_redirect_failed(const char* recording, const char* program, char* out, size_t size);

#endif
