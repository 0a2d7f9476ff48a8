// wrap: clock_gettime ph_ticks_are_constant
/* How the speed of the processor's counter is learned, with a kernel's clock that the test sets. */

#include <time.h>

#include "harness.h"
#include "os/clock.h"

enum { MS = 1000000, SECOND = 1000 * MS, NEAR = 20000 /* ticks */ };

static bool is_constant = true;
static uint64_t shown_ns = 1000ULL * SECOND;
static struct uv__clock clock_of_loop;

bool __wrap_ph_ticks_are_constant(void);
bool __wrap_ph_ticks_are_constant(void) {
    return is_constant;
}

int __wrap_clock_gettime(clockid_t id, struct timespec* time);
int __wrap_clock_gettime(clockid_t id, struct timespec* time) {
    CHECK_EQ(id, CLOCK_MONOTONIC);
    time->tv_sec = (time_t)(shown_ns / SECOND);
    time->tv_nsec = (long)(shown_ns % SECOND);
    return 0;
}

/* Both clocks are compared from here on: the counter is known as exactly as the process ran
 * through. As long as no speed is known, a later reading begins anew. */
static uint64_t begin(void) {
    uint64_t before, after;
    do {
        shown_ns += 2ULL * SECOND;
        before = ph_ticks();
        ph_clock_read(&clock_of_loop, before);
        after = ph_ticks();
        CHECK_EQ(clock_of_loop.holds, 0);
    } while (after - before > NEAR);
    return before;
}

/* The clock `passed` after the beginning, when the counter has made so many ticks for each ns.
 * Says how many for each ns are relied on for what is left of the millisecond, in thousandths. */
static uint64_t read_after(uint64_t passed, uint64_t ticks_per_ns, uint64_t began_at) {
    static uint64_t began_ns;
    if (began_ns == 0)
        began_ns = shown_ns;
    shown_ns = began_ns + passed;
    uint64_t ticks = began_at + passed * ticks_per_ns;
    CHECK_EQ(ph_clock_read(&clock_of_loop, ticks), shown_ns / MS);
    CHECK_EQ(clock_of_loop.ms, shown_ns / MS);
    CHECK_EQ(clock_of_loop.ticks, ticks);
    return clock_of_loop.holds * 1000 / (MS - shown_ns % MS);
}

/* A sixteenth less than it is, and the beginning is known within NEAR ticks of millions. */
static void check_speed(uint64_t found, uint64_t ticks_per_ns) {
    uint64_t expected = ticks_per_ns * 1000 * 15 / 16;
    CHECK_GE(found, expected * 99 / 100);
    CHECK_LE(found, expected * 101 / 100);
}

TEST(speed_of_the_counter_is_the_highest_of_comparisons_over_twice_the_time_each) {
    uint64_t at = begin();
    CHECK_EQ(read_after(4 * MS - 2, 3, at), 0);
    check_speed(read_after(4 * MS, 3, at), 3);
    check_speed(read_after(8 * MS - MS / 4, 5, at), 3);
    check_speed(read_after(8 * MS, 5, at), 5);
    check_speed(read_after(8 * MS + MS / 4, 5, at), 5);
    check_speed(read_after(16 * MS, 2, at), 5);
    check_speed(read_after(32 * MS, 17, at), 5);
    check_speed(read_after(64 * MS, 1000, at), 5);
    check_speed(read_after(1000 * MS, 6, at), 6);
    check_speed(read_after(2001 * MS, 8, at), 6);
    check_speed(read_after(9000ULL * MS, 8, at), 6);
}

/* `begin` has begun often by then, each time a good while after the last. */
TEST(speed_is_learned_after_any_number_of_beginnings) {
    for (int i = 0; i < 10; i++)
        begin();
    uint64_t at = begin();
    CHECK_EQ(read_after(4 * MS - 2, 3, at), 0);
    check_speed(read_after(4 * MS + 2, 3, at), 3);
}

TEST(counter_whose_speed_changes_is_never_relied_on) {
    is_constant = false;
    uint64_t at = begin();
    for (uint64_t ms = 1; ms < 3000; ms += ms)
        CHECK_EQ(read_after(ms * MS, 3, at), 0);
}
