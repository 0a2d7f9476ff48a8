/* Sentences of libuv's documentation that have no better place. */

#include <uv.h>

#include "harness.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static uv_loop_t loop;
static int calls;

static void count_close(uv_handle_t* handle) {
    (void)handle;
    calls++;
}

static void close_and_finish(uv_handle_t* handle) {
    uv_close(handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void watch_the_clock(uv_timer_t* timer) {
    uint64_t now = uv_now(timer->loop);
    uv_sleep(5);
    CHECK_EQ(uv_now(timer->loop), now);
    uv_update_time(timer->loop);
    CHECK_GE(uv_now(timer->loop), now + 4);
    calls++;
}

TEST(now_stands_still_inside_a_callback_until_it_is_updated) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, watch_the_clock, 1, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    close_and_finish((uv_handle_t*)&timer);
}

static volatile sig_atomic_t profiled;
static pthread_t polling;
static uv_async_t enough;

static void on_profile(int signum) {
    (void)signum;
    profiled++;
}

static void* send_profiles(void* arg) {
    (void)arg;
    for (int i = 0; i < 20; i++) {
        pthread_kill(polling, SIGPROF);
        usleep(5000);
    }
    CHECK_OK(uv_async_send(&enough));
    return NULL;
}

static void close_async(uv_async_t* async) {
    uv_close((uv_handle_t*)async, NULL);
}

static void start_profiles(uv_prepare_t* prepare) {
    pthread_t sender;
    CHECK_OK(pthread_create(&sender, NULL, send_profiles, NULL));
    CHECK_OK(pthread_detach(sender));
    uv_close((uv_handle_t*)prepare, NULL);
}

/* One may come before poll has begun, and all the others are one when it ends. */
TEST(a_blocked_sigprof_waits_until_poll_has_ended) {
    uv_prepare_t prepare;
    polling = pthread_self();
    signal(SIGPROF, on_profile);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_LOOP_BLOCK_SIGNAL, SIGPROF));
    CHECK_OK(uv_async_init(&loop, &enough, close_async));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    CHECK_OK(uv_prepare_start(&prepare, start_profiles));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GE(profiled, 1);
    CHECK_LE(profiled, 3);
    CHECK_OK(uv_loop_close(&loop));
}

static void ignore_timer(uv_timer_t* timer) {
    (void)timer;
}

TEST(ref_and_unref_do_not_count) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, ignore_timer, 1000000, 0));
    CHECK(uv_has_ref((uv_handle_t*)&timer));
    uv_unref((uv_handle_t*)&timer);
    uv_unref((uv_handle_t*)&timer);
    CHECK(!uv_has_ref((uv_handle_t*)&timer));
    CHECK(!uv_loop_alive(&loop));
    uv_ref((uv_handle_t*)&timer);
    CHECK(uv_has_ref((uv_handle_t*)&timer));
    CHECK(uv_loop_alive(&loop));
    uv_ref((uv_handle_t*)&timer);
    uv_unref((uv_handle_t*)&timer);
    CHECK(!uv_loop_alive(&loop));
    close_and_finish((uv_handle_t*)&timer);
}

static void ignore_async(uv_async_t* async) {
    (void)async;
}

TEST(an_async_is_active_from_its_init_on) {
    uv_async_t async;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, ignore_async));
    CHECK(uv_is_active((uv_handle_t*)&async));
    CHECK(uv_loop_alive(&loop));
    close_and_finish((uv_handle_t*)&async);
}

TEST(the_close_callback_never_comes_inside_uv_close) {
    uv_idle_t idle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    uv_close((uv_handle_t*)&idle, count_close);
    CHECK_EQ(calls, 0);
    CHECK(uv_is_closing((uv_handle_t*)&idle));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_OK(uv_loop_close(&loop));
}

static void ignore_work(uv_work_t* req) {
    (void)req;
}

TEST(a_request_tells_its_type_name_size_and_data) {
    uv_work_t req;
    CHECK_OK(uv_loop_init(&loop));
    uv_req_set_data((uv_req_t*)&req, &calls);
    CHECK_OK(uv_queue_work(&loop, &req, ignore_work, NULL));
    CHECK_EQ(uv_req_get_type((uv_req_t*)&req), UV_WORK);
    CHECK_STR(uv_req_type_name(UV_WORK), "work");
    CHECK_EQ(uv_req_size(UV_WORK), sizeof(uv_work_t));
    CHECK(uv_req_get_data((uv_req_t*)&req) == &calls);
    CHECK(req.data == &calls);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static int told;

static void tell_events(uv_poll_t* handle, int status, int events) {
    CHECK_OK(status);
    told = events;
    uv_poll_stop(handle);
}

TEST(starting_an_active_poll_handle_changes_what_is_asked) {
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, tell_events));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, tell_events));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(told, UV_WRITABLE);
    close_and_finish((uv_handle_t*)&handle);
    close(fds[0]);
    close(fds[1]);
}

TEST(the_size_of_each_kind_is_that_of_its_struct) {
    CHECK_EQ(uv_loop_size(), sizeof(uv_loop_t));
    CHECK_EQ(uv_handle_size(UV_TCP), sizeof(uv_tcp_t));
    CHECK_EQ(uv_handle_size(UV_PROCESS), sizeof(uv_process_t));
    CHECK_EQ(uv_handle_size(UV_UNKNOWN_HANDLE), (size_t)-1);
    CHECK_EQ(uv_req_size(UV_FS), sizeof(uv_fs_t));
    CHECK_EQ(uv_req_size(UV_UNKNOWN_REQ), (size_t)-1);
}
