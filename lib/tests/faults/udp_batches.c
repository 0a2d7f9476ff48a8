// wrap: sendmmsg getsockopt socket
/* Datagrams that leave together: which of them share a message, and what the kernel may answer. */

#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, socket, (int domain, int type, int protocol), domain, type, protocol)
REPLACE(int, getsockopt, (int fd, int level, int name, void* value, socklen_t* size), fd, level,
        name, value, size)

int __real_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags);
int __wrap_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags);

static unsigned messages; /* of the last call */
static int sends;
static bool takes_none;

int __wrap_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags) {
    messages = count;
    sends++;
    if (is_refused("sendmmsg"))
        return -1;
    return takes_none ? 0 : __real_sendmmsg(fd, list, count, flags);
}

enum { MOST = 64 };
static uv_loop_t loop;
static uv_udp_t sender, receiver, other;
static struct sockaddr_in here, there;
static struct sockaddr_in6 six;
static uv_buf_t bufs[MOST][8], *lists[MOST];
static unsigned counts[MOST];
static struct sockaddr* addresses[MOST];
static char bytes[60000];

static void open_receiver(uv_udp_t* handle, struct sockaddr_in* address) {
    int size = sizeof(*address);
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, address));
    CHECK_OK(uv_udp_init(&loop, handle));
    CHECK_OK(uv_udp_bind(handle, (struct sockaddr*)address, 0));
    CHECK_OK(uv_udp_getsockname(handle, (struct sockaddr*)address, &size));
}

static void open_all(void) {
    CHECK_OK(uv_loop_init(&loop));
    open_receiver(&receiver, &here);
    open_receiver(&other, &there);
    CHECK_OK(uv_ip6_addr("::ffff:127.0.0.1", ntohs(here.sin_port), &six));
    CHECK_OK(uv_udp_init(&loop, &sender));
    for (int i = 0; i < MOST; i++) {
        for (int k = 0; k < 8; k++)
            bufs[i][k] = uv_buf_init(bytes, 100);
        lists[i] = bufs[i];
        counts[i] = 1;
        addresses[i] = (struct sockaddr*)&here;
    }
}

static void close_all(void) {
    allow_all();
    uv_close((uv_handle_t*)&sender, NULL);
    uv_close((uv_handle_t*)&receiver, NULL);
    uv_close((uv_handle_t*)&other, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static int send_all(unsigned count) {
    return uv_udp_try_send2(&sender, count, lists, counts, addresses, 0);
}

TEST(datagrams_to_different_places_do_not_share_a_message) {
    open_all();
    CHECK_EQ(send_all(4), 4);
    CHECK_EQ(messages, 1);
    addresses[2] = (struct sockaddr*)&there;
    CHECK_EQ(send_all(4), 4);
    CHECK_EQ(messages, 3);
    close_all();
}

TEST(datagrams_with_and_without_an_address_do_not_share_a_message) {
    open_all();
    CHECK_OK(uv_udp_connect(&sender, (struct sockaddr*)&here));
    CHECK_EQ(uv_udp_try_send2(&sender, 4, lists, counts, NULL, 0), 4);
    CHECK_EQ(messages, 1);
    addresses[1] = NULL;
    addresses[3] = NULL;
    CHECK_EQ(send_all(4), 4);
    CHECK_EQ(messages, 4);
    close_all();
}

TEST(datagrams_of_two_families_do_not_share_a_message) {
    open_all();
    CHECK_OK(
        uv_udp_bind(&sender, (struct sockaddr*)&(struct sockaddr_in6){.sin6_family = AF_INET6}, 0));
    addresses[0] = (struct sockaddr*)&six;
    addresses[1] = (struct sockaddr*)&six;
    CHECK_EQ(send_all(3), 3);
    CHECK_EQ(messages, 2);
    close_all();
}

TEST(message_that_is_full_is_followed_by_another) {
    open_all();
    for (int i = 0; i < 5; i++)
        bufs[i][0].len = 1400;
    for (int i = 5; i < MOST; i++)
        bufs[i][0].len = 1400;
    CHECK_EQ(send_all(MOST), MOST);
    CHECK_GT(messages, 1);
    for (int i = 0; i < MOST; i++) {
        counts[i] = 8;
        for (int k = 0; k < 8; k++)
            bufs[i][k].len = 1;
    }
    sends = 0;
    CHECK_EQ(send_all(MOST), MOST);
    CHECK_EQ(sends, 2); /* 256 buffers are joined at most */
    CHECK_EQ(messages, 1);
    close_all();
}

TEST(kernel_that_takes_none_or_has_no_room_is_to_be_asked_again) {
    open_all();
    takes_none = true;
    CHECK_EQ(send_all(2), UV_EAGAIN);
    takes_none = false;
    refuse("sendmmsg", 0, 1, ENOBUFS);
    CHECK_EQ(send_all(2), UV_EAGAIN);
    refuse("sendmmsg", 0, 1, EINTR);
    CHECK_EQ(send_all(2), 2);
    refuse("sendmmsg", 0, 1, EPERM);
    CHECK_EQ(send_all(2), UV_EPERM);
    close_all();
}

TEST(route_that_refuses_shared_messages_gets_single_ones_whatever_it_says) {
    static const int errors[] = {EINVAL, EIO, EMSGSIZE, EOPNOTSUPP};
    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
        open_all();
        refuse("sendmmsg", 0, 1, errors[i]);
        CHECK_EQ(send_all(4), 4);
        CHECK_EQ(messages, 4);
        close_all();
    }
}

TEST(socket_that_segments_by_itself_or_can_not_is_left_alone) {
    int fd, size = 100;
    open_all();
    CHECK_OK(
        uv_udp_bind(&sender, (struct sockaddr*)&(struct sockaddr_in){.sin_family = AF_INET}, 0));
    CHECK_OK(uv_fileno((uv_handle_t*)&sender, &fd));
    if (setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &size, sizeof(size)) != 0)
        test_skip("the kernel does not segment");
    CHECK_EQ(send_all(4), 4);
    CHECK_EQ(messages, 4);
    close_all();
    open_all();
    refuse("getsockopt", 0, 1, ENOPROTOOPT);
    CHECK_EQ(send_all(4), 4);
    CHECK_EQ(messages, 4);
    close_all();
}

TEST(single_datagram_and_socket_that_can_not_be_made) {
    open_all();
    refuse("socket", 0, 1, EMFILE);
    CHECK_EQ(send_all(1), UV_EMFILE);
    allow_all();
    CHECK_EQ(send_all(1), 1);
    CHECK_EQ(messages, 1);
    close_all();
}
