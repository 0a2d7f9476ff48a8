#ifndef PH_SIM_WAITING_H
#define PH_SIM_WAITING_H

/* What sleepers wait for, in words: for a world in which nothing can happen any more, and for one
 * that was stopped. Also part of the launcher. */

#include <stddef.h>

struct ph_sleeper;
struct ph_world;

/* "server, thread 2 waits for a lock that thread 1 holds" */
void ph_waiting_text(const struct ph_world* world, const struct ph_sleeper* sleeper, char* text,
                     size_t room);

#endif
