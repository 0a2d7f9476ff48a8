#ifndef PH_PROCESS_CHILD_H
#define PH_PROCESS_CHILD_H

/* What a child does before it executes its program. */

#include <limits.h>

#include "process/launch.h"

/* All that the child knows, and the only memory that it writes to besides its stack and errno. */
struct ph_start {
    const uv_process_options_t* options;
    struct ph_child_fd* fds; /* its own copy */
    int fd_count;
    int terminal; /* -1: none */
    char* const* env;
    char** shell_args; /* room for the arguments and two more */
    int error;         /* what went wrong in the child */
    int report;        /* where to write that if the memory is not the parent's; -1: nowhere */
    char candidate[PATH_MAX + NAME_MAX + 2];
};

/*
 * Ends with exec or exit. The memory may be the parent's, whose threads go on, so this
 *  - writes to nothing but what is above;
 *  - makes system calls directly: the C library's functions may keep state, and its setuid would
 *    talk to the parent's threads;
 *  - must be entered with all signals blocked, and lets them through when no handler is left.
 */
int ph_child_run(void* arg);

#endif
