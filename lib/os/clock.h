#ifndef PH_OS_CLOCK_H
#define PH_OS_CLOCK_H

/*
 * The monotonic clock in milliseconds, for a loop that asks in every iteration.
 *
 * The processor's tick counter costs half of what the kernel's clock does. It can't tell the time
 * exactly, but well enough that the millisecond can't have ended yet; only when it may have is the
 * kernel's clock read. So the answer is always the kernel's. Without a counter of constant speed
 * every call reads the clock.
 */

#include <stdint.h>

#include "base/ticks.h"
#include "uv.h"

/* Reads the kernel's clock, and says for how many ticks after `ticks` the answer will hold. */
uint64_t ph_clock_read(struct uv__clock* clock, uint64_t ticks);

static inline uint64_t ph_clock_ms(struct uv__clock* clock) {
    uint64_t ticks = ph_ticks();
    if (__builtin_expect(ticks - clock->ticks < clock->holds, 1))
        return clock->ms;
    return ph_clock_read(clock, ticks);
}

#endif
