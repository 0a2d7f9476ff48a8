#ifndef PH_BASE_TIMER_WHEEL_H
#define PH_BASE_TIMER_WHEEL_H

/*
 * A hierarchical timer wheel: start and stop cost the same for one timer and for ten million.
 *
 * Level 0 has one list per millisecond of the 64 ms window around `base`; a list of level n stands
 * for 64^n ms. What is due beyond the last level (12 days) is in `far`.
 *
 * Invariant: where a timer stands is a function of its due time and `base` alone: the level of the
 * highest base-64 digit in which the two differ, the list of the due time's digit there. So timers
 * with the same due time always share a list, in the order in which they were started, and every
 * timer of a level is due before every timer of the levels above.
 */

#include <stdbool.h>
#include <stdint.h>

#include "uv.h"

enum { PH_WHEEL_BITS = 6, PH_WHEEL_LISTS = 1 << PH_WHEEL_BITS, PH_WHEEL_LEVELS = 5 };

struct uv__timers {
    uint64_t base;        /* never after the loop's clock */
    uint64_t quiet_until; /* no timer is due before, nor ready; may lie too early */
    uint64_t
        occupied[PH_WHEEL_LEVELS]; /* a set bit: the list may hold timers; clear: it is empty */
    struct uv__queue ready;        /* due, in the order to run */
    struct uv__queue far;
    struct uv__queue lists[PH_WHEEL_LEVELS][PH_WHEEL_LISTS];
};

#define PH_WHEEL_NEVER UINT64_MAX

void ph_wheel_init(struct uv__timers* wheel, uint64_t now);
/* `due` must not lie before the wheel's base. */
void ph_wheel_add(struct uv__timers* wheel, struct uv__wheel_timer* timer);
/* Wherever it is, `ready` included. */
static inline void ph_wheel_remove(struct uv__wheel_timer* timer) {
    timer->node.prev->next = timer->node.next;
    timer->node.next->prev = timer->node.prev;
}
/* A long list is walked from its beginning while this walks it from its end, one step per call: two
 * chains of cache misses in parallel instead of one. It may overrun into nodes walked already. */
static inline struct uv__queue* ph_wheel_warm(struct uv__queue* node) {
    return __atomic_load_n(&node->prev, __ATOMIC_RELAXED);
}
/* Moves every timer that is due at `now` to the end of `ready`, by due time, then by start order.
 * Afterwards `quiet_until` is exact for the next 64 ms, a lower bound otherwise. */
void ph_wheel_turn(struct uv__timers* wheel, uint64_t now);
/* The same for less, unless `quiet_until` is to be exact. */
static inline void ph_wheel_collect(struct uv__timers* wheel, uint64_t now) {
    if (now >= wheel->quiet_until)
        ph_wheel_turn(wheel, now);
}
/* The time of the earliest timer, found by looking at each one in its list. */
uint64_t ph_wheel_next_due(struct uv__timers* wheel);

#endif
