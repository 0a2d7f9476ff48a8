/* Stacks for a recording, of functions that take long. */
#ifndef PH_RUNTIME_STACKS_H
#define PH_RUNTIME_STACKS_H

#include "engine/engine.h"

/* Once per process, before the first world. */
void ph_stacks_init(void);
/* Now and then while a script runs. */
void ph_stacks_look(ph_env* env);

#endif
