// wrap: clock_gettime
/* Events are timed by the processor's counter between two looks at the kernel's clock, whatever
 * happens at these looks. */

#include <time.h>

#include "base/ticks.h"
#include "harness.h"
#include "recorder/event_clock.h"
#include "recorder/services.h"

int __real_clock_gettime(clockid_t id, struct timespec* time);
int __wrap_clock_gettime(clockid_t id, struct timespec* time);

static uint64_t faster_from; /* ns: from then on the clock is one part in a hundred faster */
static int delay_before, delay_after; /* in every so manieth call */
static int calls;
static struct ph_event_clock clock_of_events;

static uint64_t kernel_ns(void) {
    struct timespec now;
    __real_clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t ns = (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
    return faster_from != 0 && ns > faster_from ? ns + (ns - faster_from) / 100 : ns;
}

static void hold_up(int us) {
    for (uint64_t end = kernel_ns() + (uint64_t)us * 1000; kernel_ns() < end;)
        continue;
}

int __wrap_clock_gettime(clockid_t id, struct timespec* time) {
    (void)id;
    calls++;
    if (delay_before != 0 && calls % delay_before == 0)
        hold_up(700);
    uint64_t ns = kernel_ns();
    if (delay_after != 0 && calls % delay_after == 0)
        hold_up(700);
    *time =
        (struct timespec){.tv_sec = (time_t)(ns / 1000000000), .tv_nsec = (long)(ns % 1000000000)};
    return 0;
}

static const struct ph_services services = {.ticks_are_constant = ph_ticks_are_constant};

static void check_clock_for(int ms) {
    ph_services = &services;
    uint64_t end = kernel_ns() + (uint64_t)ms * 1000000;
    for (uint64_t before = kernel_ns(); before < end; before = kernel_ns()) {
        uint64_t now = ph_event_clock_now(&clock_of_events);
        CHECK_GE(now + 1000, before);
        CHECK_LE(now, kernel_ns() + 1000);
    }
}

TEST(events_are_timed_as_the_kernels_clock_says) {
    check_clock_for(1500);
}

TEST(delays_while_the_clock_is_read_make_no_event_late_or_early) {
    delay_before = 3;
    delay_after = 5;
    check_clock_for(300);
}

TEST(a_clock_that_changes_its_speed_is_followed) {
    check_clock_for(50);
    faster_from = kernel_ns();
    /* Until it has looked a few times, and seen it. */
    for (int end = calls + 20; calls < end;)
        ph_event_clock_now(&clock_of_events);
    check_clock_for(100);
}
