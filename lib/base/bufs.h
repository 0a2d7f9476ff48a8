#ifndef PH_BASE_BUFS_H
#define PH_BASE_BUFS_H

/* Lists of buffers. */

#include <stdbool.h>
#include <stddef.h>

#include "uv.h"

/* The most that the kernel moves in one call. A longer list is a mistake of the caller's. */
enum { PH_MOST_BYTES = 0x7ffff000 };

/* The bytes of all buffers together. False: more than PH_MOST_BYTES. */
static inline bool ph_bufs_size(const uv_buf_t* bufs, unsigned int nbufs, size_t* size) {
    size_t total = 0;
    for (unsigned int i = 0; i < nbufs; i++) {
        if (bufs[i].len > PH_MOST_BYTES - total)
            return false;
        total += bufs[i].len;
    }
    *size = total;
    return true;
}

#endif
