/* More signals than the log of a loop has room for, and what the kernel is told of handles. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { ROOM = 16, MORE = 5 };

static uv_loop_t loop;
static uv_signal_t first, second;
static int told[2];

static void on_signal(uv_signal_t* handle, int signum) {
    CHECK_EQ(signum, SIGHUP);
    told[handle == &second]++;
}

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &first));
    CHECK_OK(uv_signal_init(&loop, &second));
    CHECK_OK(uv_signal_start(&first, on_signal, SIGHUP));
}

static void close_loop(void) {
    uv_close((uv_handle_t*)&first, NULL);
    uv_close((uv_handle_t*)&second, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void raise_times(int count) {
    for (int i = 0; i < count; i++)
        CHECK_OK(raise(SIGHUP));
}

static unsigned missed(void) {
    return loop.internal.signal_log.missed;
}

TEST(signals_that_find_no_room_are_told_after_the_others) {
    open_loop();
    CHECK_OK(uv_signal_start(&second, on_signal, SIGHUP));
    raise_times(ROOM / 2);
    CHECK_EQ(missed(), 0);
    raise_times(MORE);
    CHECK_EQ(missed(), 2 * MORE);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(told[0], ROOM / 2 + MORE);
    CHECK_EQ(told[1], ROOM / 2 + MORE);
    CHECK_EQ(missed(), 0);
    close_loop();
}

TEST(one_signal_that_found_no_room_is_told_by_a_loop_inside_of_a_callback_too) {
    open_loop();
    raise_times(ROOM + 1);
    CHECK_EQ(missed(), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(told[0], ROOM + 1);
    raise_times(1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(told[0], ROOM + 2);
    close_loop();
}

TEST(signals_that_found_no_room_are_forgotten_with_the_stop_of_their_handle) {
    open_loop();
    raise_times(ROOM + MORE);
    CHECK_EQ(first.signal.missed, MORE);
    CHECK_OK(uv_signal_stop(&first));
    CHECK_EQ(missed(), 0);
    CHECK_EQ(first.signal.missed, 0);
    CHECK_OK(uv_signal_start(&second, on_signal, SIGHUP));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(told[0] + told[1], 0);
    close_loop();
}

TEST(signals_that_found_no_room_are_the_parents_alone_after_a_fork) {
    open_loop();
    raise_times(ROOM + MORE);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(30);
        CHECK_EQ(missed(), 0);
        CHECK_EQ(first.signal.missed, 0);
        CHECK_OK(uv_loop_fork(&loop));
        raise_times(1);
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(told[0], 1);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(told[0], ROOM + MORE);
    close_loop();
}

static int flags_of(int signum) {
    struct sigaction action;
    CHECK_OK(sigaction(signum, NULL, &action));
    CHECK((void (*)(int))action.sa_handler != SIG_DFL);
    return action.sa_flags & ~0x04000000; /* the C library's own */
}

TEST(signal_is_caught_for_good_as_long_as_one_handle_wants_that) {
    uv_signal_t once;
    open_loop();
    CHECK_OK(uv_signal_init(&loop, &once));
    CHECK_EQ(flags_of(SIGHUP), SA_RESTART);
    CHECK_OK(uv_signal_start(&second, on_signal, SIGHUP));
    CHECK_OK(uv_signal_start_oneshot(&once, on_signal, SIGHUP));
    CHECK_OK(uv_signal_stop(&first));
    CHECK_EQ(flags_of(SIGHUP), SA_RESTART);
    CHECK_OK(uv_signal_stop(&second));
    CHECK_EQ(flags_of(SIGHUP), (int)(SA_RESTART | SA_RESETHAND));
    uv_close((uv_handle_t*)&once, NULL);
    close_loop();
}

TEST(signals_from_the_first_to_the_last_have_their_default_after_the_library_has_shut_down) {
    struct sigaction action;
    const int numbers[] = {SIGHUP, SIGRTMAX};
    open_loop();
    CHECK_OK(uv_signal_start(&second, on_signal, SIGRTMAX));
    CHECK_EQ(uv_signal_start(&second, on_signal, SIGRTMAX + 1), UV_EINVAL);
    uv_library_shutdown();
    for (int i = 0; i < 2; i++) {
        CHECK_OK(sigaction(numbers[i], NULL, &action));
        CHECK(action.sa_handler == SIG_DFL);
    }
    close_loop();
}

TEST(signals_are_blocked_for_no_longer_than_a_handle_changes) {
    sigset_t before, after;
    CHECK_OK(pthread_sigmask(SIG_SETMASK, NULL, &before));
    open_loop();
    raise_times(1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_OK(uv_signal_stop(&first));
    CHECK_OK(pthread_sigmask(SIG_SETMASK, NULL, &after));
    for (int signum = 1; signum < 65; signum++)
        CHECK_EQ(sigismember(&before, signum), sigismember(&after, signum));
    close_loop();
}
