/* What has to be told that a world ends, before its handles are closed: whoever has handles on its
 * loop that are no ph_handles. */
#ifndef PH_RUNTIME_ENDINGS_H
#define PH_RUNTIME_ENDINGS_H

#include "engine/engine.h"

typedef struct ph_ending ph_ending;

struct ph_ending {
    ph_ending* next;
    ph_ending** link; /* what points here; NULL if it is in no list */
    void (*run)(ph_ending* ending);
};

void ph_ending_add(ph_env* env, ph_ending* ending);
void ph_ending_remove(ph_ending* ending);
/* Runs and removes each. No JavaScript runs any more. */
void ph_endings_run(ph_env* env);

#endif
