#ifndef PH_SIM_START_H
#define PH_SIM_START_H

#include <sys/types.h>

#include "search/sim.h"

enum { STATUS_NOT_FOUND = 127 };

/* Makes the process of a host; its number, or -1. What it can't become stands in the world. */
pid_t sim_start(const struct sim_plan* plan, unsigned number, struct ph_world* world, int world_fd,
                int errors);

#endif
