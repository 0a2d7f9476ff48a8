#ifndef GO_WORKERS_H
#define GO_WORKERS_H

#include "scheduler.h"

struct go__worker {
    uv_thread_t thread;
    uv_loop_t loop;
    struct go__scheduler* scheduler;
    uv_mutex_t mutex;
    bool closed; /* under the mutex: no mail is taken any more */
    bool joining, stopping;
    struct go__mail stop, join;
};

struct go_workers {
    unsigned count;
    atomic_uint next; /* in turn */
    struct go__worker workers[];
};

/* Mail to the worker; UV_ECANCELED if it takes none any more. */
GO__HIDDEN int go__worker_mail(struct go__worker* worker, struct go__mail* mail);
GO__HIDDEN struct go__worker* go__worker_pick(go_workers_t* workers, unsigned number);

#endif
