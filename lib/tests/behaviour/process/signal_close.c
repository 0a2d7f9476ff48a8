/* A handle that is closed while it has a signal that was caught and not told. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_signal_t handle;
static uv_check_t check;
static int turns, calls, closed_in;

static void count_turn(uv_check_t* unused) {
    (void)unused;
    turns++;
}

static void note_closed(uv_handle_t* unused) {
    (void)unused;
    closed_in = turns;
    if (!uv_is_closing((uv_handle_t*)&check))
        uv_close((uv_handle_t*)&check, NULL);
}

static void close_it(uv_signal_t* unused, int signum) {
    (void)unused, (void)signum;
    calls++;
    uv_close((uv_handle_t*)&handle, note_closed);
}

static void raise_and_close(uv_signal_t* unused, int signum) {
    raise(signum);
    close_it(unused, signum);
}

static void start(uv_signal_cb callback) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_check_start(&check, count_turn));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, callback, SIGUSR1));
}

TEST(signal_that_is_told_already_does_not_delay_the_close) {
    start(close_it);
    raise(SIGUSR1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_EQ(closed_in, 1);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_caught_while_another_is_told_delays_the_close_by_a_turn) {
    start(raise_and_close);
    raise(SIGUSR1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_EQ(closed_in, 2);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_caught_before_the_close_keeps_a_loop_until_it_is_closed) {
    start(raise_and_close);
    uv_unref((uv_handle_t*)&check);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(closed_in, 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(closed_in, 2);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_close_that_waits_goes_on_in_a_forked_child) {
    start(raise_and_close);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(closed_in, 0);
    pid_t child = fork();
    CHECK_OK(child == 0 ? uv_loop_fork(&loop) : 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(closed_in, 2);
    CHECK_OK(uv_loop_close(&loop));
    if (child == 0)
        _exit(0);
    CHECK_EQ(test_child_status(child), 0);
}

static void ignore_it(uv_signal_t* unused, int signum) {
    (void)unused, (void)signum;
}

static void close_the_other(uv_signal_t* unused, int signum) {
    (void)unused, (void)signum;
    uv_close((uv_handle_t*)&handle, NULL);
}

static int ticks;

static void count_tick(uv_timer_t* unused) {
    (void)unused;
    ticks++;
}

TEST(signals_of_a_handle_that_was_closed_meanwhile_wake_nobody_afterwards) {
    uv_signal_t once;
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, ignore_it, SIGUSR1));
    CHECK_OK(uv_signal_init(&loop, &once));
    CHECK_OK(uv_signal_start_oneshot(&once, close_the_other, SIGUSR1));
    CHECK_OK(uv_timer_init(&loop, &timer));
    raise(SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK(uv_is_closing((uv_handle_t*)&handle));
    CHECK_OK(uv_timer_start(&timer, count_tick, 20, 0));
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(ticks, 1);
    uv_close((uv_handle_t*)&once, NULL);
    uv_close((uv_handle_t*)&timer, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
