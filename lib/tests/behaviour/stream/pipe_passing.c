/* Handles that travel over a pipe. */

#include "streams.h"

static uv_pipe_t here, there;
static uv_write_t req;

static void open_both(void) {
    int fds[2];
    open_loop();
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&loop, &here, 1));
    CHECK_OK(uv_pipe_init(&loop, &there, 1));
    CHECK_OK(uv_pipe_open(&here, fds[0]));
    CHECK_OK(uv_pipe_open(&there, fds[1]));
}

static void receive(int count) {
    CHECK_OK(uv_read_start(STREAM(&there), give_room, on_read));
    while (uv_pipe_pending_count(&there) < count)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_read_stop(STREAM(&there)));
}

static void pass(void* handle) {
    uv_buf_t buf = text_buf("h");
    CHECK_OK(uv_write2(&req, STREAM(&here), &buf, 1, STREAM(handle), on_write));
    receive(1);
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    CHECK_EQ(uv_pipe_pending_count(&there), 1);
}

TEST(passed_tcp_handle_is_the_same_socket) {
    uv_tcp_t tcp, copy;
    uv_buf_t buf = text_buf("through the copy");
    int fd;
    open_both();
    int peer = open_tcp(&tcp);
    pass(&tcp);
    CHECK_EQ(uv_pipe_pending_type(&there), UV_TCP);
    CHECK_OK(uv_tcp_init(&loop, &copy));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    CHECK_EQ(uv_pipe_pending_count(&there), 0);
    CHECK_EQ(uv_pipe_pending_type(&there), UV_UNKNOWN_HANDLE);
    CHECK_OK(uv_fileno(HANDLE(&copy), &fd));
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK_EQ(uv_try_write(STREAM(&copy), &buf, 1), (int)buf.len);
    expect_bytes(peer, "through the copy");
    close(peer);
    close_loop();
}

TEST(passed_pipe_handle_is_the_same_pipe) {
    uv_pipe_t pipe, copy;
    uv_buf_t buf = text_buf("x");
    open_both();
    int peer = open_pipe(&pipe, 0);
    pass(&pipe);
    CHECK_EQ(uv_pipe_pending_type(&there), UV_NAMED_PIPE);
    CHECK_OK(uv_pipe_init(&loop, &copy, 0));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    CHECK_EQ(uv_try_write(STREAM(&copy), &buf, 1), 1);
    expect_bytes(peer, "x");
    close(peer);
    close_loop();
}

TEST(passed_udp_handle_can_be_adopted) {
    uv_udp_t udp, copy;
    struct sockaddr_in address = localhost(0), name;
    int size = sizeof(address);
    open_both();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(&udp, (struct sockaddr*)&address, &size));
    pass(&udp);
    CHECK_EQ(uv_pipe_pending_type(&there), UV_UDP);
    CHECK_OK(uv_udp_init(&loop, &copy));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    CHECK_OK(uv_udp_getsockname(&copy, (struct sockaddr*)&name, &size));
    CHECK_EQ(name.sin_port, address.sin_port);
    close_loop();
}

TEST(passing_needs_an_ipc_pipe_and_an_open_handle) {
    uv_pipe_t plain;
    uv_tcp_t tcp, empty;
    uv_timer_t timer;
    uv_buf_t buf = text_buf("x");
    open_both();
    int peer = open_pipe(&plain, 0);
    int other = open_tcp(&tcp);
    CHECK_EQ(uv_write2(&req, STREAM(&plain), &buf, 1, STREAM(&tcp), on_write), UV_EINVAL);
    CHECK_EQ(uv_write2(&req, STREAM(&tcp), &buf, 1, STREAM(&plain), on_write), UV_EINVAL);
    CHECK_OK(uv_tcp_init(&loop, &empty));
    CHECK_EQ(uv_write2(&req, STREAM(&here), &buf, 1, STREAM(&empty), on_write), UV_EBADF);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_write2(&req, STREAM(&here), &buf, 1, STREAM(&timer), on_write), UV_EBADF);
    CHECK_EQ(uv_pipe_pending_count(&plain), 0);
    uv_pipe_pending_instances(&plain, 4);
    close(peer);
    close(other);
    close_loop();
}

TEST(try_write2_passes_a_handle_at_once) {
    uv_tcp_t tcp, copy;
    uv_buf_t buf = text_buf("x");
    open_both();
    int peer = open_tcp(&tcp);
    CHECK_EQ(uv_try_write2(STREAM(&here), &buf, 1, STREAM(&tcp)), 1);
    receive(1);
    CHECK_OK(uv_tcp_init(&loop, &copy));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    close(peer);
    close_loop();
}

TEST(passed_handle_waits_on_if_the_one_that_is_to_take_it_can_take_none) {
    uv_tcp_t tcp, copy;
    uv_timer_t timer;
    open_both();
    int peer = open_tcp(&tcp);
    pass(&tcp);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_accept(STREAM(&there), STREAM(&timer)), UV_EINVAL);
    CHECK_EQ(uv_pipe_pending_count(&there), 1);
    CHECK_OK(uv_tcp_init(&loop, &copy));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    close(peer);
    close_loop();
}

TEST(handles_nobody_accepts_are_closed_with_the_pipe) {
    uv_tcp_t tcp;
    uv_buf_t buf = text_buf("x");
    char byte;
    open_both();
    int peer = open_tcp(&tcp);
    for (int i = 0; i < 5; i++)
        CHECK_EQ(uv_try_write2(STREAM(&here), &buf, 1, STREAM(&tcp)), 1);
    receive(5);
    uv_close(HANDLE(&tcp), NULL);
    CHECK_EQ(take(peer, &byte, 1), -EAGAIN);
    uv_close(HANDLE(&there), NULL);
    CHECK_EQ(take(peer, &byte, 1), 0);
    close(peer);
    close_loop();
}

enum { THOUSAND = 1000 };
static uv_write_t passing[THOUSAND];
static uv_pipe_t copies[THOUSAND];

TEST(a_thousand_descriptors_pass_in_order) {
    static uv_pipe_t originals[10];
    static int peers[10];
    static int inodes[10];
    struct stat info;
    uv_buf_t buf = text_buf("x");
    int received = 0;
    int fd;
    open_both();
    for (int i = 0; i < 10; i++) {
        peers[i] = open_pipe(&originals[i], 0);
        CHECK_OK(uv_fileno(HANDLE(&originals[i]), &fd));
        CHECK_OK(fstat(fd, &info));
        inodes[i] = (int)info.st_ino;
    }
    for (int i = 0; i < THOUSAND; i++)
        CHECK_OK(
            uv_write2(&passing[i], STREAM(&here), &buf, 1, STREAM(&originals[i % 10]), on_write));
    CHECK_OK(uv_read_start(STREAM(&there), give_room, on_read));
    while (received < THOUSAND) {
        uv_run(&loop, UV_RUN_ONCE);
        while (uv_pipe_pending_count(&there) > 0) {
            CHECK_OK(uv_pipe_init(&loop, &copies[received], 0));
            CHECK_OK(uv_accept(STREAM(&there), STREAM(&copies[received])));
            CHECK_OK(uv_fileno(HANDLE(&copies[received]), &fd));
            CHECK_OK(fstat(fd, &info));
            CHECK_EQ((int)info.st_ino, inodes[received % 10]);
            received++;
        }
    }
    CHECK_EQ(read_bytes, THOUSAND);
    run_some(2);
    CHECK_EQ(writes, THOUSAND);
    for (int i = 0; i < 10; i++)
        close(peers[i]);
    close_loop();
}

TEST(bytes_around_a_passed_handle_keep_their_order) {
    uv_tcp_t tcp, copy;
    uv_write_t reqs[3];
    uv_buf_t one = text_buf("one,"), two = text_buf("two,"), three = text_buf("three");
    open_both();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_write(&reqs[0], STREAM(&here), &one, 1, on_write));
    CHECK_OK(uv_write2(&reqs[1], STREAM(&here), &two, 1, STREAM(&tcp), on_write));
    CHECK_OK(uv_write(&reqs[2], STREAM(&here), &three, 1, on_write));
    CHECK_OK(uv_read_start(STREAM(&there), give_room, on_read));
    while (read_bytes < 13)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(read_text, "one,two,three");
    CHECK_EQ(uv_pipe_pending_count(&there), 1);
    CHECK_OK(uv_tcp_init(&loop, &copy));
    CHECK_OK(uv_accept(STREAM(&there), STREAM(&copy)));
    close(peer);
    close_loop();
}
