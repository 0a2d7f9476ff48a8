/* Where memory comes from: every so many bytes, the stack of the allocation is noted until the
 * block is freed. */
#ifndef PH_RUNTIME_ALLOCATIONS_H
#define PH_RUNTIME_ALLOCATIONS_H

#include "engine/engine.h"

/* 0, or -1: no memory, or an engine that does not tell what is running. */
int ph_allocations_begin(ph_env* env, size_t interval);
void ph_allocations_end(ph_env* env);
/* What is alive now: rows of [parent, bytes, function, file, line, column]; the first is the root,
 * whose parent is -1. Undefined if nobody watches. */
JSValue ph_allocations_rows(ph_env* env);

/* Called by the allocator while somebody watches. */
void ph_allocation_made(ph_env* env, const void* block, size_t size);
void ph_allocation_gone(ph_env* env, const void* block);

#endif
