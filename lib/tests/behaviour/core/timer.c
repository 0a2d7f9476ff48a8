#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_timer_t timers[8];
static char record[256];
static int calls;

static void open_timers(int count) {
    static char* names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < count; i++) {
        CHECK_OK(uv_timer_init(&loop, &timers[i]));
        timers[i].data = names[i];
    }
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void finish(void) {
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void note(uv_timer_t* handle) {
    calls++;
    strcat(record, handle->data);
}

TEST(timers_run_by_due_time_then_by_start_order) {
    open_timers(5);
    CHECK_OK(uv_timer_start(&timers[0], note, 20, 0));
    CHECK_OK(uv_timer_start(&timers[1], note, 5, 0));
    CHECK_OK(uv_timer_start(&timers[2], note, 20, 0));
    CHECK_OK(uv_timer_start(&timers[3], note, 0, 0));
    CHECK_OK(uv_timer_start(&timers[4], note, 5, 0));
    uv_sleep(30);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "dbeac");
    finish();
}

TEST(restarting_a_timer_puts_it_behind_others_of_the_same_time) {
    open_timers(3);
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_timer_start(&timers[i], note, 5, 0));
    CHECK_OK(uv_timer_start(&timers[0], note, 5, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "bca");
    finish();
}

static uint64_t asked_for;
static uint64_t due_at; /* in the loop's clock, which counts whole milliseconds */

static void check_not_early(uv_timer_t* handle) {
    (void)handle;
    CHECK_GE(uv_hrtime() / 1000000, due_at);
    CHECK_GE(uv_now(&loop), due_at);
    calls++;
}

TEST(a_timer_never_fires_early) {
    open_timers(1);
    for (asked_for = 1; asked_for < 80; asked_for += 3) {
        uv_update_time(&loop);
        due_at = uv_now(&loop) + asked_for;
        CHECK_OK(uv_timer_start(&timers[0], check_not_early, asked_for, 0));
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    }
    CHECK_EQ(calls, 27);
    finish();
}

static void restart_with_zero(uv_timer_t* handle) {
    note(handle);
    if (calls < 3)
        CHECK_OK(uv_timer_start(handle, restart_with_zero, 0, 0));
}

TEST(a_timer_started_with_zero_in_a_timer_callback_waits_for_the_next_iteration) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], restart_with_zero, 0, 0));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 2);
    CHECK_OK(uv_run(&loop, UV_RUN_NOWAIT));
    CHECK_EQ(calls, 3);
    finish();
}

static void stop_the_next(uv_timer_t* handle) {
    note(handle);
    CHECK_OK(uv_timer_stop(&timers[1]));
}

TEST(a_due_timer_stopped_by_an_earlier_callback_does_not_run) {
    open_timers(3);
    CHECK_OK(uv_timer_start(&timers[0], stop_the_next, 1, 0));
    CHECK_OK(uv_timer_start(&timers[1], note, 1, 0));
    CHECK_OK(uv_timer_start(&timers[2], note, 1, 0));
    uv_sleep(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "ac");
    finish();
}

TEST(a_timer_that_does_not_run_may_be_stopped) {
    open_timers(1);
    CHECK_OK(uv_timer_stop(&timers[0]));
    CHECK_OK(uv_timer_start(&timers[0], note, 0, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_timer_stop(&timers[0]));
    CHECK_STR(record, "a");
    finish();
}

static void close_the_next(uv_timer_t* handle) {
    note(handle);
    uv_close((uv_handle_t*)&timers[1], NULL);
}

TEST(a_due_timer_closed_by_an_earlier_callback_does_not_run) {
    open_timers(2);
    CHECK_OK(uv_timer_start(&timers[0], close_the_next, 1, 0));
    CHECK_OK(uv_timer_start(&timers[1], note, 1, 0));
    uv_sleep(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "a");
    finish();
}

static void stop_after_three(uv_timer_t* handle) {
    CHECK_NE(uv_is_active((uv_handle_t*)handle), 0);
    if (++calls == 3)
        uv_timer_stop(handle);
}

TEST(a_repeating_timer_is_armed_again_before_its_callback) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], stop_after_three, 1, 2));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 3);
    finish();
}

static void sleep_long(uv_timer_t* handle) {
    calls++;
    uv_sleep(40);
    if (calls == 2)
        uv_timer_stop(handle);
    else
        CHECK_EQ(uv_timer_get_due_in(handle), 10);
}

TEST(a_repeat_counts_from_the_clock_at_its_firing_and_does_not_catch_up) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], sleep_long, 10, 10));
    uint64_t start = uv_now(&loop);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 2);
    CHECK_GE(uv_hrtime() / 1000000, start + 90);
    finish();
}

TEST(again_needs_a_timer_that_was_started_before) {
    open_timers(2);
    CHECK_EQ(uv_timer_again(&timers[0]), UV_EINVAL);
    CHECK_EQ(uv_timer_start(&timers[0], NULL, 1, 0), UV_EINVAL);
    CHECK_EQ(uv_timer_again(&timers[0]), UV_EINVAL);
    CHECK_OK(uv_timer_start(&timers[1], note, 1000, 0));
    CHECK_OK(uv_timer_again(&timers[1]));
    CHECK_EQ(uv_timer_get_due_in(&timers[1]), 1000);
    finish();
}

TEST(again_restarts_a_repeating_timer_with_its_repeat_value) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], note, 1000, 50));
    CHECK_OK(uv_timer_again(&timers[0]));
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), 50);
    uv_timer_set_repeat(&timers[0], 70);
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), 50);
    CHECK_EQ(uv_timer_get_repeat(&timers[0]), 70);
    CHECK_OK(uv_timer_stop(&timers[0]));
    CHECK_OK(uv_timer_again(&timers[0]));
    CHECK_NE(uv_is_active((uv_handle_t*)&timers[0]), 0);
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), 70);
    finish();
}

static void make_it_single(uv_timer_t* handle) {
    calls++;
    uv_timer_set_repeat(handle, 0);
}

TEST(a_repeat_set_in_the_callback_counts_from_the_next_firing) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], make_it_single, 1, 1));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 2);
    finish();
}

TEST(due_in_is_zero_for_an_overdue_timer) {
    open_timers(1);
    CHECK_OK(uv_timer_start(&timers[0], note, 5, 0));
    uv_sleep(10);
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), 5);
    uv_update_time(&loop);
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), 0);
    finish();
}

TEST(timeouts_near_the_largest_number_saturate) {
    open_timers(3);
    CHECK_OK(uv_timer_start(&timers[0], note, UINT64_MAX, 0));
    CHECK_OK(uv_timer_start(&timers[1], note, UINT64_MAX - 1, 0));
    CHECK_OK(uv_timer_start(&timers[2], note, 1, 0));
    CHECK_EQ(uv_timer_get_due_in(&timers[0]), UINT64_MAX - uv_now(&loop));
    while (calls == 0)
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "c");
    finish();
}

TEST(starting_a_started_timer_replaces_its_time_and_callback) {
    open_timers(2);
    CHECK_OK(uv_timer_start(&timers[0], check_not_early, 10000, 0));
    CHECK_OK(uv_timer_start(&timers[0], note, 1, 0));
    CHECK_EQ(loop.active_handles, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "a");
    finish();
}

static void on_idle(uv_idle_t* handle) {
    uv_idle_stop(handle);
    strcat(record, "i");
}

TEST(a_zero_timer_runs_before_idle_handles) {
    uv_idle_t idle;
    open_timers(1);
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, on_idle));
    CHECK_OK(uv_timer_start(&timers[0], note, 0, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "ai");
    finish();
}

TEST(a_long_timer_waits_through_the_wheels_levels_and_fires_on_time) {
    open_timers(1);
    uv_update_time(&loop);
    uint64_t start = uv_now(&loop);
    CHECK_OK(uv_timer_start(&timers[0], note, 300, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_ONCE));
    CHECK_STR(record, "a");
    CHECK_GE(uv_now(&loop) - start, 300);
    finish();
}
