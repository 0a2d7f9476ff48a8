#ifndef PH_BASE_COPY_OUT_H
#define PH_BASE_COPY_OUT_H

#include <string.h>

#include "uv.h"

/*
 * The protocol of every function that fills a caller's buffer: `*size` comes in as the buffer's
 * size and goes out as the length without the NUL; if the buffer is too small, as the size it
 * should have.
 */
static inline int ph_copy_out(const char* text, size_t length, char* buffer, size_t* size) {
    if (*size <= length) {
        *size = length + 1;
        return UV_ENOBUFS;
    }
    memcpy(buffer, text, length);
    buffer[length] = '\0';
    *size = length;
    return 0;
}

#endif
