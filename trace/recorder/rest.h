#ifndef PH_TRACE_REST_H
#define PH_TRACE_REST_H

/*
 * The recorder's threads look at what the others do some times a second. While all of these are
 * asleep they rest for much longer, and whoever says something after a silence wakes them. A ring
 * may be missed (nobody has a fence for it): so a rest has an end.
 */

#include <stdbool.h>
#include <stdint.h>

enum ph_rester { PH_SAMPLER_RESTS = 1, PH_WRITER_RESTS = 2 };

enum { PH_REST_NS = 1000000000 };

extern int ph_resting __attribute__((visibility("hidden"))); /* of enum ph_rester */

static inline bool ph_somebody_rests(void) {
    return __atomic_load_n(&ph_resting, __ATOMIC_RELAXED) != 0;
}

void ph_rest(enum ph_rester who);
/* Somebody has woken it, or it does not rest. */
bool ph_is_awake(enum ph_rester who);
/* It does no longer; false: it did not. */
bool ph_rise(enum ph_rester who);
/* The sampler, which then wakes the writer: one system call for whoever has something to do. Safe
 * in a signal handler. */
void ph_wake_one(void);

#endif
