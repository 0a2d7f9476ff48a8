/* Timers in nanoseconds, as phasor.h describes them. */

#include <phasor.h>
#include <uv.h>

#include "harness.h"

enum { MANY = 1000, US = 1000, MS = 1000000 };

static uv_loop_t loop;
static int ran;
static uint64_t started, due[MANY];

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    started = uv_hrtime();
}

static void count(phasor_timer_t* timer) {
    (void)timer;
    ran++;
}

TEST(a_timer_comes_after_its_nanoseconds_and_then_is_the_programs_memory) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, count, 300 * US, 0));
    CHECK(phasor_timer_is_active(&timer));
    CHECK(uv_loop_alive(&loop));
    CHECK_GT(phasor_timer_due_in(&timer), 0);
    CHECK_LE(phasor_timer_due_in(&timer), 300 * US);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GE(uv_hrtime() - started, 300 * US);
    CHECK_EQ(ran, 1);
    CHECK(!phasor_timer_is_active(&timer));
    CHECK_EQ(phasor_timer_due_in(&timer), 0);
    memset(&timer, 0xa5, sizeof(timer));
    CHECK_OK(uv_loop_close(&loop));
}

static void check_order(phasor_timer_t* timer) {
    uint64_t* own = timer->data;
    CHECK_GE(uv_hrtime(), *own);
    static uint64_t before;
    CHECK_LE(before, *own);
    before = *own;
    ran++;
}

TEST(many_timers_come_in_the_order_of_their_due_times) {
    static phasor_timer_t timers[MANY];
    open_loop();
    for (unsigned i = 0; i < MANY; i++) {
        uint64_t ns = (uint64_t)(i * 7919U % MANY) * 5 * US;
        phasor_timer_init(&loop, &timers[i]);
        timers[i].data = &due[i];
        CHECK_OK(phasor_timer_start(&timers[i], check_order, ns, 0));
        due[i] = timers[i].due;
    }
    for (unsigned i = 0; i < MANY; i += 3)
        phasor_timer_stop(&timers[i]);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, MANY - (MANY + 2) / 3);
    CHECK_OK(uv_loop_close(&loop));
}

static int orders;

static void check_number(phasor_timer_t* timer) {
    CHECK_EQ(*(int*)timer->data, orders);
    orders++;
}

TEST(timers_that_are_due_together_come_in_the_order_of_starting) {
    static phasor_timer_t timers[MANY];
    static int numbers[MANY];
    open_loop();
    for (int i = 0; i < MANY; i++) {
        numbers[i] = i;
        phasor_timer_init(&loop, &timers[i]);
        timers[i].data = &numbers[i];
        CHECK_OK(phasor_timer_start(&timers[i], check_number, 0, 0));
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(orders, MANY);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_timer_started_for_ever_comes_never_and_may_be_started_anew) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, count, UINT64_MAX, 0));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(ran, 0);
    CHECK_OK(phasor_timer_start(&timer, count, 0, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, 1);
    CHECK_OK(uv_loop_close(&loop));
}

static void tick(phasor_timer_t* timer) {
    CHECK_EQ((timer->due - due[0]) % (200 * US), 0);
    CHECK_GT(timer->due, uv_hrtime() - 200 * US);
    if (++ran == 2)
        uv_sleep(3); /* what is missed is skipped */
    if (ran == 5)
        phasor_timer_stop(timer);
}

TEST(a_repeating_timer_stays_on_its_grid_and_skips_what_it_missed) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, tick, 100 * US, 200 * US));
    due[0] = timer.due;
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, 5);
    CHECK_GE(uv_hrtime() - started, 3 * MS);
    CHECK_OK(uv_loop_close(&loop));
}

static void start_at_once(phasor_timer_t* timer) {
    ran++;
    CHECK_OK(phasor_timer_start(timer, start_at_once, 0, 0));
}

TEST(a_timer_that_starts_itself_again_does_not_hold_the_loop) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, start_at_once, 0, 0));
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(ran, 5);
    phasor_timer_stop(&timer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static phasor_timer_t* to_stop;

static void stop_other(phasor_timer_t* timer) {
    (void)timer;
    ran++;
    phasor_timer_stop(to_stop);
}

TEST(a_timer_that_is_due_can_be_stopped_by_one_before_it) {
    phasor_timer_t one, two;
    open_loop();
    phasor_timer_init(&loop, &one);
    phasor_timer_init(&loop, &two);
    to_stop = &two;
    CHECK_OK(phasor_timer_start(&one, stop_other, 0, 0));
    CHECK_OK(phasor_timer_start(&two, count, 0, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, 1);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(an_unreferenced_timer_does_not_keep_the_loop_alive) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, count, 3600ULL * 1000 * MS, 0));
    phasor_timer_unref(&timer);
    phasor_timer_unref(&timer);
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(uv_loop_close(&loop), UV_EBUSY);
    phasor_timer_ref(&timer);
    CHECK(uv_loop_alive(&loop));
    phasor_timer_stop(&timer);
    phasor_timer_stop(&timer);
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_loop_close(&loop));
}

static void on_timer(uv_timer_t* handle) {
    (void)handle;
    ran++;
}

TEST(timers_of_both_kinds_share_a_loop) {
    phasor_timer_t timer;
    uv_timer_t coarse;
    open_loop();
    CHECK_OK(uv_timer_init(&loop, &coarse));
    CHECK_OK(uv_timer_start(&coarse, on_timer, 20, 0));
    phasor_timer_init(&loop, &timer);
    CHECK_OK(phasor_timer_start(&timer, count, 1500 * US, 0));
    CHECK_GE(uv_backend_timeout(&loop), 0);
    CHECK_LE(uv_backend_timeout(&loop), 2);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(ran, 2);
    uv_close((uv_handle_t*)&coarse, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void* no_memory(size_t count_, size_t size) {
    (void)count_, (void)size;
    return NULL;
}

TEST(a_timer_without_a_function_or_memory_is_refused) {
    phasor_timer_t timer;
    open_loop();
    phasor_timer_init(&loop, &timer);
    CHECK_EQ(phasor_timer_start(&timer, NULL, 0, 0), UV_EINVAL);
    CHECK_OK(uv_replace_allocator(malloc, realloc, no_memory, free));
    CHECK_EQ(phasor_timer_start(&timer, count, 0, 0), UV_ENOMEM);
    CHECK_OK(uv_replace_allocator(malloc, realloc, calloc, free));
    CHECK(!uv_loop_alive(&loop));
    CHECK_OK(uv_loop_close(&loop));
}
