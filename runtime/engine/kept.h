/* What weak references have given out stays alive until the turn of JavaScript is over, as the
 * language wants it: a program may ask twice and get the same answer. The engine alone would free
 * it with its last count. */
#ifndef PH_RUNTIME_KEPT_H
#define PH_RUNTIME_KEPT_H

#include "engine/engine.h"

/* Takes the place of the world's WeakRef. */
void ph_kept_init(ph_env* env);
/* The turn is over. */
void ph_kept_clear(ph_env* env);
void ph_kept_free(ph_env* env);

#endif
