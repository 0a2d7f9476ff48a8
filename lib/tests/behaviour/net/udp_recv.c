/* Receiving datagrams. */

#include "udp.h"

enum { CHUNK = 65536 };

static uv_udp_t receiver, sender;
static struct sockaddr_in addr;
static int stop_after = -1, close_after = -1;

static void start(unsigned int init_flags) {
    CHECK_OK(uv_loop_init(&loop));
    addr = open_bound(&receiver, init_flags);
    CHECK_OK(uv_udp_init(&loop, &sender));
}

static void send_bytes(int count) {
    for (int i = 0; i < count; i++)
        try_send_byte(&sender, &addr, (char)i);
}

static void log_and_end(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                        const struct sockaddr* from, unsigned int flags) {
    log_datagram(handle, nread, buf, from, flags);
    if (from == NULL)
        return;
    if (datagram_count == stop_after)
        CHECK_OK(uv_udp_recv_stop(handle));
    if (datagram_count == close_after)
        uv_close(HANDLE(handle), NULL);
}

TEST(udp_recv_start_checks_its_arguments) {
    start(0);
    CHECK_EQ(uv_udp_recv_start(&receiver, NULL, log_datagram), UV_EINVAL);
    CHECK_EQ(uv_udp_recv_start(&receiver, give_buffer, NULL), UV_EINVAL);
    CHECK_OK(uv_udp_recv_stop(&receiver));
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_recv_start(&receiver, give_buffer, log_datagram), UV_EALREADY);
    CHECK(uv_is_active(HANDLE(&receiver)));
    CHECK_OK(uv_udp_recv_stop(&receiver));
    CHECK_OK(uv_udp_recv_stop(&receiver));
    CHECK(!uv_is_active(HANDLE(&receiver)));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    end_loop();
}

TEST(udp_recv_start_binds_an_unbound_handle) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &receiver));
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    struct sockaddr_in bound = bound_to(&receiver);
    CHECK_NE(bound.sin_port, 0);
    CHECK_EQ(bound.sin_addr.s_addr, INADDR_ANY);
    end_loop();
}

TEST(udp_recv_gives_datagrams_then_the_buffer_back) {
    start(0);
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    send_bytes(3);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(datagram_count, 3);
    CHECK_EQ(received_count, 4);
    CHECK_EQ(alloc_count, 4);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(received[i].nread, 1);
        CHECK_EQ(received[i].first, i);
        CHECK_EQ(received[i].flags, 0);
        CHECK_EQ(received[i].port, ntohs(bound_to(&sender).sin_port));
    }
    CHECK_EQ(received[3].nread, 0);
    CHECK(!received[3].has_addr);
    end_loop();
}

TEST(udp_empty_datagram_has_an_address) {
    uv_buf_t buf = uv_buf_init("", 0);
    start(0);
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), 0);
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].nread, 0);
    CHECK(received[0].has_addr);
    end_loop();
}

TEST(udp_datagram_longer_than_the_buffer_is_partial) {
    uv_buf_t buf = uv_buf_init("0123456789", 10);
    start(0);
    receive_size = 4;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), 10);
    try_send_byte(&sender, &addr, 'z');
    run_until(&datagram_count, 2);
    CHECK_EQ(received[0].nread, 4);
    CHECK_EQ(received[0].flags, UV_UDP_PARTIAL);
    CHECK_EQ(received[1].nread, 1);
    CHECK_EQ(received[1].flags, 0);
    CHECK_EQ(received[1].first, 'z');
    end_loop();
}

static void give_nothing(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    CHECK_EQ(suggested, 65536);
    CHECK(buf->base == NULL && buf->len == 0);
    alloc_count++;
}

TEST(udp_recv_without_a_buffer_reports_enobufs) {
    start(0);
    CHECK_OK(uv_udp_recv_start(&receiver, give_nothing, log_datagram));
    send_bytes(1);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(received_count, 1);
    CHECK_EQ(received[0].nread, UV_ENOBUFS);
    CHECK(!received[0].has_addr);
    CHECK_OK(uv_udp_recv_stop(&receiver));
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    run_until(&datagram_count, 1);
    end_loop();
}

TEST(udp_recv_stop_inside_the_callback_leaves_the_rest_for_later) {
    start(0);
    stop_after = 2;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_and_end));
    send_bytes(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(received_count, 2);
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_and_end));
    run_until(&datagram_count, 5);
    CHECK_EQ(received[4].first, 4);
    end_loop();
}

TEST(udp_close_inside_the_callback_ends_receiving) {
    start(0);
    close_after = 2;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_and_end));
    send_bytes(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(received_count, 2);
    end_loop();
}

static uv_udp_recv_cb next_cb;

static void restart(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                    const struct sockaddr* from, unsigned int flags) {
    log_datagram(handle, nread, buf, from, flags);
    CHECK_OK(uv_udp_recv_stop(handle));
    CHECK_OK(uv_udp_recv_start(handle, give_buffer, next_cb));
}

TEST(udp_recv_may_be_restarted_inside_the_callback_with_another) {
    start(0);
    next_cb = log_and_end;
    stop_after = 3;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, restart));
    send_bytes(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(datagram_count, 3);
    end_loop();
}

TEST(udp_busy_socket_does_not_starve_the_loop) {
    start(0);
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    send_bytes(120);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_LE(datagram_count, 64);
    run_until(&datagram_count, 120);
    for (int i = 0, d = 0; d < 120; i++)
        if (received[i].has_addr)
            CHECK_EQ(received[i].first, d++);
    end_loop();
}

TEST(udp_recvmmsg_gives_chunks_then_frees_the_buffer) {
    start(AF_UNSPEC | UV_UDP_RECVMMSG);
    receive_size = 4 * CHUNK;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    send_bytes(3);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(alloc_count, 2);
    CHECK_EQ(received_count, 5);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(received[i].nread, 1);
        CHECK_EQ(received[i].flags, UV_UDP_MMSG_CHUNK);
        CHECK_EQ(received[i].first, i);
        CHECK(received[i].has_addr);
        CHECK_EQ(receive_buffer[i * CHUNK], i);
    }
    CHECK_EQ(received[3].nread, 0);
    CHECK_EQ(received[3].flags, UV_UDP_MMSG_FREE);
    CHECK(!received[3].has_addr);
    CHECK_EQ(received[4].nread, 0);
    CHECK_EQ(received[4].flags, 0);
    CHECK(!received[4].has_addr);
    end_loop();
}

static char* current_buffer;
static int free_count;

static void give_fresh_buffer(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    CHECK(current_buffer == NULL);
    current_buffer = malloc(8 * CHUNK);
    *buf = uv_buf_init(current_buffer, 8 * CHUNK);
}

static void log_and_free(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                         const struct sockaddr* from, unsigned int flags) {
    log_and_end(handle, nread, buf, from, flags);
    if (flags & UV_UDP_MMSG_CHUNK)
        return;
    CHECK(buf->base == current_buffer);
    CHECK_EQ(buf->len, 8 * CHUNK);
    free(current_buffer);
    current_buffer = NULL;
    free_count++;
}

TEST(udp_recvmmsg_keeps_the_order_of_many_datagrams) {
    start(AF_INET | UV_UDP_RECVMMSG);
    CHECK_OK(uv_udp_recv_start(&receiver, give_fresh_buffer, log_and_free));
    send_bytes(100);
    run_until(&datagram_count, 100);
    for (int i = 0, d = 0; d < 100; i++)
        if (received[i].has_addr)
            CHECK_EQ(received[i].first, d++);
    CHECK_GE(free_count, 12);
    CHECK(current_buffer == NULL);
    end_loop();
}

TEST(udp_close_between_chunks_still_frees_the_buffer) {
    start(AF_INET | UV_UDP_RECVMMSG);
    close_after = 2;
    CHECK_OK(uv_udp_recv_start(&receiver, give_fresh_buffer, log_and_free));
    send_bytes(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(free_count, 1);
    CHECK(current_buffer == NULL);
    end_loop();
}

TEST(udp_recv_stop_between_chunks_is_the_last_call) {
    start(AF_INET | UV_UDP_RECVMMSG);
    stop_after = 2;
    CHECK_OK(uv_udp_recv_start(&receiver, give_fresh_buffer, log_and_free));
    send_bytes(5);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(received_count, 2);
    CHECK_EQ(free_count, 0);
    free(current_buffer);
    end_loop();
}

TEST(udp_recvmmsg_with_a_buffer_too_small_for_one_chunk_reports_einval) {
    uv_buf_t buf = uv_buf_init("0123456789", 10);
    start(AF_INET | UV_UDP_RECVMMSG);
    receive_size = 5;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), 10);
    run_until(&received_count, 1);
    CHECK_EQ(received[0].nread, UV_EINVAL);
    CHECK(!received[0].has_addr);
    end_loop();
}

TEST(udp_recvmmsg_takes_empty_and_longest_datagrams) {
    static char payload[65507];
    uv_buf_t empty = uv_buf_init("", 0), longest = uv_buf_init(payload, sizeof(payload));
    start(AF_INET | UV_UDP_RECVMMSG);
    receive_size = 20 * CHUNK;
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&sender, &empty, 1, ADDR(&addr)), 0);
    CHECK_EQ(uv_udp_try_send(&sender, &longest, 1, ADDR(&addr)), sizeof(payload));
    run_until(&datagram_count, 2);
    CHECK_EQ(received[0].nread, 0);
    CHECK_EQ(received[0].flags, UV_UDP_MMSG_CHUNK);
    CHECK_EQ(received[1].nread, sizeof(payload));
    CHECK_EQ(received[1].flags, UV_UDP_MMSG_CHUNK);
    end_loop();
}

static struct sockaddr_in closed_port(void) {
    static uv_udp_t gone;
    struct sockaddr_in at = open_bound(&gone, 0);
    uv_close(HANDLE(&gone), NULL);
    return at;
}

TEST(udp_refused_datagram_of_a_connected_socket_reaches_the_receive_callback) {
    uv_buf_t buf = uv_buf_init("a", 1);
    start(0);
    addr = closed_port();
    CHECK_OK(uv_udp_connect(&sender, ADDR(&addr)));
    CHECK_OK(uv_udp_recv_start(&sender, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), 1);
    run_until(&received_count, 1);
    CHECK_EQ(received[0].nread, UV_ECONNREFUSED);
    CHECK(!received[0].has_addr);
    CHECK(uv_is_active(HANDLE(&sender)));
    end_loop();
}

/* First what the socket itself has to say, then its error queue, then that the queue is empty. */
static void expect_refusal(void) {
    run_until(&received_count, 3);
    CHECK_EQ(received[0].nread, UV_ECONNREFUSED);
    CHECK_EQ(received[0].flags, 0);
    CHECK(!received[0].has_addr);
    CHECK_EQ(received[1].nread, UV_ECONNREFUSED);
    CHECK_EQ(received[1].flags, UV_UDP_LINUX_RECVERR);
    CHECK(received[1].has_addr);
    CHECK_EQ(received[1].port, 0);
    CHECK_EQ(received[2].nread, 0);
    CHECK(!received[2].has_addr);
}

/* Needs libuv 1.5x or newer as an oracle: older ones don't read the error queue. */
TEST(udp_recverr_reports_which_host_refused) {
    static uv_udp_t careful;
    struct sockaddr_in local = loopback(0);
    CHECK_OK(uv_loop_init(&loop));
    addr = closed_port();
    CHECK_OK(uv_udp_init(&loop, &careful));
    CHECK_OK(uv_udp_bind(&careful, ADDR(&local), UV_UDP_LINUX_RECVERR));
    CHECK_OK(uv_udp_recv_start(&careful, give_buffer, log_datagram));
    try_send_byte(&careful, &addr, 'a');
    expect_refusal();
    /* The queue is empty again: the socket is quiet, and goes on receiving. */
    uv_run(&loop, UV_RUN_NOWAIT);
    int before = received_count;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(received_count, before);
    addr = bound_to(&careful);
    try_send_byte(&careful, &addr, 'b');
    run_until(&datagram_count, 1);
    end_loop();
}

TEST(udp_without_recverr_an_unconnected_socket_hears_nothing_of_refusals) {
    start(0);
    addr = closed_port();
    CHECK_OK(uv_udp_recv_start(&sender, give_buffer, log_datagram));
    try_send_byte(&sender, &addr, 'a');
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(received_count, 0);
    end_loop();
}

TEST(udp_recverr_works_over_ipv6) {
    static uv_udp_t careful, gone;
    struct sockaddr_in6 local, to;
    int size = sizeof(to);
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_OK(uv_ip6_addr("::1", 0, &local));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &careful));
    CHECK_OK(uv_udp_init(&loop, &gone));
    if (uv_udp_bind(&careful, ADDR(&local), UV_UDP_LINUX_RECVERR) != 0)
        test_skip("no IPv6");
    CHECK_OK(uv_udp_bind(&gone, ADDR(&local), 0));
    CHECK_OK(uv_udp_getsockname(&gone, (struct sockaddr*)&to, &size));
    uv_close(HANDLE(&gone), NULL);
    CHECK_OK(uv_udp_recv_start(&careful, give_buffer, log_datagram));
    CHECK_EQ(uv_udp_try_send(&careful, &buf, 1, ADDR(&to)), 1);
    expect_refusal();
    end_loop();
}
