#ifndef PH_SIM_CHILDREN_H
#define PH_SIM_CHILDREN_H

/* Processes that programs of the world have started: outside of it, but they go when their host
 * does. With the lock held. */

#include <stdbool.h>

struct ph_process;

/* The library has made a child on this host. */
void ph_children_made(int child, int host);
/* Ends the children of a process, and theirs: those that the library made on the host, or all of
 * them (-1), also those that have left for another parent. */
void ph_children_end(int pid, int host);
/* Whether a child of the process still runs. */
bool ph_children_live(const struct ph_process* process);
/* Ends a process and all that it has started; it is gone when this returns. Does not return for the
 * calling one. */
void ph_process_end(const struct ph_process* process);

#endif
