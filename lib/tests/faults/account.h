#ifndef ACCOUNT_H
#define ACCOUNT_H

/* An allocator that counts what is not given back, and writes over what comes and what goes. */

#include <stdlib.h>
#include <string.h>
#include <uv.h>

#include "harness.h"

static size_t in_use; /* blocks */

enum { BEFORE_BLOCK = 16 }; /* its size */

static inline size_t* size_of_block(void* at) {
    return (size_t*)((char*)at - BEFORE_BLOCK);
}

static inline void* counted_malloc(size_t size) {
    char* block = malloc(size + BEFORE_BLOCK);
    memset(block, 0xa5, size + BEFORE_BLOCK);
    *size_of_block(block + BEFORE_BLOCK) = size;
    __atomic_add_fetch(&in_use, 1, __ATOMIC_SEQ_CST);
    return block + BEFORE_BLOCK;
}

static inline void counted_free(void* at) {
    if (at == NULL)
        return;
    memset(at, 0xee, *size_of_block(at));
    __atomic_sub_fetch(&in_use, 1, __ATOMIC_SEQ_CST);
    free(size_of_block(at));
}

static inline void* counted_calloc(size_t count, size_t size) {
    return memset(counted_malloc(count * size), 0, count * size);
}

static inline void* counted_realloc(void* at, size_t size) {
    char* larger = counted_malloc(size);
    if (at != NULL)
        memcpy(larger, at, *size_of_block(at) < size ? *size_of_block(at) : size);
    counted_free(at);
    return larger;
}

static inline void count_blocks(void) {
    CHECK_OK(uv_replace_allocator(counted_malloc, counted_realloc, counted_calloc, counted_free));
}

#endif
