// wrap: clock_gettime
/* A process that is held up between reading the kernel's clock and the processor's counter. */

#include <time.h>

#include "harness.h"
#include "os/clock.h"

int __real_clock_gettime(clockid_t id, struct timespec* time);
int __wrap_clock_gettime(clockid_t id, struct timespec* time);

static int delay_before, delay_after; /* in the call that is the so manieth, from 1 */
static int calls;

static uint64_t kernel_ns(void) {
    struct timespec now;
    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static void hold_up(int ms) {
    for (uint64_t end = kernel_ns() + (uint64_t)ms * 1000000; kernel_ns() < end;)
        continue;
}

int __wrap_clock_gettime(clockid_t id, struct timespec* time) {
    calls++;
    if (calls == delay_before)
        hold_up(40);
    int result = __real_clock_gettime(id, time);
    if (calls == delay_after)
        hold_up(40);
    return result;
}

static uint64_t kernel_ms(void) {
    return kernel_ns() / 1000000;
}

static void check_clock_for(int ms) {
    struct uv__clock clock = {0};
    uint64_t end = kernel_ms() + (uint64_t)ms;
    for (uint64_t before = kernel_ms(); before < end; before = kernel_ms()) {
        uint64_t now = ph_clock_ms(&clock);
        CHECK(now >= before);
        CHECK(now <= kernel_ms());
    }
}

TEST(a_delay_before_the_first_reading_makes_no_clock_stale) {
    delay_before = 1;
    check_clock_for(200);
}

TEST(a_delay_after_the_first_reading_makes_no_clock_stale) {
    delay_after = 1;
    check_clock_for(200);
}

TEST(delays_in_later_readings_make_no_clock_stale) {
    delay_before = 2;
    delay_after = 3;
    check_clock_for(200);
}

/* The first comparison sees a tenth of the speed; later ones over a longer time find it. */
TEST(a_speed_learned_wrongly_is_learned_again) {
    delay_after = 1;
    check_clock_for(1100);
    struct uv__clock clock = {0};
    uint64_t before = kernel_ms();
    calls = 0;
    for (uint64_t now = before; now < before + 20; now = kernel_ms())
        for (int i = 0; i < 1000; i++)
            ph_clock_ms(&clock);
    if (clock.holds == 0)
        test_skip("this processor has no counter of constant speed");
    CHECK_LT(calls, 2000);
}
