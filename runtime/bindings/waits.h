/* Atomics.waitAsync. */
#ifndef PH_RUNTIME_WAITS_H
#define PH_RUNTIME_WAITS_H

/* Once for the process; does nothing where the engine keeps no such waits. */
void ph_waits_init(void);

#endif
