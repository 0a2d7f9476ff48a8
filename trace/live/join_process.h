#ifndef PH_TOOLS_JOIN_PROCESS_H
#define PH_TOOLS_JOIN_PROCESS_H

/* A process that runs on a libuv that is not ours gets trace/join, as a debugger would do it: a
 * thread of it, at a place where it holds no lock, is made to call what is wanted, and goes on as
 * it was. */

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "recording.h"

/* Loads it. False: `error` has a sentence without its full stop. */
bool join_process(pid_t pid, char* error, size_t size);
/* A thread obeys the command that was given. */
bool join_obey(pid_t pid, const struct ph_trace_control* control, char* error, size_t size);

#endif
