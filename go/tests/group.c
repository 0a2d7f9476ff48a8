/* Groups: all end together. */
#include <signal.h>

#include "go_test.h"

static int ended, cancelled;

static int sleep_for(void* arg) {
    int status = go_sleep(*(uint64_t*)arg);
    ended++;
    cancelled += status == UV_ECANCELED;
    return status;
}

static int fail_soon(void* arg) {
    CHECK_OK(go_sleep(1));
    return *(int*)arg;
}

static uint64_t brief = 2, lengthy = 1000000;
static int enoent = UV_ENOENT;

static int wait_for_all(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_OK(go_group_start(&group, sleep_for, &brief));
    CHECK_OK(go_group_wait(&group, GO_NEVER));
    CHECK_EQ(ended, 10);
    CHECK_EQ(go_group_start(&group, sleep_for, &brief), UV_EINVAL); /* over */
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_EINVAL);
    CHECK_OK(go_group_init(&group, NULL));
    CHECK_OK(go_group_wait(&group, GO_NEVER)); /* nobody */
    return 0;
}

TEST(group_waits_for_all) {
    in_coroutine(wait_for_all, NULL);
}

static int one_fails(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_OK(go_group_start(&group, sleep_for, &lengthy));
    CHECK_OK(go_group_start(&group, fail_soon, &enoent));
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_ENOENT);
    CHECK_EQ(cancelled, 10);
    return 0;
}

TEST(one_that_fails_cancels_the_rest) {
    in_coroutine(one_fails, NULL);
}

static int run_out_of_time(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 10; i++)
        CHECK_OK(go_group_start(&group, sleep_for, &lengthy));
    CHECK_EQ(go_group_wait(&group, go_after(2)), UV_ETIMEDOUT);
    CHECK_EQ(cancelled, 10);
    CHECK_OK(go_group_init(&group, NULL));
    CHECK_OK(go_group_start(&group, sleep_for, &lengthy));
    go_group_cancel(&group);
    CHECK_EQ(go_group_start(&group, sleep_for, &brief), UV_ECANCELED);
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_ECANCELED);
    return 0;
}

TEST(deadline_cancels_the_group) {
    in_coroutine(run_out_of_time, NULL);
}

static int inner_group(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_group_start(&group, sleep_for, &lengthy));
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_ECANCELED);
    CHECK_EQ(ended % 3, 0);
    return UV_ECANCELED;
}

static int outer_group(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    for (int i = 0; i < 3; i++)
        CHECK_OK(go_group_start(&group, inner_group, NULL));
    CHECK_OK(go_group_start(&group, fail_soon, &enoent));
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_ENOENT);
    CHECK_EQ(ended, 9);
    CHECK_EQ(cancelled, 9);
    return 0;
}

TEST(cancelling_reaches_groups_in_groups) {
    in_coroutine(outer_group, NULL);
}

static int slow_to_end(void* arg) {
    (void)arg;
    CHECK_EQ(go_sleep(lengthy), UV_ECANCELED);
    go_shield();
    CHECK_OK(go_sleep(10));
    go_unshield();
    ended++;
    return 0;
}

static int wait_for_slow(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    CHECK_OK(go_group_start(&group, slow_to_end, NULL));
    CHECK_EQ(go_group_wait(&group, go_after(1)), UV_ETIMEDOUT);
    CHECK_EQ(ended, 1); /* nothing outlives its group */
    return 0;
}

TEST(nothing_outlives_its_group) {
    in_coroutine(wait_for_slow, NULL);
}

static int fail_at_once(void* arg) {
    return *(int*)arg;
}

static int all_fail(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    CHECK_OK(go_group_start(&group, fail_at_once, &enoent));
    CHECK_EQ(go_group_start(&group, fail_at_once, &enoent), UV_ECANCELED);
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_ENOENT);
    return 0;
}

TEST(member_may_fail_before_start_returns) {
    in_coroutine(all_fail, NULL);
}

static int forget_group(void* arg) {
    go_group_t group;
    (void)arg;
    CHECK_OK(go_group_init(&group, NULL));
    CHECK_OK(go_group_start(&group, sleep_for, &lengthy));
    return 0;
}

static void run_forgetful(void) {
    go_main(forget_group, NULL);
}

TEST(forgotten_group_is_told) {
    test_child_dies(run_forgetful, SIGABRT, "coroutine \"main\" has ended without waiting");
}

static int from_a_callback(void* arg) {
    CHECK_EQ(go_group_wait(arg, GO_NEVER), UV_ENOENT);
    CHECK_EQ(cancelled, 1);
    return 0;
}

TEST(callbacks_may_begin_a_group) {
    go_group_t group;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(go_group_init(&group, NULL), UV_EINVAL);
    CHECK_OK(go_group_init(&group, &loop));
    CHECK_OK(go_group_start_with(&group, &(go_options_t){.name = "a"}, sleep_for, &lengthy));
    CHECK_OK(go_group_start(&group, fail_soon, &enoent));
    CHECK_EQ(go_group_wait(&group, GO_NEVER), UV_EINVAL);
    CHECK_OK(go_start(&loop, from_a_callback, &group));
    finish_loop();
}
