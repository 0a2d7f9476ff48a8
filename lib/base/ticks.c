#include "base/ticks.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

bool ph_ticks_are_constant(void) {
#ifdef PHASOR_PLAIN_PROCESSOR
    return false;
#elif defined(__x86_64__)
    unsigned int a, b, c, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1 << 8) != 0;
#elif defined(__aarch64__)
    return true; /* the architecture says so */
#else
    return false;
#endif
}
