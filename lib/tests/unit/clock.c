#include "os/clock.h"

#include "harness.h"

static uint64_t kernel_ms(void) {
    return uv_hrtime() / 1000000;
}

/* For 100 ms, so that many milliseconds end while the tick counter is relied on. */
TEST(the_millisecond_is_always_the_kernels) {
    struct uv__clock clock = {0};
    uint64_t end = kernel_ms() + 100;
    for (uint64_t before = kernel_ms(); before < end; before = kernel_ms()) {
        uint64_t now = ph_clock_ms(&clock);
        CHECK(now >= before);
        CHECK(now <= kernel_ms());
    }
}

TEST(a_counter_that_jumps_back_makes_the_clock_be_read) {
    struct uv__clock clock = {.ms = 1, .ticks = UINT64_MAX / 2, .holds = 1000};
    CHECK(ph_clock_ms(&clock) >= kernel_ms() - 1000);
    CHECK(clock.ms != 1);
}

TEST(a_sleep_is_seen_by_the_next_question) {
    struct uv__clock clock = {0};
    for (int i = 0; i < 20; i++) {
        uint64_t before = ph_clock_ms(&clock);
        uv_sleep(3);
        CHECK(ph_clock_ms(&clock) >= before + 3);
    }
}

TEST(two_clocks_of_one_process_agree) {
    struct uv__clock one = {0}, two = {0};
    for (uint64_t end = kernel_ms() + 30; kernel_ms() < end;) {
        uint64_t first = ph_clock_ms(&one);
        CHECK(ph_clock_ms(&two) >= first);
    }
}
