/* A UDP handle's socket: init, open, bind, connect, names. */

#include "udp.h"

#include <fcntl.h>
#include <sys/un.h>

TEST(udp_init_makes_no_socket) {
    uv_udp_t udp;
    uv_os_fd_t fd;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_fileno(HANDLE(&udp), &fd), UV_EBADF);
    CHECK_EQ(udp.type, UV_UDP);
    CHECK(!uv_is_active(HANDLE(&udp)));
    CHECK_EQ(uv_udp_get_send_queue_size(&udp), 0);
    CHECK_EQ(uv_udp_get_send_queue_count(&udp), 0);
    end_loop();
}

TEST(udp_init_ex_with_a_domain_makes_a_closing_on_exec_socket) {
    const int domains[] = {AF_INET, AF_INET6};
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        static uv_udp_t udp[2];
        uv_os_fd_t fd;
        int domain;
        socklen_t size = sizeof(domain);
        CHECK_OK(uv_udp_init_ex(&loop, &udp[i], (unsigned int)domains[i]));
        CHECK_OK(uv_fileno(HANDLE(&udp[i]), &fd));
        CHECK_OK(getsockopt(fd, SOL_SOCKET, SO_DOMAIN, &domain, &size));
        CHECK_EQ(domain, domains[i]);
        CHECK_EQ(fcntl(fd, F_GETFD), FD_CLOEXEC);
        CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    }
    end_loop();
}

TEST(udp_init_ex_refuses_unknown_domains_and_flags) {
    uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, AF_UNIX), UV_EINVAL);
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, 255), UV_EINVAL);
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, 0x200), UV_EINVAL);
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, AF_INET | UV_UDP_RECVMMSG | 0x400), UV_EINVAL);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(udp_using_recvmmsg_tells_the_flag) {
    static uv_udp_t with, without;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init_ex(&loop, &with, AF_UNSPEC | UV_UDP_RECVMMSG));
    CHECK_OK(uv_udp_init_ex(&loop, &without, AF_INET));
    CHECK_EQ(uv_udp_using_recvmmsg(&with), 1);
    CHECK_EQ(uv_udp_using_recvmmsg(&without), 0);
    end_loop();
}

TEST(udp_open_takes_a_bound_socket) {
    static uv_udp_t udp, sender;
    struct sockaddr_in addr = loopback(0);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(bind(fd, ADDR(&addr), sizeof(addr)));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_open(&udp, fd));
    CHECK(fcntl(fd, F_GETFL) & O_NONBLOCK);
    addr = bound_to(&udp);
    CHECK_OK(uv_udp_recv_start(&udp, give_buffer, log_datagram));
    try_send_byte(&sender, &addr, 'x');
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].first, 'x');
    end_loop();
}

TEST(udp_open_of_a_connected_socket_knows_that_it_is) {
    uv_udp_t udp;
    struct sockaddr_in addr = loopback(9);
    uv_buf_t buf = uv_buf_init("x", 1);
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(connect(fd, ADDR(&addr), sizeof(addr)));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_open(&udp, fd));
    CHECK_EQ(uv_udp_try_send(&udp, &buf, 1, ADDR(&addr)), UV_EISCONN);
    CHECK_EQ(uv_udp_connect(&udp, ADDR(&addr)), UV_EISCONN);
    CHECK_OK(uv_udp_connect(&udp, NULL));
    end_loop();
}

TEST(udp_open_refuses_what_is_no_free_socket) {
    static uv_udp_t udp, other;
    int pipe_fds[2];
    uv_os_fd_t fd;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&other, 0);
    CHECK_OK(uv_udp_recv_start(&other, give_buffer, log_datagram));
    CHECK_OK(uv_fileno(HANDLE(&other), &fd));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(pipe(pipe_fds));
    CHECK_EQ(uv_udp_open(&udp, -1), UV_EBADF);
    CHECK_EQ(uv_udp_open(&udp, pipe_fds[0]), UV_ENOTSOCK);
    CHECK_EQ(uv_udp_open(&udp, fd), UV_EEXIST);
    CHECK_EQ(uv_udp_open(&other, pipe_fds[0]), UV_EBUSY);
    close(pipe_fds[0]);
    close(pipe_fds[1]);
    end_loop();
}

static int option_of(int fd, int name) {
    int value;
    socklen_t size = sizeof(value);
    CHECK_OK(getsockopt(fd, SOL_SOCKET, name, &value, &size));
    return value;
}

TEST(udp_open_ex_shares_address_and_port_on_demand_only) {
    const unsigned int flags[] = {0, UV_UDP_REUSEADDR, UV_UDP_REUSEPORT,
                                  UV_UDP_REUSEADDR | UV_UDP_REUSEPORT};
    static uv_udp_t udp[4];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 4; i++) {
        int fd = socket(AF_INET, SOCK_DGRAM, 0);
        CHECK_OK(uv_udp_init(&loop, &udp[i]));
        CHECK_EQ(uv_udp_open_ex(&udp[i], fd, UV_UDP_IPV6ONLY), UV_EINVAL);
        CHECK_OK(uv_udp_open_ex(&udp[i], fd, flags[i]));
        CHECK_EQ(option_of(fd, SO_REUSEADDR), (flags[i] & UV_UDP_REUSEADDR) != 0);
        CHECK_EQ(option_of(fd, SO_REUSEPORT), (flags[i] & UV_UDP_REUSEPORT) != 0);
    }
    end_loop();
}

TEST(udp_open_shares_the_address) {
    static uv_udp_t udp;
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_open(&udp, fd));
    CHECK_EQ(option_of(fd, SO_REUSEADDR), 1);
    CHECK_EQ(option_of(fd, SO_REUSEPORT), 0);
    end_loop();
}

TEST(udp_open_carries_unix_datagrams_too) {
    static uv_udp_t a, b;
    int fds[2];
    uv_buf_t buf = uv_buf_init("u", 1);
    CHECK_OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &a));
    CHECK_OK(uv_udp_init(&loop, &b));
    CHECK_OK(uv_udp_open(&a, fds[0]));
    CHECK_OK(uv_udp_open(&b, fds[1]));
    CHECK_OK(uv_udp_recv_start(&b, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&a, &buf, 1, NULL), 1);
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].nread, 1);
    CHECK_EQ(received[0].first, 'u');
    end_loop();
}

TEST(udp_send_reaches_a_unix_datagram_socket_by_its_path) {
    static uv_udp_t a;
    struct sockaddr_un path = {.sun_family = AF_UNIX, .sun_path = "socket"};
    uv_buf_t buf = uv_buf_init("hello", 5);
    char text[16];
    int receiver = socket(AF_UNIX, SOCK_DGRAM, 0);
    CHECK_OK(bind(receiver, ADDR(&path), sizeof(path)));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &a));
    CHECK_OK(uv_udp_open(&a, socket(AF_UNIX, SOCK_DGRAM, 0)));
    CHECK_EQ(uv_udp_try_send(&a, &buf, 1, ADDR(&path)), 5);
    CHECK_EQ(recv(receiver, text, sizeof(text), 0), 5);
    close(receiver);
    end_loop();
}

TEST(udp_bind_refuses_bad_flags_and_families) {
    static uv_udp_t udp;
    struct sockaddr_in addr = loopback(0);
    struct sockaddr bad = {.sa_family = 99};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_bind(&udp, &bad, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_bind(&udp, ADDR(&addr), UV_UDP_PARTIAL), UV_EINVAL);
    CHECK_EQ(uv_udp_bind(&udp, ADDR(&addr), 0x400), UV_EINVAL);
    CHECK_EQ(uv_udp_bind(&udp, ADDR(&addr), UV_UDP_IPV6ONLY), UV_EINVAL);
    end_loop();
}

TEST(udp_bind_to_a_taken_port_reports_eaddrinuse) {
    static uv_udp_t first, second;
    CHECK_OK(uv_loop_init(&loop));
    struct sockaddr_in addr = open_bound(&first, 0);
    CHECK_OK(uv_udp_init(&loop, &second));
    CHECK_EQ(uv_udp_bind(&second, ADDR(&addr), 0), UV_EADDRINUSE);
    addr.sin_port = 0;
    CHECK_OK(uv_udp_bind(&second, ADDR(&addr), 0));
    end_loop();
}

TEST(udp_bind_twice_reports_einval) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    struct sockaddr_in addr = loopback(0);
    CHECK_EQ(uv_udp_bind(&udp, ADDR(&addr), 0), UV_EINVAL);
    end_loop();
}

TEST(udp_bind_of_the_other_domain_reports_einval) {
    static uv_udp_t udp;
    struct sockaddr_in6 addr;
    CHECK_OK(uv_ip6_addr("::1", 0, &addr));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init_ex(&loop, &udp, AF_INET));
    CHECK_EQ(uv_udp_bind(&udp, ADDR(&addr), 0), UV_EINVAL);
    end_loop();
}

TEST(udp_bind_with_reuseaddr_shares_a_port) {
    static uv_udp_t first, second;
    struct sockaddr_in addr = loopback(0);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &first));
    CHECK_OK(uv_udp_init(&loop, &second));
    CHECK_OK(uv_udp_bind(&first, ADDR(&addr), UV_UDP_REUSEADDR));
    addr = bound_to(&first);
    CHECK_OK(uv_udp_bind(&second, ADDR(&addr), UV_UDP_REUSEADDR));
    end_loop();
}

TEST(udp_bind_with_reuseport_spreads_datagrams) {
    static uv_udp_t servers[2], senders[64];
    struct sockaddr_in addr = loopback(0);
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_udp_init(&loop, &servers[i]));
        CHECK_OK(uv_udp_bind(&servers[i], ADDR(&addr), UV_UDP_REUSEPORT));
        addr = bound_to(&servers[i]);
        CHECK_OK(uv_udp_recv_start(&servers[i], give_buffer, log_datagram));
    }
    for (int i = 0; i < 64; i++) {
        CHECK_OK(uv_udp_init(&loop, &senders[i]));
        try_send_byte(&senders[i], &addr, 'r');
    }
    run_until(&datagram_count, 64);
    end_loop();
}

TEST(udp_bind_ipv6only_leaves_the_ipv4_port_free) {
    static uv_udp_t six, four;
    struct sockaddr_in6 addr6;
    struct sockaddr_in addr4;
    int size = sizeof(addr6);
    CHECK_OK(uv_ip6_addr("::", 0, &addr6));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &six));
    if (uv_udp_bind(&six, ADDR(&addr6), UV_UDP_IPV6ONLY) != 0)
        test_skip("no IPv6");
    CHECK_OK(uv_udp_getsockname(&six, (struct sockaddr*)&addr6, &size));
    CHECK_OK(uv_ip4_addr("0.0.0.0", ntohs(addr6.sin6_port), &addr4));
    CHECK_OK(uv_udp_init(&loop, &four));
    CHECK_OK(uv_udp_bind(&four, ADDR(&addr4), 0));
    end_loop();
}

TEST(udp_dual_stack_socket_receives_from_ipv4) {
    static uv_udp_t six, four;
    struct sockaddr_in6 addr6;
    int size = sizeof(addr6);
    CHECK_OK(uv_ip6_addr("::", 0, &addr6));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &six));
    if (uv_udp_bind(&six, ADDR(&addr6), 0) != 0)
        test_skip("no IPv6");
    CHECK_OK(uv_udp_getsockname(&six, (struct sockaddr*)&addr6, &size));
    CHECK_OK(uv_udp_recv_start(&six, give_buffer, log_datagram));
    struct sockaddr_in addr4 = loopback(ntohs(addr6.sin6_port));
    CHECK_OK(uv_udp_init(&loop, &four));
    try_send_byte(&four, &addr4, '4');
    run_until(&datagram_count, 1);
    end_loop();
}

TEST(udp_connect_and_disconnect_follow_the_rules) {
    static uv_udp_t server, client;
    uv_buf_t buf = uv_buf_init("c", 1);
    struct sockaddr_in name;
    int size = sizeof(name);
    CHECK_OK(uv_loop_init(&loop));
    struct sockaddr_in addr = open_bound(&server, 0);
    CHECK_OK(uv_udp_init(&loop, &client));
    CHECK_EQ(uv_udp_connect(&client, NULL), UV_ENOTCONN);
    CHECK_OK(uv_udp_connect(&client, ADDR(&addr)));
    CHECK_EQ(uv_udp_connect(&client, ADDR(&addr)), UV_EISCONN);
    CHECK_OK(uv_udp_getpeername(&client, (struct sockaddr*)&name, &size));
    CHECK_EQ(name.sin_port, addr.sin_port);
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, ADDR(&addr)), UV_EISCONN);
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, NULL), 1);
    CHECK_OK(uv_udp_connect(&client, NULL));
    CHECK_EQ(uv_udp_connect(&client, NULL), UV_ENOTCONN);
    CHECK_EQ(uv_udp_getpeername(&client, (struct sockaddr*)&name, &size), UV_ENOTCONN);
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, NULL), UV_EDESTADDRREQ);
    CHECK_EQ(uv_udp_try_send(&client, &buf, 1, ADDR(&addr)), 1);
    CHECK_OK(uv_udp_connect(&client, ADDR(&addr)));
    end_loop();
}

TEST(udp_connect_refuses_a_bad_family) {
    static uv_udp_t udp;
    struct sockaddr bad = {.sa_family = 99};
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_connect(&udp, &bad), UV_EINVAL);
    end_loop();
}

TEST(udp_names_without_a_socket_report_ebadf) {
    static uv_udp_t udp;
    struct sockaddr_in name;
    int size = sizeof(name);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_getsockname(&udp, (struct sockaddr*)&name, &size), UV_EBADF);
    CHECK_EQ(uv_udp_getpeername(&udp, (struct sockaddr*)&name, &size), UV_EBADF);
    end_loop();
}

TEST(udp_name_without_room_tells_its_length) {
    uv_udp_t handle;
    struct sockaddr_in address;
    int size = 0;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &handle));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_udp_bind(&handle, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_udp_getsockname(&handle, (struct sockaddr*)&address, &size));
    CHECK_EQ(size, sizeof(address));
    end_loop();
}

TEST(udp_socket_is_gone_right_after_close) {
    static uv_udp_t first, second;
    CHECK_OK(uv_loop_init(&loop));
    struct sockaddr_in addr = open_bound(&first, 0);
    uv_close(HANDLE(&first), NULL);
    CHECK_OK(uv_udp_init(&loop, &second));
    CHECK_OK(uv_udp_bind(&second, ADDR(&addr), 0));
    end_loop();
}

static uv_udp_t sender;
static uv_udp_send_t sends[2];
static struct sockaddr_in target;
static int sent, was_active;

static void send_once(uv_udp_send_t* req, uv_udp_send_cb cb) {
    uv_buf_t buf = uv_buf_init("x", 1);
    CHECK_OK(uv_udp_send(req, &sender, &buf, 1, ADDR(&target), cb));
}

static void count_sent(uv_udp_send_t* req, int status) {
    CHECK_OK(status);
    was_active = uv_is_active(HANDLE(req->handle));
    sent++;
}

static void send_another(uv_udp_send_t* req, int status) {
    count_sent(req, status);
    send_once(&sends[1], count_sent);
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 1);
}

TEST(udp_send_in_a_send_callback_leaves_at_the_next_poll) {
    CHECK_OK(uv_loop_init(&loop));
    target = open_bound(&sender, 0);
    CHECK_OK(uv_udp_recv_start(&sender, give_buffer, log_datagram));
    send_once(&sends[0], send_another);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(sent, 2);
    CHECK_EQ(datagram_count, 1); /* the second left after the poll's reading */
    run_until(&datagram_count, 2);
    end_loop();
}

TEST(udp_handle_that_stops_receiving_is_not_active_for_what_has_left) {
    CHECK_OK(uv_loop_init(&loop));
    target = open_bound(&sender, 0);
    send_once(&sends[0], count_sent);
    CHECK(uv_is_active(HANDLE(&sender)));
    CHECK_OK(uv_udp_recv_stop(&sender));
    CHECK(!uv_is_active(HANDLE(&sender)));
    CHECK_EQ(uv_loop_alive(&loop), 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(sent, 1);
    CHECK_EQ(was_active, 0);
    end_loop();
}
