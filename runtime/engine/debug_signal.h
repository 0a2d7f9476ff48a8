/* SIGUSR1 lets a debugger connect to a program that runs already. */
#ifndef PH_RUNTIME_DEBUG_SIGNAL_H
#define PH_RUNTIME_DEBUG_SIGNAL_H

#include "engine/engine.h"

/* For the main thread's world. A program that listens to the signal itself takes it away. */
void ph_debug_signal_start(ph_env* env);

#endif
