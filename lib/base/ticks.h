#ifndef PH_BASE_TICKS_H
#define PH_BASE_TICKS_H

/* The processor's tick counter. */

#include <stdbool.h>
#include <stdint.h>

#ifdef __x86_64__
#include <x86intrin.h>
static inline uint64_t ph_ticks(void) {
    return __rdtsc();
}
#else
static inline uint64_t ph_ticks(void) {
    return 0;
}
#endif

/* Whether there is one, whose speed never changes. */
bool ph_ticks_are_constant(void);

#endif
