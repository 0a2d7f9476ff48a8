// threaded
/* Slow work never holds more than half of the threads. */

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
    CHECK_EQ(status, 0);
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
