/* Small promises of streams that are easily broken: each is one call and what came of it. */

#include "streams.h"

static uv_tcp_t tcp, other;
static uv_pipe_t pipe_handle, receiver;
static uv_connect_t connect_req;
static uv_write_t write_req;

static void wait_for_connect(int count) {
    while (connects < count)
        uv_run(&loop, UV_RUN_ONCE);
}

TEST(tcp_that_was_bound_is_open_in_both_directions_once_connected) {
    struct sockaddr_in own = localhost(0), address;
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&own, 0));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    wait_for_connect(1);
    CHECK_OK(connect_status);
    CHECK(uv_is_readable(STREAM(&tcp)));
    CHECK(uv_is_writable(STREAM(&tcp)));
    close(listener);
    close_loop();
}

static int shares_its_port(const uv_tcp_t* handle) {
    uv_os_fd_t fd;
    int value = -1;
    socklen_t size = sizeof(value);
    CHECK_OK(uv_fileno((const uv_handle_t*)handle, &fd));
    CHECK_OK(getsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &value, &size));
    return value;
}

TEST(tcp_shares_its_port_only_if_asked_to) {
    struct sockaddr_in own = localhost(0);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&own, 0));
    CHECK_EQ(shares_its_port(&tcp), 0);
    close_loop();
}

TEST(tcp_address_that_was_taken_is_forgotten_by_the_next_bind) {
    struct sockaddr_in taken, free_one = localhost(0);
    open_loop();
    int listener = raw_listener(&taken);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&taken, 0));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&free_one, 0));
    CHECK_OK(uv_listen(STREAM(&tcp), 1, NULL));
    close(listener);
    close_loop();
}

TEST(tcp_address_that_was_taken_is_told_by_one_connect) {
    struct sockaddr_in taken;
    open_loop();
    int listener = raw_listener(&taken);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&taken, 0));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&taken, on_connect));
    wait_for_connect(1);
    CHECK_EQ(connect_status, UV_EADDRINUSE);
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&taken, on_connect));
    wait_for_connect(2);
    CHECK_OK(connect_status);
    close(listener);
    close_loop();
}

TEST(pipe_with_the_shortest_name_removes_it) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind(&pipe_handle, "a"));
    CHECK_OK(access("a", F_OK));
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK_EQ(access("a", F_OK), -1);
    close_loop();
}

TEST(pipe_name_that_is_too_long_is_cut_at_both_ends) {
    char name[200], end[200];
    size_t size = sizeof(end);
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind(&pipe_handle, name));
    CHECK_OK(uv_listen(STREAM(&pipe_handle), 1, NULL));
    CHECK_OK(uv_pipe_init(&loop, &receiver, 0));
    uv_pipe_connect(&connect_req, &receiver, name, on_connect);
    wait_for_connect(1);
    CHECK_OK(connect_status);
    CHECK_OK(uv_pipe_getpeername(&receiver, end, &size));
    CHECK_GT(size, 100);
    CHECK_LT(size, 109);
    close_loop();
}

TEST(pipe_that_passes_no_handles_has_none_pending) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind(&pipe_handle, "socket"));
    CHECK_OK(uv_listen(STREAM(&pipe_handle), 8, NULL));
    CHECK_OK(uv_pipe_init(&loop, &receiver, 0));
    uv_pipe_connect(&connect_req, &receiver, "socket", on_connect);
    wait_for_connect(1);
    run_some(2);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 0);
    CHECK_EQ(uv_pipe_pending_type(&pipe_handle), UV_UNKNOWN_HANDLE);
    close_loop();
}

/* It belongs to the first bytes, however many calls the rest takes. */
TEST(handle_is_passed_once_with_a_write_that_takes_many_calls) {
    static char much[1 << 20];
    uv_buf_t buf = uv_buf_init(much, sizeof(much));
    open_loop();
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 1));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_OK(uv_pipe_init(&loop, &receiver, 1));
    CHECK_OK(uv_pipe_open(&receiver, fds[1]));
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_write2(&write_req, STREAM(&pipe_handle), &buf, 1, STREAM(&tcp), on_write));
    CHECK_OK(uv_read_start(STREAM(&receiver), give_room, on_read));
    while (writes == 0) {
        read_bytes = 0;
        uv_run(&loop, UV_RUN_ONCE);
    }
    CHECK_OK(write_status);
    CHECK_EQ(uv_pipe_pending_count(&receiver), 1);
    CHECK_OK(uv_tcp_init(&loop, &other));
    CHECK_OK(uv_accept(STREAM(&receiver), STREAM(&other)));
    CHECK_EQ(uv_pipe_pending_count(&receiver), 0);
    close_loop();
    close(peer);
}

TEST(standard_streams_stay_open_when_their_handles_close) {
    for (int number = 0; number < 3; number++) {
        int ends[2], kept = fcntl(number, F_DUPFD_CLOEXEC, 10);
        open_loop();
        CHECK_OK(pipe(ends));
        CHECK_EQ(dup2(ends[number != 0], number), number);
        CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
        CHECK_OK(uv_pipe_open(&pipe_handle, number));
        uv_close(HANDLE(&pipe_handle), NULL);
        uv_run(&loop, UV_RUN_DEFAULT);
        int flags = fcntl(number, F_GETFD);
        if (kept != -1) {
            CHECK_EQ(dup2(kept, number), number);
            close(kept);
        }
        CHECK_NE(flags, -1);
        close(ends[0]);
        close(ends[1]);
        close_loop();
    }
}
