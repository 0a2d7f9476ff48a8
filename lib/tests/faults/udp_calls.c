// wrap: setsockopt recvmsg recvmmsg
/* What the kernel is asked for by UDP handles, argument by argument. */

#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <phasor.h>
#include <sys/socket.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_udp_t udp, other;

#define ADDR(a) ((const struct sockaddr*)(a))

/* Options: noted instead of set while somebody looks. */
static struct {
    int level, name, count;
    socklen_t size;
    unsigned char value[512];
} option;
static bool notes_options;
static int option_error;

int __real_setsockopt(int fd, int level, int name, const void* value, socklen_t size);
int __wrap_setsockopt(int fd, int level, int name, const void* value, socklen_t size);
int __wrap_setsockopt(int fd, int level, int name, const void* value, socklen_t size) {
    if (!notes_options)
        return __real_setsockopt(fd, level, name, value, size);
    CHECK_LE(size, sizeof(option.value));
    option.level = level;
    option.name = name;
    option.size = size;
    option.count++;
    memcpy(option.value, value, size);
    errno = option_error;
    return option_error != 0 ? -1 : 0;
}

static void check_option(int level, int name, const void* value, size_t size) {
    CHECK_EQ(option.level, level);
    CHECK_EQ(option.name, name);
    CHECK_EQ(option.size, size);
    CHECK_EQ(memcmp(option.value, value, size), 0);
}

static void check_number(int level, int name, int value) {
    check_option(level, name, &value, sizeof(value));
}

static void open_udp(int domain) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init_ex(&loop, &udp, (unsigned)domain));
}

static void close_if_open(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static void close_all(void) {
    notes_options = false;
    uv_walk(&loop, close_if_open, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(options_that_are_on_are_1) {
    struct sockaddr_in here = {.sin_family = AF_INET};
    struct sockaddr_in6 here6 = {.sin6_family = AF_INET6};
    open_udp(AF_INET);
    CHECK_OK(uv_udp_init_ex(&loop, &other, AF_INET6));
    notes_options = true;
    CHECK_OK(uv_udp_bind(&udp, ADDR(&here), UV_UDP_REUSEADDR));
    check_number(SOL_SOCKET, SO_REUSEADDR, 1);
    uv_udp_bind(&udp, ADDR(&here), UV_UDP_REUSEPORT);
    check_number(SOL_SOCKET, SO_REUSEPORT, 1);
    uv_udp_bind(&udp, ADDR(&here), UV_UDP_LINUX_RECVERR);
    check_number(IPPROTO_IP, IP_RECVERR, 1);
    CHECK_OK(uv_udp_bind(&other, ADDR(&here6), UV_UDP_LINUX_RECVERR));
    check_number(IPPROTO_IPV6, IPV6_RECVERR, 1);
    uv_udp_bind(&other, ADDR(&here6), UV_UDP_IPV6ONLY);
    check_number(IPPROTO_IPV6, IPV6_V6ONLY, 1);
    CHECK_OK(phasor_udp_receive_offload(&udp, 5));
    check_number(SOL_UDP, UDP_GRO, 1);
    CHECK_OK(phasor_udp_receive_offload(&udp, 0));
    check_number(SOL_UDP, UDP_GRO, 0);
    close_all();
}

TEST(offload_that_the_kernel_does_not_know_is_not_supported) {
    static const int errors[][2] = {
        {ENOPROTOOPT, UV_ENOTSUP}, {EOPNOTSUPP, UV_ENOTSUP}, {EPERM, UV_EPERM}};
    uv_tcp_t tcp;
    open_udp(AF_INET);
    notes_options = true;
    for (int i = 0; i < 3; i++) {
        option_error = errors[i][0];
        CHECK_EQ(phasor_udp_receive_offload(&udp, 1), errors[i][1]);
    }
    option_error = 0;
    option.count = 0;
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_EQ(phasor_udp_receive_offload(&other, 1), UV_EBADF);
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    CHECK_EQ(phasor_udp_receive_offload((uv_udp_t*)&tcp, 1), UV_EINVAL);
    uv_close((uv_handle_t*)&udp, NULL);
    CHECK_EQ(phasor_udp_receive_offload(&udp, 1), UV_EINVAL);
    CHECK_EQ(option.count, 0);
    close_all();
}

TEST(lifetimes_out_of_range_never_reach_the_kernel) {
    open_udp(AF_INET);
    notes_options = true;
    CHECK_EQ(uv_udp_set_ttl(&udp, 256), UV_EINVAL);
    CHECK_EQ(uv_udp_set_ttl(&udp, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, 256), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, -1), UV_EINVAL);
    CHECK_EQ(option.count, 0);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 255));
    check_number(IPPROTO_IP, IP_MULTICAST_TTL, 255);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 0));
    check_number(IPPROTO_IP, IP_MULTICAST_TTL, 0);
    close_all();
}

TEST(multicast_interface_is_the_one_with_the_address) {
    struct in_addr none = {0}, one;
    unsigned index = if_nametoindex("lo");
    open_udp(AF_INET);
    notes_options = true;
    test_dirty_stack();
    CHECK_OK(uv_udp_set_multicast_interface(&udp, NULL));
    check_option(IPPROTO_IP, IP_MULTICAST_IF, &none, sizeof(none));
    CHECK_OK(uv_udp_set_multicast_interface(&udp, "127.0.0.1"));
    CHECK_OK(uv_inet_pton(AF_INET, "127.0.0.1", &one));
    check_option(IPPROTO_IP, IP_MULTICAST_IF, &one, sizeof(one));
    CHECK_OK(uv_udp_set_multicast_interface(&udp, "::1%lo"));
    check_option(IPPROTO_IPV6, IPV6_MULTICAST_IF, &index, sizeof(index));
    close_all();
}

TEST(membership_of_a_group_names_the_interface) {
    struct ipv6_mreq request = {0};
    open_udp(AF_INET6);
    CHECK_OK(uv_inet_pton(AF_INET6, "ff02::123", &request.ipv6mr_multiaddr));
    notes_options = true;
    CHECK_OK(uv_udp_set_membership(&udp, "ff02::123", NULL, UV_JOIN_GROUP));
    check_option(IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &request, sizeof(request));
    request.ipv6mr_interface = if_nametoindex("lo");
    CHECK_OK(uv_udp_set_membership(&udp, "ff02::123", "::1%lo", UV_JOIN_GROUP));
    check_option(IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &request, sizeof(request));
    CHECK_OK(uv_udp_set_membership(&udp, "ff02::123", "::1%lo", UV_LEAVE_GROUP));
    check_option(IPPROTO_IPV6, IPV6_DROP_MEMBERSHIP, &request, sizeof(request));
    close_all();
}

TEST(membership_of_a_group_and_a_source_names_both) {
    struct ip_mreq_source request4;
    struct group_source_req request6;
    struct sockaddr_in6 address;
    open_udp(AF_INET);
    memset(&request4, 0, sizeof(request4));
    CHECK_OK(uv_inet_pton(AF_INET, "232.1.2.3", &request4.imr_multiaddr));
    CHECK_OK(uv_inet_pton(AF_INET, "127.0.0.1", &request4.imr_sourceaddr));
    notes_options = true;
    test_dirty_stack();
    CHECK_OK(uv_udp_set_source_membership(&udp, "232.1.2.3", NULL, "127.0.0.1", UV_JOIN_GROUP));
    check_option(IPPROTO_IP, IP_ADD_SOURCE_MEMBERSHIP, &request4, sizeof(request4));
    notes_options = false;
    CHECK_OK(uv_udp_init_ex(&loop, &other, AF_INET6));
    notes_options = true;
    memset(&request6, 0, sizeof(request6));
    CHECK_OK(uv_ip6_addr("ff3e::1234", 0, &address));
    memcpy(&request6.gsr_group, &address, sizeof(address));
    CHECK_OK(uv_ip6_addr("::1", 0, &address));
    memcpy(&request6.gsr_source, &address, sizeof(address));
    test_dirty_stack();
    CHECK_OK(uv_udp_set_source_membership(&other, "ff3e::1234", NULL, "::1", UV_JOIN_GROUP));
    check_option(IPPROTO_IPV6, MCAST_JOIN_SOURCE_GROUP, &request6, sizeof(request6));
    request6.gsr_interface = if_nametoindex("lo");
    CHECK_OK(uv_udp_set_source_membership(&other, "ff3e::1234", "::1%lo", "::1", UV_LEAVE_GROUP));
    check_option(IPPROTO_IPV6, MCAST_LEAVE_SOURCE_GROUP, &request6, sizeof(request6));
    CHECK_EQ(uv_udp_set_source_membership(&udp, "232.1.2.3", NULL, "127.0.0.1", (uv_membership)7),
             UV_EINVAL);
    uv_close((uv_handle_t*)&other, NULL);
    CHECK_EQ(uv_udp_set_source_membership(&other, "ff3e::1234", NULL, "::1", UV_JOIN_GROUP),
             UV_EINVAL);
    close_all();
}

/* Receiving. */

static int receive_error;    /* of recvmmsg on a socket */
static int probe_error;      /* of recvmmsg on no descriptor */
static int singly_errors[4]; /* of recvmsg, in turn */
static int receives_many, receives_one;
static unsigned many_count;
static bool receives_nothing, joins;
static bool says_no_error; /* what the kernel keeps: a time, for one */
static char buffer[1 << 21];

int __real_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags, struct timespec* time);
int __wrap_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags, struct timespec* time);
int __wrap_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags,
                    struct timespec* time) {
    CHECK_EQ(flags, 0);
    CHECK(time == NULL);
    if (fd == -1) {
        CHECK_EQ(count, 0);
        errno = probe_error;
        return -1;
    }
    receives_many++;
    many_count = count;
    for (unsigned i = 0; i < count; i++) {
        CHECK_EQ(list[i].msg_hdr.msg_iovlen, 1);
        CHECK_EQ(list[i].msg_hdr.msg_controllen != 0, joins);
        CHECK_EQ(list[i].msg_hdr.msg_control != NULL, list[i].msg_hdr.msg_controllen != 0);
    }
    errno = receives_nothing ? EIO : receive_error; /* of a call that succeeds it is noise */
    if (receive_error != 0 || receives_nothing)
        return receives_nothing ? 0 : -1;
    return __real_recvmmsg(fd, list, count, flags, time);
}

ssize_t __real_recvmsg(int fd, struct msghdr* message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags) {
    if (receive_error == 0 || flags & MSG_ERRQUEUE) {
        ssize_t size = __real_recvmsg(fd, message, flags);
        if (flags & MSG_ERRQUEUE && says_no_error)
            message->msg_controllen = 0;
        return size;
    }
    /* The first may find an error, the others need not wait. */
    CHECK_EQ(flags, message->msg_iov->iov_base == (void*)buffer ? 0 : MSG_DONTWAIT);
    int error = receives_one < 4 ? singly_errors[receives_one] : 0;
    receives_one++;
    errno = error;
    return error != 0 ? -1 : __real_recvmsg(fd, message, flags);
}

static int alloc_count, receipts;
static ssize_t results[16];
static unsigned result_flags[16];
static bool from_somewhere[16];
static size_t room = 65536;
static void (*in_alloc)(void);

static void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    CHECK(buf->base == NULL && buf->len == 0);
    alloc_count++;
    if (in_alloc != NULL)
        in_alloc();
    *buf = uv_buf_init(buffer, (unsigned)room);
}

static void on_receive(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                       const struct sockaddr* from, unsigned flags) {
    (void)handle, (void)buf;
    CHECK_LT(receipts, 16);
    from_somewhere[receipts] = from != NULL && from->sa_family == AF_INET;
    result_flags[receipts] = flags;
    results[receipts++] = nread;
}

/* A handle that hears, and another that has sent so many bytes, each a datagram. */
static void open_receiver(unsigned flags, int datagrams) {
    struct sockaddr_in here;
    int size = sizeof(here);
    uv_buf_t byte = uv_buf_init("x", 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &here));
    CHECK_OK(uv_udp_init_ex(&loop, &udp, AF_INET | flags));
    CHECK_OK(uv_udp_bind(&udp, ADDR(&here), 0));
    CHECK_OK(uv_udp_getsockname(&udp, (struct sockaddr*)&here, &size));
    CHECK_OK(uv_udp_recv_start(&udp, give_room, on_receive));
    CHECK_OK(uv_udp_init(&loop, &other));
    for (int i = 0; i < datagrams; i++)
        CHECK_EQ(uv_udp_try_send(&other, &byte, 1, ADDR(&here)), 1);
}

static void receive(void) {
    alloc_count = receipts = receives_one = receives_many = 0;
    test_dirty_stack();
    uv_run(&loop, UV_RUN_NOWAIT);
}

TEST(datagrams_are_received_one_by_one_where_more_is_refused) {
    open_receiver(UV_UDP_RECVMMSG, 3);
    room = 20 * 65536;
    receive_error = ENOSYS;
    probe_error = ENOSYS;
    singly_errors[0] = EINTR;
    receive();
    CHECK_EQ(receives_many, 1);
    CHECK_EQ(results[0], 1);
    CHECK_EQ(results[2], 1);
    CHECK_EQ(result_flags[0], UV_UDP_MMSG_CHUNK);
    CHECK(from_somewhere[0] && from_somewhere[2]);
    CHECK_EQ(result_flags[3], UV_UDP_MMSG_FREE);
    close_all();
}

TEST(error_of_the_first_of_many_datagrams_is_told_and_later_ones_wait) {
    open_receiver(UV_UDP_RECVMMSG, 2);
    for (room = 65536; room <= 2 * 65536; room += 65536) {
        receive_error = probe_error = ENOSYS;
        singly_errors[0] = ECONNREFUSED;
        singly_errors[1] = 0;
        receive();
        CHECK_EQ(receipts, 1);
        CHECK_EQ(results[0], UV_ECONNREFUSED);
        CHECK_EQ(receives_one, 1);
    }
    singly_errors[0] = 0;
    singly_errors[1] = ECONNREFUSED;
    room = 65536 * 4;
    receive();
    CHECK_EQ(results[0], 1);
    CHECK_EQ(result_flags[1], UV_UDP_MMSG_FREE);
    CHECK_EQ(receives_many, 0); /* it is known by now that it is refused */
    close_all();
}

TEST(datagram_that_a_filter_refuses_does_not_end_receiving_many) {
    open_receiver(UV_UDP_RECVMMSG, 2);
    room = 65536 * 2;
    receive_error = EPERM;
    probe_error = EBADF;
    receive();
    CHECK_EQ(results[0], UV_EPERM);
    CHECK_EQ(receives_one, 0);
    receive_error = 0;
    receive();
    CHECK_GE(receives_many, 1);
    CHECK_EQ(many_count, 2);
    CHECK_EQ(results[0], 1);
    CHECK(from_somewhere[0]);
    close_all();
}

TEST(many_datagrams_need_a_chunk_and_none_at_all_give_the_room_back) {
    open_receiver(UV_UDP_RECVMMSG, 1);
    room = 65535;
    receive();
    CHECK_EQ(alloc_count, 1);
    CHECK_EQ(receipts, 1);
    CHECK_EQ(results[0], UV_EINVAL);
    receives_nothing = true;
    room = 65536;
    receive();
    CHECK_EQ(alloc_count, 1);
    CHECK_EQ(receipts, 1);
    CHECK_EQ(results[0], 0);
    CHECK_EQ(result_flags[0], 0);
    receives_nothing = false;
    receive();
    CHECK_EQ(results[0], 1);
    CHECK_EQ(result_flags[1], UV_UDP_MMSG_FREE);
    close_all();
}

TEST(sizes_of_joined_datagrams_are_asked_for_with_many_of_them) {
    open_receiver(UV_UDP_RECVMMSG, 1);
    room = 65536 * 2;
    if (phasor_udp_receive_offload(&udp, 1) != 0)
        test_skip("the kernel joins no datagrams");
    joins = true;
    receive();
    CHECK_GE(receives_many, 1);
    CHECK_EQ(results[0], 1);
    CHECK_EQ(phasor_udp_segment_size(&udp), 0);
    close_all();
}

/* Room is asked for by the socket's error, by the one that was kept, and to see that it was all. */
static void receive_kept_error(void) {
    struct sockaddr_in closed;
    int size = sizeof(closed);
    uv_buf_t byte = uv_buf_init("x", 1);
    open_udp(AF_INET);
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &closed));
    CHECK_OK(uv_udp_bind(&udp, ADDR(&closed), UV_UDP_LINUX_RECVERR));
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_OK(uv_udp_bind(&other, ADDR(&closed), 0));
    CHECK_OK(uv_udp_getsockname(&other, (struct sockaddr*)&closed, &size));
    uv_close((uv_handle_t*)&other, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_OK(uv_udp_recv_start(&udp, give_room, on_receive));
    CHECK_EQ(uv_udp_try_send(&udp, &byte, 1, ADDR(&closed)), 1);
    while (receipts == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(alloc_count, receipts);
    CHECK_EQ(receipts, 3);
    CHECK_EQ(results[0], UV_ECONNREFUSED);
    CHECK_EQ(results[2], 0);
    close_all();
}

TEST(errors_that_the_kernel_keeps_are_read_until_there_is_none) {
    receive_kept_error();
    CHECK_EQ(results[1], UV_ECONNREFUSED);
    CHECK_EQ(result_flags[1], UV_UDP_LINUX_RECVERR);
}

TEST(room_for_what_the_kernel_keeps_beside_errors_is_handed_back) {
    says_no_error = true;
    receive_kept_error();
    CHECK_EQ(results[1], 0);
    CHECK(!from_somewhere[1]);
}

static void close_udp(void) {
    uv_close((uv_handle_t*)&udp, NULL);
}

TEST(room_given_by_a_callback_that_closes_is_handed_back) {
    open_receiver(0, 2);
    in_alloc = close_udp;
    receive();
    CHECK_EQ(alloc_count, 1);
    CHECK_EQ(receipts, 1);
    CHECK_EQ(results[0], 0);
    CHECK(!from_somewhere[0]);
    close_all();
}
