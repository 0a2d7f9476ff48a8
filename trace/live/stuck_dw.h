#ifndef PH_TOOLS_STUCK_DW_H
#define PH_TOOLS_STUCK_DW_H

#include "live/stuck.h"

/* The functions that a stopped thread is in; false if they can't be known. */
bool stuck_dw_look(pid_t pid, pid_t tid, struct stuck_place* place);

#endif
