#ifndef PH_SIM_PAGE_H
#define PH_SIM_PAGE_H

#include <stdbool.h>

#include "search/sim.h"

/* A page that shows the world: a lane for each host, messages between them, faults. Needs
 * plan->page; `command` makes the world again. False with a sentence on standard error. */
bool sim_page_write(const struct sim_plan* plan, const struct sim_result* result,
                    const char* command);

#endif
