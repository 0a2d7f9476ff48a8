#ifndef GUARDED_H
#define GUARDED_H

/*
 * An allocator for the library that counts what it has given out and sees that it is not written
 * to behind its end. What is new is full of 'n'. For one thread.
 */

#include <uv.h>

#include "harness.h"

enum { GUARD_HEAD = 16, GUARD_TAIL = 8 };

static const char guard_mark[GUARD_TAIL] = "the end";
static int held;                  /* blocks */
static int allocations_left = -1; /* that succeed; -1: all */

static inline void* guarded_realloc(void* block, size_t size) {
    size_t before = 0;
    if (allocations_left == 0 || (allocations_left > 0 && --allocations_left < 0))
        return NULL;
    if (block != NULL)
        memcpy(&before, (char*)block - GUARD_HEAD, sizeof(before));
    char* whole =
        realloc(block != NULL ? (char*)block - GUARD_HEAD : NULL, GUARD_HEAD + size + GUARD_TAIL);
    held += block == NULL;
    memcpy(whole, &size, sizeof(size));
    if (size > before)
        memset(whole + GUARD_HEAD + before, 'n', size - before);
    memcpy(whole + GUARD_HEAD + size, guard_mark, GUARD_TAIL);
    return whole + GUARD_HEAD;
}

static inline void* guarded_malloc(size_t size) {
    return guarded_realloc(NULL, size);
}

static inline void* guarded_calloc(size_t count, size_t size) {
    void* block = guarded_malloc(count * size);
    return block != NULL ? memset(block, 0, count * size) : NULL;
}

static inline void guarded_free(void* block) {
    size_t size;
    if (block == NULL)
        return;
    memcpy(&size, (char*)block - GUARD_HEAD, sizeof(size));
    CHECK_EQ(memcmp((char*)block + size, guard_mark, GUARD_TAIL), 0);
    free((char*)block - GUARD_HEAD);
    held--;
}

static inline void guard_memory(void) {
    CHECK_OK(uv_replace_allocator(guarded_malloc, guarded_realloc, guarded_calloc, guarded_free));
}

#endif
