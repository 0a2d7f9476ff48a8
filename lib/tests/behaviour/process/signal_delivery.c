#include <errno.h>
#include <signal.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static char order[64];

struct counter {
    uv_signal_t handle;
    int calls;
    int signum;
    int closed;
};

static void count(uv_signal_t* handle, int signum) {
    struct counter* counter = (struct counter*)handle;
    counter->calls++;
    counter->signum = signum;
}

static void count_other(uv_signal_t* handle, int signum) {
    (void)signum;
    ((struct counter*)handle)->calls += 100;
}

static void note_closed(uv_handle_t* handle) {
    ((struct counter*)handle)->closed++;
}

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
}

static void close_loop(struct counter* counters, int how_many) {
    for (int i = 0; i < how_many; i++)
        if (!uv_is_closing((uv_handle_t*)&counters[i].handle))
            uv_close((uv_handle_t*)&counters[i].handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void start(struct counter* counter, int signum) {
    memset(counter, 0, sizeof(*counter));
    CHECK_OK(uv_signal_init(&loop, &counter->handle));
    CHECK_OK(uv_signal_start(&counter->handle, count, signum));
}

static struct sigaction disposition_of(int signum) {
    struct sigaction action;
    CHECK_OK(sigaction(signum, NULL, &action));
    return action;
}

TEST(signal_callback_gets_the_handle_and_the_number) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    CHECK(uv_is_active((uv_handle_t*)&c.handle));
    CHECK_EQ(c.handle.signum, SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(c.calls, 1);
    CHECK_EQ(c.signum, SIGUSR1);
    close_loop(&c, 1);
}

TEST(signal_init_leaves_data_alone_and_the_handle_inactive) {
    struct counter c;
    open_loop();
    memset(&c, 0x5a, sizeof(c));
    c.handle.data = &c;
    CHECK_OK(uv_signal_init(&loop, &c.handle));
    CHECK(c.handle.data == &c);
    CHECK(!uv_is_active((uv_handle_t*)&c.handle));
    CHECK_EQ(c.handle.signum, 0);
    CHECK_EQ(uv_handle_get_type((uv_handle_t*)&c.handle), UV_SIGNAL);
    CHECK_OK(uv_signal_stop(&c.handle));
    close_loop(&c, 1);
}

TEST(signal_reaches_every_handle_of_its_number_and_no_other) {
    struct counter c[4];
    open_loop();
    for (int i = 0; i < 4; i++)
        start(&c[i], i < 3 ? SIGUSR1 : SIGUSR2);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(c[i].calls, i < 3);
    close_loop(c, 4);
}

TEST(signal_burst_is_called_back_once_per_delivery) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMIN);
    for (int i = 0; i < 1000; i++)
        raise(SIGRTMIN);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 1000);
    close_loop(&c, 1);
}

TEST(signal_blocked_twice_is_one_delivery_as_the_kernel_makes_it) {
    struct counter c[2];
    sigset_t set;
    open_loop();
    start(&c[0], SIGUSR1);
    start(&c[1], SIGRTMIN);
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGRTMIN);
    sigprocmask(SIG_BLOCK, &set, NULL);
    for (int i = 0; i < 5; i++) {
        raise(SIGUSR1);
        raise(SIGRTMIN);
    }
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c[0].calls, 1);
    CHECK_EQ(c[1].calls, 5);
    close_loop(c, 2);
}

static void note_order(uv_signal_t* handle, int signum) {
    (void)handle;
    char letter[2] = {(char)('a' + signum - SIGRTMIN), '\0'};
    strcat(order, letter);
}

TEST(signals_are_called_back_in_the_order_of_arrival) {
    struct counter c[3];
    open_loop();
    for (int i = 0; i < 3; i++) {
        start(&c[i], SIGRTMIN + i);
        CHECK_OK(uv_signal_start(&c[i].handle, note_order, SIGRTMIN + i));
    }
    raise(SIGRTMIN + 2);
    raise(SIGRTMIN);
    raise(SIGRTMIN + 1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_STR(order, "cab");
    close_loop(c, 3);
}

static void note_data(uv_signal_t* handle, int signum) {
    (void)signum;
    strcat(order, handle->data);
}

TEST(signals_caught_twice_are_told_to_all_handles_before_the_second_time) {
    struct counter c[2];
    open_loop();
    for (int i = 0; i < 2; i++) {
        start(&c[i], SIGUSR1);
        c[i].handle.data = i == 0 ? "a" : "b";
        CHECK_OK(uv_signal_start(&c[i].handle, note_data, SIGUSR1));
    }
    raise(SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_STR(order, "abab");
    close_loop(c, 2);
}

static void note_and_raise(uv_signal_t* handle, int signum) {
    note_data(handle, signum);
    if (strlen(order) == 1)
        raise(signum);
}

TEST(signal_raised_in_a_callback_waits_for_the_next_turn_for_every_handle) {
    struct counter c[2];
    open_loop();
    for (int i = 0; i < 2; i++) {
        start(&c[i], SIGUSR1);
        c[i].handle.data = i == 0 ? "a" : "b";
        CHECK_OK(uv_signal_start(&c[i].handle, note_and_raise, SIGUSR1));
    }
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_STR(order, "ab");
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_STR(order, "abab");
    close_loop(c, 2);
}

TEST(signal_bursts_of_two_handles_are_all_told_when_one_is_closed_meanwhile) {
    struct counter c[3];
    open_loop();
    for (int i = 0; i < 3; i++)
        start(&c[i], SIGRTMIN + i);
    for (int i = 0; i < 300; i++)
        raise(SIGRTMIN + i % 3);
    uv_close((uv_handle_t*)&c[1].handle, note_closed);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c[0].calls, 100);
    CHECK_EQ(c[1].calls, 0);
    CHECK_EQ(c[2].calls, 100);
    close_loop(c, 3);
}

TEST(signal_oneshot_runs_once_and_is_stopped_afterwards) {
    struct counter c;
    memset(&c, 0, sizeof(c));
    open_loop();
    CHECK_OK(uv_signal_init(&loop, &c.handle));
    CHECK_OK(uv_signal_start_oneshot(&c.handle, count, SIGUSR1));
    CHECK(uv_is_active((uv_handle_t*)&c.handle));
    raise(SIGUSR1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.calls, 1);
    CHECK(!uv_is_active((uv_handle_t*)&c.handle));
    CHECK_EQ(c.handle.signum, 0);
    CHECK_OK(uv_signal_start_oneshot(&c.handle, count, SIGUSR1));
    raise(SIGUSR1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.calls, 2);
    close_loop(&c, 1);
}

TEST(signal_oneshot_alone_gives_the_default_back_with_the_delivery) {
    struct counter c;
    memset(&c, 0, sizeof(c));
    open_loop();
    CHECK_OK(uv_signal_init(&loop, &c.handle));
    CHECK_OK(uv_signal_start_oneshot(&c.handle, count, SIGUSR1));
    CHECK(disposition_of(SIGUSR1).sa_handler != SIG_DFL);
    raise(SIGUSR1);
    CHECK(disposition_of(SIGUSR1).sa_handler == SIG_DFL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(c.calls, 1);
    close_loop(&c, 1);
}

TEST(signal_oneshot_next_to_a_lasting_handle_leaves_it_working) {
    struct counter c[2];
    open_loop();
    memset(c, 0, sizeof(c));
    CHECK_OK(uv_signal_init(&loop, &c[0].handle));
    CHECK_OK(uv_signal_start_oneshot(&c[0].handle, count, SIGRTMIN));
    start(&c[1], SIGRTMIN);
    for (int i = 0; i < 3; i++)
        raise(SIGRTMIN);
    uv_run(&loop, UV_RUN_NOWAIT);
    raise(SIGRTMIN);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c[0].calls, 1);
    CHECK_EQ(c[1].calls, 4);
    close_loop(c, 2);
}

static int numbers[8];
static int numbered;

static void note_number(uv_signal_t* handle, int signum) {
    (void)signum;
    numbers[numbered++] = (int)(intptr_t)handle->data;
}

TEST(signal_oneshot_that_a_lasting_handle_leaves_gives_the_default_back) {
    struct counter c[2];
    open_loop();
    start(&c[0], SIGUSR1);
    start(&c[1], SIGUSR2);
    CHECK_OK(uv_signal_start_oneshot(&c[1].handle, count, SIGUSR1));
    CHECK_EQ(disposition_of(SIGUSR1).sa_flags & (int)SA_RESETHAND, 0);
    CHECK_OK(uv_signal_stop(&c[0].handle));
    CHECK_NE(disposition_of(SIGUSR1).sa_flags & (int)SA_RESETHAND, 0);
    close_loop(c, 2);
}

TEST(signal_oneshot_handles_are_called_after_the_others) {
    static const int start_order[] = {0, 3, 1, 2};
    static const int call_order[] = {2, 3, 0, 1};
    uv_signal_t handles[4];
    open_loop();
    for (int i = 0; i < 4; i++) {
        CHECK_OK(uv_signal_init(&loop, &handles[i]));
        handles[i].data = (void*)(intptr_t)i;
    }
    for (int i = 0; i < 4; i++) {
        int number = start_order[i];
        if (number < 2)
            CHECK_OK(uv_signal_start_oneshot(&handles[number], note_number, SIGUSR1));
        else
            CHECK_OK(uv_signal_start(&handles[number], note_number, SIGUSR1));
    }
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(numbered, 4);
    for (int i = 0; i < 4; i++)
        CHECK_EQ(numbers[i], call_order[i]);
    for (int i = 0; i < 4; i++)
        uv_close((uv_handle_t*)&handles[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_default_comes_back_when_the_last_handle_stops) {
    struct counter c[2];
    open_loop();
    CHECK(disposition_of(SIGUSR1).sa_handler == SIG_DFL);
    start(&c[0], SIGUSR1);
    start(&c[1], SIGUSR1);
    CHECK(disposition_of(SIGUSR1).sa_handler != SIG_DFL);
    CHECK(disposition_of(SIGUSR1).sa_flags & SA_RESTART);
    CHECK_OK(uv_signal_stop(&c[0].handle));
    CHECK(disposition_of(SIGUSR1).sa_handler != SIG_DFL);
    CHECK_OK(uv_signal_stop(&c[1].handle));
    CHECK(disposition_of(SIGUSR1).sa_handler == SIG_DFL);
    close_loop(c, 2);
}

TEST(signal_numbers_that_cannot_be_caught_get_einval) {
    struct counter c;
    const int bad[] = {0, -1, 65, 1000000, SIGKILL, SIGSTOP, 32};
    open_loop();
    CHECK_OK(uv_signal_init(&loop, &c.handle));
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        CHECK_EQ(uv_signal_start(&c.handle, count, bad[i]), UV_EINVAL);
        CHECK_EQ(uv_signal_start_oneshot(&c.handle, count, bad[i]), UV_EINVAL);
        CHECK(!uv_is_active((uv_handle_t*)&c.handle));
    }
    close_loop(&c, 1);
}

TEST(signal_highest_number_can_be_caught) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMAX);
    raise(SIGRTMAX);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 1);
    close_loop(&c, 1);
}

TEST(signal_started_again_on_its_number_changes_the_callback_only) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    raise(SIGUSR1);
    CHECK_OK(uv_signal_start_oneshot(&c.handle, count_other, SIGUSR1));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 100);
    CHECK(uv_is_active((uv_handle_t*)&c.handle));
    close_loop(&c, 1);
}

TEST(signal_turned_to_another_number_forgets_the_first) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    raise(SIGUSR1);
    CHECK_OK(uv_signal_start(&c.handle, count, SIGUSR2));
    CHECK(disposition_of(SIGUSR1).sa_handler == SIG_DFL);
    raise(SIGUSR2);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 1);
    CHECK_EQ(c.signum, SIGUSR2);
    close_loop(&c, 1);
}

TEST(signal_turned_from_number_one_to_another_forgets_it) {
    struct counter c;
    open_loop();
    start(&c, SIGHUP);
    CHECK_OK(uv_signal_start(&c.handle, count, SIGUSR2));
    CHECK(disposition_of(SIGHUP).sa_handler == SIG_DFL);
    CHECK_OK(uv_signal_stop(&c.handle));
    CHECK(disposition_of(SIGUSR2).sa_handler == SIG_DFL);
    close_loop(&c, 1);
}

TEST(signal_stopped_and_started_again_gets_what_was_pending) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMIN);
    raise(SIGRTMIN);
    raise(SIGRTMIN);
    CHECK_OK(uv_signal_stop(&c.handle));
    CHECK_OK(uv_signal_start(&c.handle, count, SIGRTMIN));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 2);
    close_loop(&c, 1);
}

TEST(signal_stopped_with_a_delivery_pending_is_not_called) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    raise(SIGUSR1);
    CHECK_OK(uv_signal_stop(&c.handle));
    CHECK_OK(uv_signal_stop(&c.handle));
    CHECK(!uv_is_active((uv_handle_t*)&c.handle));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 0);
    close_loop(&c, 1);
}

static void stop_on_second(uv_signal_t* handle, int signum) {
    count(handle, signum);
    if (((struct counter*)handle)->calls == 2)
        CHECK_OK(uv_signal_stop(handle));
}

TEST(signal_stop_in_the_callback_drops_the_rest_of_the_burst) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMIN);
    CHECK_OK(uv_signal_start(&c.handle, stop_on_second, SIGRTMIN));
    for (int i = 0; i < 5; i++)
        raise(SIGRTMIN);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.calls, 2);
    close_loop(&c, 1);
}

static void close_on_second(uv_signal_t* handle, int signum) {
    count(handle, signum);
    if (((struct counter*)handle)->calls == 2)
        uv_close((uv_handle_t*)handle, note_closed);
}

TEST(signal_close_in_the_callback_drops_the_rest_of_the_burst) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMIN);
    CHECK_OK(uv_signal_start(&c.handle, close_on_second, SIGRTMIN));
    for (int i = 0; i < 5; i++)
        raise(SIGRTMIN);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.calls, 2);
    CHECK_EQ(c.closed, 1);
    close_loop(&c, 1);
}

static void close_with_a_delivery_pending(int signum) {
    struct counter* c = malloc(2 * sizeof(*c));
    open_loop();
    start(&c[0], signum);
    start(&c[1], signum);
    raise(signum);
    uv_close((uv_handle_t*)&c[0].handle, note_closed);
    CHECK_OK(uv_signal_stop(&c[1].handle));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c[0].calls, 0);
    CHECK_EQ(c[0].closed, 1);
    close_loop(c, 2);
    free(c);
}

TEST(signal_close_with_a_delivery_pending_calls_back_the_close_only) {
    close_with_a_delivery_pending(SIGRTMIN);
}

TEST(signal_of_number_one_is_closed_like_the_others_with_a_delivery_pending) {
    close_with_a_delivery_pending(SIGHUP);
}

static struct counter* victim;

static void close_victim(uv_signal_t* handle, int signum) {
    count(handle, signum);
    if (!uv_is_closing((uv_handle_t*)&victim->handle))
        uv_close((uv_handle_t*)&victim->handle, note_closed);
}

TEST(signal_callback_may_close_another_handle_that_waits_for_its_call) {
    struct counter c[2];
    open_loop();
    start(&c[0], SIGUSR1);
    start(&c[1], SIGUSR2);
    victim = &c[1];
    CHECK_OK(uv_signal_start(&c[0].handle, close_victim, SIGUSR1));
    raise(SIGUSR1);
    raise(SIGUSR2);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c[0].calls, 1);
    CHECK_EQ(c[1].calls, 0);
    CHECK_EQ(c[1].closed, 1);
    close_loop(c, 2);
}

static void raise_again(uv_signal_t* handle, int signum) {
    count(handle, signum);
    if (((struct counter*)handle)->calls < 10)
        raise(signum);
    else
        uv_signal_stop(handle);
}

TEST(signal_raised_in_its_own_callback_comes_again) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    CHECK_OK(uv_signal_start(&c.handle, raise_again, SIGUSR1));
    raise(SIGUSR1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.calls, 10);
    close_loop(&c, 1);
}

static void raise_usr1(int signum) {
    (void)signum;
    for (int i = 0; i < 3; i++)
        raise(SIGRTMIN);
}

TEST(signal_raised_inside_a_handler_of_the_program_is_caught) {
    struct counter c;
    open_loop();
    start(&c, SIGRTMIN);
    signal(SIGALRM, raise_usr1);
    raise(SIGALRM);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 3);
    close_loop(&c, 1);
}

TEST(signal_handler_keeps_errno) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    errno = ENOTTY;
    kill(getpid(), SIGUSR1);
    CHECK_EQ(errno, ENOTTY);
    close_loop(&c, 1);
}

TEST(signal_unreferenced_handle_does_not_keep_the_loop) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    CHECK(uv_loop_alive(&loop));
    uv_unref((uv_handle_t*)&c.handle);
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    close_loop(&c, 1);
}

TEST(signal_start_on_a_closing_handle_is_refused) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    uv_close((uv_handle_t*)&c.handle, NULL);
    CHECK_EQ(uv_signal_start(&c.handle, count, SIGUSR1), UV_EINVAL);
    CHECK(disposition_of(SIGUSR1).sa_handler == SIG_DFL);
    close_loop(&c, 1);
}

TEST(signal_refused_change_keeps_the_old_number) {
    struct counter c;
    open_loop();
    start(&c, SIGUSR1);
    CHECK_EQ(uv_signal_start(&c.handle, count_other, SIGKILL), UV_EINVAL);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.calls, 1);
    close_loop(&c, 1);
}

static void note_io(uv_poll_t* handle, int status, int events) {
    (void)status, (void)events;
    strcat(order, "i");
    uv_poll_stop(handle);
}

static void note_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
    strcat(order, "s");
}

TEST(signal_comes_after_the_other_events_of_its_batch) {
    struct counter c;
    uv_poll_t poll;
    int fds[2];
    open_loop();
    CHECK_OK(pipe(fds));
    start(&c, SIGUSR1);
    CHECK_OK(uv_signal_start(&c.handle, note_signal, SIGUSR1));
    CHECK_OK(uv_poll_init(&loop, &poll, fds[0]));
    CHECK_OK(uv_poll_start(&poll, UV_READABLE, note_io));
    raise(SIGUSR1);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(order, "is");
    uv_close((uv_handle_t*)&poll, NULL);
    close_loop(&c, 1);
    close(fds[0]);
    close(fds[1]);
}

static uv_signal_t* allocated[3];
static int freed;

static void free_handle(uv_handle_t* handle) {
    free(handle);
    freed++;
}

static void close_all_and_run(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
    for (int i = 0; i < 3; i++)
        uv_close((uv_handle_t*)allocated[i], free_handle);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(freed, 3);
}

TEST(signal_callback_may_close_all_and_run_the_loop_to_its_end) {
    open_loop();
    for (int i = 0; i < 3; i++) {
        allocated[i] = malloc(sizeof(uv_signal_t));
        CHECK_OK(uv_signal_init(&loop, allocated[i]));
        CHECK_OK(uv_signal_start(allocated[i], close_all_and_run, SIGUSR1));
    }
    raise(SIGUSR1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(freed, 3);
    CHECK_OK(uv_loop_close(&loop));
}
