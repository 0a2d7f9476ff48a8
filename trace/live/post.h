#ifndef PH_TOOLS_POST_H
#define PH_TOOLS_POST_H

#include <stdbool.h>
#include <stddef.h>

/* Sends JSON to an address like http://localhost:4318/v1/metrics, and waits for the answer. False:
 * it was not accepted, and `error` has a sentence without its full stop. */
bool post_json(const char* address, const char* path, const char* json, size_t size, char* error,
               size_t error_size);

#endif
