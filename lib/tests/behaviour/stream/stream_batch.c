/* Writes on a loop that gathers them, as phasor.h describes it. */

#include "streams.h"

#include <phasor.h>

enum { MANY = 2000 };
static uv_tcp_t tcp;
static uv_pipe_t pipe_handle;
static uv_write_t reqs[MANY];
static uv_timer_t timer;
static int peer;

static void write_text(int i, const char* text) {
    uv_buf_t buf = text_buf(text);
    CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, on_write));
}

static void open_batching_loop(void) {
    open_loop();
    phasor_loop_batch_writes(&loop, 1);
}

static void in_callback(uv_timer_cb cb) {
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, cb, 0, 0));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
}

static int order;

static void note_order(uv_write_t* req, int status) {
    CHECK_OK(status);
    CHECK_EQ(req - reqs, order);
    order++;
}

static void write_many(uv_timer_t* handle) {
    static char bytes[MANY];
    (void)handle;
    for (int i = 0; i < MANY; i++) {
        bytes[i] = (char)(i % 251);
        uv_buf_t buf = uv_buf_init(&bytes[i], 1);
        CHECK_OK(uv_write(&reqs[i], STREAM(&tcp), &buf, 1, note_order));
        CHECK_EQ(order, 0);
    }
}

TEST(gathered_writes_all_arrive_in_order) {
    static char got[MANY];
    open_batching_loop();
    peer = open_tcp(&tcp);
    in_callback(write_many);
    CHECK_EQ(order, MANY);
    CHECK_EQ(recv(peer, got, MANY, MSG_WAITALL), MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(got[i], (char)(i % 251));
    CHECK_EQ(take(peer, got, 1), -EAGAIN);
    CHECK_EQ(tcp.write_queue_size, 0);
    close(peer);
    close_loop();
}

static void write_three(uv_timer_t* handle) {
    (void)handle;
    write_text(0, "one,");
    write_text(1, "two,");
    write_text(2, "three");
}

static void write_and_look(uv_timer_t* handle) {
    char byte;
    write_three(handle);
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 13);
    CHECK_EQ(take(peer, &byte, 1), -EAGAIN);
}

static bool saw_all;

static void look_at_peer(uv_idle_t* idle) {
    expect_bytes(peer, "one,two,three");
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    CHECK_EQ(writes, 3);
    saw_all = true;
    uv_idle_stop(idle);
}

TEST(gathered_writes_leave_in_the_pending_phase_that_follows) {
    uv_idle_t idle;
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, look_at_peer));
    in_callback(write_and_look);
    CHECK(saw_all);
    close(peer);
    close_loop();
}

static void write_and_turn_off(uv_timer_t* handle) {
    write_three(handle);
    phasor_loop_batch_writes(&loop, 0);
    expect_bytes(peer, "one,two,three");
    write_text(3, "four");
    expect_bytes(peer, "four");
    CHECK_EQ(writes, 0);
}

TEST(turning_it_off_sends_what_was_gathered) {
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_turn_off);
    CHECK_EQ(writes, 4);
    close(peer);
    close_loop();
}

TEST(turning_it_off_leaves_a_stream_that_connects_alone) {
    struct sockaddr_in address;
    uv_connect_t connect_req;
    char got[8] = {0};
    open_batching_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    uv_buf_t buf = text_buf("later");
    CHECK_OK(uv_write(&reqs[0], STREAM(&tcp), &buf, 1, on_write));
    phasor_loop_batch_writes(&loop, 0);
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&tcp)), 5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(connect_status);
    CHECK_OK(write_status);
    peer = accept(listener, NULL, NULL);
    CHECK_EQ(recv(peer, got, 5, MSG_WAITALL), 5);
    close(peer);
    close(listener);
    close_loop();
}

static void write_and_pass(uv_timer_t* handle) {
    static uv_pipe_t passed;
    int other = open_pipe(&passed, 0);
    uv_buf_t buf = text_buf("!");
    write_three(handle);
    CHECK_OK(uv_write2(&reqs[3], STREAM(&pipe_handle), &buf, 1, STREAM(&passed), on_write));
    uv_close(HANDLE(&passed), NULL);
    close(other);
}

TEST(a_handle_is_passed_before_it_can_be_closed) {
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 1);
    in_callback(write_and_pass);
    CHECK_EQ(writes, 4);
    CHECK_OK(write_status);
    expect_bytes(peer, "one,two,three!");
    close(peer);
    close_loop();
}

static void check_not_gathered(int standard) {
    int fds[2];
    open_batching_loop();
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    int saved = dup(standard);
    CHECK_EQ(dup2(fds[0], standard), standard);
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, standard));
    write_three(NULL);
    expect_bytes(fds[1], "one,two,three");
    close_loop();
    CHECK_EQ(dup2(saved, standard), standard);
    close(saved);
    close(fds[0]);
    close(fds[1]);
}

TEST(standard_output_is_not_gathered_for) {
    check_not_gathered(STDOUT_FILENO);
}

TEST(standard_error_is_not_gathered_for) {
    check_not_gathered(STDERR_FILENO);
}

static void write_and_try(uv_timer_t* handle) {
    uv_buf_t buf = text_buf("!");
    write_three(handle);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), 1);
}

TEST(try_write_comes_after_what_was_gathered) {
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_try);
    expect_bytes(peer, "one,two,three!");
    close(peer);
    close_loop();
}

static void write_and_close(uv_timer_t* handle) {
    write_three(handle);
    uv_close(HANDLE(&pipe_handle), on_close);
}

TEST(close_sends_what_was_gathered) {
    char byte;
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_close);
    CHECK_EQ(writes, 3);
    CHECK_OK(write_status);
    CHECK_EQ(closes, 1);
    expect_bytes(peer, "one,two,three");
    CHECK_EQ(take(peer, &byte, 1), 0);
    close(peer);
    close_loop();
}

static void write_and_shut_down(uv_timer_t* handle) {
    static uv_shutdown_t req;
    write_three(handle);
    CHECK_OK(uv_shutdown(&req, STREAM(&pipe_handle), on_shutdown));
}

TEST(shutdown_comes_after_what_was_gathered) {
    char byte;
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_shut_down);
    CHECK_EQ(writes, 3);
    CHECK_EQ(shutdowns, 1);
    CHECK_OK(shutdown_status);
    expect_bytes(peer, "one,two,three");
    CHECK_EQ(take(peer, &byte, 1), 0);
    close(peer);
    close_loop();
}

static void write_much(uv_timer_t* handle) {
    static char block[40000];
    static char got[2 * sizeof(block)];
    (void)handle;
    uv_buf_t buf = uv_buf_init(block, sizeof(block));
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_EQ(recv(peer, got, sizeof(got), MSG_DONTWAIT), sizeof(got));
}

TEST(much_gathered_data_leaves_before_the_callback_returns) {
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_much);
    CHECK_EQ(writes, 2);
    close(peer);
    close_loop();
}

static int statuses[3];

static void note_status(uv_write_t* req, int status) {
    statuses[req - reqs] = status;
    writes++;
}

static void write_and_cancel(uv_timer_t* handle) {
    (void)handle;
    uv_buf_t bufs[] = {text_buf("a"), text_buf("b"), text_buf("c")};
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &bufs[i], 1, note_status));
    CHECK_OK(uv_cancel((uv_req_t*)&reqs[1]));
}

TEST(cancel_of_a_gathered_write_keeps_the_others) {
    open_batching_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_cancel);
    CHECK_EQ(writes, 3);
    CHECK_EQ(statuses[1], UV_ECANCELED);
    expect_bytes(peer, "ac");
    close(peer);
    close_loop();
}
