/* Starting, waiting, joining, cancelling, names. */
#include "go_test.h"

static char order[64];

static void note(char what) {
    size_t length = strlen(order);
    CHECK_LT(length, sizeof(order) - 1);
    order[length] = what;
}

static int note_and_yield(void* arg) {
    const char* text = arg;
    for (; *text != '\0'; text++) {
        note(*text);
        CHECK_OK(go_yield());
    }
    return 0;
}

TEST(coroutine_runs_at_once_until_it_waits) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start(&loop, note_and_yield, "ab"));
    CHECK_STR(order, "a");
    CHECK_EQ(go_count(&loop), 1);
    finish_loop();
    CHECK_STR(order, "ab");
}

static int start_two(void* arg) {
    (void)arg;
    note('(');
    CHECK_OK(go_start(&loop, note_and_yield, "abc"));
    CHECK_OK(go_start(&loop, note_and_yield, "123"));
    note(')');
    return 0;
}

TEST(coroutines_that_yield_take_turns) {
    in_coroutine(start_two, NULL);
    CHECK_STR(order, "(a1)b2c3");
}

static int sleep_and_note(void* arg) {
    const char* text = arg;
    uint64_t ms = (uint64_t)(text[0] - '0');
    uint64_t before = uv_now(&loop);
    CHECK_OK(go_sleep(ms));
    CHECK_GE(uv_now(&loop), before + ms);
    note(text[1]);
    return 0;
}

static int start_sleepers(void* arg) {
    (void)arg;
    CHECK_OK(go_start(&loop, sleep_and_note, "9c"));
    CHECK_OK(go_start(&loop, sleep_and_note, "5a"));
    CHECK_OK(go_start(&loop, sleep_and_note, "5b"));
    return 0;
}

TEST(sleepers_wake_in_the_order_of_their_times_and_starts) {
    in_coroutine(start_sleepers, NULL);
    CHECK_STR(order, "abc");
}

static int return_seven(void* arg) {
    CHECK_OK(go_sleep(*(int*)arg));
    return 7;
}

static int join_one(void* arg) {
    go_t* other = arg;
    int result = 0;
    CHECK_OK(go_join(other, &result, GO_NEVER));
    CHECK_EQ(result, 7);
    note('j');
    return 0;
}

static int join_many(void* arg) {
    go_t* other;
    int result = 0, ms = 2;
    (void)arg;
    CHECK_OK(go_start_with(&loop, NULL, return_seven, &ms, &other));
    CHECK_OK(go_start(&loop, join_one, other));
    CHECK_OK(go_start(&loop, join_one, other));
    CHECK_OK(go_join(other, &result, GO_NEVER));
    CHECK_EQ(result, 7);
    CHECK_OK(go_join(other, &result, GO_NOW)); /* it has ended: that is known without a wait */
    CHECK_OK(go_yield());
    go_release(other);
    return 0;
}

TEST(several_may_join_one) {
    in_coroutine(join_many, NULL);
    CHECK_STR(order, "jj");
}

static int join_too_long(void* arg) {
    go_t* other;
    int result = 0, ms = 30;
    (void)arg;
    CHECK_OK(go_start_with(&loop, NULL, return_seven, &ms, &other));
    CHECK_EQ(go_join(other, &result, go_after(1)), UV_ETIMEDOUT);
    CHECK_EQ(go_join(other, &result, GO_NOW), UV_ETIMEDOUT);
    CHECK_EQ(go_join(go_self(), &result, GO_NEVER), UV_EINVAL);
    go_release(other); /* it goes on by itself */
    return 0;
}

TEST(join_takes_a_deadline) {
    in_coroutine(join_too_long, NULL);
}

static int sleep_until_cancelled(void* arg) {
    (void)arg;
    CHECK_EQ(go_sleep(1000000), UV_ECANCELED);
    CHECK(go_is_cancelled());
    CHECK_EQ(go_sleep(1), UV_ECANCELED);
    CHECK_EQ(go_yield(), UV_ECANCELED);
    go_shield();
    CHECK_OK(go_sleep(1));
    go_unshield();
    CHECK_EQ(go_sleep(1), UV_ECANCELED);
    note('c');
    return 1;
}

static int cancel_sleeper(void* arg) {
    go_t* other;
    int result = 0;
    (void)arg;
    CHECK_OK(go_start_with(&loop, NULL, sleep_until_cancelled, NULL, &other));
    CHECK_EQ(go_is_cancelled(), 0);
    go_cancel(other);
    CHECK_OK(go_join(other, &result, GO_NEVER));
    CHECK_EQ(result, 1);
    go_cancel(other); /* too late, and no harm */
    go_release(other);
    return 0;
}

TEST(cancelled_coroutine_gets_ecanceled_from_every_wait_but_shielded_ones) {
    in_coroutine(cancel_sleeper, NULL);
    CHECK_STR(order, "c");
}

TEST(callbacks_may_cancel_a_coroutine) {
    go_t* other;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start_with(&loop, NULL, sleep_until_cancelled, NULL, &other));
    go_cancel(other);
    go_release(other);
    finish_loop();
    CHECK_STR(order, "c");
}

static void note_name(go_t* go, const char* waits_for, void* arg) {
    (void)arg;
    strcat(order, go_name(go));
    strcat(order, waits_for != NULL ? waits_for : "-");
}

static int look_at_all(void* arg) {
    int ms = 1;
    (void)arg;
    CHECK_STR(go_name(go_self()), "first");
    go_set_name("a name that is longer than there is room for");
    CHECK_EQ(strlen(go_name(go_self())), GO_NAME_SIZE - 1);
    go_set_name("1");
    CHECK_OK(go_start_with(&loop, &(go_options_t){.name = "2"}, return_seven, &ms, NULL));
    CHECK_EQ(go_count(&loop), 2);
    go_each(&loop, note_name, NULL);
    CHECK_STR(order, "1-2sleep");
    CHECK(go_loop() == &loop);
    CHECK_EQ(go_loop_close(&loop), UV_EBUSY);
    return go_sleep(2);
}

TEST(coroutines_have_names_and_say_what_they_wait_for) {
    in_coroutine(look_at_all, NULL);
    CHECK(go_self() == NULL);
    CHECK(go_loop() == NULL);
}

TEST(waiting_outside_of_a_coroutine_gets_einval) {
    go_event_t event;
    CHECK_EQ(go_sleep(1), UV_EINVAL);
    CHECK_EQ(go_yield(), UV_EINVAL);
    go_event_init(&event, 0);
    CHECK_EQ(go_event_wait(&event, GO_NEVER), UV_EINVAL);
    CHECK_EQ(go_start(NULL, return_seven, NULL), UV_EINVAL);
}

static int done;

static void set_done(uv_timer_t* timer) {
    done = 1;
    uv_close((uv_handle_t*)timer, NULL);
}

static int yield_until_done(void* arg) {
    while (!done)
        CHECK_OK(go_yield());
    (void)arg;
    return 0;
}

TEST(coroutines_that_only_yield_do_not_stop_the_loop) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, set_done, 5, 0));
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_start(&loop, yield_until_done, NULL));
    finish_loop();
}

static int start_next(void* arg) {
    int* left = arg;
    if ((*left)-- > 0)
        CHECK_OK(go_start(&loop, start_next, left));
    return go_yield();
}

TEST(coroutines_may_start_coroutines_a_thousand_deep) {
    int left = 1000;
    in_coroutine(start_next, &left);
    CHECK_EQ(left, -1);
}

static int return_result(void* arg) {
    CHECK_OK(go_sleep(1));
    return *(int*)arg;
}

TEST(main_returns_what_its_function_returns) {
    int result = 5;
    CHECK_EQ(go_main(return_result, &result), 5);
    result = UV_ENOENT;
    CHECK_EQ(go_main(return_result, &result), UV_ENOENT);
}

static int wait_for_nothing(void* arg) {
    go_event_t event;
    (void)arg;
    go_event_init(&event, 0);
    return go_event_wait(&event, GO_NEVER);
}

static go_mutex_t fork_of_a, fork_of_b;

static int take_both(void* second) {
    go_mutex_t* first = second == &fork_of_b ? &fork_of_a : &fork_of_b;
    CHECK_OK(go_mutex_lock(first, GO_NEVER));
    CHECK_OK(go_yield());
    return go_mutex_lock(second, GO_NEVER);
}

static int dine(void* arg) {
    go_t* eater;
    (void)arg;
    go_mutex_init(&fork_of_a);
    go_mutex_init(&fork_of_b);
    go_start_with(go_loop(), &(go_options_t){.name = "a"}, take_both, &fork_of_b, &eater);
    go_start_with(go_loop(), &(go_options_t){.name = "b"}, take_both, &fork_of_a, NULL);
    int result = go_join(eater, NULL, GO_NEVER);
    go_release(eater);
    return result;
}

static void run_crossed_locks(void) {
    CHECK_EQ(go_main(dine, NULL), UV_ECANCELED);
}

TEST(main_says_who_has_the_mutex_and_who_is_joined) {
    test_child_dies(run_crossed_locks, 0, "coroutine \"a\" waits for mutex of \"b\"");
    test_child_dies(run_crossed_locks, 0, "coroutine \"b\" waits for mutex of \"a\"");
    test_child_dies(run_crossed_locks, 0, "coroutine \"main\" waits for join of \"a\"");
}

static int sleep_and_yield(void* arg) {
    (void)arg;
    CHECK_OK(go_sleep(1));
    return go_yield();
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    uv_close(handle, NULL);
}

TEST(programs_may_close_all_handles_of_their_loop) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start(&loop, sleep_and_yield, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_walk(&loop, close_handle, NULL);
    finish_loop();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(go_start(&loop, sleep_and_yield, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_walk(&loop, close_handle, NULL); /* these are closed while the scheduler goes */
    CHECK_OK(go_loop_close(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

static void run_deadlock(void) {
    CHECK_EQ(go_main(wait_for_nothing, NULL), UV_ECANCELED);
}

TEST(main_says_who_waits_when_nothing_can_come) {
    test_child_dies(run_deadlock, 0, "coroutine \"main\" waits for event");
}

static int use_doubles(void* arg) {
    double sum = 0, step = *(double*)arg;
    for (int i = 0; i < 1000; i++) {
        sum += step;
        CHECK_OK(go_yield());
    }
    CHECK(sum > step * 999 && sum < step * 1001);
    done++;
    return 0;
}

TEST(numbers_survive_switches) {
    double steps[] = {0.5, 0.25, 3, 7};
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 4; i++)
        CHECK_OK(go_start(&loop, use_doubles, &steps[i]));
    finish_loop();
    CHECK_EQ(done, 4);
}

static int in_inner_loop(void* arg) {
    CHECK_OK(go_sleep(1));
    CHECK(go_loop() == arg);
    return 0;
}

static int run_inner_loop(void* arg) {
    uv_loop_t inner;
    (void)arg;
    CHECK_OK(uv_loop_init(&inner));
    CHECK_OK(go_start(&inner, in_inner_loop, &inner));
    CHECK(go_loop() == &loop);
    CHECK_OK(uv_run(&inner, UV_RUN_DEFAULT));
    CHECK(go_loop() == &loop);
    CHECK_OK(go_loop_close(&inner));
    CHECK_OK(uv_loop_close(&inner));
    return go_sleep(1);
}

TEST(coroutine_may_run_another_loop) {
    in_coroutine(run_inner_loop, NULL);
}

static int wait_for_done(void* arg) {
    (void)arg;
    return go_sleep(2);
}

static int start_many(void* arg) {
    uv_idle_t* turn = arg;
    for (int i = 0; i < 5000; i++)
        CHECK_OK(go_start(&loop, wait_for_done, NULL));
    CHECK_EQ(done, 0);
    uv_close((uv_handle_t*)turn, NULL);
    return 0;
}

static void count_turn(uv_idle_t* turn) {
    (void)turn;
    done++;
}

TEST(the_loop_does_not_turn_while_coroutines_are_started) {
    uv_idle_t turn;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &turn));
    CHECK_OK(uv_idle_start(&turn, count_turn));
    CHECK_OK(go_start(&loop, start_many, &turn));
    finish_loop();
}
