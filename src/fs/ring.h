#ifndef PH_FS_RING_H
#define PH_FS_RING_H

/* File requests on the loop's io_uring, where that is faster than the pool. */

#include <stdbool.h>

#include "uv.h"

/* For a request that is not on the ring (yet). */
void ph_ring_forget(uv_fs_t* req);
/* False: the ring does not take this request, now or ever. */
bool ph_ring_start(uv_fs_t* req);
bool ph_ring_owns(const uv_fs_t* req);
/* UV_EBUSY, or 0 and UV_ECANCELED in the callback. */
int ph_ring_cancel(uv_fs_t* req);

#endif
