#ifndef PH_CORE_POST_H
#define PH_CORE_POST_H

/* Functions that threads have posted to a loop: mail among the pool's finished work. */

#include "uv.h"

/* When the loop closes: waits for threads that are posting, and forgets what was not called. */
void ph_posts_close(uv_loop_t* loop);

#endif
