/* Multicast groups, time to live and broadcast. */

#include "udp.h"

#include <net/if.h>
#include <sched.h>
#include <sys/ioctl.h>

static int option(uv_udp_t* udp, int level, int name) {
    int value = 0;
    socklen_t size = sizeof(value);
    uv_os_fd_t fd;
    CHECK_OK(uv_fileno(HANDLE(udp), &fd));
    CHECK_OK(getsockopt(fd, level, name, &value, &size));
    return value;
}

TEST(udp_options_without_a_socket_report_ebadf) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_set_ttl(&udp, 1), UV_EBADF);
    CHECK_EQ(uv_udp_set_broadcast(&udp, 1), UV_EBADF);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, 1), UV_EBADF);
    CHECK_EQ(uv_udp_set_multicast_loop(&udp, 1), UV_EBADF);
    CHECK_EQ(uv_udp_set_multicast_interface(&udp, NULL), UV_EBADF);
    CHECK_EQ(uv_udp_set_multicast_interface(&udp, "127.0.0.1"), UV_EBADF);
    end_loop();
}

TEST(udp_ttl_is_set_from_1_to_255) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_EQ(uv_udp_set_ttl(&udp, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_set_ttl(&udp, 256), UV_EINVAL);
    CHECK_EQ(uv_udp_set_ttl(&udp, -1), UV_EINVAL);
    CHECK_OK(uv_udp_set_ttl(&udp, 255));
    CHECK_OK(uv_udp_set_ttl(&udp, 7));
    CHECK_EQ(option(&udp, IPPROTO_IP, IP_TTL), 7);
    end_loop();
}

TEST(udp_broadcast_is_switched_on_and_off) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_OK(uv_udp_set_broadcast(&udp, 1));
    CHECK_EQ(option(&udp, SOL_SOCKET, SO_BROADCAST), 1);
    CHECK_OK(uv_udp_set_broadcast(&udp, 0));
    CHECK_EQ(option(&udp, SOL_SOCKET, SO_BROADCAST), 0);
    end_loop();
}

TEST(udp_send_to_broadcast_without_permission_reports_eacces) {
    static uv_udp_t udp;
    struct sockaddr_in addr;
    uv_buf_t buf = uv_buf_init("b", 1);
    CHECK_OK(uv_ip4_addr("127.255.255.255", 9, &addr));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_try_send(&udp, &buf, 1, ADDR(&addr)), UV_EACCES);
    CHECK_OK(uv_udp_set_broadcast(&udp, 1));
    CHECK_EQ(uv_udp_try_send(&udp, &buf, 1, ADDR(&addr)), 1);
    end_loop();
}

TEST(udp_multicast_ttl_and_loop_are_set_from_0_to_255) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, 256), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_ttl(&udp, -1), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_loop(&udp, 256), UV_EINVAL);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 0));
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 33));
    CHECK_EQ(option(&udp, IPPROTO_IP, IP_MULTICAST_TTL), 33);
    CHECK_OK(uv_udp_set_multicast_loop(&udp, 0));
    CHECK_EQ(option(&udp, IPPROTO_IP, IP_MULTICAST_LOOP), 0);
    CHECK_OK(uv_udp_set_multicast_loop(&udp, 255));
    CHECK_EQ(option(&udp, IPPROTO_IP, IP_MULTICAST_LOOP), 1);
    end_loop();
}

TEST(udp_options_of_an_ipv6_socket_are_those_of_ipv6) {
    static uv_udp_t udp;
    struct sockaddr_in6 addr;
    CHECK_OK(uv_ip6_addr("::1", 0, &addr));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    if (uv_udp_bind(&udp, ADDR(&addr), 0) != 0)
        test_skip("no IPv6");
    CHECK_OK(uv_udp_set_ttl(&udp, 7));
    CHECK_EQ(option(&udp, IPPROTO_IPV6, IPV6_UNICAST_HOPS), 7);
    CHECK_OK(uv_udp_set_multicast_ttl(&udp, 8));
    CHECK_EQ(option(&udp, IPPROTO_IPV6, IPV6_MULTICAST_HOPS), 8);
    CHECK_OK(uv_udp_set_multicast_loop(&udp, 0));
    CHECK_EQ(option(&udp, IPPROTO_IPV6, IPV6_MULTICAST_LOOP), 0);
    CHECK_OK(uv_udp_set_multicast_interface(&udp, "::%lo"));
    CHECK_EQ(option(&udp, IPPROTO_IPV6, IPV6_MULTICAST_IF), if_nametoindex("lo"));
    CHECK_OK(uv_udp_set_multicast_interface(&udp, NULL));
    CHECK_EQ(option(&udp, IPPROTO_IPV6, IPV6_MULTICAST_IF), 0);
    end_loop();
}

TEST(udp_multicast_interface_refuses_what_is_no_address) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_EQ(uv_udp_set_multicast_interface(&udp, "lo"), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_interface(&udp, "1.2.3.4"), UV_EADDRNOTAVAIL);
    CHECK_EQ(uv_udp_set_multicast_interface(&udp, "::1"), UV_ENOPROTOOPT);
    CHECK_OK(uv_udp_set_multicast_interface(&udp, "127.0.0.1"));
    CHECK_OK(uv_udp_set_multicast_interface(&udp, NULL));
    end_loop();
}

TEST(udp_membership_is_joined_once_and_left_once) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_EQ(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", UV_LEAVE_GROUP),
             UV_EADDRNOTAVAIL);
    CHECK_OK(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", UV_JOIN_GROUP));
    CHECK_EQ(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", UV_JOIN_GROUP), UV_EADDRINUSE);
    CHECK_OK(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", UV_LEAVE_GROUP));
    end_loop();
}

TEST(udp_membership_refuses_bad_arguments) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    open_bound(&udp, 0);
    CHECK_EQ(uv_udp_set_membership(&udp, "group", NULL, UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "127.0.0.1", NULL, UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "239.1.1.1", "lo", UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", (uv_membership)7), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "ff02::1", "lo", UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "ff02::1", NULL, UV_JOIN_GROUP), UV_ENOPROTOOPT);
    end_loop();
}

TEST(udp_membership_makes_and_binds_a_socket_that_others_may_share) {
    static uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_set_membership(&udp, "239.1.1.1", "127.0.0.1", UV_JOIN_GROUP));
    CHECK_EQ(option(&udp, SOL_SOCKET, SO_REUSEADDR), 1);
    CHECK_NE(bound_to(&udp).sin_port, 0);
    end_loop();
}

TEST(udp_source_membership_is_joined_and_left) {
    static uv_udp_t udp;
    const char* lo = "127.0.0.1";
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_set_source_membership(&udp, "239.2.2.2", lo, lo, UV_JOIN_GROUP));
    CHECK_OK(uv_udp_set_source_membership(&udp, "239.2.2.2", lo, lo, UV_LEAVE_GROUP));
    CHECK_EQ(uv_udp_set_source_membership(&udp, "239.2.2.2", lo, lo, UV_LEAVE_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "239.2.2.2", lo, "x", UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "239.2.2.2", "x", lo, UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "x", lo, lo, UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "239.2.2.2", lo, lo, (uv_membership)7), UV_EINVAL);
    end_loop();
}

/* The loopback interface has no multicast by default: one of our own has. */
static void use_multicast_loopback(void) {
    struct ifreq request = {.ifr_name = "lo"};
    if (unshare(CLONE_NEWNET) != 0)
        test_skip("a network namespace needs privileges");
    int fd = socket(AF_INET, SOCK_DGRAM, 0);
    request.ifr_flags = IFF_UP | IFF_LOOPBACK | IFF_RUNNING | IFF_MULTICAST;
    int result = ioctl(fd, SIOCSIFFLAGS, &request);
    close(fd);
    if (result != 0)
        test_skip("the loopback interface can't be changed");
}

TEST(udp_multicast_reaches_the_members_of_the_group_only) {
    static uv_udp_t member, stranger, sender;
    struct sockaddr_in addr = {.sin_family = AF_INET};
    use_multicast_loopback();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &member));
    CHECK_OK(uv_udp_init(&loop, &stranger));
    CHECK_OK(uv_udp_init_ex(&loop, &sender, AF_INET));
    CHECK_OK(uv_udp_bind(&member, ADDR(&addr), UV_UDP_REUSEADDR));
    addr = bound_to(&member);
    CHECK_OK(uv_udp_set_membership(&member, "239.255.0.1", "127.0.0.1", UV_JOIN_GROUP));
    CHECK_OK(uv_udp_recv_start(&member, give_buffer, log_datagram));
    struct sockaddr_in local = loopback(0);
    CHECK_OK(uv_udp_bind(&stranger, ADDR(&local), 0));
    CHECK_OK(uv_udp_set_multicast_interface(&sender, "127.0.0.1"));
    CHECK_OK(uv_ip4_addr("239.255.0.1", ntohs(addr.sin_port), &addr));
    try_send_byte(&sender, &addr, 'm');
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].first, 'm');
    CHECK_OK(uv_udp_set_membership(&member, "239.255.0.1", "127.0.0.1", UV_LEAVE_GROUP));
    try_send_byte(&sender, &addr, 'n');
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(datagram_count, 1);
    end_loop();
}

TEST(udp_source_membership_filters_by_sender) {
    static uv_udp_t member, wanted, other;
    struct sockaddr_in addr = {.sin_family = AF_INET};
    struct sockaddr_in from;
    use_multicast_loopback();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &member));
    CHECK_OK(uv_udp_bind(&member, ADDR(&addr), 0));
    addr = bound_to(&member);
    CHECK_OK(uv_udp_set_source_membership(&member, "232.1.1.1", "127.0.0.1", "127.0.0.2",
                                          UV_JOIN_GROUP));
    CHECK_OK(uv_udp_recv_start(&member, give_buffer, log_datagram));
    CHECK_OK(uv_ip4_addr("232.1.1.1", ntohs(addr.sin_port), &addr));
    CHECK_OK(uv_udp_init(&loop, &wanted));
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_OK(uv_ip4_addr("127.0.0.2", 0, &from));
    CHECK_OK(uv_udp_bind(&wanted, ADDR(&from), 0));
    CHECK_OK(uv_ip4_addr("127.0.0.3", 0, &from));
    CHECK_OK(uv_udp_bind(&other, ADDR(&from), 0));
    CHECK_OK(uv_udp_set_multicast_interface(&wanted, "127.0.0.1"));
    CHECK_OK(uv_udp_set_multicast_interface(&other, "127.0.0.1"));
    try_send_byte(&other, &addr, 'o');
    try_send_byte(&wanted, &addr, 'w');
    run_until(&datagram_count, 1);
    CHECK_EQ(received[0].first, 'w');
    end_loop();
}

TEST(udp_ipv6_membership_is_joined_once_and_left_once) {
    static uv_udp_t udp;
    const char* group = "ff02::1234";
    use_multicast_loopback();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    if (uv_udp_set_membership(&udp, group, "::%lo", UV_JOIN_GROUP) != 0)
        test_skip("no IPv6 multicast");
    CHECK_EQ(option(&udp, SOL_SOCKET, SO_DOMAIN), AF_INET6);
    CHECK_EQ(uv_udp_set_membership(&udp, group, "::%lo", UV_JOIN_GROUP), UV_EADDRINUSE);
    CHECK_EQ(uv_udp_set_membership(&udp, group, "lo", UV_JOIN_GROUP), UV_EINVAL);
    CHECK_OK(uv_udp_set_membership(&udp, group, "::%lo", UV_LEAVE_GROUP));
    CHECK_EQ(uv_udp_set_membership(&udp, group, "::%lo", UV_LEAVE_GROUP), UV_EADDRNOTAVAIL);
    end_loop();
}

TEST(udp_ipv6_source_membership_is_joined_and_left) {
    static uv_udp_t udp;
    use_multicast_loopback();
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_udp_init(&loop, &udp));
    if (uv_udp_set_source_membership(&udp, "ff3e::1", "::%lo", "::1", UV_JOIN_GROUP) != 0)
        test_skip("no IPv6 multicast");
    CHECK_OK(uv_udp_set_source_membership(&udp, "ff3e::1", "::%lo", "::1", UV_LEAVE_GROUP));
    CHECK_EQ(uv_udp_set_source_membership(&udp, "ff3e::1", "::%lo", "1.2.3.4", UV_JOIN_GROUP),
             UV_EINVAL);
    end_loop();
}
