#include <signal.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static char record[256];

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void close_twice(void) {
    static uv_timer_t timer;
    uv_loop_init(&loop);
    uv_timer_init(&loop, &timer);
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&timer, NULL);
}

TEST(closing_a_handle_twice_aborts_with_a_message) {
    test_child_dies(close_twice, SIGABRT, "is closing already\n");
}

static void ignore_timer(uv_timer_t* handle) {
    (void)handle;
}

static void ignore_idle(uv_idle_t* handle) {
    (void)handle;
}

static void ignore_prepare(uv_prepare_t* handle) {
    (void)handle;
}

static void ignore_check(uv_check_t* handle) {
    (void)handle;
}

TEST(starting_a_closing_handle_is_refused) {
    uv_timer_t timer;
    uv_idle_t idle;
    uv_prepare_t prepare;
    uv_check_t check;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    CHECK_OK(uv_check_init(&loop, &check));
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&idle, NULL);
    uv_close((uv_handle_t*)&prepare, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    CHECK_EQ(uv_timer_start(&timer, ignore_timer, 1, 0), UV_EINVAL);
    CHECK_EQ(uv_idle_start(&idle, ignore_idle), UV_EINVAL);
    CHECK_EQ(uv_prepare_start(&prepare, ignore_prepare), UV_EINVAL);
    CHECK_EQ(uv_check_start(&check, ignore_check), UV_EINVAL);
    finish();
}

TEST(a_handle_is_closing_from_close_on_and_active_only_while_started) {
    uv_check_t check;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_OK(uv_is_active((uv_handle_t*)&check));
    CHECK_OK(uv_check_start(&check, ignore_check));
    CHECK_NE(uv_is_active((uv_handle_t*)&check), 0);
    CHECK_OK(uv_is_closing((uv_handle_t*)&check));
    uv_close((uv_handle_t*)&check, NULL);
    CHECK_OK(uv_is_active((uv_handle_t*)&check));
    CHECK_NE(uv_is_closing((uv_handle_t*)&check), 0);
    finish();
    CHECK_NE(uv_is_closing((uv_handle_t*)&check), 0);
}

static void note_close(uv_handle_t* handle) {
    strcat(record, handle->data);
}

TEST(the_handle_closed_last_is_called_back_first) {
    uv_timer_t timers[3];
    char* names[] = {"a", "b", "c"};
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_timer_init(&loop, &timers[i]));
        timers[i].data = names[i];
        uv_close((uv_handle_t*)&timers[i], note_close);
    }
    finish();
    CHECK_STR(record, "cba");
}

static void note_and_close(uv_handle_t* handle, void* arg) {
    strcat(arg, handle->data);
    uv_close(handle, note_close);
}

TEST(walk_visits_handles_in_the_order_of_their_init_and_may_close_them) {
    uv_timer_t timer;
    uv_idle_t idle;
    uv_async_t async;
    char walked[16] = "";
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_async_init(&loop, &async, NULL));
    timer.data = "t";
    idle.data = "i";
    async.data = "a";
    uv_walk(&loop, note_and_close, walked);
    CHECK_STR(walked, "tia");
    finish();
    CHECK_STR(record, "ait");
}

static void init_another(uv_handle_t* handle, void* arg) {
    uv_timer_t* another = arg;
    (void)handle;
    if (another->data == NULL) {
        CHECK_OK(uv_timer_init(&loop, another));
        another->data = another;
    }
}

static void close_each(uv_handle_t* handle, void* arg) {
    (void)arg;
    uv_close(handle, NULL);
}

TEST(a_handle_made_while_walking_is_left_for_the_next_walk) {
    uv_timer_t first, another = {.data = NULL};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &first));
    uv_walk(&loop, init_another, &another);
    uv_walk(&loop, close_each, NULL);
    CHECK_NE(uv_is_closing((uv_handle_t*)&another), 0);
    finish();
}

TEST(print_lists_reference_activity_kind_and_address) {
    uv_timer_t timer;
    uv_idle_t idle;
    char text[512] = "", expected[512];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, ignore_idle));
    uv_unref((uv_handle_t*)&timer);
    FILE* stream = fmemopen(text, sizeof(text), "w");
    uv_print_active_handles(&loop, stream);
    fflush(stream);
    snprintf(expected, sizeof(expected), "[RA-] idle     %p\n", (void*)&idle);
    CHECK(strstr(text, expected) != NULL);
    CHECK(strstr(text, "timer") == NULL);
    uv_print_all_handles(&loop, stream);
    fclose(stream);
    snprintf(expected, sizeof(expected), "[---] timer    %p\n", (void*)&timer);
    CHECK(strstr(text, expected) != NULL);
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&idle, NULL);
    finish();
}

TEST(accessors_tell_type_name_size_data_and_loop) {
    uv_timer_t timer;
    uv_req_t* req = (uv_req_t*)&(uv_write_t){.type = UV_WRITE};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    uv_handle_t* handle = (uv_handle_t*)&timer;
    uv_handle_set_data(handle, &loop);
    CHECK(uv_handle_get_data(handle) == &loop);
    CHECK(uv_handle_get_loop(handle) == &loop);
    CHECK_EQ(uv_handle_get_type(handle), UV_TIMER);
    CHECK_STR(uv_handle_type_name(UV_TIMER), "timer");
    CHECK_STR(uv_handle_type_name(UV_NAMED_PIPE), "pipe");
    CHECK_STR(uv_handle_type_name(UV_FILE), "file");
    CHECK(uv_handle_type_name(UV_HANDLE_TYPE_MAX) == NULL);
    CHECK(uv_handle_type_name(UV_UNKNOWN_HANDLE) == NULL);
    CHECK_EQ(uv_handle_size(UV_TIMER), sizeof(uv_timer_t));
    CHECK_EQ(uv_handle_size(UV_UNKNOWN_HANDLE), SIZE_MAX);
    CHECK_EQ(uv_handle_size(UV_FILE), SIZE_MAX);
    uv_req_set_data(req, &timer);
    CHECK(uv_req_get_data(req) == &timer);
    CHECK_EQ(uv_req_get_type(req), UV_WRITE);
    CHECK_STR(uv_req_type_name(UV_GETADDRINFO), "getaddrinfo");
    CHECK(uv_req_type_name(UV_UNKNOWN_REQ) == NULL);
    CHECK_EQ(uv_req_size(UV_FS), sizeof(uv_fs_t));
    CHECK_EQ(uv_req_size(UV_REQ_TYPE_MAX), SIZE_MAX);
    uv_close(handle, NULL);
    finish();
}

static int hook_calls;
static uv_idle_t hooks[3];

static void stop_the_others(uv_idle_t* handle) {
    hook_calls++;
    for (int i = 0; i < 3; i++)
        if (handle != &hooks[i])
            uv_idle_stop(&hooks[i]);
}

TEST(a_hook_may_stop_the_others_of_its_phase) {
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_idle_init(&loop, &hooks[i]));
        CHECK_OK(uv_idle_start(&hooks[i], stop_the_others));
    }
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(hook_calls, 1);
    for (int i = 0; i < 3; i++)
        uv_close((uv_handle_t*)&hooks[i], NULL);
    finish();
}

static void start_the_next(uv_idle_t* handle) {
    hook_calls++;
    if (handle == &hooks[0])
        CHECK_OK(uv_idle_start(&hooks[1], start_the_next));
}

TEST(a_hook_started_in_its_phase_waits_for_the_next_iteration) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &hooks[0]));
    CHECK_OK(uv_idle_init(&loop, &hooks[1]));
    CHECK_OK(uv_idle_start(&hooks[0], start_the_next));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(hook_calls, 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(hook_calls, 3);
    uv_close((uv_handle_t*)&hooks[0], NULL);
    uv_close((uv_handle_t*)&hooks[1], NULL);
    finish();
}

TEST(starting_a_hook_without_a_callback_is_refused_and_twice_is_harmless) {
    uv_idle_t idle;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_EQ(uv_idle_start(&idle, NULL), UV_EINVAL);
    CHECK_OK(uv_idle_start(&idle, ignore_idle));
    CHECK_OK(uv_idle_start(&idle, ignore_idle));
    CHECK_EQ(loop.active_handles, 1);
    CHECK_OK(uv_idle_stop(&idle));
    CHECK_OK(uv_idle_stop(&idle));
    CHECK_EQ(loop.active_handles, 0);
    uv_close((uv_handle_t*)&idle, NULL);
    finish();
}

static int depth, calls;

static void run_inside(uv_idle_t* handle) {
    (void)handle;
    calls += depth == 0 ? 1 : 10;
    if (depth++ == 0)
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    depth--;
}

static void count_idle(uv_idle_t* handle) {
    (void)handle;
    calls += 100;
}

static void close_idle(uv_prepare_t* handle) {
    if (depth > 0)
        uv_close(handle->data, NULL);
}

/* The loop inside calls what this turn has called already, as libuv does, and closes one that the
 * turn outside would have called next. */
TEST(a_hook_may_run_the_loop_and_the_others_are_called_all_the_same) {
    uv_idle_t first, gone, last;
    uv_prepare_t prepare;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &last));
    CHECK_OK(uv_idle_init(&loop, &gone));
    CHECK_OK(uv_idle_init(&loop, &first));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    prepare.data = &gone;
    CHECK_OK(uv_idle_start(&last, count_idle));
    CHECK_OK(uv_idle_start(&gone, count_idle));
    CHECK_OK(uv_idle_start(&first, run_inside));
    CHECK_OK(uv_prepare_start(&prepare, close_idle));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(calls, 111);
    uv_close((uv_handle_t*)&first, NULL);
    uv_close((uv_handle_t*)&last, NULL);
    uv_close((uv_handle_t*)&prepare, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void look_at_reference(uv_handle_t* handle) {
    CHECK_EQ(uv_has_ref(handle), 0);
    calls++;
}

TEST(a_handle_has_no_reference_in_its_close_callback) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    uv_close((uv_handle_t*)&timer, look_at_reference);
    CHECK_EQ(uv_has_ref((uv_handle_t*)&timer), 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_OK(uv_loop_close(&loop));
}

static void ignore_connection(uv_stream_t* server, int status) {
    (void)server, (void)status;
}

/* Programs that close a handle without a callback and free it at once get away with it in libuv:
 * allocators write over its first two words, and those are not read any more. */
static void close_and_spoil(void* handle) {
    uv_close(handle, NULL);
    memset(handle, 0xA5, 2 * sizeof(void*));
}

TEST(the_end_of_a_close_needs_neither_the_data_nor_the_loop_of_its_handle) {
    uv_loop_t loop;
    uv_tcp_t listener, idle;
    uv_udp_t udp;
    uv_pipe_t pipe;
    uv_timer_t timer;
    uv_async_t async;
    uv_signal_t signal;
    struct sockaddr_in any;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &any));
    CHECK_OK(uv_tcp_init(&loop, &idle));
    CHECK_OK(uv_tcp_init(&loop, &listener));
    CHECK_OK(uv_tcp_bind(&listener, (struct sockaddr*)&any, 0));
    CHECK_OK(uv_listen((uv_stream_t*)&listener, 1, ignore_connection));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_pipe_init(&loop, &pipe, 0));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_async_init(&loop, &async, NULL));
    CHECK_OK(uv_signal_init(&loop, &signal));
    CHECK_OK(uv_async_send(&async));
    void* const all[] = {&idle, &listener, &udp, &pipe, &timer, &async, &signal};
    for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
        close_and_spoil(all[i]);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(a_new_handle_is_not_among_those_that_close) {
    uv_idle_t handle;
    memset(&handle, 0x5a, sizeof(handle));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &handle));
    CHECK(handle.next_closing == NULL);
    CHECK(handle.close_cb == NULL);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
