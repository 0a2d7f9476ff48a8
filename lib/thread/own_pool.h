#ifndef PH_THREAD_OWN_POOL_H
#define PH_THREAD_OWN_POOL_H

/* Pools that programs make (phasor_pool_t), beside the process's. */

#include <phasor.h>
#include <stdbool.h>

#include "thread/pool.h"

/* As ph_work_submit. */
int ph_own_pool_submit(phasor_pool_t* pool, unsigned priority, uv_loop_t* loop,
                       struct uv__work* work, enum ph_work_kind kind,
                       void (*run)(struct uv__work* work),
                       void (*done)(struct uv__work* work, int status));
/* Whether the work was given to such a pool and its callback has not been called. */
bool ph_own_pool_has(const struct uv__work* work);
/* As ph_work_cancel, for work that one has. */
int ph_own_pool_cancel(struct uv__work* work);
/* The loop closes: waits until no thread of any of these pools touches it, and uses none of them
 * from now on. */
void ph_own_pools_release(uv_loop_t* loop);

#endif
