#ifndef PH_TRACE_SERVICES_H
#define PH_TRACE_SERVICES_H

/* What the recorder needs of the library, which it knows by this table only. */

#include "recording.h"

/* From the first call of phasor_recorder on, also after that library has left. */
extern const struct ph_services* ph_services __attribute__((visibility("hidden")));

/* The library's allocator. */
void* ph_recorder_malloc(size_t size);
void* ph_recorder_calloc(size_t count, size_t size);
void* ph_recorder_realloc(void* memory, size_t size);
void ph_recorder_free(void* memory);

#endif
