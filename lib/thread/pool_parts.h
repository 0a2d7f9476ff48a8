#ifndef PH_THREAD_POOL_PARTS_H
#define PH_THREAD_POOL_PARTS_H

/* What the pool has in common with the one of the simulated world (sim/world/pool.c). */

#include <phasor.h>

#include "thread/pool.h"

enum { PH_POOL_DEFAULT = 4, PH_POOL_MOST = 1024 };

/* How many threads are wanted: UV_THREADPOOL_SIZE. */
unsigned ph_pool_size(void);
/* Takes work that nobody has begun out of the queue and posts it as cancelled; UV_EBUSY: too late.
 */
int ph_work_take_back(struct uv__work* work);
/* Of the process's pool. */
void ph_pool_count(struct phasor_pool_figures* figures);

#endif
