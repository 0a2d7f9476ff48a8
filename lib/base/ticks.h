#ifndef PH_BASE_TICKS_H
#define PH_BASE_TICKS_H

/* The processor's tick counter; 0 where there is none, or the build is to do without. */

#include <stdbool.h>
#include <stdint.h>

#if defined(__x86_64__) && !defined(PHASOR_PLAIN_PROCESSOR)
#include <x86intrin.h>
static inline uint64_t ph_ticks(void) {
    return __rdtsc();
}
#elif defined(__aarch64__) && !defined(PHASOR_PLAIN_PROCESSOR)
static inline uint64_t ph_ticks(void) {
    uint64_t ticks;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
}
#else
static inline uint64_t ph_ticks(void) {
    return 0;
}
#endif

/* Whether there is one, whose speed never changes. */
bool ph_ticks_are_constant(void);

#endif
