/* UDP handles from the inside: what is left of a socket, and names of datagrams on one machine. */

#include <phasor.h>
#include <stddef.h>
#include <sys/un.h>

#include "behaviour/stream/streams.h"
#include "os/poller.h"

static uv_udp_t one, other;
static int receipts;
static struct sockaddr_storage sender;
static ssize_t received;

#define ADDR(a) ((const struct sockaddr*)(a))

static void on_receive(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                       const struct sockaddr* from, unsigned flags) {
    (void)handle, (void)buf, (void)flags;
    if (nread <= 0)
        return;
    receipts++;
    received = nread;
    CHECK(from != NULL);
    memcpy(&sender, from, from->sa_family == AF_UNIX ? sizeof(struct sockaddr_un) : sizeof(*from));
}

static void give_chunk(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    static char chunk[65536];
    (void)handle, (void)suggested;
    *buf = uv_buf_init(chunk, sizeof(chunk));
}

static void receive_one(void) {
    int before = receipts;
    while (receipts == before) {
        test_dirty_stack();
        uv_run(&loop, UV_RUN_ONCE);
    }
}

static void open_pair_of(unsigned flags) {
    CHECK_OK(uv_udp_init_ex(&loop, &one, flags));
    CHECK_OK(uv_udp_init_ex(&loop, &other, flags));
}

static const unsigned modes[] = {0, UV_UDP_RECVMMSG};

TEST(sender_without_a_name_has_no_family) {
    uv_buf_t byte = text_buf("x");
    for (int i = 0; i < 2; i++) {
        open_loop();
        open_pair_of(modes[i]);
        CHECK_OK(phasor_udp_pair(&one, &other));
        CHECK_OK(uv_udp_recv_start(&one, give_chunk, on_receive));
        CHECK_EQ(uv_udp_try_send(&other, &byte, 1, NULL), 1);
        receive_one();
        CHECK_EQ(sender.ss_family, AF_UNSPEC);
        close_loop();
    }
}

TEST(sender_with_a_name_has_that_and_nothing_behind_it) {
    static const char* const names[] = {"a", "name", "longer-name"};
    uv_buf_t byte = text_buf("x");
    for (int i = 0; i < 6; i++) {
        const char* name = names[i % 3];
        struct sockaddr_un* from = (struct sockaddr_un*)&sender;
        open_loop();
        open_pair_of(modes[i / 3]);
        test_dirty_stack();
        CHECK_OK(phasor_udp_bind_unix(&one, "there", 5));
        test_dirty_stack();
        CHECK_OK(phasor_udp_bind_unix(&other, name, strlen(name)));
        CHECK_OK(access(name, F_OK));
        test_dirty_stack();
        CHECK_OK(phasor_udp_connect_unix(&other, "there", 5));
        CHECK_OK(uv_udp_recv_start(&one, give_chunk, on_receive));
        CHECK_EQ(uv_udp_try_send(&other, &byte, 1, NULL), 1);
        receive_one();
        CHECK_EQ(from->sun_family, AF_UNIX);
        CHECK_STR(from->sun_path, name);
        CHECK_EQ(from->sun_path[sizeof(from->sun_path) - 1], 0);
        close_loop();
        CHECK_OK(unlink(name));
        CHECK_OK(unlink("there"));
    }
}

TEST(names_of_datagram_sockets_are_checked_before_there_is_one) {
    uv_tcp_t tcp;
    uv_os_fd_t fd;
    open_loop();
    open_pair_of(0);
    CHECK_EQ(phasor_udp_bind_unix(&one, NULL, 1), UV_EINVAL);
    CHECK_EQ(phasor_udp_bind_unix(&one, NULL, 5), UV_EINVAL);
    CHECK_EQ(phasor_udp_bind_unix(&one, "a\0b", 3), UV_EINVAL);
    CHECK_EQ(phasor_udp_connect_unix(&one, "", 0), UV_EINVAL);
    CHECK_EQ(uv_fileno(HANDLE(&one), &fd), UV_EBADF);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(phasor_udp_bind_unix((uv_udp_t*)&tcp, "a", 1), UV_EINVAL);
    CHECK_OK(uv_udp_init_ex(&loop, &other, AF_INET));
    CHECK_EQ(phasor_udp_bind_unix(&other, "a", 1), UV_EINVAL);
    CHECK_OK(phasor_udp_bind_unix(&one, NULL, 0)); /* the kernel makes one up */
    uv_close(HANDLE(&one), NULL);
    CHECK_EQ(phasor_udp_bind_unix(&one, "a", 1), UV_EINVAL);
    close_loop();
}

TEST(name_that_was_refused_is_not_the_one_before) {
    open_loop();
    open_pair_of(0);
    CHECK_OK(phasor_udp_bind_unix(&one, "before", 6));
    CHECK_OK(unlink("before"));
    CHECK_EQ(phasor_udp_bind_unix(&other, NULL, 1), UV_EINVAL);
    CHECK_EQ(phasor_udp_bind_unix(&other, "a\0b", 3), UV_EINVAL);
    CHECK_NE(access("before", F_OK), 0);
    close_loop();
}

TEST(shortest_name_is_reached) {
    uv_buf_t byte = text_buf("x");
    open_loop();
    open_pair_of(0);
    CHECK_OK(phasor_udp_bind_unix(&one, "a", 1));
    CHECK_OK(phasor_udp_connect_unix(&other, "a", 1));
    CHECK_EQ(uv_udp_try_send(&other, &byte, 1, NULL), 1);
    close_loop();
    CHECK_OK(unlink("a"));
}

TEST(pair_is_made_of_two_fresh_handles) {
    uv_udp_t third;
    uv_os_fd_t fd;
    open_loop();
    open_pair_of(0);
    CHECK_OK(uv_udp_init_ex(&loop, &third, AF_INET));
    CHECK_EQ(phasor_udp_pair(&one, &one), UV_EINVAL);
    CHECK_EQ(phasor_udp_pair(&one, &third), UV_EINVAL);
    CHECK_EQ(phasor_udp_pair(&third, &one), UV_EINVAL);
    uv_close(HANDLE(&other), NULL);
    CHECK_EQ(phasor_udp_pair(&one, &other), UV_EINVAL);
    CHECK_EQ(uv_fileno(HANDLE(&one), &fd), UV_EBADF);
    CHECK_EQ(phasor_udp_pair(&other, &one), UV_EINVAL);
    CHECK_EQ(uv_fileno(HANDLE(&one), &fd), UV_EBADF);
    close_loop();
}

static struct sockaddr_in bound_address(uv_udp_t* handle) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    CHECK_OK(uv_udp_bind(handle, ADDR(&address), 0));
    CHECK_OK(uv_udp_getsockname(handle, (struct sockaddr*)&address, &size));
    return address;
}

TEST(number_of_a_closed_socket_is_free_for_another) {
    uv_os_fd_t fd;
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    bound_address(&one);
    CHECK_OK(uv_udp_recv_start(&one, give_chunk, on_receive));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_OK(uv_fileno(HANDLE(&one), &fd));
    uv_close(HANDLE(&one), NULL);
    CHECK(!uv_is_active(HANDLE(&one)));
    CHECK(!ph_poller_watches(&loop, fd));
    uv_run(&loop, UV_RUN_NOWAIT);
    int again = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_EQ(again, fd);
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_OK(uv_udp_open(&other, again));
    close_loop();
}

TEST(stopped_handle_is_not_watched_any_more) {
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_recv_start(&one, give_chunk, on_receive));
    CHECK(ph_watcher_wants(&one.io_watcher, EPOLLIN));
    CHECK_OK(uv_udp_recv_stop(&one));
    CHECK(!ph_watcher_wants(&one.io_watcher, EPOLLIN));
    close_loop();
}

TEST(socket_that_is_not_there_has_no_name_wherever_it_should_go) {
    int size = 5;
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_EQ(uv_udp_getsockname(&one, NULL, &size), UV_EBADF);
    CHECK_EQ(uv_udp_getpeername(&one, NULL, NULL), UV_EBADF);
    close_loop();
}

static void on_sent(uv_udp_send_t* req, int status) {
    (void)req;
    CHECK_OK(status);
    writes++;
}

/* A request that went to an address before knows nothing of it any more. */
TEST(datagram_without_an_address_goes_where_the_handle_is_connected) {
    uv_udp_t third;
    uv_udp_send_t req;
    uv_buf_t byte = text_buf("x"), two = text_buf("yy");
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_OK(uv_udp_init(&loop, &third));
    struct sockaddr_in first = bound_address(&one), second = bound_address(&other);
    CHECK_OK(uv_udp_recv_start(&other, give_chunk, on_receive));
    CHECK_OK(uv_udp_send(&req, &third, &byte, 1, ADDR(&first), on_sent));
    while (writes == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_udp_connect(&third, ADDR(&second)));
    CHECK_OK(uv_udp_send(&req, &third, &two, 1, NULL, on_sent));
    receive_one();
    CHECK_EQ(received, 2);
    close_loop();
}

TEST(datagram_sent_after_the_callbacks_of_others_leaves_at_once) {
    uv_udp_send_t req;
    uv_buf_t byte = text_buf("x");
    char got;
    uv_os_fd_t fd;
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_init(&loop, &other));
    struct sockaddr_in there = bound_address(&other);
    CHECK_OK(uv_fileno(HANDLE(&other), &fd));
    for (int i = 1; i < 4; i++) {
        CHECK_OK(uv_udp_send(&req, &one, &byte, 1, ADDR(&there), on_sent));
        CHECK_EQ(take(fd, &got, 1), 1);
        while (writes < i)
            uv_run(&loop, UV_RUN_ONCE);
    }
    close_loop();
}

TEST(address_of_no_known_family_is_refused_before_the_kernel_sees_it) {
    struct sockaddr_in nowhere = {.sin_family = 77};
    uv_udp_send_t req;
    uv_buf_t byte = text_buf("x");
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    bound_address(&one);
    CHECK_EQ(uv_udp_try_send(&one, &byte, 1, ADDR(&nowhere)), UV_EINVAL);
    CHECK_EQ(uv_udp_send(&req, &one, &byte, 1, ADDR(&nowhere), on_sent), UV_EINVAL);
    CHECK_EQ(uv_udp_get_send_queue_count(&one), 0);
    close_loop();
}

TEST(datagram_that_came_alone_was_not_joined) {
    uv_buf_t byte = text_buf("x");
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_init(&loop, &other));
    struct sockaddr_in there = bound_address(&one);
    if (phasor_udp_receive_offload(&one, 1) != 0)
        test_skip("the kernel joins no datagrams");
    CHECK_OK(uv_udp_recv_start(&one, give_chunk, on_receive));
    CHECK_EQ(uv_udp_try_send(&other, &byte, 1, ADDR(&there)), 1);
    receive_one();
    CHECK_EQ(phasor_udp_segment_size(&one), 0);
    close_loop();
}
