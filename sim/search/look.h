#ifndef PH_TOOLS_SIM_LOOK_H
#define PH_TOOLS_SIM_LOOK_H

/*
 * The launcher's part in the world's moves. Programs move the world themselves as long as it knows
 * all their threads; where it does not, the launcher looks at them from outside, so that programs
 * see nothing of it, and tells a sleeper to move the world when they all sleep.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "world/world.h"

struct sim_look {
    uint64_t steps; /* of the world, at the last look, */
    uint64_t since; /* and when that number was new: real ns */
    uint64_t pause; /* until the next look */
};

/* Looks if that is wanted; returns how long to wait before the next time, in real ns. */
uint64_t sim_look(struct sim_look* look, struct ph_world* world);
/* Waits until the world wants something, a child ends or the time has passed. */
void sim_wait(struct ph_world* world, uint32_t summons, uint64_t ns);
/* Ends of children count as wishes of this world; NULL: of none. */
void sim_watch_children(struct ph_world* world);
/* The process has ended, also one that has never entered the world. */
void sim_forget_process(struct ph_world* world, pid_t pid, bool entered);
/* Whether the host is to be started again; asked once per restart. */
bool sim_take_restart(struct ph_world* world, unsigned host);
/* Nobody lives: time passes until the next restart of a host that has crashed. Its number, or -1 if
 * there is none. */
int sim_pass_to_restart(struct ph_world* world);

/* Says where the world has stopped, and what everybody waits for; gives the number of the process
 * that would go on. */
int sim_tell_stop(struct ph_world* world);
void sim_wake(uint32_t* word);

#endif
