/* The order in which wake-ups are told, with many handles. */

#include <uv.h>

#include "harness.h"

enum { COUNT = 5000 };

static uv_loop_t loop;
static uv_async_t handles[COUNT];
static const uv_async_t* last;
static int calls;

static void check_order(uv_async_t* handle) {
    CHECK(last == NULL || handle > last);
    last = handle;
    calls++;
}

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_async_init(&loop, &handles[i], check_order));
}

static void close_loop(void) {
    for (int i = 0; i < COUNT; i++)
        if (!uv_is_closing((uv_handle_t*)&handles[i]))
            uv_close((uv_handle_t*)&handles[i], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

/* 1,777 and 5,000 have no common divisor. */
static void send_mixed(int count) {
    for (int i = 0; i < count; i++)
        CHECK_OK(uv_async_send(&handles[i * 1777 % COUNT]));
}

TEST(wake_ups_of_all_handles_are_told_in_order_however_they_were_sent) {
    open_loop();
    send_mixed(COUNT);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, COUNT);
    close_loop();
}

TEST(wake_ups_of_few_of_many_handles_are_told_in_order) {
    open_loop();
    send_mixed(COUNT / 50);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, COUNT / 50);
    close_loop();
}

TEST(wake_ups_that_were_sent_backwards_or_in_parts_are_told_in_order) {
    open_loop();
    for (int i = COUNT - 1; i >= 0; i--)
        CHECK_OK(uv_async_send(&handles[i]));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, COUNT);
    last = NULL;
    for (int i = 0; i < COUNT; i++)
        CHECK_OK(uv_async_send(&handles[(i + COUNT / 3) % COUNT]));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 2 * COUNT);
    close_loop();
}

TEST(wake_ups_of_handles_that_were_closed_meanwhile_are_not_told) {
    open_loop();
    send_mixed(COUNT);
    for (int i = 0; i < COUNT; i += 2)
        uv_close((uv_handle_t*)&handles[i], NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, COUNT / 2);
    close_loop();
}

static void run_in_the_middle(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (handle == (uv_handle_t*)&handles[COUNT / 2])
        uv_run(&loop, UV_RUN_NOWAIT);
}

TEST(wake_ups_are_all_told_by_a_loop_that_uv_walk_runs) {
    open_loop();
    send_mixed(COUNT);
    uv_walk(&loop, run_in_the_middle, NULL);
    CHECK_EQ(calls, COUNT);
    close_loop();
}
