// wrap: getsockopt sendmsg sendmmsg
/* What the kernel is asked to send by UDP handles: which datagrams share a message, and of how many
 * messages a call is. */

#include <errno.h>
#include <netinet/in.h>
#include <phasor.h>
#include <sys/socket.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_udp_t udp, other;

#define ADDR(a) ((const struct sockaddr*)(a))

static int option_reads;
int __real_getsockopt(int fd, int level, int name, void* value, socklen_t* size);
int __wrap_getsockopt(int fd, int level, int name, void* value, socklen_t* size);
int __wrap_getsockopt(int fd, int level, int name, void* value, socklen_t* size) {
    option_reads++;
    return __real_getsockopt(fd, level, name, value, size);
}

static void close_all(void) {
    uv_close((uv_handle_t*)&udp, NULL);
    uv_close((uv_handle_t*)&other, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static int sends_one, sends_many;
static unsigned message_count;
static struct msghdr first_message;
static unsigned most_messages;
static int then_error;
static bool is_refused; /* sendmmsg, by a sandbox */

ssize_t __real_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags) {
    sends_one++;
    CHECK_EQ(message->msg_namelen != 0, message->msg_name != NULL);
    first_message = *message;
    ssize_t n = __real_sendmsg(fd, message, flags);
    if (n >= 0)
        errno = EIO; /* of a call that succeeds it is noise */
    return n;
}

int __real_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags);
int __wrap_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags);
int __wrap_sendmmsg(int fd, struct mmsghdr* list, unsigned count, int flags) {
    sends_many++;
    message_count = count;
    if (is_refused) {
        CHECK(fd != -1 || count == 0);
        errno = ENOSYS;
        return -1;
    }
    first_message = list[0].msg_hdr;
    if (then_error != 0 && sends_many > 1) {
        errno = then_error;
        return -1;
    }
    if (most_messages != 0 && count > most_messages)
        count = most_messages;
    return __real_sendmmsg(fd, list, count, flags);
}

enum { MOST = 256 };
static uv_buf_t bufs[MOST][300], *lists[MOST];
static unsigned counts[MOST];
static struct sockaddr* addresses[MOST];
static struct sockaddr_in here;
static char bytes[65000];

static void open_sender(void) {
    int size = sizeof(here);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &here));
    CHECK_OK(uv_udp_init(&loop, &other));
    CHECK_OK(uv_udp_bind(&other, ADDR(&here), 0));
    CHECK_OK(uv_udp_getsockname(&other, (struct sockaddr*)&here, &size));
    CHECK_OK(uv_udp_init(&loop, &udp));
    for (int i = 0; i < MOST; i++) {
        for (int k = 0; k < 300; k++)
            bufs[i][k] = uv_buf_init(bytes, 1);
        lists[i] = bufs[i];
        counts[i] = 1;
        addresses[i] = (struct sockaddr*)&here;
    }
}

static int send_all(unsigned count) {
    sends_many = option_reads = 0;
    return uv_udp_try_send2(&udp, count, lists, counts, addresses, 0);
}

static void set_sizes(unsigned count, unsigned size) {
    for (unsigned i = 0; i < count; i++)
        bufs[i][0].len = size;
}

static bool cuts(void) {
    uv_buf_t two = uv_buf_init(bytes, 2);
    return phasor_udp_try_send_segments(&udp, &two, 1, ADDR(&here)) == 2;
}

TEST(datagrams_of_one_size_share_messages_to_their_limits) {
    open_sender();
    if (!cuts())
        test_skip("the kernel does not cut datagrams");
    CHECK_EQ(send_all(1), 1);
    CHECK_EQ(option_reads, 0); /* nothing to ask for a single one */
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(message_count, 1);
    CHECK_EQ(send_all(64), 64);
    CHECK_EQ(message_count, 1);
    CHECK_EQ(send_all(65), 65);
    CHECK_EQ(message_count, 2);
    CHECK_EQ(send_all(256), 256);
    CHECK_EQ(sends_many, 1);
    CHECK_EQ(message_count, 4);
    set_sizes(50, 1300); /* 65,000 bytes together */
    CHECK_EQ(send_all(50), 50);
    CHECK_EQ(message_count, 1);
    set_sizes(2, 1472);
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(message_count, 1);
    set_sizes(2, 1473);
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(message_count, 2);
    close_all();
}

TEST(datagrams_of_many_buffers_share_a_message_if_there_is_room_for_all) {
    open_sender();
    if (!cuts())
        test_skip("the kernel does not cut datagrams");
    counts[0] = 3;
    bufs[1][0].len = 3;
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(message_count, 1);
    CHECK_EQ(first_message.msg_iovlen, 4);
    counts[0] = 200;
    counts[1] = 100;
    bufs[1][0].len = 101;
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(message_count, 2);
    CHECK_EQ(sends_many, 1);
    close_all();
}

TEST(datagrams_before_an_error_are_counted) {
    open_sender();
    bufs[1][0].len = 7;
    most_messages = 1;
    then_error = ENETUNREACH;
    CHECK_EQ(send_all(2), 1);
    CHECK_EQ(sends_many, 2);
    then_error = 0;
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(sends_many, 2);
    close_all();
}

TEST(datagrams_are_sent_one_by_one_where_more_is_refused) {
    open_sender();
    for (unsigned i = 0; i < 5; i++)
        bufs[i][0].len = 10 + i;
    is_refused = true;
    CHECK_EQ(send_all(5), 5);
    CHECK_EQ(sends_one, 5);
    CHECK_EQ(send_all(2), 2);
    CHECK_EQ(sends_one, 7);
    CHECK_EQ(sends_many, 0); /* it is known by now that it is refused */
    close_all();
}

TEST(every_datagram_is_looked_at_before_the_first_is_sent) {
    open_sender();
    for (int i = 0; i < 3; i++) {
        counts[i] = 0;
        CHECK_EQ(send_all(3), UV_EINVAL);
        counts[i] = 1;
    }
    addresses[1] = NULL;
    CHECK_EQ(send_all(1), 1);
    close_all();
}

static int sent_status = 1;

static void on_sent(uv_udp_send_t* req, int status) {
    (void)req;
    sent_status = status;
}

TEST(empty_datagram_is_sent_whatever_errno_says) {
    uv_udp_send_t req;
    uv_buf_t nothing = uv_buf_init(bytes, 0);
    open_sender();
    CHECK_EQ(uv_udp_try_send(&udp, &nothing, 1, ADDR(&here)), 0);
    CHECK_OK(uv_udp_send(&req, &udp, &nothing, 1, ADDR(&here), on_sent));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(sent_status, 0);
    CHECK_EQ(sends_one, 2);
    close_all();
}

TEST(datagram_that_needs_no_cutting_is_sent_as_it_is) {
    uv_buf_t buf = uv_buf_init(bytes, 1000);
    open_sender();
    CHECK_OK(uv_udp_connect(&udp, ADDR(&here)));
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 1000, NULL), 1000);
    CHECK_EQ(first_message.msg_controllen, 0);
    buf.len = 65000;
    CHECK_NE(phasor_udp_try_send_segments(&udp, &buf, 1300, NULL), UV_EMSGSIZE);
    buf.len = 64;
    CHECK_NE(phasor_udp_try_send_segments(&udp, &buf, 1, NULL), UV_EMSGSIZE);
    buf.len = 65;
    CHECK_EQ(phasor_udp_try_send_segments(&udp, &buf, 1, NULL), UV_EMSGSIZE);
    close_all();
}
