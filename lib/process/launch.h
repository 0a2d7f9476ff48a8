#ifndef PH_PROCESS_LAUNCH_H
#define PH_PROCESS_LAUNCH_H

/* From the parent's call to the child's exec. */

#include <stdbool.h>

#include "uv.h"

/* What becomes of one descriptor number in the child. */
struct ph_child_fd {
    int source;     /* the parent's descriptor; -1: /dev/null for 0 to 2, untouched above */
    bool inherited; /* the program's own: as standard stream it must block */
};

struct ph_launch {
    const uv_process_options_t* options;
    const struct ph_child_fd* fds; /* by number in the child */
    int fd_count;
    int terminal; /* of the session that the child leads; -1: none */
    int pid;
    int pidfd; /* -1: not to be had */
};

/* Returns when the child has executed its program, or has failed to and is gone. */
int ph_launch(struct ph_launch* launch);

static inline bool ph_changes_user(const uv_process_options_t* options) {
    return (options->flags & (UV_PROCESS_SETUID | UV_PROCESS_SETGID)) != 0;
}

#endif
