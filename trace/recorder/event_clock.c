#include "recorder/event_clock.h"

#include <stdbool.h>
#include <time.h>

#include "recorder/services.h"

enum {
    BELIEVED_NS = 5000000, /* until the next look */
    LEARN_NS = 1000000,    /* that a speed must be taken from, at least */
    RENEW_NS = 1000000000, /* from an older reading it is not taken: speeds change slowly */
    MOST_WRONG_NS = 500,   /* what a counter that is believed may differ at a look, */
    WRONG_PART = 10000,    /* and this part of the time since the one before */
    READING_TICKS = 1000,  /* that reading the clock takes, if nothing comes between */
    MOST_TICKS_PER_NS = 16 /* so that the products fit */
};

static int is_unreliable;

static uint64_t kernel_clock(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool can_be_used(void) {
    static int known; /* 1: yes, 2: no */
    int answer = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (answer == 0) {
        answer = ph_services->ticks_are_constant() ? 1 : 2;
        __atomic_store_n(&known, answer, __ATOMIC_RELAXED);
    }
    return answer == 1 && !__atomic_load_n(&is_unreliable, __ATOMIC_RELAXED);
}

/* Both at the same moment; false: something came between. */
static bool read_both(uint64_t* ticks, uint64_t* ns) {
    uint64_t before = ph_ticks();
    *ns = kernel_clock();
    uint64_t took = ph_ticks() - before;
    *ticks = before + took / 2;
    return took < READING_TICKS;
}

/* Compares with what the counter would have said now, also where nobody has asked it for a while.
 */
static bool was_wrong(const struct ph_event_clock* clock, uint64_t ticks, uint64_t ns) {
    uint64_t passed = ns - clock->ns;
    if (clock->speed == 0 || passed > RENEW_NS)
        return false;
    uint64_t told = (ticks - clock->ticks) * clock->speed >> 32;
    uint64_t allowed = MOST_WRONG_NS + passed / WRONG_PART;
    return told > passed + allowed || passed > told + allowed;
}

static uint64_t speed_since(const struct ph_event_clock* clock, uint64_t ticks, uint64_t ns) {
    uint64_t counted = ticks - clock->old.ticks, passed = ns - clock->old.ns;
    if (passed < LEARN_NS || passed > 2 * (uint64_t)RENEW_NS || counted <= passed / 16 ||
        counted / MOST_TICKS_PER_NS > passed)
        return 0;
    return (passed << 32) / counted; /* it fits: two seconds are less than 2^31 ns */
}

static void go_on_from(struct ph_event_clock* clock, uint64_t ticks, uint64_t ns) {
    clock->speed = speed_since(clock, ticks, ns);
    clock->ticks = ticks;
    clock->ns = ns;
    clock->holds = clock->speed != 0 ? ((uint64_t)BELIEVED_NS << 32) / clock->speed : 0;
    if (clock->old.ns == 0 || ns - clock->old.ns > RENEW_NS) {
        clock->old.ticks = ticks;
        clock->old.ns = ns;
    }
}

uint64_t ph_event_clock_read(struct ph_event_clock* clock) {
    uint64_t ticks, ns;
    if (can_be_used() && read_both(&ticks, &ns)) {
        if (was_wrong(clock, ticks, ns))
            __atomic_store_n(&is_unreliable, 1, __ATOMIC_RELAXED);
        go_on_from(clock, ticks, ns);
        return ns;
    }
    clock->holds = 0;
    return kernel_clock();
}
