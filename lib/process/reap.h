#ifndef PH_PROCESS_REAP_H
#define PH_PROCESS_REAP_H

/* From a running child to its exit callback. */

#include "uv.h"

/* What the library knows of a child. It outlives the handle: a child whose handle was closed is
 * still reaped. */
struct uv__child;

/* Made before the child, so that watching can't fail once it runs. NULL: no memory. */
struct uv__child* ph_child_new(uv_process_t* process);
void ph_child_free(struct uv__child* child);
/* Owns the pidfd, which may be -1. */
void ph_child_watch(struct uv__child* child, int pid, int pidfd);

/* After a fork: the parent's children are nobody's here, and their callbacks never come. */
void ph_children_fork(uv_loop_t* loop);
/* Children of closed loops that have ended since. */
void ph_reap_abandoned(void);

#endif
