/* setTimeout, setInterval and setImmediate.
 *
 * Timeouts of one duration form a list in start order, so that only its head can be due first. The
 * lists stand in a heap by the time their head is due, and one loop timer waits for the top. */
#ifndef PH_RUNTIME_TIMERS_H
#define PH_RUNTIME_TIMERS_H

#include "engine/engine.h"

void ph_timers_init(ph_env* env);
void ph_timers_close(ph_env* env);
JSValue ph_timers_binding(JSContext* ctx);

#endif
