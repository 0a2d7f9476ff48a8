// wrap: socket setsockopt connect fcntl bind
/* UDP handles whose sockets the kernel refuses to make or to set up. */

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, socket, (int domain, int type, int protocol), domain, type, protocol)
REPLACE(int, setsockopt, (int fd, int level, int name, const void* value, socklen_t size), fd,
        level, name, value, size)
REPLACE(int, connect, (int fd, const struct sockaddr* address, socklen_t size), fd, address, size)
REPLACE(int, bind, (int fd, const struct sockaddr* address, socklen_t size), fd, address, size)
REPLACE_FCNTL()

static uv_loop_t loop;
static uv_udp_t udp;
static struct sockaddr_in address4;
static struct sockaddr_in6 address6;

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address4));
    CHECK_OK(uv_ip6_addr("::1", 0, &address6));
}

static void close_udp(void) {
    allow_all();
    uv_close((uv_handle_t*)&udp, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
}

static int init_udp(void) {
    int err = uv_udp_init_ex(&loop, &udp, AF_INET6);
    if (err == 0)
        close_udp();
    return err;
}

static int bind_with(const void* address, unsigned flags) {
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_bind(&udp, address, flags);
    int fd = -1;
    CHECK_EQ(uv_fileno((uv_handle_t*)&udp, &fd), err == 0 ? 0 : UV_EBADF);
    close_udp();
    return err;
}

static int bind4(void) {
    return bind_with(&address4, 0);
}

static int bind_everything4(void) {
    return bind_with(&address4, UV_UDP_LINUX_RECVERR | UV_UDP_REUSEADDR | UV_UDP_REUSEPORT);
}

static int bind_everything6(void) {
    return bind_with(&address6, UV_UDP_LINUX_RECVERR | UV_UDP_REUSEADDR | UV_UDP_IPV6ONLY);
}

static int open_socket(void) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_open_ex(&udp, fd, UV_UDP_REUSEADDR | UV_UDP_REUSEPORT);
    if (err != 0)
        close(fd);
    close_udp();
    return err;
}

static int connect_udp(void) {
    struct sockaddr_in there = address4;
    there.sin_port = htons(9);
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_connect(&udp, (struct sockaddr*)&there);
    CHECK_EQ(uv_udp_connect(&udp, NULL), err == 0 ? 0 : UV_ENOTCONN);
    close_udp();
    return err;
}

static int disconnect(void) {
    struct sockaddr_in there = address4;
    there.sin_port = htons(9);
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_connect(&udp, (struct sockaddr*)&there));
    int err = uv_udp_connect(&udp, NULL);
    CHECK_EQ(uv_udp_connect(&udp, NULL), err == 0 ? UV_ENOTCONN : 0);
    close_udp();
    return err;
}

static void give_none(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(NULL, 0);
}

static void on_recv(uv_udp_t* handle, ssize_t n, const uv_buf_t* buf, const struct sockaddr* from,
                    unsigned flags) {
    (void)handle, (void)n, (void)buf, (void)from, (void)flags;
}

static int start_receiving(void) {
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_recv_start(&udp, give_none, on_recv);
    CHECK_EQ(uv_is_active((uv_handle_t*)&udp), err == 0);
    close_udp();
    return err;
}

static int join(const char* group) {
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_set_membership(&udp, group, NULL, UV_JOIN_GROUP);
    close_udp();
    return err;
}

static int join4(void) {
    return join("239.255.0.1");
}

static int join6(void) {
    return join("ff02::1");
}

static int join_source(const char* group, const char* source) {
    CHECK_OK(uv_udp_init(&loop, &udp));
    int err = uv_udp_set_source_membership(&udp, group, NULL, source, UV_JOIN_GROUP);
    close_udp();
    return err;
}

static int join_source4(void) {
    return join_source("239.255.0.1", "127.0.0.1");
}

static int join_source6(void) {
    return join_source("ff02::1", "::1");
}

TEST(udp_that_the_kernel_refuses_is_its_error) {
    static const struct refused_case cases[] = {
        {"socket", 0, EMFILE, init_udp, UV_EMFILE},
        {"socket", 0, ENFILE, bind4, UV_ENFILE},
        {"bind", 0, EACCES, bind4, UV_EACCES},
        {"bind", 0, EAFNOSUPPORT, bind4, UV_EINVAL},
        {"setsockopt", 0, EPERM, bind_everything4, UV_EPERM},
        {"setsockopt", 1, EPERM, bind_everything4, UV_EPERM},
        {"setsockopt", 2, EPERM, bind_everything4, UV_EPERM},
        {"setsockopt", 0, EPERM, bind_everything6, UV_EPERM},
        {"setsockopt", 1, EPERM, bind_everything6, UV_EPERM},
        {"setsockopt", 2, EPERM, bind_everything6, UV_EPERM},
        {"fcntl", 0, EPERM, open_socket, UV_EPERM},
        {"setsockopt", 0, EPERM, open_socket, UV_EPERM},
        {"setsockopt", 1, EPERM, open_socket, UV_EPERM},
        {"socket", 0, EMFILE, connect_udp, UV_EMFILE},
        {"connect", 0, EINTR, connect_udp, 0},
        {"connect", 0, EACCES, connect_udp, UV_EACCES},
        {"connect", 1, EINTR, disconnect, 0},
        {"connect", 1, EAFNOSUPPORT, disconnect, 0},
        {"connect", 1, ENOBUFS, disconnect, UV_ENOBUFS},
        {"socket", 0, EMFILE, start_receiving, UV_EMFILE},
        {"socket", 0, EMFILE, join4, UV_EMFILE},
        {"socket", 0, EMFILE, join6, UV_EMFILE},
        {"socket", 0, EMFILE, join_source4, UV_EMFILE},
        {"socket", 0, EMFILE, join_source6, UV_EMFILE},
        {"setsockopt", 1, ENXIO, join4, UV_ENODEV},
        {"setsockopt", 1, EPERM, join4, UV_EPERM},
    };
    open_loop();
    RUN_CASES(cases);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(udp_needs_a_udp_handle_that_is_not_closing_and_addresses) {
    uv_tcp_t other;
    uv_udp_t* tcp = (uv_udp_t*)&other;
    struct sockaddr* there = (struct sockaddr*)&address4;
    uv_buf_t buf = uv_buf_init("x", 1), *bufs[] = {&buf};
    uv_udp_send_t req;
    unsigned one = 1;
    int size = -1;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &other));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_EQ(uv_udp_bind(tcp, there, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_connect(tcp, there), UV_EINVAL);
    CHECK_EQ(uv_udp_recv_start(tcp, give_none, on_recv), UV_EINVAL);
    CHECK_EQ(uv_udp_recv_stop(tcp), UV_EINVAL);
    CHECK_EQ(uv_udp_send(&req, tcp, &buf, 1, there, NULL), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(tcp, 1, bufs, &one, &there, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_bind(&udp, NULL, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_send(&req, &udp, NULL, 1, there, NULL), UV_EINVAL);
    CHECK_OK(uv_udp_bind(&udp, there, 0));
    CHECK_EQ(uv_udp_getsockname(&udp, NULL, &size), UV_EINVAL);
    CHECK_EQ(uv_udp_getsockname(&udp, there, NULL), UV_EINVAL);
    CHECK_EQ(uv_udp_getsockname(&udp, there, &size), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_loop(&udp, -1), UV_EINVAL);
    CHECK_EQ(uv_udp_set_multicast_loop(&udp, 256), UV_EINVAL);
    CHECK_EQ(
        uv_udp_set_source_membership(&udp, "239.255.0.1", "rubbish", "127.0.0.1", UV_JOIN_GROUP),
        UV_EINVAL);
    CHECK_EQ(
        uv_udp_set_source_membership(&udp, "239.255.0.1", "127.0.0.1", "rubbish", UV_JOIN_GROUP),
        UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "ff02::1", "rubbish", "::1", UV_JOIN_GROUP),
             UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "ff02::1", "::1", "rubbish", UV_JOIN_GROUP),
             UV_EINVAL);
    uv_close((uv_handle_t*)&other, NULL);
    uv_close((uv_handle_t*)&udp, NULL);
    CHECK_EQ(uv_udp_bind(&udp, there, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_connect(&udp, there), UV_EINVAL);
    CHECK_EQ(uv_udp_open(&udp, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_recv_stop(&udp), UV_EINVAL);
    CHECK_EQ(uv_udp_try_send2(&udp, 1, bufs, &one, &there, 0), UV_EINVAL);
    CHECK_EQ(uv_udp_set_membership(&udp, "239.255.0.1", NULL, UV_JOIN_GROUP), UV_EINVAL);
    CHECK_EQ(uv_udp_set_source_membership(&udp, "239.255.0.1", NULL, "127.0.0.1", UV_JOIN_GROUP),
             UV_EINVAL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
