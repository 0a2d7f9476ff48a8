/* Sending datagrams. */

#include "udp.h"

#include <sys/socket.h>

enum { MANY = 1000 };

static uv_udp_t receiver, sender;
static uv_udp_send_t sends[MANY];
static int statuses[MANY];
static int order[MANY];
static int sent_count;
static int closed_count;

static void sent(uv_udp_send_t* req, int status) {
    int i = (int)(req - sends);
    CHECK(i >= 0 && i < MANY && sent_count < MANY);
    statuses[i] = status;
    order[sent_count++] = i;
}

static void count_close(uv_handle_t* handle) {
    (void)handle;
    closed_count++;
}

static void check_order(int count) {
    CHECK_EQ(sent_count, count);
    for (int i = 0; i < count; i++)
        CHECK_EQ(order[i], i);
}

static struct sockaddr_in start_receiver(void) {
    CHECK_OK(uv_loop_init(&loop));
    struct sockaddr_in addr = open_bound(&receiver, 0);
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_OK(uv_udp_init(&loop, &sender));
    return addr;
}

TEST(udp_send_leaves_at_once_and_calls_back_later) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    uv_os_fd_t fd;
    char byte;
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent));
    CHECK_EQ(sent_count, 0);
    CHECK(sends[0].handle == &sender);
    CHECK_EQ(sends[0].type, UV_UDP_SEND);
    CHECK(uv_is_active(HANDLE(&sender)));
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 1);
    CHECK_EQ(uv_udp_get_send_queue_size(&sender), 1);
    CHECK_OK(uv_fileno(HANDLE(&receiver), &fd));
    CHECK_EQ(recv(fd, &byte, 1, MSG_PEEK), 1);
    run_until(&sent_count, 1);
    CHECK_EQ(statuses[0], 0);
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 0);
    CHECK_EQ(uv_udp_get_send_queue_size(&sender), 0);
    CHECK(!uv_is_active(HANDLE(&sender)));
    run_until(&datagram_count, 1);
    end_loop();
}

TEST(udp_send_keeps_the_loop_alive_until_its_callback) {
    struct sockaddr_in addr = loopback(9);
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &sender));
    uv_unref(HANDLE(&sender));
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(sent_count, 1);
    end_loop();
}

TEST(udp_send_without_a_callback_is_allowed) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), NULL));
    run_until(&datagram_count, 1);
    end_loop();
}

TEST(udp_send_checks_its_address) {
    struct sockaddr_in addr = start_receiver();
    struct sockaddr bad = {.sa_family = 99};
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 1, NULL, sent), UV_EDESTADDRREQ);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), UV_EDESTADDRREQ);
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 1, &bad, sent), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, &bad), UV_EINVAL);
    CHECK_OK(uv_udp_connect(&sender, ADDR(&addr)));
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent), UV_EISCONN);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, NULL, sent));
    run_until(&datagram_count, 1);
    CHECK_EQ(sent_count, 1);
    end_loop();
}

TEST(udp_send_without_buffers_reports_einval) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 0, ADDR(&addr), sent), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 0, ADDR(&addr)), UV_EINVAL);
    end_loop();
}

TEST(udp_send_of_more_bytes_than_the_kernel_moves_reports_einval) {
    static uv_udp_send_t req;
    uv_buf_t bufs[2] = {uv_buf_init("x", 1), uv_buf_init("y", 1)};
    uv_buf_t* lists[2] = {bufs, bufs};
    unsigned int counts[2] = {1, 2};
    struct sockaddr_in addr = start_receiver();
    struct sockaddr* addrs[2] = {(struct sockaddr*)&addr, (struct sockaddr*)&addr};
    bufs[1].len = 0x7ffff000;
    CHECK_EQ(uv_udp_send(&req, &sender, bufs, 2, ADDR(&addr), NULL), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send(&sender, bufs, 2, ADDR(&addr)), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, counts, addrs, 0), UV_EINVAL);
    bufs[1].len = SIZE_MAX;
    CHECK_EQ(uv_udp_send(&req, &sender, bufs, 2, ADDR(&addr), NULL), UV_EINVAL);
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 0);
    end_loop();
}

TEST(udp_send_on_a_closing_handle_reports_einval) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    uv_close(HANDLE(&sender), NULL);
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), UV_EINVAL);
    CHECK_EQ(uv_udp_recv_start(&sender, give_buffer, log_datagram), UV_EINVAL);
    end_loop();
}

TEST(udp_send_copies_the_list_of_buffers) {
    struct sockaddr_in addr = start_receiver();
    for (int i = 0; i < 3; i++) {
        uv_buf_t bufs[10];
        for (int k = 0; k < 10; k++)
            bufs[k] = uv_buf_init("0123456789" + k, 1);
        CHECK_OK(uv_udp_send(&sends[i], &sender, bufs, 10, ADDR(&addr), sent));
        memset(bufs, 0xFF, sizeof(bufs));
        CHECK_EQ(uv_udp_get_send_queue_size(&sender), 10 * (i + 1));
    }
    run_until(&datagram_count, 3);
    check_order(3);
    CHECK_EQ(received[0].nread, 10);
    CHECK(memcmp(receive_buffer, "0123456789", 10) == 0);
    end_loop();
}

TEST(udp_try_send_waits_for_its_turn_behind_queued_sends) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), UV_EAGAIN);
    run_until(&sent_count, 1);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), 1);
    end_loop();
}

TEST(udp_try_send_tells_the_whole_size) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t bufs[] = {uv_buf_init("abc", 3), uv_buf_init("", 0), uv_buf_init("de", 2)};
    CHECK_EQ(uv_udp_try_send(&sender, bufs, 3, ADDR(&addr)), 5);
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].nread, 5);
    CHECK(memcmp(receive_buffer, "abcde", 5) == 0);
    end_loop();
}

/* Runs of one size, shorter ones at their end, empty and long ones: each stays a datagram. */
TEST(udp_sends_of_one_iteration_arrive_as_they_were_sent) {
    static const int sizes[] = {1,    64,   64,   64,  64,   10, 64, 0,    0,    64,
                                1200, 1200, 1200, 700, 1472, 9,  9,  1473, 1473, 9000};
    enum { KINDS = sizeof(sizes) / sizeof(sizes[0]), COUNT = 8 * KINDS };
    static char payload[COUNT][9000];
    struct sockaddr_in addr = start_receiver();
    int next = 0;
    for (; next < COUNT; next++) {
        int size = sizes[next % KINDS];
        memset(payload[next], next % 251, sizeof(payload[next]));
        uv_buf_t bufs[] = {uv_buf_init(payload[next], (unsigned int)(size / 2)),
                           uv_buf_init(payload[next], (unsigned int)(size - size / 2))};
        CHECK_OK(uv_udp_send(&sends[next], &sender, bufs, 2, ADDR(&addr), sent));
        if (next % 40 == 39)
            run_until(&datagram_count, next + 1);
    }
    check_order(COUNT);
    for (int i = 0, d = 0; d < COUNT; i++) {
        if (!received[i].has_addr)
            continue;
        CHECK_EQ(received[i].nread, sizes[d % KINDS]);
        CHECK_EQ((unsigned char)received[i].first, received[i].nread > 0 ? d % 251 : 0);
        CHECK_EQ(received[i].flags, 0);
        CHECK_EQ(statuses[d], 0);
        d++;
    }
    end_loop();
}

TEST(udp_sends_to_several_receivers_reach_the_right_ones) {
    static uv_udp_t others[3];
    struct sockaddr_in addrs[3];
    char bytes[90];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &sender));
    for (int i = 0; i < 3; i++)
        addrs[i] = open_bound(&others[i], 0);
    for (int i = 0; i < 90; i++) {
        bytes[i] = (char)(i / 2 % 3);
        uv_buf_t buf = uv_buf_init(&bytes[i], 1);
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, ADDR(&addrs[i / 2 % 3]), sent));
    }
    run_until(&sent_count, 90);
    for (int i = 0; i < 3; i++) {
        received_count = datagram_count = 0;
        CHECK_OK(uv_udp_recv_start(&others[i], give_buffer, log_datagram));
        run_until(&datagram_count, 30);
        for (int k = 0; k < received_count; k++)
            if (received[k].has_addr)
                CHECK_EQ(received[k].first, i);
        CHECK_OK(uv_udp_recv_stop(&others[i]));
    }
    end_loop();
}

TEST(udp_connected_sends_of_one_iteration_arrive_one_by_one) {
    struct sockaddr_in addr = start_receiver();
    CHECK_OK(uv_udp_connect(&sender, ADDR(&addr)));
    uv_buf_t buf = uv_buf_init("0123456789", 10);
    for (int i = 0; i < 50; i++)
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, NULL, sent));
    run_until(&datagram_count, 50);
    check_order(50);
    for (int i = 0; i < received_count; i++)
        if (received[i].has_addr)
            CHECK_EQ(received[i].nread, 10);
    end_loop();
}

TEST(udp_close_with_1000_queued_sends_cancels_each_once_in_order) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, ADDR(&addr), sent));
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), MANY);
    uv_close(HANDLE(&sender), count_close);
    CHECK_EQ(sent_count, 0);
    run_until(&closed_count, 1);
    check_order(MANY);
    CHECK_EQ(statuses[0], 0); /* the first had left */
    for (int i = 1; i < MANY; i++)
        CHECK_EQ(statuses[i], UV_ECANCELED);
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 0);
    CHECK_EQ(uv_udp_get_send_queue_size(&sender), 0);
    end_loop();
}

/* A pair whose sockets take only a few datagrams until they are read. */
static int open_narrow_pair(void) {
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_open(&sender, fds[0]));
    return fds[1];
}

TEST(udp_sends_beyond_a_full_socket_wait_and_keep_their_order) {
    int peer = open_narrow_pair();
    static int numbers[MANY];
    for (int i = 0; i < MANY; i++) {
        numbers[i] = i;
        uv_buf_t buf = uv_buf_init((char*)&numbers[i], sizeof(int));
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, NULL, sent));
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_LT(sent_count, MANY);
    CHECK_GT(uv_udp_get_send_queue_count(&sender), 0);
    uv_buf_t buf = uv_buf_init("x", 1);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), UV_EAGAIN);
    for (int i = 0; i < MANY;) {
        int number = -1;
        if (recv(peer, &number, sizeof(number), MSG_DONTWAIT) == -1) {
            uv_run(&loop, UV_RUN_NOWAIT);
            continue;
        }
        CHECK_EQ(number, i);
        i++;
    }
    run_until(&sent_count, MANY);
    check_order(MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(statuses[i], 0);
    CHECK(!uv_is_active(HANDLE(&sender)));
    close(peer);
    end_loop();
}

TEST(udp_close_with_a_full_socket_cancels_what_has_not_left) {
    int peer = open_narrow_pair();
    uv_buf_t buf = uv_buf_init("x", 1);
    for (int i = 0; i < MANY; i++)
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, NULL, sent));
    uv_run(&loop, UV_RUN_NOWAIT);
    int left = sent_count;
    CHECK(left > 0 && left < MANY);
    uv_close(HANDLE(&sender), NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    check_order(MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(statuses[i], i < left ? 0 : UV_ECANCELED);
    close(peer);
    end_loop();
}

static void close_when_sent(uv_udp_send_t* req, int status) {
    if (sent_count == 0)
        uv_close(HANDLE(req->handle), count_close);
    sent(req, status);
}

TEST(udp_close_inside_a_send_callback_still_calls_back_the_others) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    for (int i = 0; i < 10; i++)
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, ADDR(&addr), close_when_sent));
    run_until(&closed_count, 1);
    check_order(10);
    end_loop();
}

static struct sockaddr_in chain_addr;

static void send_next(uv_udp_send_t* req, int status) {
    uv_buf_t buf = uv_buf_init("a", 1);
    sent(req, status);
    if (sent_count < MANY)
        CHECK_OK(
            uv_udp_send(&sends[sent_count], req->handle, &buf, 1, ADDR(&chain_addr), send_next));
    CHECK_LE(uv_udp_get_send_queue_count(req->handle), 1);
}

TEST(udp_send_inside_a_send_callback_does_not_starve_the_loop) {
    uv_buf_t buf = uv_buf_init("a", 1);
    chain_addr = loopback(9);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&chain_addr), send_next));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_LT(sent_count, 100);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    check_order(MANY);
    end_loop();
}

TEST(udp_send_of_a_too_long_datagram_reports_emsgsize_and_the_next_one_leaves) {
    static char payload[70000];
    struct sockaddr_in addr = start_receiver();
    uv_buf_t good = uv_buf_init("a", 1), bad = uv_buf_init(payload, sizeof(payload));
    CHECK_EQ(uv_udp_try_send(&sender, &bad, 1, ADDR(&addr)), UV_EMSGSIZE);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &good, 1, ADDR(&addr), sent));
    CHECK_OK(uv_udp_send(&sends[1], &sender, &bad, 1, ADDR(&addr), sent));
    CHECK_OK(uv_udp_send(&sends[2], &sender, &good, 1, ADDR(&addr), sent));
    run_until(&datagram_count, 2);
    check_order(3);
    CHECK_EQ(statuses[0], 0);
    CHECK_EQ(statuses[1], UV_EMSGSIZE);
    CHECK_EQ(statuses[2], 0);
    end_loop();
}

TEST(udp_longest_datagram_arrives_whole) {
    static char payload[65507];
    struct sockaddr_in addr = start_receiver();
    memset(payload, 'L', sizeof(payload));
    uv_buf_t buf = uv_buf_init(payload, sizeof(payload));
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent));
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].nread, sizeof(payload));
    CHECK_EQ(received[0].flags, 0);
    CHECK_EQ(receive_buffer[65506], 'L');
    end_loop();
}

TEST(udp_send_to_a_closed_port_of_a_connected_socket_reports_econnrefused) {
    static uv_udp_t gone;
    uv_buf_t buf = uv_buf_init("a", 1);
    CHECK_OK(uv_loop_init(&loop));
    struct sockaddr_in addr = open_bound(&gone, 0);
    uv_close(HANDLE(&gone), NULL);
    CHECK_OK(uv_udp_init(&loop, &sender));
    CHECK_OK(uv_udp_connect(&sender, ADDR(&addr)));
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), 1);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), UV_ECONNREFUSED);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, NULL), 1);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, NULL, sent));
    run_until(&sent_count, 1);
    CHECK_EQ(statuses[0], UV_ECONNREFUSED);
    end_loop();
}

TEST(udp_try_send2_sends_a_batch_and_tells_its_size) {
    enum { COUNT = 200 };
    static char bytes[COUNT];
    static uv_buf_t bufs[COUNT];
    static uv_buf_t* lists[COUNT];
    static unsigned int nbufs[COUNT];
    static struct sockaddr* addrs[COUNT];
    struct sockaddr_in addr = start_receiver();
    for (int i = 0; i < COUNT; i++) {
        bytes[i] = (char)i;
        bufs[i] = uv_buf_init(&bytes[i], 1);
        lists[i] = &bufs[i];
        nbufs[i] = 1;
        addrs[i] = (struct sockaddr*)&addr;
    }
    CHECK_EQ(uv_udp_try_send2(&sender, COUNT, lists, nbufs, addrs, 0), COUNT);
    run_until(&datagram_count, COUNT);
    for (int i = 0, d = 0; d < COUNT; i++)
        if (received[i].has_addr)
            CHECK_EQ(received[i].first, (char)d++);
    end_loop();
}

TEST(udp_try_send2_checks_its_arguments) {
    struct sockaddr_in addr = start_receiver();
    struct sockaddr bad = {.sa_family = 99};
    uv_buf_t buf = uv_buf_init("a", 1);
    uv_buf_t* lists[] = {&buf, &buf};
    unsigned int nbufs[] = {1, 1};
    unsigned int no_bufs[] = {1, 0};
    struct sockaddr* addrs[] = {(struct sockaddr*)&addr, &bad};
    struct sockaddr* none[] = {NULL, NULL};
    CHECK_EQ(uv_udp_try_send2(&sender, 1, lists, nbufs, addrs, 1), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&sender, 0, lists, nbufs, addrs, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&sender, 1, lists, nbufs, &addrs[1], 0), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, nbufs, addrs, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, no_bufs, addrs, 0), UV_EINVAL);
    CHECK_OK(received_count);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, nbufs, none, 0), UV_EDESTADDRREQ);
    CHECK_OK(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent));
    CHECK_EQ(uv_udp_try_send2(&sender, 1, lists, nbufs, addrs, 0), UV_EAGAIN);
    end_loop();
}

TEST(udp_try_send2_stops_at_the_first_failure) {
    static char payload[70000];
    struct sockaddr_in addr = start_receiver();
    uv_buf_t good = uv_buf_init("a", 1), bad = uv_buf_init(payload, sizeof(payload));
    uv_buf_t* lists[] = {&good, &good, &bad, &good};
    unsigned int nbufs[] = {1, 1, 1, 1};
    struct sockaddr* to = (struct sockaddr*)&addr;
    struct sockaddr* addrs[] = {to, to, to, to};
    CHECK_EQ(uv_udp_try_send2(&sender, 4, lists, nbufs, addrs, 0), 2);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists + 2, nbufs, addrs, 0), UV_EMSGSIZE);
    run_until(&datagram_count, 2);
    end_loop();
}

TEST(udp_try_send2_on_a_connected_socket_needs_no_addresses) {
    struct sockaddr_in addr = start_receiver();
    uv_buf_t buf = uv_buf_init("a", 1);
    uv_buf_t* lists[] = {&buf, &buf};
    unsigned int nbufs[] = {1, 1};
    struct sockaddr* none[] = {NULL, NULL};
    CHECK_OK(uv_udp_connect(&sender, ADDR(&addr)));
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, nbufs, none, 0), 2);
    CHECK_EQ(uv_udp_try_send2(&sender, 2, lists, nbufs, NULL, 0), 2);
    run_until(&datagram_count, 4);
    end_loop();
}

TEST(udp_try_send2_on_a_full_socket_tells_what_has_left_then_eagain) {
    int peer = open_narrow_pair();
    static uv_buf_t* lists[MANY];
    static unsigned int nbufs[MANY];
    uv_buf_t buf = uv_buf_init("a", 1);
    for (int i = 0; i < MANY; i++) {
        lists[i] = &buf;
        nbufs[i] = 1;
    }
    int n = uv_udp_try_send2(&sender, MANY, lists, nbufs, NULL, 0);
    CHECK(n > 0 && n < MANY);
    CHECK_EQ(uv_udp_try_send2(&sender, MANY, lists, nbufs, NULL, 0), UV_EAGAIN);
    close(peer);
    end_loop();
}

TEST(udp_send_over_ipv6_arrives_with_its_address) {
    struct sockaddr_in6 addr;
    int size = sizeof(addr);
    uv_buf_t buf = uv_buf_init("abc", 3);
    CHECK_OK(uv_ip6_addr("::1", 0, &addr));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &receiver));
    if (uv_udp_bind(&receiver, ADDR(&addr), 0) != 0)
        test_skip("no IPv6");
    CHECK_OK(uv_udp_getsockname(&receiver, (struct sockaddr*)&addr, &size));
    CHECK_EQ(size, sizeof(addr));
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, log_datagram));
    CHECK_OK(uv_udp_init(&loop, &sender));
    for (int i = 0; i < 5; i++)
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, ADDR(&addr), sent));
    run_until(&datagram_count, 5);
    CHECK_OK(uv_udp_getsockname(&sender, (struct sockaddr*)&addr, &size));
    CHECK_EQ(received[0].port, ntohs(addr.sin6_port));
    check_order(5);
    end_loop();
}
