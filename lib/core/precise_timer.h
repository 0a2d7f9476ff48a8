#ifndef PH_CORE_PRECISE_TIMER_H
#define PH_CORE_PRECISE_TIMER_H

/* Timers in nanoseconds: a heap by due time, beside the wheel of the others. A loop that has none
 * pays one look at a pointer. */

#include <phasor.h>
#include <stdbool.h>

struct uv__precise {
    phasor_timer_t** heap; /* the root is at 1; place 0 says that a timer is not in it */
    size_t count, room;
    uint64_t orders; /* of starting: equal times come in this order */
};

/* Calls what is due. True if any was. */
bool ph_precise_run(uv_loop_t* loop);
bool ph_precise_is_due(const uv_loop_t* loop);
/* The same or a shorter time to wait, ms rounded up. */
int ph_precise_shorten(const uv_loop_t* loop, int timeout);
/* Whether the next timer comes within so many ms (-1: ever), and in how many ns. */
bool ph_precise_comes_within(const uv_loop_t* loop, int timeout, uint64_t* ns);
void ph_precise_close(uv_loop_t* loop);

static inline bool ph_has_precise(const uv_loop_t* loop) {
    return loop->internal.precise != NULL && loop->internal.precise->count > 0;
}

#endif
