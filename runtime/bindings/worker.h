/* Worker threads: one loop and one JavaScript world each. */
#ifndef PH_RUNTIME_WORKER_H
#define PH_RUNTIME_WORKER_H

#include "engine/engine.h"

/* Joins the workers of this world that have ended and tells JavaScript. */
void ph_worker_reap(ph_env* env);
/* Ends all workers of this world and waits for them. */
void ph_worker_end_all(ph_env* env);
bool ph_worker_should_stop(ph_env* env);
int ph_worker_id(ph_env* env); /* 0: not a worker's world */
/* The world is to be that of the worker with this number. */
void ph_worker_prepare(ph_env* env, int id);
void ph_worker_export(JSContext* ctx, JSValueConst binding);

#endif
