/* A write leaves inside uv_write if nothing is queued before it, in callbacks too. */

#include "streams.h"

#include <sys/wait.h>

static uv_pipe_t pipe_handle;
static uv_write_t reqs[8];
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

static uv_sem_t answered;

static void read_then_answer(void* arg) {
    char got[4];
    (void)arg;
    CHECK_EQ(recv(peer, got, 4, MSG_WAITALL), 4);
    uv_sem_post(&answered);
}

static void write_and_wait_for_thread(uv_timer_t* handle) {
    (void)handle;
    write_text(0, "on");
    write_text(1, "e,");
    uv_sem_wait(&answered);
}

TEST(a_callback_may_wait_for_the_thread_that_reads_what_it_wrote) {
    uv_thread_t thread;
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_sem_init(&answered, 0));
    CHECK_OK(uv_thread_create(&thread, read_then_answer, NULL));
    in_callback(write_and_wait_for_thread);
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(writes, 2);
    uv_sem_destroy(&answered);
    close(peer);
    close_loop();
}

static void write_and_read_peer(uv_timer_t* handle) {
    (void)handle;
    write_text(0, "one,");
    write_text(1, "two,");
    write_text(2, "three");
    expect_bytes(peer, "one,two,three");
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    CHECK_EQ(writes, 0);
}

TEST(every_write_has_left_when_it_returns_and_the_queue_is_empty) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_and_read_peer);
    CHECK_EQ(writes, 3);
    close(peer);
    close_loop();
}

static int duplicate;

static void write_in_turn(uv_timer_t* handle) {
    (void)handle;
    for (int i = 0; i < 3; i++) {
        write_text(i, "a");
        CHECK_EQ(write(duplicate, "b", 1), 1);
    }
}

TEST(writes_keep_their_order_with_those_on_a_duplicate_of_the_descriptor) {
    int fds[2];
    open_loop();
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    duplicate = dup(fds[0]);
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    in_callback(write_in_turn);
    expect_bytes(fds[1], "ababab");
    close(duplicate);
    close(fds[1]);
    close_loop();
}

static void write_and_leave(uv_timer_t* handle) {
    (void)handle;
    write_text(0, "one,");
    write_text(1, "two");
    _exit(0);
}

TEST(nothing_is_lost_when_a_callback_leaves_the_process_at_once) {
    int fds[2], status;
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        open_loop();
        CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
        CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
        in_callback(write_and_leave);
        _exit(1);
    }
    close(fds[1]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
    expect_bytes(fds[0], "one,two");
    close(fds[0]);
}

static void write_before_fork(uv_timer_t* handle) {
    int status;
    (void)handle;
    write_text(0, "one,");
    write_text(1, "two");
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0)
        exit(0);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
}

TEST(a_forked_child_sends_nothing_a_second_time) {
    open_loop();
    peer = open_pipe(&pipe_handle, 0);
    in_callback(write_before_fork);
    expect_bytes(peer, "one,two");
    close(peer);
    close_loop();
}
