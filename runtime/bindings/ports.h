/* Message ports: pairs of mailboxes that any thread may post to. The registry is the process's. */
#ifndef PH_RUNTIME_PORTS_H
#define PH_RUNTIME_PORTS_H

#include "engine/engine.h"

/* The world begins and ends to take part. */
int ph_ports_open(ph_env* env);
void ph_ports_close(ph_env* env);
/* Wakes the world of another thread; it looks at its ports, its workers and its stop flag. */
void ph_ports_wake(ph_env* env);

/* The box of a thread that is about to start, which others may post to already. */
int ph_ports_make_box(int thread);
void ph_ports_drop_box(int id);

#endif
