/* Several writes in one callback may leave together; nobody must be able to tell. */

#include "streams.h"

#include <sys/wait.h>

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

TEST(held_writes_all_arrive_in_order) {
    static char got[MANY];
    open_loop();
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

static bool saw_all;

static void look_at_peer(uv_prepare_t* prepare) {
    expect_bytes(peer, "one,two,three");
    saw_all = true;
    uv_prepare_stop(prepare);
}

TEST(held_writes_leave_when_the_callback_returns) {
    uv_prepare_t prepare;
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    CHECK_OK(uv_prepare_start(&prepare, look_at_peer));
    in_callback(write_three);
    CHECK(saw_all);
    CHECK_EQ(writes, 3);
    close(peer);
    close_loop();
}

TEST(writes_outside_of_callbacks_leave_at_once) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    write_three(NULL);
    expect_bytes(peer, "one,two,three");
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 3);
    close(peer);
    close_loop();
}

static void write_and_exit(uv_timer_t* handle) {
    write_three(handle);
    exit(0);
}

TEST(held_writes_are_not_lost_at_exit) {
    int fds[2], status;
    char got[64] = {0};
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        open_loop();
        CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
        CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
        in_callback(write_and_exit);
        _exit(1);
    }
    close(fds[1]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
    CHECK_EQ(read(fds[0], got, sizeof(got)), 13);
    CHECK_STR(got, "one,two,three");
    close(fds[0]);
}

static void write_and_fork(uv_timer_t* handle) {
    int status;
    write_three(handle);
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0)
        exit(0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
}

TEST(held_writes_are_not_sent_twice_by_a_forked_child) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_fork);
    expect_bytes(peer, "one,two,three");
    close(peer);
    close_loop();
}

static void write_and_try(uv_timer_t* handle) {
    uv_buf_t buf = text_buf("!");
    write_three(handle);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), 1);
}

TEST(try_write_comes_after_what_is_held) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_try);
    expect_bytes(peer, "one,two,three!");
    close(peer);
    close_loop();
}

static void write_and_ask_fd(uv_timer_t* handle) {
    int fd;
    write_three(handle);
    CHECK_OK(uv_fileno(HANDLE(&pipe_handle), &fd));
    CHECK_EQ(write(fd, "!", 1), 1);
}

TEST(own_writes_to_the_descriptor_come_after_what_is_held) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_ask_fd);
    expect_bytes(peer, "one,two,three!");
    close(peer);
    close_loop();
}

static int known_fd;

static void write_both_ways(uv_timer_t* handle) {
    write_three(handle);
    CHECK_EQ(write(known_fd, "!", 1), 1);
}

TEST(own_writes_to_a_descriptor_known_before_keep_their_place) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_fileno(HANDLE(&pipe_handle), &known_fd));
    in_callback(write_both_ways);
    expect_bytes(peer, "one,two,three!");
    close(peer);
    close_loop();
}

static void write_and_close(uv_timer_t* handle) {
    write_three(handle);
    uv_close(HANDLE(&pipe_handle), on_close);
}

TEST(close_sends_what_is_held) {
    char byte;
    open_loop();
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

TEST(shutdown_comes_after_what_is_held) {
    char byte;
    open_loop();
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
    static char got[3 * sizeof(block)];
    (void)handle;
    uv_buf_t buf = uv_buf_init(block, sizeof(block));
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_EQ(recv(peer, got, sizeof(got), MSG_DONTWAIT), sizeof(got));
}

TEST(much_held_data_leaves_before_the_callback_returns) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_much);
    CHECK_EQ(writes, 3);
    close(peer);
    close_loop();
}

static void write_in_nested_loop(uv_timer_t* handle) {
    static uv_loop_t inner;
    static uv_pipe_t inner_pipe;
    static uv_write_t inner_reqs[3];
    int fds[2];
    write_three(handle);
    CHECK_OK(uv_loop_init(&inner));
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&inner, &inner_pipe, 0));
    CHECK_OK(uv_pipe_open(&inner_pipe, fds[0]));
    uv_buf_t buf = text_buf("in");
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_write(&inner_reqs[i], STREAM(&inner_pipe), &buf, 1, on_write));
    CHECK_OK(uv_run(&inner, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 3);
    expect_bytes(fds[1], "ininin");
    uv_close(HANDLE(&inner_pipe), NULL);
    CHECK_OK(uv_run(&inner, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&inner));
    close(fds[1]);
}

TEST(loops_inside_loops_keep_their_held_writes_apart) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_in_nested_loop);
    CHECK_EQ(writes, 6);
    expect_bytes(peer, "one,two,three");
    close(peer);
    close_loop();
}
