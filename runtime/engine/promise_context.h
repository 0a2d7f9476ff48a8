#ifndef PH_RUNTIME_PROMISE_CONTEXT_H
#define PH_RUNTIME_PROMISE_CONTEXT_H

#include "engine/engine.h"

/* Before the first world is made. */
void ph_promise_contexts_start(void);

#endif
