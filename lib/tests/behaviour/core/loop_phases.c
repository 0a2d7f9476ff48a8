#include <unistd.h>
#include <uv.h>

#include "harness.h"

/* Each phase appends a word; a test compares the whole sequence. */
static char record[4096];
static uv_loop_t loop;
static uv_timer_t timer;
static uv_idle_t idle;
static uv_prepare_t prepare;
static uv_check_t check;
static uv_async_t async;
static uv_poll_t poll_handle;
static int pipe_fds[2];

static void note(const char* word) {
    if (record[0] != '\0')
        strcat(record, " ");
    strcat(record, word);
}

static void on_close(uv_handle_t* handle) {
    (void)handle;
    note("close");
}

static void on_timer(uv_timer_t* handle) {
    (void)handle;
    note("timer");
}

static void on_idle(uv_idle_t* handle) {
    note("idle");
    uv_idle_stop(handle);
}

static void on_prepare(uv_prepare_t* handle) {
    (void)handle;
    note("prepare");
}

static void on_readable(uv_poll_t* handle, int status, int events) {
    char byte;
    CHECK_OK(status);
    CHECK_EQ(events, UV_READABLE);
    CHECK_EQ(read(pipe_fds[0], &byte, 1), 1);
    note("poll");
    uv_close((uv_handle_t*)handle, on_close);
}

static void on_check(uv_check_t* handle) {
    (void)handle;
    note("check");
}

static void open_all(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(pipe(pipe_fds));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 0, 0));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, on_idle));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    CHECK_OK(uv_prepare_start(&prepare, on_prepare));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, on_check));
    CHECK_OK(uv_poll_init(&loop, &poll_handle, pipe_fds[0]));
    CHECK_OK(uv_poll_start(&poll_handle, UV_READABLE, on_readable));
    CHECK_EQ(write(pipe_fds[1], "x", 1), 1);
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_all(void) {
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(pipe_fds[0]);
    close(pipe_fds[1]);
}

TEST(one_nowait_iteration_runs_every_phase_in_order) {
    open_all();
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "timer idle prepare poll check close");
    close_all();
}

TEST(one_once_iteration_runs_every_phase_in_order) {
    open_all();
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_STR(record, "timer idle prepare poll check close");
    close_all();
}

static void stop_at_third_check(uv_check_t* handle) {
    static int count;
    note("check");
    if (++count == 3) {
        uv_close((uv_handle_t*)handle, on_close);
        uv_close((uv_handle_t*)&prepare, on_close);
    }
}

static void on_idle_three_times(uv_idle_t* handle) {
    static int count;
    note("idle");
    if (++count == 3)
        uv_close((uv_handle_t*)handle, on_close);
}

TEST(default_mode_repeats_the_phases_until_nothing_is_alive) {
    open_all();
    uv_idle_stop(&idle);
    CHECK_OK(uv_idle_start(&idle, on_idle_three_times));
    uv_check_stop(&check);
    CHECK_OK(uv_check_start(&check, stop_at_third_check));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(record, "timer idle prepare poll check close "
                      "idle prepare check "
                      "idle prepare check close close close");
    close_all();
}

static void send_async(uv_prepare_t* handle) {
    note("prepare");
    uv_async_send(&async);
    uv_prepare_stop(handle);
}

static void on_async(uv_async_t* handle) {
    note("async");
    uv_close((uv_handle_t*)handle, on_close);
}

TEST(a_wake_up_sent_in_prepare_is_delivered_by_the_poll_of_the_same_iteration) {
    open_all();
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    uv_prepare_stop(&prepare);
    CHECK_OK(uv_prepare_start(&prepare, send_async));
    uv_poll_stop(&poll_handle);
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_STR(record, "timer idle prepare async check close");
    close_all();
}

TEST(check_runs_even_when_poll_found_nothing) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, on_check));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "check check");
    uv_close((uv_handle_t*)&check, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(once_does_not_block_when_an_idle_handle_was_active_even_if_it_stops_itself) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, on_idle));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, on_check));
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_STR(record, "idle check");
    uv_close((uv_handle_t*)&idle, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(once_runs_a_timer_that_came_due_while_it_blocked) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 20, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_ONCE));
    CHECK_STR(record, "timer");
    uv_close((uv_handle_t*)&timer, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(once_never_calls_a_repeating_timer_twice) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 0, 1));
    for (int i = 1; i <= 5; i++) {
        record[0] = '\0';
        uv_sleep(3);
        CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
        CHECK_STR(record, "timer");
    }
    uv_close((uv_handle_t*)&timer, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(nowait_does_not_wait_for_a_timer) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 60000, 0));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "");
    uv_close((uv_handle_t*)&timer, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void close_in_close(uv_handle_t* handle) {
    (void)handle;
    note("first");
    uv_close((uv_handle_t*)&check, on_close);
}

TEST(a_handle_closed_in_a_close_callback_is_called_back_in_the_next_iteration) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_check_init(&loop, &check));
    uv_close((uv_handle_t*)&timer, close_in_close);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "first");
    CHECK_OK(uv_run(&loop, UV_RUN_NOWAIT));
    CHECK_STR(record, "first close");
    CHECK_OK(uv_loop_close(&loop));
}
