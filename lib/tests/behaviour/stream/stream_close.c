/* Shutting down and closing, with everything outstanding. */

#include "streams.h"

static uv_pipe_t pipe_handle;
static uv_tcp_t tcp;
static uv_write_t reqs[4];
static uv_shutdown_t shutdown_req;
static char big[1 << 20];
static char story[64];

static void tell(char event) {
    size_t used = strlen(story);
    CHECK_LT(used, sizeof(story) - 1);
    story[used] = event;
}

static void tell_write(uv_write_t* req, int status) {
    tell((char)('0' + (req - reqs)));
    tell(status == 0 ? '+' : status == UV_ECANCELED ? 'c' : '?');
}

static void tell_shutdown(uv_shutdown_t* req, int status) {
    (void)req;
    tell('s');
    tell(status == 0 ? '+' : status == UV_ECANCELED ? 'c' : '?');
}

static void tell_connect(uv_connect_t* req, int status) {
    (void)req;
    tell('n');
    tell(status == 0 ? '+' : status == UV_ECANCELED ? 'c' : '?');
}

static void tell_close(uv_handle_t* handle) {
    (void)handle;
    tell('x');
}

static void write_big(int i, uv_stream_t* stream) {
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    CHECK_OK(uv_write(&reqs[i], stream, &buf, 1, tell_write));
}

TEST(shutdown_waits_for_the_writes_and_ends_the_stream) {
    uv_buf_t buf = text_buf("bye");
    char byte;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, tell_write));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), tell_shutdown));
    CHECK(shutdown_req.handle == STREAM(&pipe_handle));
    CHECK_STR(story, "");
    CHECK(!uv_is_writable(STREAM(&pipe_handle)));
    CHECK(uv_is_readable(STREAM(&pipe_handle)));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(story, "0+s+");
    expect_bytes(peer, "bye");
    CHECK_EQ(take(peer, &byte, 1), 0);
    CHECK_EQ(uv_write(&reqs[1], STREAM(&pipe_handle), &buf, 1, tell_write), UV_EPIPE);
    CHECK_EQ(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), tell_shutdown), UV_ENOTCONN);
    close(peer);
    close_loop();
}

TEST(shutdown_waits_for_a_queue_that_the_kernel_has_no_room_for) {
    static char got[1 << 16];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_big(0, STREAM(&pipe_handle));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), tell_shutdown));
    run_some(3);
    CHECK_STR(story, "");
    size_t total = 0;
    for (ssize_t n = 1; n != 0;) {
        n = recv(peer, got, sizeof(got), MSG_DONTWAIT);
        if (n > 0)
            total += (size_t)n;
        run_some(1);
    }
    CHECK_EQ(total, sizeof(big));
    CHECK_STR(story, "0+s+");
    close(peer);
    close_loop();
}

TEST(shutdown_of_a_pipe_that_is_no_socket_says_enotsock) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), on_shutdown));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(shutdown_status, UV_ENOTSOCK);
    close(fds[0]);
    close_loop();
}

TEST(close_cancels_writes_and_shutdown_in_order_before_its_callback) {
    uv_buf_t small = text_buf("x");
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), &small, 1, tell_write));
    write_big(1, STREAM(&pipe_handle));
    write_big(2, STREAM(&pipe_handle));
    write_big(3, STREAM(&pipe_handle));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), tell_shutdown));
    uv_close(HANDLE(&pipe_handle), tell_close);
    CHECK_STR(story, "");
    CHECK(uv_is_closing(HANDLE(&pipe_handle)));
    CHECK(!uv_is_readable(STREAM(&pipe_handle)));
    CHECK(!uv_is_writable(STREAM(&pipe_handle)));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(story, "0+1c2c3cscx");
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    CHECK_EQ(reads, 0);
    close(peer);
    close_loop();
}

TEST(close_cancels_the_connect_and_what_waits_for_it) {
    struct sockaddr_in address;
    uv_connect_t connecting;
    int listener = raw_listener(&address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connecting, &tcp, (struct sockaddr*)&address, tell_connect));
    write_big(0, STREAM(&tcp));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&tcp), tell_shutdown));
    uv_close(HANDLE(&tcp), tell_close);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(story, "nc0cscx");
    close(listener);
    close_loop();
}

TEST(close_closes_the_descriptor_at_once) {
    char byte;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK_EQ(take(peer, &byte, 1), 0);
    close(peer);
    close_loop();
}

TEST(close_leaves_standard_input_open) {
    int fds[2];
    int saved = dup(0);
    open_loop();
    CHECK_OK(pipe(fds));
    CHECK_EQ(dup2(fds[0], 0), 0);
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, 0));
    uv_close(HANDLE(&pipe_handle), NULL);
    close_loop();
    CHECK_GE(fcntl(0, F_GETFD), 0);
    CHECK_GE(dup2(saved, 0), 0);
    close(saved);
    close(fds[0]);
    close(fds[1]);
}

static void close_in_write(uv_write_t* req, int status) {
    tell_write(req, status);
    if (req == &reqs[0])
        uv_close(HANDLE(req->handle), tell_close);
}

TEST(stream_may_be_closed_in_a_write_callback) {
    uv_buf_t buf = text_buf("x");
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    for (int i = 0; i < 3; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, close_in_write));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&pipe_handle), tell_shutdown));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(story, "0+1+2+scx");
    close(peer);
    close_loop();
}

static void close_in_connect(uv_connect_t* req, int status) {
    tell_connect(req, status);
    uv_close(HANDLE(req->handle), tell_close);
}

TEST(stream_may_be_closed_in_its_connect_callback) {
    struct sockaddr_in address;
    uv_connect_t connecting;
    int listener = raw_listener(&address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connecting, &tcp, (struct sockaddr*)&address, close_in_connect));
    write_big(0, STREAM(&tcp));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_STR(story, "n+0cx");
    close(listener);
    close_loop();
}

/* The number is reused at once: nothing of the old stream may reach the new one. */
TEST(descriptor_number_reused_after_close_gets_only_its_own_events) {
    uv_pipe_t second;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    run_some(1);
    CHECK_EQ(write(peer, "old", 3), 3);
    uv_close(HANDLE(&pipe_handle), on_close);
    int other = open_pipe(&second, 0);
    CHECK_OK(uv_read_start(STREAM(&second), give_room, on_read));
    run_some(3);
    CHECK_EQ(reads, 0);
    CHECK_EQ(write(other, "new", 3), 3);
    run_some(1);
    CHECK_STR(read_text, "new");
    close(peer);
    close(other);
    close_loop();
}

/* Wrong, but it must not reach a handle that is gone. */
TEST(calls_on_a_closing_stream_are_refused_or_called_back_before_its_end) {
    uv_connect_t connecting;
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    uv_close(HANDLE(&pipe_handle), tell_close);
    uv_close(HANDLE(&tcp), NULL);
    struct sockaddr_in address = localhost(1);
    CHECK_EQ(uv_tcp_connect(&connecting, &tcp, (struct sockaddr*)&address, tell_connect),
             UV_EINVAL);
    CHECK_EQ(uv_tcp_open(&tcp, 0), UV_EINVAL);
    uv_pipe_connect(&connecting, &pipe_handle, "nobody", tell_connect);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(story[0], 'n');
    CHECK_STR(story + 2, "x");
    close_loop();
}
