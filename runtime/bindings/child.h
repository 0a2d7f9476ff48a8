/* What spawn and spawnSync share. */
#ifndef PH_RUNTIME_CHILD_H
#define PH_RUNTIME_CHILD_H

#include "engine/engine.h"

typedef struct {
    uv_process_options_t uv;
    const char** args;
    const char** environment;
} ph_child_options;

/* Reads {file, args, env, cwd, uid, gid, detached}; not stdio. */
void ph_child_options_read(JSContext* ctx, JSValueConst given, ph_child_options* out);
void ph_child_options_release(JSContext* ctx, ph_child_options* options);
void ph_spawn_sync_export(JSContext* ctx, JSValueConst binding);

#endif
