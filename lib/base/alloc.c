#include "base/alloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "uv.h"

static struct {
    uv_malloc_func malloc;
    uv_realloc_func realloc;
    uv_calloc_func calloc;
    uv_free_func free;
} allocator = {malloc, realloc, calloc, free};

int uv_replace_allocator(uv_malloc_func malloc_func, uv_realloc_func realloc_func,
                         uv_calloc_func calloc_func, uv_free_func free_func) {
    if (!malloc_func || !realloc_func || !calloc_func || !free_func)
        return UV_EINVAL;
    allocator.malloc = malloc_func;
    allocator.realloc = realloc_func;
    allocator.calloc = calloc_func;
    allocator.free = free_func;
    return 0;
}

void* ph_malloc(size_t size) {
    return size > 0 ? allocator.malloc(size) : NULL;
}

void* ph_calloc(size_t count, size_t size) {
    return allocator.calloc(count, size);
}

void* ph_realloc(void* ptr, size_t size) {
    return allocator.realloc(ptr, size);
}

void ph_free(void* ptr) {
    int saved = errno;
    allocator.free(ptr);
    errno = saved;
}

char* ph_strdup(const char* s) {
    return ph_strndup(s, strlen(s));
}

char* ph_strndup(const char* s, size_t max) {
    size_t length = strnlen(s, max);
    char* copy = ph_malloc(length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, s, length);
    copy[length] = '\0';
    return copy;
}
