/* Frames of stacks, where the engine keeps traces (patch "traces"). */
#ifndef PH_RUNTIME_FRAMES_H
#define PH_RUNTIME_FRAMES_H

#include "engine/engine.h"

/* Once per process, before the first runtime. */
void ph_frames_start(void);
JSValue ph_frames_binding(JSContext* ctx);

#endif
