#include "base/loop_alloc.h"

#include <errno.h>
#include <phasor.h>
#include <string.h>

#include "base/alloc.h"

void* ph_loop_malloc(const uv_loop_t* loop, size_t size) {
    const struct phasor_allocator* own = loop->internal.allocator;
    return own != NULL ? own->malloc(own->context, size) : ph_malloc(size);
}

void* ph_loop_calloc(const uv_loop_t* loop, size_t count, size_t size) {
    const struct phasor_allocator* own = loop->internal.allocator;
    return own != NULL ? own->calloc(own->context, count, size) : ph_calloc(count, size);
}

void* ph_loop_realloc(const uv_loop_t* loop, void* memory, size_t size) {
    const struct phasor_allocator* own = loop->internal.allocator;
    return own != NULL ? own->realloc(own->context, memory, size) : ph_realloc(memory, size);
}

char* ph_loop_strdup(const uv_loop_t* loop, const char* text) {
    size_t size = strlen(text) + 1;
    char* copy = ph_loop_malloc(loop, size);
    return copy != NULL ? memcpy(copy, text, size) : NULL;
}

void ph_loop_free(const uv_loop_t* loop, void* memory) {
    const struct phasor_allocator* own = loop->internal.allocator;
    int saved = errno;
    if (own == NULL)
        ph_free(memory);
    else if (memory != NULL)
        own->free(own->context, memory);
    errno = saved;
}
