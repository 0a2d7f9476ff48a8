#ifndef PH_PROCESS_SIGNAL_H
#define PH_PROCESS_SIGNAL_H

#include <stdbool.h>

#include "uv.h"

/* A handle that belongs to the loop itself: nobody sees it, it does not keep the loop alive, its
 * callback is the library's, and among the handles of a signal it stands where the loop is in
 * memory. Ends with uv_signal_stop. */
void ph_signal_init_own(uv_loop_t* loop, uv_signal_t* handle);
/* Whether its signal was caught, and the handle has not been called for it yet. */
bool ph_signal_is_caught(const uv_signal_t* handle);

#endif
