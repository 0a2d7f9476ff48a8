#ifndef PH_SIM_PREPARED_H
#define PH_SIM_PREPARED_H

/*
 * A program that prepares itself before its world begins: the launcher starts it once, and for each
 * world it makes a process, the launcher's child. Until a world has begun no time passes for it,
 * and chance gives zeros.
 */

#include <stdbool.h>

/* In the environment: the descriptor on which it gets its orders (see order.h). The answer is the
 * number of the process, or a negative error. */
#define PH_PREPARED_NAME "PHASOR_SIM_PREPARE"

enum { PH_ORDERS_FD = 900 }; /* where no program comes across it */

/* Whether the program prepares itself now. */
bool ph_prepares(void);
/* True: it will, and enters the world when it is prepared. */
bool ph_prepared_expected(void);
/* Comes back in a world; 0, or UV_EINVAL if nothing was to be prepared. */
int ph_prepared_begin(void);

/* See world.c. */
void ph_world_enter(void);

#endif
