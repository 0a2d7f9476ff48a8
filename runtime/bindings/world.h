/* What a world has beside JavaScript: the part of ph_env that belongs to the bindings, and the
 * functions through which the engine reaches them. */
#ifndef PH_RUNTIME_WORLD_H
#define PH_RUNTIME_WORLD_H

#include "engine/engine.h"

typedef struct {
    JSClassID handle_class;  /* see handle.h */
    JSClassID box_class;     /* see box.h */
    JSClassID guarded_class; /* of global objects of vm, 0 until there is one; contexts.c */
    void* worker;            /* the ph_worker of this thread, NULL on the main thread */
    void* workers;           /* the ph_workers that this world has started */
    struct ph_open_files* open_files; /* of a worker; see open_files.h */
    bool keeps_files;                 /* of a worker: they outlive it */
    struct ph_waits* waits;           /* Atomics.waitAsync; NULL until it is used */
    uv_async_t* mailbox;              /* where other threads knock; NULL until ports are used */
    void* read_space;                 /* where streams read to; see handle.c */
    size_t fs_requests;               /* that are under way */
} ph_world;

static inline ph_world* ph_world_of(const ph_env* env) {
    return env->parts[PH_PART_BINDINGS];
}

/* A world with all bindings; ph_env_free ends it. */
ph_env* ph_world_new(uv_loop_t* loop, int argc, char** argv);

#endif
