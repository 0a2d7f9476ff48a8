// threaded
/* Clocks and sleeping. */

#include <signal.h>
#include <time.h>
#include <uv.h>

#include "harness.h"

TEST(hrtime_is_the_monotonic_clock_in_nanoseconds) {
    struct timespec before, after;
    CHECK_OK(clock_gettime(CLOCK_MONOTONIC, &before));
    uint64_t now = uv_hrtime();
    CHECK_OK(clock_gettime(CLOCK_MONOTONIC, &after));
    CHECK_GE(now, before.tv_sec * 1000000000LL + before.tv_nsec);
    CHECK_LE(now, after.tv_sec * 1000000000LL + after.tv_nsec);
}

TEST(hrtime_never_goes_back) {
    uint64_t last = uv_hrtime();
    for (int i = 0; i < 100000; i++) {
        uint64_t now = uv_hrtime();
        CHECK_GE(now, last);
        last = now;
    }
}

TEST(clock_gettime_reads_both_clocks) {
    const clockid_t clocks[] = {CLOCK_MONOTONIC, CLOCK_REALTIME};
    const uv_clock_id ids[] = {UV_CLOCK_MONOTONIC, UV_CLOCK_REALTIME};
    for (int i = 0; i < 2; i++) {
        struct timespec before, after;
        uv_timespec64_t now;
        CHECK_OK(clock_gettime(clocks[i], &before));
        CHECK_OK(uv_clock_gettime(ids[i], &now));
        CHECK_OK(clock_gettime(clocks[i], &after));
        CHECK_GE(now.tv_sec, before.tv_sec);
        CHECK_LE(now.tv_sec, after.tv_sec);
        CHECK_GE(now.tv_nsec, 0);
        CHECK_LT(now.tv_nsec, 1000000000);
    }
}

TEST(clock_gettime_of_an_unknown_clock_reports_einval) {
    uv_timespec64_t now;
    CHECK_EQ(uv_clock_gettime((uv_clock_id)1337, &now), UV_EINVAL);
    CHECK_EQ(uv_clock_gettime(UV_CLOCK_MONOTONIC, NULL), UV_EFAULT);
}

TEST(gettimeofday_is_the_wall_clock) {
    struct timespec before, after;
    uv_timeval64_t now;
    CHECK_OK(clock_gettime(CLOCK_REALTIME, &before));
    CHECK_OK(uv_gettimeofday(&now));
    CHECK_OK(clock_gettime(CLOCK_REALTIME, &after));
    int64_t micros = now.tv_sec * 1000000 + now.tv_usec;
    CHECK_GE(micros, before.tv_sec * 1000000LL + before.tv_nsec / 1000);
    CHECK_LE(micros, after.tv_sec * 1000000LL + after.tv_nsec / 1000);
    CHECK_EQ(uv_gettimeofday(NULL), UV_EINVAL);
}

TEST(sleep_is_never_shorter_than_asked) {
    for (unsigned int ms = 0; ms <= 20; ms += 5) {
        uint64_t start = uv_hrtime();
        uv_sleep(ms);
        CHECK_GE(uv_hrtime() - start, ms * 1000000LL);
    }
    uint64_t start = uv_hrtime();
    uv_sleep(1001);
    CHECK_GE(uv_hrtime() - start, 1001 * 1000000LL);
}

static void ignore_signal(int signum) {
    (void)signum;
}

static void interrupt(void* arg) {
    for (int i = 0; i < 10; i++) {
        pthread_kill(*(pthread_t*)arg, SIGUSR1);
        uv_sleep(2);
    }
}

TEST(sleep_goes_on_after_a_signal) {
    struct sigaction action = {.sa_handler = ignore_signal};
    pthread_t self = pthread_self();
    uv_thread_t thread;
    CHECK_OK(sigaction(SIGUSR1, &action, NULL));
    CHECK_OK(uv_thread_create(&thread, interrupt, &self));
    uint64_t start = uv_hrtime();
    uv_sleep(60);
    CHECK_GE(uv_hrtime() - start, 60 * 1000000LL);
    CHECK_OK(uv_thread_join(&thread));
}
