#include "streams.h"

static uv_pipe_t pipe_handle;
static uv_tcp_t tcp;

TEST(stream_read_start_checks_arguments_and_state) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(uv_read_start(NULL, give_room, on_read), UV_EINVAL);
    CHECK_EQ(uv_read_start(STREAM(&pipe_handle), NULL, on_read), UV_EINVAL);
    CHECK_EQ(uv_read_start(STREAM(&pipe_handle), give_room, NULL), UV_EINVAL);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK(pipe_handle.alloc_cb == give_room);
    CHECK(pipe_handle.read_cb == on_read);
    CHECK_EQ(uv_read_start(STREAM(&pipe_handle), give_room, on_read), UV_EALREADY);
    CHECK(uv_is_active(HANDLE(&pipe_handle)));
    CHECK_OK(uv_read_stop(STREAM(&pipe_handle)));
    CHECK(pipe_handle.read_cb == NULL);
    CHECK(!uv_is_active(HANDLE(&pipe_handle)));
    CHECK_OK(uv_read_stop(STREAM(&pipe_handle)));
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK_EQ(uv_read_start(STREAM(&pipe_handle), give_room, on_read), UV_EINVAL);
    close(peer);
    close_loop();
}

TEST(stream_read_of_a_write_end_says_enotconn) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    CHECK(!uv_is_readable(STREAM(&pipe_handle)));
    CHECK_EQ(uv_read_start(STREAM(&pipe_handle), give_room, on_read), UV_ENOTCONN);
    close(fds[0]);
    close_loop();
}

/* As a Python event loop does, to hear that the reader has gone. */
TEST(stream_readable_bit_set_by_hand_forces_reading) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    *(unsigned int*)((char*)&pipe_handle + FLAGS) |= 0x4000;
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    run_some(2);
    CHECK_EQ(reads, 0);
    close(fds[0]);
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_LT(read_result, 0);
    close_loop();
}

TEST(stream_read_delivers_data_and_then_the_end_once) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_EQ(write(peer, "data", 4), 4);
    run_some(1);
    CHECK_EQ(reads, 1);
    CHECK_STR(read_text, "data");
    close(peer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 2);
    CHECK_EQ(read_result, UV_EOF);
    CHECK(!uv_is_active(HANDLE(&pipe_handle)));
    close_loop();
}

TEST(stream_read_gets_the_last_bytes_of_a_closed_peer) {
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_EQ(write(peer, "last", 4), 4);
    close(peer);
    CHECK_OK(uv_read_start(STREAM(&tcp), give_room, on_read));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(read_text, "last");
    CHECK_EQ(read_result, UV_EOF);
    close_loop();
}

static void give_same_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(read_text, sizeof(read_text));
}

TEST(stream_read_gets_everything_a_closed_peer_has_left) {
    static char much[150000];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    int size = 1 << 20;
    CHECK_OK(setsockopt(peer, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size)));
    for (size_t at = 0; at < sizeof(much); at += 50000)
        CHECK_EQ(send(peer, much + at, 50000, MSG_DONTWAIT), 50000);
    close(peer);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_same_room, on_read));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(read_result, UV_EOF);
    CHECK_EQ(read_bytes, sizeof(much));
    close_loop();
}

static int refusals;

static void give_nothing(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    (void)buf;
    refusals++;
}

static void stop_reading(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    on_read(stream, result, buf);
    CHECK_OK(uv_read_stop(stream));
}

TEST(stream_read_without_a_buffer_says_enobufs_and_loses_nothing) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(write(peer, "kept", 4), 4);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_nothing, stop_reading));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(refusals, 1);
    CHECK_EQ(read_result, UV_ENOBUFS);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, stop_reading));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(read_text, "kept");
    close(peer);
    close_loop();
}

static void give_a_byte(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(read_text + read_bytes, 1);
}

TEST(stream_filled_buffers_are_read_again_but_not_without_end) {
    char many[1000];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    memset(many, 'x', sizeof(many));
    CHECK_EQ(write(peer, many, sizeof(many)), sizeof(many));
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_a_byte, on_read));
    run_some(1);
    CHECK_GT(reads, 1);
    CHECK_LE(reads, 64);
    while (read_bytes < sizeof(many))
        uv_run(&loop, UV_RUN_ONCE);
    close(peer);
    close_loop();
}

TEST(stream_read_may_be_stopped_in_its_callback) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(write(peer, "abc", 3), 3);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_a_byte, stop_reading));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 1);
    CHECK_EQ(read_bytes, 1);
    close(peer);
    close_loop();
}

static void close_reading(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    on_read(stream, result, buf);
    uv_close(HANDLE(stream), on_close);
}

TEST(stream_may_be_closed_in_its_read_callback) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(write(peer, "abc", 3), 3);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_a_byte, close_reading));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 1);
    CHECK_EQ(closes, 1);
    close(peer);
    close_loop();
}

TEST(stream_stopped_in_one_callback_gets_no_event_of_the_same_batch) {
    uv_pipe_t other;
    open_loop();
    int peers[2] = {open_pipe(&pipe_handle, 0), open_pipe(&other, 0)};
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, close_reading));
    CHECK_OK(uv_read_start(STREAM(&other), give_room, close_reading));
    run_some(1);
    CHECK_EQ(write(peers[0], "a", 1), 1);
    CHECK_EQ(write(peers[1], "a", 1), 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 2);
    CHECK_EQ(closes, 2);
    close(peers[0]);
    close(peers[1]);
    close_loop();
}

static void reset(int fd) {
    struct linger none = {1, 0};
    CHECK_OK(setsockopt(fd, SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
    close(fd);
}

TEST(tcp_read_after_peer_reset_reports_econnreset_and_stops) {
    uv_buf_t buf = text_buf("x");
    uv_write_t req;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_read_start(STREAM(&tcp), give_room, on_read));
    run_some(1);
    reset(peer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 1);
    CHECK_EQ(read_result, UV_ECONNRESET);
    CHECK(!uv_is_readable(STREAM(&tcp)));
    CHECK(!uv_is_writable(STREAM(&tcp)));
    CHECK_EQ(uv_write(&req, STREAM(&tcp), &buf, 1, on_write), UV_EPIPE);
    CHECK_EQ(uv_read_start(STREAM(&tcp), give_room, on_read), UV_ENOTCONN);
    close_loop();
}

TEST(tcp_half_open_connection_still_takes_writes) {
    uv_buf_t buf = text_buf("answer");
    uv_write_t req;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_read_start(STREAM(&tcp), give_room, on_read));
    CHECK_EQ(write(peer, "question", 8), 8);
    CHECK_OK(shutdown(peer, SHUT_WR));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(read_text, "question");
    CHECK_EQ(read_result, UV_EOF);
    CHECK(uv_is_writable(STREAM(&tcp)));
    CHECK_OK(uv_write(&req, STREAM(&tcp), &buf, 1, on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(write_status);
    expect_bytes(peer, "answer");
    close(peer);
    close_loop();
}

TEST(stream_reading_does_not_keep_the_loop_alive_when_unreferenced) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    uv_unref(HANDLE(&pipe_handle));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(reads, 0);
    close(peer);
    close_loop();
}

TEST(stream_end_is_told_a_turn_after_the_last_data) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_EQ(write(peer, "last", 4), 4);
    close(peer);
    run_some(1);
    CHECK_EQ(read_bytes, 4);
    CHECK_EQ(reads, 1);
    run_some(1);
    CHECK_EQ(read_result, UV_EOF);
    close_loop();
}
