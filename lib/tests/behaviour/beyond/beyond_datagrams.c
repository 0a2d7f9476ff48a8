/* Datagrams in bulk and between processes of one machine, as phasor.h describes them. */

#include <phasor.h>
#include <sys/un.h>

#include "behaviour/net/udp.h"

static uv_udp_t one, two;
static char bytes[65000];
static size_t got_bytes, got_datagrams;
static struct sockaddr_un sender;

static void split(uv_udp_t* handle, ssize_t n, const uv_buf_t* buf, const struct sockaddr* addr,
                  unsigned flags) {
    if (n == 0 && addr == NULL)
        return;
    CHECK_GT(n, 0);
    CHECK_EQ(flags & UV_UDP_PARTIAL, 0);
    unsigned segment = phasor_udp_segment_size(handle);
    CHECK_EQ(memcmp(buf->base, bytes + got_bytes, (size_t)n), 0);
    got_bytes += (size_t)n;
    got_datagrams += segment == 0 ? 1 : ((size_t)n + segment - 1) / segment;
    if (addr->sa_family == AF_UNIX)
        memcpy(&sender, addr, sizeof(sender));
}

static void open_two(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &one));
    CHECK_OK(uv_udp_init(&loop, &two));
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (char)(i * 31 + i / 1000);
}

static void close_two(void) {
    uv_close(HANDLE(&one), NULL);
    uv_close(HANDLE(&two), NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static struct sockaddr_in bind_loopback(uv_udp_t* handle) {
    struct sockaddr_in addr = loopback(0);
    CHECK_OK(uv_udp_bind(handle, ADDR(&addr), 0));
    return bound_to(handle);
}

static void receive_segments(bool offload) {
    open_two();
    struct sockaddr_in to = bind_loopback(&two);
    if (offload) {
        int err = phasor_udp_receive_offload(&two, 1);
        if (err == UV_ENOTSUP)
            test_skip("the kernel joins no datagrams");
        CHECK_OK(err);
    }
    CHECK_OK(uv_udp_recv_start(&two, give_buffer, split));
    uv_buf_t buf = uv_buf_init(bytes, 10500);
    int n = phasor_udp_try_send_segments(&one, &buf, 1000, ADDR(&to));
    if (n == UV_ENOTSUP)
        test_skip("the kernel cuts no datagrams");
    CHECK_EQ(n, 10500);
    while (got_bytes < 10500)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(got_datagrams, 11);
    close_two();
}

TEST(one_buffer_leaves_as_many_datagrams) {
    receive_segments(false);
}

TEST(joined_datagrams_come_with_their_size) {
    receive_segments(true);
}

TEST(receive_offload_can_be_turned_off_again) {
    open_two();
    bind_loopback(&two);
    int err = phasor_udp_receive_offload(&two, 1);
    if (err == UV_ENOTSUP)
        test_skip("the kernel joins no datagrams");
    CHECK_OK(err);
    CHECK_OK(phasor_udp_receive_offload(&two, 0));
    CHECK_EQ(phasor_udp_segment_size(&two), 0);
    close_two();
}

TEST(segments_that_can_not_be_are_refused) {
    open_two();
    struct sockaddr_in to = bind_loopback(&two);
    uv_buf_t buf = uv_buf_init(bytes, 6500);
    uv_buf_t small = uv_buf_init(bytes, 10);
    CHECK_EQ(phasor_udp_try_send_segments(&one, &buf, 0, ADDR(&to)), UV_EINVAL);
    CHECK_EQ(phasor_udp_try_send_segments(&one, NULL, 100, ADDR(&to)), UV_EINVAL);
    CHECK_EQ(phasor_udp_try_send_segments(&one, &buf, 100, ADDR(&to)), UV_EMSGSIZE);
    CHECK_EQ(phasor_udp_try_send_segments(&one, &buf, 1000, NULL), UV_EDESTADDRREQ);
    CHECK_EQ(phasor_udp_receive_offload(&one, 1), UV_EBADF);
    CHECK_EQ(phasor_udp_try_send_segments(&one, &small, 1000, ADDR(&to)), 10);
    close_two();
}

static struct sockaddr_un unix_address(const char* name) {
    struct sockaddr_un addr = {.sun_family = AF_UNIX};
    strcpy(addr.sun_path, name);
    return addr;
}

static void on_sent(uv_udp_send_t* req, int status) {
    (void)req;
    CHECK_EQ(status, 0);
}

TEST(unix_datagrams_go_to_a_name_and_tell_that_of_the_sender) {
    uv_udp_send_t req;
    open_two();
    CHECK_OK(phasor_udp_bind_unix(&one, "one", 3));
    CHECK_OK(phasor_udp_bind_unix(&two, "two", 3));
    CHECK_OK(uv_udp_recv_start(&two, give_buffer, split));
    struct sockaddr_un to = unix_address("two");
    uv_buf_t buf = uv_buf_init(bytes, 7);
    CHECK_OK(uv_udp_send(&req, &one, &buf, 1, ADDR(&to), on_sent));
    while (got_bytes == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(sender.sun_path, "one");
    buf.base += 7;
    CHECK_EQ(uv_udp_try_send(&one, &buf, 1, ADDR(&to)), 7);
    while (got_datagrams < 2)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(got_bytes, 14);
    close_two();
    CHECK_OK(unlink("one"));
    CHECK_OK(unlink("two"));
}

TEST(an_abstract_name_is_reached_by_connecting_to_it) {
    char name[32];
    open_two();
    int length = snprintf(name, sizeof(name), "%cphasor-%d", 0, getpid());
    CHECK_OK(phasor_udp_bind_unix(&two, name, (size_t)length));
    CHECK_OK(uv_udp_recv_start(&two, give_buffer, split));
    CHECK_OK(phasor_udp_bind_unix(&one, NULL, 0)); /* the kernel makes one up */
    CHECK_OK(phasor_udp_connect_unix(&one, name, (size_t)length));
    CHECK_EQ(phasor_udp_connect_unix(&one, name, (size_t)length), UV_EISCONN);
    uv_buf_t buf = uv_buf_init(bytes, 9);
    CHECK_EQ(uv_udp_try_send(&one, &buf, 1, NULL), 9);
    while (got_bytes == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(sender.sun_path[0], 0);
    CHECK_GT(strlen(sender.sun_path + 1), 0);
    close_two();
}

TEST(a_pair_of_handles_talks_to_each_other) {
    open_two();
    CHECK_OK(phasor_udp_pair(&one, &two));
    CHECK_EQ(phasor_udp_pair(&one, &two), UV_EINVAL);
    CHECK_OK(uv_udp_recv_start(&one, give_buffer, split));
    uv_buf_t buf = uv_buf_init(bytes, 60000);
    CHECK_EQ(uv_udp_try_send(&two, &buf, 1, NULL), 60000);
    while (got_bytes == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(got_bytes, 60000);
    close_two();
}

TEST(unix_names_that_can_not_be_are_refused) {
    char longest[108];
    memset(longest, 'x', sizeof(longest));
    open_two();
    CHECK_EQ(phasor_udp_bind_unix(&one, longest, 108), UV_ENAMETOOLONG);
    CHECK_EQ(phasor_udp_bind_unix(&one, "a\0b", 3), UV_EINVAL);
    CHECK_EQ(phasor_udp_bind_unix(&one, NULL, 3), UV_EINVAL);
    CHECK_EQ(phasor_udp_bind_unix(&one, "not/there", 9), UV_ENOENT);
    CHECK_EQ(phasor_udp_connect_unix(&one, "none", 4), UV_ENOENT);
    CHECK_EQ(phasor_udp_connect_unix(&one, NULL, 0), UV_EINVAL);
    bind_loopback(&two);
    CHECK_EQ(phasor_udp_bind_unix(&two, "two", 3), UV_EINVAL);
    CHECK_OK(phasor_udp_bind_unix(&one, longest, 107));
    close_two();
}
