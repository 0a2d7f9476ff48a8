/* The wheel against the simplest model: a sorted scan. */

#include "base/queue.h"
#include "base/timer_wheel.h"
#include "harness.h"

enum { TIMERS = 200, OPERATIONS = 100000 };

static struct model_timer {
    struct uv__wheel_timer wheel;
    uint64_t repeat;
    uint64_t started; /* a serial number: ties are broken by it */
    bool active;
} timers[TIMERS];

static struct uv__timers wheel;
static uint64_t now;
static uint64_t serial;
static uint64_t seed;

static uint64_t random_number(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* Mostly near, sometimes far beyond each level of the wheel. */
static uint64_t random_time(void) {
    unsigned bits =
        (unsigned)(random_number() % 100 < 80 ? random_number() % 12 : random_number() % 38);
    return random_number() & ((1ULL << bits) - 1);
}

static void start(struct model_timer* timer, uint64_t timeout, uint64_t repeat) {
    if (timer->active)
        ph_wheel_remove(&timer->wheel);
    timer->wheel.due = now + timeout;
    timer->repeat = repeat;
    timer->started = serial++;
    timer->active = true;
    ph_wheel_add(&wheel, &timer->wheel);
}

static struct model_timer* earliest(void) {
    struct model_timer* first = NULL;
    for (int i = 0; i < TIMERS; i++) {
        struct model_timer* t = &timers[i];
        if (!t->active)
            continue;
        if (first == NULL || t->wheel.due < first->wheel.due ||
            (t->wheel.due == first->wheel.due && t->started < first->started))
            first = t;
    }
    return first;
}

/* Advances the clock and compares every timer that the wheel hands out with the model's. */
static void advance(uint64_t by) {
    now += by;
    ph_wheel_collect(&wheel, now);
    while (!ph_queue_empty(&wheel.ready)) {
        struct model_timer* expected = earliest();
        struct uv__wheel_timer* wheel_timer =
            PH_CONTAINER_OF(wheel.ready.next, struct uv__wheel_timer, node);
        CHECK(expected != NULL && &expected->wheel == wheel_timer);
        CHECK_LE(expected->wheel.due, now);
        ph_wheel_remove(wheel_timer);
        expected->active = false;
        if (expected->repeat != 0)
            start(expected, expected->repeat, expected->repeat);
    }
    struct model_timer* next = earliest();
    CHECK(next == NULL || next->wheel.due > now);
}

static void check_next(void) {
    struct model_timer* next = earliest();
    uint64_t due = next != NULL ? next->wheel.due : PH_WHEEL_NEVER;
    CHECK_EQ(ph_wheel_next_due(&wheel), due);
    CHECK(wheel.quiet_until <= due);
}

/* What the loop does before it sleeps. */
static void check_turn(void) {
    ph_wheel_turn(&wheel, now);
    check_next();
    struct model_timer* next = earliest();
    if (next == NULL)
        CHECK(wheel.quiet_until == PH_WHEEL_NEVER);
    else if (next->wheel.due >> PH_WHEEL_BITS == now >> PH_WHEEL_BITS)
        CHECK_EQ(wheel.quiet_until, next->wheel.due);
    else
        CHECK(wheel.quiet_until > now);
}

static void operate(void) {
    struct model_timer* timer = &timers[random_number() % TIMERS];
    switch (random_number() % 8) {
    case 0:
    case 1:
    case 2:
        start(timer, random_time(), random_number() % 4 == 0 ? 1 + random_time() : 0);
        break;
    case 3:
        if (timer->active)
            ph_wheel_remove(&timer->wheel);
        timer->active = false;
        break;
    case 4:
        if (timer->repeat != 0)
            start(timer, timer->repeat, timer->repeat);
        break;
    case 5:
        /* To the wheel's own bound, as the loop does when it wakes for nothing. */
        check_turn();
        if (earliest() != NULL && wheel.quiet_until - now < 1ULL << 40)
            advance(wheel.quiet_until - now);
        break;
    default:
        advance(random_time());
        break;
    }
}

TEST(the_wheel_agrees_with_a_sorted_model_over_100000_random_operations) {
    const char* chosen = getenv("PHASOR_SEED");
    seed = chosen != NULL ? strtoull(chosen, NULL, 0) : 0x9e3779b97f4a7c15ULL;
    now = random_number() % (1ULL << 34);
    memset(&wheel, 0xff, sizeof(wheel)); /* whatever its memory held */
    ph_wheel_init(&wheel, now);
    for (int i = 0; i < OPERATIONS; i++) {
        operate();
        check_next();
    }
}

TEST(a_clock_that_jumps_over_many_horizons_still_finds_every_timer) {
    static const uint64_t dues[] = {5, 1ULL << 30, 1ULL << 31, (1ULL << 50) + 3, UINT64_MAX};
    ph_wheel_init(&wheel, 0);
    for (int i = 0; i < 5; i++)
        start(&timers[i], dues[i], 0);
    advance(1ULL << 32);
    CHECK(!timers[0].active && !timers[1].active && !timers[2].active && timers[3].active);
    advance(1ULL << 51);
    CHECK(!timers[3].active && timers[4].active);
    now = 0;
    advance(UINT64_MAX);
    CHECK(!timers[4].active);
}
