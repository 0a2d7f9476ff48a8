#ifndef PH_RUNTIME_INTERRUPTED_H
#define PH_RUNTIME_INTERRUPTED_H

#include "engine/engine.h"

/* Threads of a simulated world may be interrupted at Atomics. */
void ph_interrupted_init(ph_env* env);

#endif
