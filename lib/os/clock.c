#include "os/clock.h"

#include <stdbool.h>
#include <time.h>

#include "base/error.h"

enum {
    NS_PER_MS = 1000000,
    LEARN_FROM = 4 * NS_PER_MS, /* how long to compare the two clocks before relying on it */
    LEARN_UNTIL =
        1000 * NS_PER_MS, /* much later the machine may have slept: only one counts that */
    FRACTION = 16,        /* bits after the point in the counter's speed */
    MOST_PER_NS = 16
};

/* The counter's ticks per ns, or fewer; 0: not known. Learned by one thread at a time. */
static int64_t speed;
static bool settled; /* there is nothing more to learn */
static int learning; /* a word: not every processor exchanges bytes */
static struct {
    uint64_t ns;
    uint64_t ticks;
    uint64_t compared; /* ns, over which the speed was learned last */
} anchor = {.compared = UINT64_MAX / 2};

uint64_t uv_hrtime(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_MONOTONIC, &now) != 0)
        ph_fatal("no monotonic clock");
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void set_anchor(uint64_t ns) {
    anchor.ns = ns;
    anchor.ticks = ph_ticks();
    anchor.compared = LEARN_FROM / 2;
    if (!ph_ticks_are_constant())
        __atomic_store_n(&settled, true, __ATOMIC_RELAXED);
}

/*
 * A speed that is too low is safe: the kernel's clock is then read too early. So the anchor's ticks
 * are read after its time and all others before theirs: a delay between the two readings, whichever
 * pair it hits, makes fewer ticks or more time of what has passed. What a delay spoiled is mended
 * by comparing again over twice the time: of several speeds the highest is the nearest.
 */
static int64_t compare(uint64_t ticks, uint64_t passed) {
    uint64_t counted = ticks - anchor.ticks;
    anchor.compared = passed;
    if (counted > (uint64_t)MOST_PER_NS * LEARN_UNTIL)
        return 0; /* too fast to be true, and its fraction would not fit */
    uint64_t found = (counted << FRACTION) / passed;
    return found <= MOST_PER_NS << FRACTION ? (int64_t)(found - (found >> 4)) : 0;
}

static int64_t learn(uint64_t ticks, uint64_t ns, int64_t known) {
    if (__atomic_exchange_n(&learning, 1, __ATOMIC_ACQUIRE))
        return known;
    uint64_t passed = ns - anchor.ns;
    if (passed > LEARN_UNTIL && known != 0) {
        __atomic_store_n(&settled, true, __ATOMIC_RELAXED);
    } else if (passed > LEARN_UNTIL) {
        set_anchor(ns);
    } else if (passed / 2 >= anchor.compared) {
        int64_t found = compare(ticks, passed);
        if (found > known)
            __atomic_store_n(&speed, known = found, __ATOMIC_RELAXED);
    }
    __atomic_store_n(&learning, 0, __ATOMIC_RELEASE);
    return known;
}

uint64_t ph_clock_read(struct uv__clock* clock, uint64_t ticks) {
    uint64_t ns = uv_hrtime();
    int64_t rate = __atomic_load_n(&speed, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&settled, __ATOMIC_RELAXED))
        rate = learn(ticks, ns, rate);
    clock->ms = ns / NS_PER_MS;
    clock->ticks = ticks;
    uint64_t left = (clock->ms + 1) * NS_PER_MS - ns;
    clock->holds = left * (uint64_t)rate >> FRACTION;
    return clock->ms;
}
