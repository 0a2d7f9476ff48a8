/*
 * In a simulated world the runtime is prepared before the world begins, once for the many worlds of
 * a search: the main world is booted, and so are those of the first workers. Until it begins there
 * is neither chance nor time, and nothing of the program has run.
 */
#ifndef PH_RUNTIME_PREPARED_H
#define PH_RUNTIME_PREPARED_H

#include "engine/engine.h"

/* Whether this process is to be prepared: the world has not begun. */
bool ph_prepared_is_wanted(void);
/* Boots everything but the program, and waits for the world. What comes after happens in it, for
 * each world in a process of its own. */
int ph_prepared_boot(ph_env* env);
/* The world of the worker with this number, which is the caller's from now on; NULL: there is
 * none. */
ph_env* ph_prepared_take(int worker);
/* Of a prepared world, on the thread that runs it: 0, or what uv_loop_fork says. */
int ph_prepared_enter(ph_env* env);

#endif
