#ifndef PH_PROCESS_SPAWN_H
#define PH_PROCESS_SPAWN_H

#include "uv.h"

/* What uv_spawn does first, whatever follows. */
void ph_process_init(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options);
/* uv_spawn, with a terminal that is to control the child's session; -1: none. */
int ph_spawn(uv_loop_t* loop, uv_process_t* process, const uv_process_options_t* options,
             int terminal);

/* A stream never closes a standard descriptor, so it must not own one: they may have been free. */
int ph_leave_standard_numbers(int* fd);

#endif
