#include "streams.h"

static uv_tcp_t tcp, other;

static int option(const uv_tcp_t* handle, int level, int name) {
    int fd;
    int value = -1;
    socklen_t size = sizeof(value);
    CHECK_OK(uv_fileno((const uv_handle_t*)handle, &fd));
    CHECK_OK(getsockopt(fd, level, name, &value, &size));
    return value;
}

static void no_connection(uv_stream_t* stream, int status) {
    (void)stream;
    (void)status;
}

TEST(tcp_init_ex_makes_a_socket_of_the_family) {
    int fd;
    open_loop();
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET6));
    CHECK_EQ(option(&tcp, SOL_SOCKET, SO_DOMAIN), AF_INET6);
    CHECK_OK(uv_fileno(HANDLE(&tcp), &fd));
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    CHECK_OK(uv_tcp_init_ex(&loop, &other, AF_UNSPEC));
    CHECK_EQ(uv_fileno(HANDLE(&other), &fd), UV_EBADF);
    close_loop();
}

TEST(tcp_init_ex_refuses_other_families_and_flags) {
    open_loop();
    CHECK_EQ(uv_tcp_init_ex(&loop, &tcp, AF_UNIX), UV_EINVAL);
    CHECK_EQ(uv_tcp_init_ex(&loop, &tcp, AF_INET | 0x100), UV_EINVAL);
    close_loop();
}

TEST(tcp_without_a_socket_says_ebadf_and_enotconn) {
    struct sockaddr_storage name;
    int size = sizeof(name);
    int value = 0;
    uv_buf_t buf = text_buf("x");
    uv_write_t req;
    uv_shutdown_t end;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_getsockname(&tcp, (struct sockaddr*)&name, &size), UV_EBADF);
    CHECK_EQ(uv_tcp_getpeername(&tcp, (struct sockaddr*)&name, &size), UV_EBADF);
    CHECK_EQ(uv_write(&req, STREAM(&tcp), &buf, 1, on_write), UV_EBADF);
    CHECK_EQ(uv_try_write(STREAM(&tcp), &buf, 1), UV_EBADF);
    CHECK_EQ(uv_shutdown(&end, STREAM(&tcp), on_shutdown), UV_ENOTCONN);
    CHECK_EQ(uv_read_start(STREAM(&tcp), give_room, on_read), UV_ENOTCONN);
    CHECK_EQ(uv_stream_set_blocking(STREAM(&tcp), 1), UV_EBADF);
    CHECK_EQ(uv_send_buffer_size(HANDLE(&tcp), &value), UV_EBADF);
    CHECK_OK(uv_read_stop(STREAM(&tcp)));
    close_loop();
}

TEST(tcp_open_refuses_a_watched_or_second_descriptor) {
    open_loop();
    int peer = open_tcp(&tcp);
    int fd;
    CHECK_OK(uv_fileno(HANDLE(&tcp), &fd));
    CHECK_OK(uv_read_start(STREAM(&tcp), give_room, on_read));
    CHECK_OK(uv_tcp_init(&loop, &other));
    CHECK_EQ(uv_tcp_open(&other, fd), UV_EEXIST);
    CHECK_EQ(uv_tcp_open(&tcp, peer), UV_EBUSY);
    CHECK_EQ(uv_tcp_open(&other, -1), UV_EBADF);
    close(peer);
    close_loop();
}

TEST(tcp_open_makes_the_descriptor_nonblocking) {
    int fd;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_fileno(HANDLE(&tcp), &fd));
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    CHECK(uv_is_readable(STREAM(&tcp)));
    CHECK(uv_is_writable(STREAM(&tcp)));
    close(peer);
    close_loop();
}

TEST(tcp_bind_refuses_wrong_families_and_flags) {
    struct sockaddr_in v4 = localhost(0);
    struct sockaddr_in6 v6;
    struct sockaddr strange = {.sa_family = AF_UNIX};
    CHECK_OK(uv_ip6_addr("::1", 0, &v6));
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_bind(&tcp, &strange, 0), UV_EINVAL);
    CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr*)&v4, UV_TCP_IPV6ONLY), UV_EINVAL);
    CHECK_OK(uv_tcp_init_ex(&loop, &other, AF_INET6));
    CHECK_EQ(uv_tcp_bind(&other, (struct sockaddr*)&v4, 0), UV_EINVAL);
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&v4, 0));
    CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr*)&v4, 0), UV_EINVAL);
    uv_close(HANDLE(&tcp), NULL);
    CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr*)&v4, 0), UV_EINVAL);
    close_loop();
}

TEST(tcp_bind_to_a_foreign_address_says_eaddrnotavail) {
    struct sockaddr_in address;
    CHECK_OK(uv_ip4_addr("192.0.2.1", 0, &address));
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr*)&address, 0), UV_EADDRNOTAVAIL);
    close_loop();
}

TEST(tcp_address_in_use_shows_when_listening_or_connecting) {
    struct sockaddr_in address;
    struct sockaddr_in name;
    int size = sizeof(name);
    uv_connect_t req;
    int listener = raw_listener(&address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, 0));
    CHECK_EQ(uv_tcp_getsockname(&tcp, (struct sockaddr*)&name, &size), UV_EADDRINUSE);
    CHECK_EQ(uv_listen(STREAM(&tcp), 1, no_connection), UV_EADDRINUSE);
    CHECK_OK(uv_tcp_connect(&req, &tcp, (struct sockaddr*)&address, on_connect));
    CHECK_EQ(connects, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(connect_status, UV_EADDRINUSE);
    close(listener);
    close_loop();
}

TEST(tcp_bind_sets_ipv6only_as_asked) {
    struct sockaddr_in6 address;
    CHECK_OK(uv_ip6_addr("::", 0, &address));
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, UV_TCP_IPV6ONLY));
    CHECK_EQ(option(&tcp, IPPROTO_IPV6, IPV6_V6ONLY), 1);
    CHECK_OK(uv_tcp_init(&loop, &other));
    CHECK_OK(uv_tcp_bind(&other, (struct sockaddr*)&address, 0));
    CHECK_EQ(option(&other, IPPROTO_IPV6, IPV6_V6ONLY), 0);
    close_loop();
}

TEST(tcp_reuseport_lets_two_listen_on_one_port) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, UV_TCP_REUSEPORT));
    CHECK_OK(uv_tcp_getsockname(&tcp, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_tcp_init(&loop, &other));
    CHECK_OK(uv_tcp_bind(&other, (struct sockaddr*)&address, UV_TCP_REUSEPORT));
    CHECK_OK(uv_listen(STREAM(&tcp), 1, no_connection));
    CHECK_OK(uv_listen(STREAM(&other), 1, no_connection));
    close_loop();
}

TEST(tcp_nodelay_and_keepalive_reach_the_socket) {
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_tcp_nodelay(&tcp, 1));
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_NODELAY), 1);
    CHECK_OK(uv_tcp_nodelay(&tcp, 0));
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_NODELAY), 0);
    CHECK_OK(uv_tcp_keepalive(&tcp, 1, 42));
    CHECK_EQ(option(&tcp, SOL_SOCKET, SO_KEEPALIVE), 1);
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 42);
    CHECK_EQ(uv_tcp_keepalive(&tcp, 1, 0), UV_EINVAL);
    CHECK_OK(uv_tcp_keepalive(&tcp, 0, 0));
    CHECK_EQ(option(&tcp, SOL_SOCKET, SO_KEEPALIVE), 0);
    CHECK_OK(uv_tcp_simultaneous_accepts(&tcp, 1));
    close(peer);
    close_loop();
}

TEST(tcp_keepalive_ex_sets_interval_and_count) {
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_tcp_keepalive_ex(&tcp, 1, 30, 5, 7));
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_KEEPIDLE), 30);
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_KEEPINTVL), 5);
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_KEEPCNT), 7);
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 0, 5, 7), UV_EINVAL);
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 30, 0, 7), UV_EINVAL);
    CHECK_EQ(uv_tcp_keepalive_ex(&tcp, 1, 30, 5, 0), UV_EINVAL);
    CHECK_OK(uv_tcp_keepalive_ex(&tcp, 0, 0, 0, 0));
    close(peer);
    close_loop();
}

TEST(tcp_options_set_before_the_socket_are_applied_to_it) {
    struct sockaddr_in address = localhost(0);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_nodelay(&tcp, 1));
    CHECK_OK(uv_tcp_keepalive(&tcp, 1, 60));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, 0));
    CHECK_EQ(option(&tcp, IPPROTO_TCP, TCP_NODELAY), 1);
    CHECK_EQ(option(&tcp, SOL_SOCKET, SO_KEEPALIVE), 1);
    close_loop();
}

TEST(tcp_names_tell_both_ends) {
    struct sockaddr_in here = {0}, there = {0}, peer_name = {0};
    int size = sizeof(here);
    socklen_t peer_size = sizeof(peer_name);
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_tcp_getsockname(&tcp, (struct sockaddr*)&here, &size));
    CHECK_OK(getpeername(peer, (struct sockaddr*)&peer_name, &peer_size));
    CHECK_EQ(here.sin_port, peer_name.sin_port);
    CHECK_OK(uv_tcp_getpeername(&tcp, (struct sockaddr*)&there, &size));
    CHECK_OK(getsockname(peer, (struct sockaddr*)&peer_name, &peer_size));
    CHECK_EQ(there.sin_port, peer_name.sin_port);
    close(peer);
    close_loop();
}

TEST(tcp_close_reset_resets_the_peer) {
    char byte;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_tcp_close_reset(&tcp, on_close));
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(closes, 1);
    CHECK_EQ(recv(peer, &byte, 1, 0), -1);
    CHECK_EQ(errno, ECONNRESET);
    close(peer);
    close_loop();
}

TEST(tcp_close_reset_after_shutdown_says_einval) {
    uv_shutdown_t req;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_shutdown(&req, STREAM(&tcp), on_shutdown));
    CHECK_EQ(uv_tcp_close_reset(&tcp, on_close), UV_EINVAL);
    CHECK(!uv_is_closing(HANDLE(&tcp)));
    close(peer);
    close_loop();
}

TEST(tcp_close_reset_after_a_shutdown_that_is_done_resets_the_peer) {
    uv_shutdown_t req;
    char byte;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_shutdown(&req, STREAM(&tcp), on_shutdown));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(shutdowns, 1);
    CHECK_EQ(take(peer, &byte, 1), 0);
    CHECK_OK(uv_tcp_close_reset(&tcp, on_close));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(closes, 1);
    CHECK_EQ(send(peer, "x", 1, MSG_NOSIGNAL), -1);
    CHECK_EQ(errno, EPIPE);
    close(peer);
    close_loop();
}

TEST(socketpair_ends_are_nonblocking_as_asked) {
    int fds[2];
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, 0));
    CHECK(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK));
    CHECK(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(fds[1], F_GETFD) & FD_CLOEXEC);
    CHECK_EQ(write(fds[0], "x", 1), 1);
    expect_bytes(fds[1], "x");
    close(fds[0]);
    close(fds[1]);
    CHECK_EQ(uv_socketpair(12345, 0, fds, 0, 0), UV_EINVAL);
}

TEST(buffer_sizes_can_be_read_and_set) {
    int before = 0, after = 0;
    int wanted = 20000;
    uv_timer_t timer;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_send_buffer_size(HANDLE(&tcp), &before));
    CHECK_GT(before, 0);
    CHECK_OK(uv_send_buffer_size(HANDLE(&tcp), &wanted));
    CHECK_OK(uv_send_buffer_size(HANDLE(&tcp), &after));
    CHECK_EQ(after, 2 * wanted);
    wanted = 10000;
    after = 0;
    CHECK_OK(uv_recv_buffer_size(HANDLE(&tcp), &wanted));
    CHECK_OK(uv_recv_buffer_size(HANDLE(&tcp), &after));
    CHECK_EQ(after, 2 * wanted);
    CHECK_EQ(uv_send_buffer_size(NULL, &after), UV_EINVAL);
    CHECK_EQ(uv_recv_buffer_size(HANDLE(&tcp), NULL), UV_EINVAL);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_send_buffer_size(HANDLE(&timer), &after), UV_ENOTSUP);
    close(peer);
    close_loop();
}

TEST(fileno_knows_streams_and_refuses_the_rest) {
    uv_timer_t timer;
    uv_poll_t poll;
    int fd;
    open_loop();
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_fileno(HANDLE(&tcp), &fd));
    CHECK_EQ(*(int*)((char*)&tcp + DESCRIPTOR), fd);
    CHECK_OK(uv_poll_init(&loop, &poll, peer));
    CHECK_OK(uv_fileno(HANDLE(&poll), &fd));
    CHECK_EQ(fd, peer);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_fileno(HANDLE(&timer), &fd), UV_EINVAL);
    uv_close(HANDLE(&tcp), NULL);
    CHECK_EQ(uv_fileno(HANDLE(&tcp), &fd), UV_EBADF);
    close_loop();
    close(peer);
}
