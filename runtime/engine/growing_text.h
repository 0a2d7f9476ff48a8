/* A text that grows. Without memory it stays as it is. */
#ifndef PH_RUNTIME_GROWING_TEXT_H
#define PH_RUNTIME_GROWING_TEXT_H

#include <stdlib.h>
#include <string.h>

typedef struct {
    char* bytes;
    size_t length;
    size_t capacity;
} ph_growing_text;

static inline void ph_text_add(ph_growing_text* out, const char* string) {
    size_t length = strlen(string);
    if (out->length + length + 1 > out->capacity) {
        size_t capacity = (out->length + length + 1) * 2;
        char* bigger = realloc(out->bytes, capacity);
        if (bigger == NULL)
            return;
        out->bytes = bigger;
        out->capacity = capacity;
    }
    memcpy(out->bytes + out->length, string, length + 1);
    out->length += length;
}

#endif
