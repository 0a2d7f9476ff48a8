#include "bindings/prepared.h"

#include <phasor.h>
#include <stdlib.h>

#include "bindings/worker.h"
#include "bindings/world.h"
#include "engine/patched.h"

enum { WORKERS = 4 }; /* as many hosts as most tests have; others are booted when they start */

static ph_env* workers[WORKERS];

bool ph_prepared_is_wanted(void) {
    if (js_seed_random != NULL)
        return PHASOR_SIM_ASK("prepare", "", 0, 0) == 1;
    PHASOR_SIM_ASK("begin", "", 0, 0); /* with nothing prepared */
    return false;
}

static void prepare(ph_env* env) {
    env->life.is_prepared = true;
    ph_env_boot(env, "internal/boot/boot");
    /* As after a collection of its own: the next is far away, and many pages stay shared. */
    JS_RunGC(env->rt);
    JS_SetGCThreshold(env->rt, env->life.allocated + env->life.allocated / 2);
}

static ph_env* prepare_worker(const ph_env* parent, int id) {
    uv_loop_t* loop = malloc(sizeof(*loop));
    if (loop == NULL || uv_loop_init(loop) != 0) {
        free(loop);
        return NULL;
    }
    uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
    ph_env* env = ph_world_new(loop, parent->life.argc, parent->life.argv);
    ph_worker_prepare(env, id);
    prepare(env);
    return env;
}

int ph_prepared_boot(ph_env* env) {
    prepare(env);
    for (int i = 0; i < WORKERS; i++)
        workers[i] = prepare_worker(env, i + 1);
    PHASOR_SIM_ASK("begin", "", 0, 0);
    uint64_t seed[2]; /* of hashes: drawn, so that chance goes on as in a process that needs it */
    uv_random(NULL, NULL, seed, sizeof(seed), 0, NULL);
    return ph_prepared_enter(env);
}

ph_env* ph_prepared_take(int worker) {
    if (worker < 1 || worker > WORKERS)
        return NULL;
    ph_env* env = workers[worker - 1];
    workers[worker - 1] = NULL;
    return env;
}

int ph_prepared_enter(ph_env* env) {
    return uv_loop_fork(env->loop);
}
