#ifndef PH_BASE_LOOP_ALLOC_H
#define PH_BASE_LOOP_ALLOC_H

/*
 * Memory that a loop and its handles keep, from the loop's own allocator if it has one. Only on the
 * loop's thread, and for what is freed before the loop is closed: what threads make, and what
 * programs free later, comes from base/alloc.h.
 */

#include "uv.h"

void* ph_loop_malloc(const uv_loop_t* loop, size_t size);
void* ph_loop_calloc(const uv_loop_t* loop, size_t count, size_t size);
void* ph_loop_realloc(const uv_loop_t* loop, void* memory, size_t size);
char* ph_loop_strdup(const uv_loop_t* loop, const char* text);
/* Leaves errno as it is. */
void ph_loop_free(const uv_loop_t* loop, void* memory);

#endif
