#ifndef PH_THREAD_POOL_H
#define PH_THREAD_POOL_H

/* The process-wide thread pool. */

#include "uv.h"

enum ph_work_kind {
    PH_WORK_FAST, /* computing, files */
    PH_WORK_SLOW  /* name resolution: never holds more than half of the threads */
};

/* `work` runs on a pool thread, `done` on the loop's thread with 0 or UV_ECANCELED. The caller
 * counts the request (ph_request_init) and ends it in `done`. */
int ph_work_submit(uv_loop_t* loop, struct uv__work* work, enum ph_work_kind kind,
                   void (*run)(struct uv__work* work),
                   void (*done)(struct uv__work* work, int status));
/* UV_ECANCELED later in `done`, or UV_EBUSY now. */
int ph_work_cancel(struct uv__work* work);

#endif
