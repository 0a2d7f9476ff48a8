#ifndef PH_TRACE_EVENT_CLOCK_H
#define PH_TRACE_EVENT_CLOCK_H

/*
 * The monotonic clock in ns, for threads that ask for it at every event.
 *
 * The kernel's clock costs most of what an event costs, more so where the caches are full of
 * something else. Between two looks at it, a few ms apart, the processor's tick counter tells the
 * time; each look checks what the counter has told. Without a counter of constant speed, or with
 * one that was wrong, every call reads the kernel's clock.
 */

#include "base/ticks.h"

struct ph_event_clock {
    uint64_t ticks; /* when the kernel's clock was read last */
    uint64_t ns;    /* and what it said */
    uint64_t holds; /* for so many ticks the counter is believed */
    uint64_t speed; /* ns per tick, with 32 bits after the point */
    struct {
        uint64_t ticks;
        uint64_t ns;
    } old; /* a reading from which the speed is taken */
};

/* Reads the kernel's clock. */
uint64_t ph_event_clock_read(struct ph_event_clock* clock);

static inline uint64_t ph_event_clock_now(struct ph_event_clock* clock) {
    uint64_t passed = ph_ticks() - clock->ticks;
    if (__builtin_expect(passed < clock->holds, 1))
        return clock->ns + (passed * clock->speed >> 32);
    return ph_event_clock_read(clock);
}

#endif
