#ifndef PH_CORE_LOOP_H
#define PH_CORE_LOOP_H

/* The phases of an iteration, in the order of uv_run, and the loop's clock. */

#include <stdbool.h>

#include "uv.h"

enum { PH_LOOP_BLOCKS_SIGPROF = 1, PH_LOOP_IDLE_TIME = 2, PH_LOOP_BATCHES_WRITES = 8 };

/* True if any timer ran. */
bool ph_run_timers(uv_loop_t* loop);
void ph_run_pending(uv_loop_t* loop);
void ph_run_idle(uv_loop_t* loop);
void ph_run_prepare(uv_loop_t* loop);
void ph_run_poll(uv_loop_t* loop, bool may_block);
void ph_run_check(uv_loop_t* loop);

/* A timer's part in the loop's life. */
int ph_timers_open(uv_loop_t* loop);
void ph_timers_close(uv_loop_t* loop);
/* Milliseconds until poll must look again: the time to the nearest timer, or less when that is far
 * off; 0 when one is due, -1 when there is none. */
int ph_timers_wait(uv_loop_t* loop);

/* Something has to happen without waiting for I/O. */
bool ph_loop_must_not_block(const uv_loop_t* loop);

#endif
