// wrap: recvmsg recvmmsg
/* What the error queue of a UDP socket may hold, and receiving that finds nothing. */

#include <errno.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

/* Wants <time.h> before it. */
#include <linux/errqueue.h>

#include "harness.h"

ssize_t __real_recvmsg(int fd, struct msghdr* message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags);
int __real_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags, struct timespec* time);
int __wrap_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags, struct timespec* time);

static enum { REAL, NOTHING, OTHER, OTHER_FIRST, SIX, SHORT, OTHER_OF_IP, OTHER_OF_IP6 } queue;
static bool none_at_once;

static char* put(char* at, int level, int type, const void* bytes, size_t size) {
    struct cmsghdr* c = (struct cmsghdr*)at;
    memset(at, 0, CMSG_SPACE(size));
    c->cmsg_level = level;
    c->cmsg_type = type;
    c->cmsg_len = CMSG_LEN(size);
    memcpy(CMSG_DATA(c), bytes, size);
    return at + CMSG_SPACE(size);
}

/* Takes the entry from the kernel and puts another in its place. */
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags) {
    struct {
        struct sock_extended_err err;
        struct sockaddr_in6 from;
    } six = {.err.ee_errno = EHOSTUNREACH, .from.sin6_family = AF_INET6};
    struct sock_extended_err alone = {.ee_errno = ENETUNREACH};
    char *control = message->msg_control, *end = control;
    ssize_t n = __real_recvmsg(fd, message, flags);
    if (!(flags & MSG_ERRQUEUE) || queue == REAL || n < 0)
        return n;
    if (queue == OTHER || queue == OTHER_FIRST)
        end = put(end, SOL_SOCKET, SO_TIMESTAMP, &six, 16);
    if (queue == OTHER_OF_IP)
        end = put(end, IPPROTO_IP, IP_TTL, &six, sizeof(int));
    if (queue == OTHER_OF_IP6)
        end = put(end, IPPROTO_IPV6, IPV6_HOPLIMIT, &six, sizeof(int));
    if (queue == OTHER_FIRST || queue == SIX)
        end = put(end, IPPROTO_IPV6, IPV6_RECVERR, &six, sizeof(six));
    if (queue == SHORT)
        end = put(end, IPPROTO_IP, IP_RECVERR, &alone, sizeof(alone));
    message->msg_controllen = (size_t)(end - control);
    return n;
}

int __wrap_recvmmsg(int fd, struct mmsghdr* list, unsigned count, int flags,
                    struct timespec* time) {
    return none_at_once ? 0 : __real_recvmmsg(fd, list, count, flags, time);
}

static uv_loop_t loop;
static uv_udp_t udp;
static char room[1 << 17];
static int calls, told_family, stops_in_alloc;
static ssize_t told;
static unsigned told_flags;
static size_t room_size = 1000;

static void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)suggested;
    *buf = uv_buf_init(room, (unsigned)room_size);
    if (stops_in_alloc)
        uv_udp_recv_stop((uv_udp_t*)handle);
}

static void on_recv(uv_udp_t* handle, ssize_t n, const uv_buf_t* buf, const struct sockaddr* from,
                    unsigned flags) {
    (void)handle, (void)buf;
    if (n == 0 && from == NULL && !stops_in_alloc)
        return; /* nothing more to read */
    calls++;
    told = n;
    told_flags = flags;
    told_family = from != NULL ? from->sa_family : -1;
}

/* An entry in the error queue: a datagram to a port that nobody has. */
static void open_with_error(void) {
    struct sockaddr_in there;
    int size = sizeof(there);
    uv_udp_t gone;
    uv_buf_t buf = uv_buf_init("x", 1);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &there));
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&there, UV_UDP_LINUX_RECVERR));
    CHECK_OK(uv_udp_init(&loop, &gone));
    CHECK_OK(uv_udp_bind(&gone, (struct sockaddr*)&there, 0));
    CHECK_OK(uv_udp_getsockname(&gone, (struct sockaddr*)&there, &size));
    uv_close((uv_handle_t*)&gone, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(uv_udp_try_send(&udp, &buf, 1, (struct sockaddr*)&there), 1);
    CHECK_OK(uv_udp_recv_start(&udp, give_room, on_recv));
}

static void close_udp(void) {
    uv_close((uv_handle_t*)&udp, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void receive_as(int kind) {
    calls = 0;
    told = 0;
    told_flags = 0;
    queue = kind;
    open_with_error();
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    close_udp();
}

TEST(errors_of_the_network_are_told_with_who_sent_them) {
    receive_as(REAL);
    CHECK_EQ(told, UV_ECONNREFUSED);
    CHECK_EQ(told_family, AF_INET);
    CHECK_EQ(told_flags, UV_UDP_LINUX_RECVERR);
    receive_as(SIX);
    CHECK_EQ(told, UV_EHOSTUNREACH);
    CHECK_EQ(told_family, AF_INET6);
    receive_as(OTHER_FIRST);
    CHECK_EQ(told, UV_EHOSTUNREACH);
    receive_as(SHORT);
    CHECK_EQ(told, UV_ENETUNREACH);
    CHECK_EQ(told_family, AF_UNSPEC);
}

TEST(entries_that_are_no_errors_are_passed_over) {
    static const int kinds[] = {NOTHING, OTHER, OTHER_OF_IP, OTHER_OF_IP6};
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
        receive_as(kinds[i]);
        CHECK_NE(told_flags, UV_UDP_LINUX_RECVERR);
    }
}

static void send_to_itself(void) {
    struct sockaddr_in here;
    int size = sizeof(here);
    uv_buf_t buf = uv_buf_init("abc", 3);
    CHECK_OK(uv_udp_getsockname(&udp, (struct sockaddr*)&here, &size));
    CHECK_EQ(uv_udp_try_send(&udp, &buf, 1, (struct sockaddr*)&here), 3);
}

static void open_udp(unsigned flags) {
    struct sockaddr_in here;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &here));
    CHECK_OK(uv_udp_init_ex(&loop, &udp, flags));
    CHECK_OK(uv_udp_bind(&udp, (struct sockaddr*)&here, 0));
    CHECK_OK(uv_udp_recv_start(&udp, give_room, on_recv));
    send_to_itself();
}

TEST(receiving_that_stops_while_room_is_asked_for_gives_the_room_back) {
    stops_in_alloc = 1;
    open_udp(AF_INET);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 0);
    stops_in_alloc = 0;
    CHECK_OK(uv_udp_recv_start(&udp, give_room, on_recv));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(told, 3);
    close_udp();
}

TEST(receiving_into_no_room_is_an_error_and_loses_nothing) {
    room_size = 0;
    open_udp(AF_INET);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(told, UV_ENOBUFS);
    room_size = 1000;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(told, 3);
    close_udp();
}

TEST(receiving_many_that_finds_none_is_told_as_nothing) {
    room_size = sizeof(room);
    none_at_once = true;
    open_udp(AF_INET | UV_UDP_RECVMMSG);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 0);
    none_at_once = false;
    for (int i = 0; i < 3 && told != 3; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_GE(calls, 1);
    close_udp();
}
