// threaded
/* Slow work never holds more than half of the threads. */

#include <phasor.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/request.h"
#include "harness.h"
#include "thread/pool.h"

enum { COUNT = 40 };

static uv_loop_t loop;
static struct uv__work slow[COUNT], fast[COUNT];
static int slow_running, slow_most, fast_ran, ended;
static uv_sem_t gate;

static void run_slow(struct uv__work* work) {
    (void)work;
    int now = __atomic_add_fetch(&slow_running, 1, __ATOMIC_SEQ_CST);
    int most = __atomic_load_n(&slow_most, __ATOMIC_SEQ_CST);
    while (now > most && !__atomic_compare_exchange_n(&slow_most, &most, now, false,
                                                      __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        continue;
    uv_sem_wait(&gate);
    __atomic_sub_fetch(&slow_running, 1, __ATOMIC_SEQ_CST);
}

static void run_fast(struct uv__work* work) {
    (void)work;
    __atomic_add_fetch(&fast_ran, 1, __ATOMIC_SEQ_CST);
}

static void end(struct uv__work* work, int status) {
    (void)work;
    CHECK(status == 0 || status == UV_ECANCELED);
    ph_request_end(&loop);
    ended++;
}

static void submit(struct uv__work* work, enum ph_work_kind kind) {
    loop.active_reqs.count++;
    CHECK_OK(ph_work_submit(&loop, work, kind, kind == PH_WORK_SLOW ? run_slow : run_fast, end));
}

/* Fast work gets through while slow work waits; then all of it ends. */
static void check_limit(const char* threads, int limit) {
    setenv("UV_THREADPOOL_SIZE", threads, 1);
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < COUNT; i++)
        submit(&slow[i], PH_WORK_SLOW);
    if (atoi(threads) > 1) {
        for (int i = 0; i < COUNT; i++)
            submit(&fast[i], PH_WORK_FAST);
        while (ended < COUNT)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(fast_ran, COUNT);
    }
    for (int i = 0; i < COUNT; i++)
        uv_sem_post(&gate);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(slow_running, 0);
    CHECK_LE(slow_most, limit);
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
}

TEST(slow_work_holds_two_of_four_threads) {
    check_limit("4", 2);
}

TEST(slow_work_holds_three_of_five_threads) {
    check_limit("5", 3);
}

TEST(slow_work_holds_one_of_two_threads) {
    check_limit("2", 1);
}

TEST(slow_work_holds_the_only_thread) {
    check_limit("1", 1);
}

static int rest;

static void run_forever_fast(struct uv__work* work) {
    (void)work;
    usleep(100);
}

static void again(struct uv__work* work, int status) {
    CHECK_EQ(status, 0);
    ph_request_end(&loop);
    if (rest-- > 0) {
        loop.active_reqs.count++;
        CHECK_OK(ph_work_submit(&loop, work, PH_WORK_FAST, run_forever_fast, again));
    }
}

static void end_slow(struct uv__work* work, int status) {
    (void)work;
    CHECK_EQ(status, 0);
    ph_request_end(&loop);
    CHECK_GT(rest, 0);
    rest = 0;
    ended++;
}

TEST(slow_work_is_not_starved_by_fast_work) {
    setenv("UV_THREADPOOL_SIZE", "1", 1);
    CHECK_OK(uv_loop_init(&loop));
    rest = 100000;
    for (int i = 0; i < 4; i++) {
        loop.active_reqs.count++;
        CHECK_OK(ph_work_submit(&loop, &fast[i], PH_WORK_FAST, run_forever_fast, again));
    }
    loop.active_reqs.count++;
    CHECK_OK(ph_work_submit(&loop, &slow[0], PH_WORK_SLOW, run_forever_fast, end_slow));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ended, 1);
    CHECK_OK(uv_loop_close(&loop));
}

static struct uv__work* order[COUNT];
static int order_length;

static void note_order(struct uv__work* work) {
    order[order_length++] = work;
}

static void submit_to(struct uv__work* work, enum ph_work_kind kind,
                      void (*run)(struct uv__work* work)) {
    loop.active_reqs.count++;
    CHECK_OK(ph_work_submit(&loop, work, kind, run, end));
}

static uv_sem_t entered;

static void enter(struct uv__work* work) {
    (void)work;
    uv_sem_post(&entered);
    uv_sem_wait(&gate);
}

static void open_pool(const char* threads) {
    setenv("UV_THREADPOOL_SIZE", threads, 1);
    CHECK_OK(uv_sem_init(&gate, 0));
    CHECK_OK(uv_sem_init(&entered, 0));
    CHECK_OK(uv_loop_init(&loop));
}

static void close_pool(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    uv_sem_destroy(&gate);
    uv_sem_destroy(&entered);
}

static void check_order(const int* expected, int count) {
    CHECK_EQ(order_length, count);
    for (int i = 0; i < count; i++)
        CHECK(order[i] == &slow[expected[i]]);
}

/* The next slow piece comes behind what waits when one has ended. The thread sees the pieces all
 * together, or one by one. */
TEST(slow_work_takes_turns_with_fast_work_on_one_thread) {
    static const enum ph_work_kind kinds[] = {PH_WORK_SLOW, PH_WORK_FAST, PH_WORK_FAST,
                                              PH_WORK_SLOW, PH_WORK_SLOW, PH_WORK_FAST};
    static const int expected[] = {0, 1, 2, 5, 3, 4};
    struct phasor_pool_figures figures;
    for (int looks = 0; looks < 2; looks++) {
        open_pool("1");
        order_length = 0;
        submit_to(&fast[0], PH_WORK_FAST, enter);
        uv_sem_wait(&entered);
        for (int i = 0; i < 6; i++) {
            submit_to(&slow[i], kinds[i], note_order);
            if (looks == 0)
                continue;
            phasor_pool_look(NULL, &figures);
            CHECK_EQ(figures.queued, i + 1);
        }
        uv_sem_post(&gate);
        close_pool();
        check_order(expected, 6);
    }
}

static uv_sem_t other_gate;

static void enter_other(struct uv__work* work) {
    (void)work;
    uv_sem_post(&entered);
    uv_sem_wait(&other_gate);
}

/* One thread has slow work, as many as may, and the other one something that takes longer. */
static void check_order_over_the_limit(bool looks, const int expected[4]) {
    static const enum ph_work_kind kinds[] = {PH_WORK_SLOW, PH_WORK_FAST, PH_WORK_FAST,
                                              PH_WORK_SLOW};
    struct phasor_pool_figures figures;
    open_pool("2");
    CHECK_OK(uv_sem_init(&other_gate, 0));
    order_length = ended = 0;
    submit_to(&fast[0], PH_WORK_SLOW, enter);
    submit_to(&fast[1], PH_WORK_FAST, enter_other);
    for (int i = 0; i < 2; i++)
        uv_sem_wait(&entered);
    for (int i = 0; i < 4; i++)
        submit_to(&slow[i], kinds[i], note_order);
    if (looks)
        phasor_pool_look(NULL, &figures);
    uv_sem_post(&gate);
    while (ended < 5)
        uv_run(&loop, UV_RUN_ONCE);
    check_order(expected, 4);
    uv_sem_post(&other_gate);
    close_pool();
    uv_sem_destroy(&other_gate);
}

TEST(slow_work_over_the_limit_comes_behind_fast_work_that_was_seen_waiting) {
    static const int behind[] = {1, 2, 0, 3}, as_it_came[] = {0, 1, 2, 3};
    check_order_over_the_limit(true, behind);
    check_order_over_the_limit(false, as_it_came);
}

TEST(slow_work_that_comes_piece_by_piece_holds_half_of_the_threads_too) {
    struct phasor_pool_figures figures;
    open_pool("4");
    for (int i = 0; i < 6; i++) {
        submit_to(&slow[i], PH_WORK_SLOW, enter);
        if (i < 2)
            uv_sem_wait(&entered);
    }
    submit_to(&fast[0], PH_WORK_FAST, note_order);
    while (ended == 0)
        uv_run(&loop, UV_RUN_ONCE);
    phasor_pool_look(NULL, &figures);
    CHECK_EQ(figures.running, 2);
    CHECK_EQ(figures.queued, 4);
    for (int i = 5; i >= 2; i--) {
        CHECK_OK(ph_work_cancel(&slow[i]));
        phasor_pool_look(NULL, &figures);
        CHECK_EQ(figures.queued, i - 2);
    }
    submit_to(&fast[1], PH_WORK_FAST, note_order);
    while (ended < 6)
        uv_run(&loop, UV_RUN_ONCE);
    uv_sem_post(&gate);
    uv_sem_post(&gate);
    close_pool();
}

TEST(slow_work_that_waited_together_runs_on_half_of_the_threads_at_once) {
    open_pool("4");
    CHECK_OK(uv_sem_init(&other_gate, 0));
    for (int i = 0; i < 4; i++)
        submit_to(&fast[i], PH_WORK_FAST, enter_other);
    for (int i = 0; i < 4; i++)
        uv_sem_wait(&entered);
    for (int i = 0; i < 4; i++)
        submit_to(&slow[i], PH_WORK_SLOW, enter);
    for (int i = 0; i < 4; i++)
        uv_sem_post(&other_gate);
    for (int i = 0; i < 2; i++)
        uv_sem_wait(&entered);
    for (int i = 0; i < 4; i++)
        uv_sem_post(&gate);
    close_pool();
    CHECK_EQ(ended, 4 + 4);
    uv_sem_destroy(&other_gate);
}

TEST(slow_work_that_was_taken_back_leaves_the_rest_in_its_order) {
    static const int expected[] = {0, 2};
    open_pool("1");
    submit_to(&fast[0], PH_WORK_FAST, enter);
    uv_sem_wait(&entered);
    submit_to(&slow[0], PH_WORK_FAST, note_order);
    submit_to(&slow[1], PH_WORK_SLOW, note_order);
    submit_to(&slow[2], PH_WORK_FAST, note_order);
    CHECK_OK(ph_work_cancel(&slow[1]));
    uv_sem_post(&gate);
    close_pool();
    check_order(expected, 2);
}

/* Slow work runs, more of it waits, and so does fast work. */
TEST(slow_work_of_a_forked_child_is_its_own) {
    uv_loop_t own;
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer has no threads after a fork");
    open_pool("2");
    submit_to(&slow[0], PH_WORK_SLOW, enter);
    submit_to(&fast[0], PH_WORK_FAST, enter);
    for (int i = 0; i < 2; i++)
        uv_sem_wait(&entered);
    for (int i = 1; i < 4; i++) {
        submit_to(&slow[i], PH_WORK_SLOW, note_order);
        submit_to(&fast[i], PH_WORK_FAST, note_order);
    }
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(30);
        CHECK_OK(ph_work_cancel(&fast[1]));
        CHECK_OK(ph_work_cancel(&slow[1]));
        CHECK_OK(uv_loop_init(&own));
        for (int i = 10; i < 13; i++) {
            CHECK_OK(ph_work_submit(&own, &slow[i], PH_WORK_SLOW, note_order, end));
            own.active_reqs.count++;
            loop.active_reqs.count++; /* `end` takes it from there */
        }
        while (ended < 3)
            uv_run(&own, UV_RUN_ONCE);
        CHECK_EQ(order_length, 3);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    for (int i = 0; i < 2; i++)
        uv_sem_post(&gate);
    close_pool();
    CHECK_EQ(order_length, 6);
}

static int submitted;

static void submit_while_forking(void) {
    if (submitted++ == 0)
        submit_to(&fast[0], PH_WORK_FAST, note_order);
}

/* The handler runs when the pool has prepared itself, as another thread might at that moment. */
TEST(work_that_was_submitted_in_the_middle_of_a_fork_can_be_cancelled_in_the_child) {
    if (THREAD_SANITIZER)
        test_skip("the thread sanitizer has no threads after a fork");
    CHECK_OK(pthread_atfork(submit_while_forking, NULL, NULL));
    open_pool("1");
    submit_to(&slow[0], PH_WORK_SLOW, enter);
    uv_sem_wait(&entered);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(30);
        CHECK_OK(ph_work_cancel(&fast[0]));
        submit_to(&slow[1], PH_WORK_FAST, note_order);
        CHECK_OK(uv_loop_fork(&loop));
        while (ended < 2)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(order_length, 1);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    uv_sem_post(&gate);
    close_pool();
    CHECK_EQ(order_length, 1);
}
