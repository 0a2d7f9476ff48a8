#ifndef PH_BASE_ALLOC_H
#define PH_BASE_ALLOC_H

/* All memory of the library comes from here, so that uv_replace_allocator reaches all of it. */

#include <stddef.h>

void* ph_malloc(size_t size);
void* ph_calloc(size_t count, size_t size);
/* A size of 0 frees and returns NULL. */
void* ph_realloc(void* ptr, size_t size);
/* Keeps errno. */
void ph_free(void* ptr);
char* ph_strdup(const char* s);
char* ph_strndup(const char* s, size_t max);

#endif
