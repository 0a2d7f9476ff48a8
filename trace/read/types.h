#ifndef PH_TOOLS_TRACE_TYPES_H
#define PH_TOOLS_TRACE_TYPES_H

/* Names and numbers of types: handles, requests and file operations in one row of numbers. */

#include <stdbool.h>

/* From the values of uv.h; 0 for a value that is not one. */
unsigned handle_type(unsigned handle);
unsigned request_type(unsigned request, unsigned fs_type);

/* Whether callbacks of this kind belong to a request, and the type of what they belong to where the
 * kind says it. */
bool callback_is_of_request(unsigned callback);
unsigned callback_type(unsigned callback);

#endif
