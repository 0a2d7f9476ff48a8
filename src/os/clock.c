#include "os/clock.h"

#ifdef __x86_64__
#include <cpuid.h>
#endif

enum {
    NS_PER_MS = 1000000,
    LEARN_FROM = 4 * NS_PER_MS, /* how long to compare the two clocks before relying on it */
    FRACTION = 16               /* bits after the point in the counter's speed */
};

/* Ticks per ns; 0 until it is known, -1 if there is no such counter. Threads that learn it at the
 * same time learn the same. */
static int64_t speed;
static uint64_t first_ticks;
static uint64_t first_ns;

static int has_constant_counter(void) {
#ifdef __x86_64__
    unsigned int a, b, c, d = 0;
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & 1 << 8) != 0;
#else
    return 0;
#endif
}

/* A speed that is a little too low is safe: the kernel's clock is then read a little too early. */
static int64_t learn(uint64_t ticks, uint64_t ns) {
    uint64_t began = __atomic_load_n(&first_ns, __ATOMIC_ACQUIRE);
    if (began == 0) {
        if (!has_constant_counter()) {
            __atomic_store_n(&speed, -1, __ATOMIC_RELAXED);
        } else {
            __atomic_store_n(&first_ticks, ticks, __ATOMIC_RELAXED);
            __atomic_store_n(&first_ns, ns, __ATOMIC_RELEASE);
        }
        return 0;
    }
    if (ns < began + LEARN_FROM)
        return 0;
    uint64_t passed = ticks - __atomic_load_n(&first_ticks, __ATOMIC_RELAXED);
    uint64_t found = (uint64_t)(((unsigned __int128)passed << FRACTION) / (ns - began));
    found -= found >> 4;
    if (found == 0 || found > (uint64_t)1 << (FRACTION + 4))
        found = 0;
    int64_t result = found == 0 ? -1 : (int64_t)found;
    __atomic_store_n(&speed, result, __ATOMIC_RELAXED);
    return result;
}

uint64_t ph_clock_read(struct uv__clock* clock, uint64_t ticks) {
    uint64_t ns = uv_hrtime();
    int64_t rate = __atomic_load_n(&speed, __ATOMIC_RELAXED);
    if (rate == 0)
        rate = learn(ticks, ns);
    clock->ms = ns / NS_PER_MS;
    clock->ticks = ticks;
    uint64_t left = (clock->ms + 1) * NS_PER_MS - ns;
    clock->holds = rate > 0 ? left * (uint64_t)rate >> FRACTION : 0;
    return clock->ms;
}
