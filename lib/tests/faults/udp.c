/* UDP when system calls and allocations fail. */
// wrap: sendmsg sendmmsg recvmsg recvmmsg socket

#include <errno.h>
#include <sys/socket.h>
#include <uv.h>

#include "harness.h"

ssize_t __real_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags);
int __real_sendmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags);
int __wrap_sendmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags);
ssize_t __real_recvmsg(int fd, struct msghdr* message, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags);
int __real_recvmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags,
                    struct timespec* timeout);
int __wrap_recvmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags,
                    struct timespec* timeout);
int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);

/* The next `times` calls fail with `error`, after `after` that succeed. */
struct fault {
    int error;
    int times;
    int after;
    int calls;
};

static struct fault send_fault, batch_fault, recv_fault, chunk_fault, socket_fault;
static unsigned int batch_limit = 1024; /* messages that one sendmmsg takes */
static int largest_batch;               /* datagrams in one message, as far as buffers tell */

static bool fails(struct fault* fault) {
    fault->calls++;
    if (fault->after > 0) {
        fault->after--;
        return false;
    }
    if (fault->times == 0)
        return false;
    fault->times--;
    errno = fault->error;
    return true;
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags) {
    return fails(&send_fault) ? -1 : __real_sendmsg(fd, message, flags);
}

/* On no descriptor the kernel says so, whatever happens to datagrams. */
int __wrap_sendmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags) {
    if (fd != -1 && fails(&batch_fault))
        return -1;
    for (unsigned int i = 0; i < count; i++)
        if ((int)messages[i].msg_hdr.msg_iovlen > largest_batch)
            largest_batch = (int)messages[i].msg_hdr.msg_iovlen;
    return __real_sendmmsg(fd, messages, count < batch_limit ? count : batch_limit, flags);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags) {
    return fails(&recv_fault) ? -1 : __real_recvmsg(fd, message, flags);
}

int __wrap_recvmmsg(int fd, struct mmsghdr* messages, unsigned int count, int flags,
                    struct timespec* timeout) {
    return fd != -1 && fails(&chunk_fault) ? -1
                                           : __real_recvmmsg(fd, messages, count, flags, timeout);
}

int __wrap_socket(int domain, int type, int protocol) {
    return fails(&socket_fault) ? -1 : __real_socket(domain, type, protocol);
}

enum { MANY = 100 };

static uv_loop_t loop;
static uv_udp_t receiver, sender;
static struct sockaddr_in addr;
static uv_udp_send_t sends[MANY];
static int statuses[MANY];
static char payload[MANY];
static char buffer[4 * 65536];
static char seen[MANY];
static int sent_count, seen_count, error_count, last_error;

#define ADDR(a) ((const struct sockaddr*)(a))

static void give_buffer(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    *buf = uv_buf_init(buffer, sizeof(buffer));
}

static void on_datagram(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                        const struct sockaddr* from, unsigned int flags) {
    (void)handle, (void)flags;
    if (nread < 0) {
        error_count++;
        last_error = (int)nread;
    } else if (from != NULL) {
        CHECK_EQ(nread, 1);
        CHECK_LT(seen_count, MANY);
        seen[seen_count++] = buf->base[0];
    }
}

static void sent(uv_udp_send_t* req, int status) {
    CHECK(req == &sends[sent_count]);
    statuses[sent_count++] = status;
}

static void start(unsigned int flags) {
    int size = sizeof(addr);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &addr));
    CHECK_OK(uv_udp_init_ex(&loop, &receiver, flags));
    CHECK_OK(uv_udp_bind(&receiver, ADDR(&addr), 0));
    CHECK_OK(uv_udp_getsockname(&receiver, (struct sockaddr*)&addr, &size));
    CHECK_OK(uv_udp_recv_start(&receiver, give_buffer, on_datagram));
    CHECK_OK(uv_udp_init(&loop, &sender));
}

static void send_many(int count) {
    for (int i = 0; i < count; i++) {
        payload[i] = (char)i;
        uv_buf_t buf = uv_buf_init(&payload[i], 1);
        CHECK_OK(uv_udp_send(&sends[i], &sender, &buf, 1, ADDR(&addr), sent));
    }
}

static void run_until_seen(int count) {
    while (seen_count < count)
        CHECK(uv_run(&loop, UV_RUN_ONCE));
}

static void end(void) {
    if (!uv_is_closing((uv_handle_t*)&receiver))
        uv_close((uv_handle_t*)&receiver, NULL);
    uv_close((uv_handle_t*)&sender, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void check_all_arrived(int count) {
    CHECK_EQ(sent_count, count);
    CHECK_EQ(seen_count, count);
    for (int i = 0; i < count; i++) {
        CHECK_EQ(statuses[i], 0);
        CHECK_EQ(seen[i], (char)i);
    }
}

TEST(udp_queued_sends_leave_with_few_system_calls) {
    start(0);
    send_many(MANY);
    run_until_seen(MANY);
    check_all_arrived(MANY);
    CHECK_LE(send_fault.calls + batch_fault.calls, 1 + MANY / 32 + 1);
    end();
}

TEST(udp_short_sendmmsg_loses_nothing) {
    start(0);
    batch_limit = 1;
    send_many(MANY);
    run_until_seen(MANY);
    check_all_arrived(MANY);
    end();
}

TEST(udp_send_waits_while_the_socket_says_eagain) {
    start(0);
    send_fault = (struct fault){.error = EAGAIN, .times = 1};
    batch_fault = (struct fault){.error = EAGAIN, .times = 3};
    send_many(MANY);
    run_until_seen(MANY);
    check_all_arrived(MANY);
    end();
}

TEST(udp_enobufs_is_a_full_socket) {
    start(0);
    uv_buf_t buf = uv_buf_init("x", 1);
    send_fault = (struct fault){.error = ENOBUFS, .times = 2};
    batch_fault = (struct fault){.error = ENOBUFS, .times = 3};
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), UV_EAGAIN);
    send_many(MANY);
    run_until_seen(MANY);
    check_all_arrived(MANY);
    end();
}

TEST(udp_interrupted_calls_are_repeated) {
    start(0);
    send_fault = (struct fault){.error = EINTR, .times = 2};
    batch_fault = (struct fault){.error = EINTR, .times = 2};
    recv_fault = (struct fault){.error = EINTR, .times = 2};
    send_many(10);
    run_until_seen(10);
    check_all_arrived(10);
    CHECK_EQ(error_count, 0);
    end();
}

TEST(udp_interrupted_recvmmsg_is_repeated) {
    start(AF_INET | UV_UDP_RECVMMSG);
    chunk_fault = (struct fault){.error = EINTR, .times = 2};
    send_many(10);
    run_until_seen(10);
    check_all_arrived(10);
    CHECK_EQ(error_count, 0);
    end();
}

TEST(udp_error_of_one_queued_send_is_its_own) {
    start(0);
    send_fault = (struct fault){.error = ECONNREFUSED, .times = 1};
    batch_fault = (struct fault){.error = EPERM, .times = 1};
    send_many(10);
    run_until_seen(8);
    CHECK_EQ(sent_count, 10);
    CHECK_EQ(statuses[0], UV_ECONNREFUSED);
    CHECK_EQ(statuses[1], UV_EPERM);
    for (int i = 2; i < 10; i++) {
        CHECK_EQ(statuses[i], 0);
        CHECK_EQ(seen[i - 2], i);
    }
    end();
}

static void check_refused_segmentation(int error) {
    start(0);
    batch_fault = (struct fault){.error = error, .times = 1};
    send_many(MANY);
    run_until_seen(MANY);
    check_all_arrived(MANY);
    CHECK_EQ(largest_batch, 1);
    end();
}

TEST(udp_device_without_segmentation_gets_single_datagrams) {
    check_refused_segmentation(EIO);
}

TEST(udp_route_that_refuses_segments_gets_single_datagrams) {
    check_refused_segmentation(EINVAL);
}

TEST(udp_try_send2_goes_on_without_segmentation) {
    start(0);
    uv_buf_t bufs[MANY];
    uv_buf_t* lists[MANY];
    unsigned int nbufs[MANY];
    struct sockaddr* addrs[MANY];
    for (int i = 0; i < MANY; i++) {
        payload[i] = (char)i;
        bufs[i] = uv_buf_init(&payload[i], 1);
        lists[i] = &bufs[i];
        nbufs[i] = 1;
        addrs[i] = (struct sockaddr*)&addr;
    }
    batch_fault = (struct fault){.error = EIO, .times = 1};
    CHECK_EQ(uv_udp_try_send2(&sender, MANY, lists, nbufs, addrs, 0), MANY);
    run_until_seen(MANY);
    for (int i = 0; i < MANY; i++)
        CHECK_EQ(seen[i], (char)i);
    end();
}

TEST(udp_try_send2_reports_a_later_error_as_a_smaller_count) {
    start(0);
    uv_buf_t buf = uv_buf_init("x", 1);
    uv_buf_t* lists[MANY];
    unsigned int nbufs[MANY];
    struct sockaddr* addrs[MANY];
    for (int i = 0; i < MANY; i++) {
        lists[i] = &buf;
        nbufs[i] = 1;
        addrs[i] = (struct sockaddr*)&addr;
    }
    batch_limit = 1;
    batch_fault = (struct fault){.error = EPERM, .times = 2, .after = 1};
    int n = uv_udp_try_send2(&sender, MANY, lists, nbufs, addrs, 0);
    CHECK(n > 0 && n < MANY);
    CHECK_EQ(uv_udp_try_send2(&sender, MANY, lists, nbufs, addrs, 0), UV_EPERM);
    end();
}

TEST(udp_receive_error_reaches_the_callback_and_reading_goes_on) {
    start(0);
    recv_fault = (struct fault){.error = ENOMEM, .times = 1};
    send_many(3);
    run_until_seen(3);
    CHECK_EQ(error_count, 1);
    CHECK_EQ(last_error, UV_ENOMEM);
    end();
}

TEST(udp_recvmmsg_error_reaches_the_callback_and_reading_goes_on) {
    start(AF_INET | UV_UDP_RECVMMSG);
    chunk_fault = (struct fault){.error = ENOMEM, .times = 1};
    send_many(3);
    run_until_seen(3);
    CHECK_EQ(error_count, 1);
    CHECK_EQ(last_error, UV_ENOMEM);
    end();
}

TEST(udp_without_descriptors_reports_emfile_and_leaves_no_handle) {
    uv_udp_t udp;
    CHECK_OK(uv_loop_init(&loop));
    socket_fault = (struct fault){.error = EMFILE, .times = 1};
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, AF_INET), UV_EMFILE);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(udp_lazy_socket_that_fails_may_be_tried_again) {
    start(0);
    uv_buf_t buf = uv_buf_init("x", 1);
    socket_fault = (struct fault){.error = EMFILE, .times = 2};
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), UV_EMFILE);
    CHECK_EQ(uv_udp_send(&sends[0], &sender, &buf, 1, ADDR(&addr), sent), UV_EMFILE);
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 0);
    CHECK_EQ(uv_udp_try_send(&sender, &buf, 1, ADDR(&addr)), 1);
    end();
}

static int allocations_fail;

static void* failing_malloc(size_t size) {
    return allocations_fail ? NULL : malloc(size);
}

static void* failing_calloc(size_t count, size_t size) {
    return allocations_fail ? NULL : calloc(count, size);
}

static void* failing_realloc(void* ptr, size_t size) {
    return allocations_fail ? NULL : realloc(ptr, size);
}

TEST(udp_send_without_memory_reports_enomem_and_changes_nothing) {
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, free));
    start(0);
    uv_buf_t bufs[5];
    for (int i = 0; i < 5; i++)
        bufs[i] = uv_buf_init("x", 1);
    allocations_fail = 1;
    CHECK_EQ(uv_udp_send(&sends[0], &sender, bufs, 5, ADDR(&addr), sent), UV_ENOMEM);
    allocations_fail = 0;
    CHECK_EQ(uv_udp_get_send_queue_count(&sender), 0);
    CHECK_EQ(uv_udp_get_send_queue_size(&sender), 0);
    CHECK(!uv_is_active((uv_handle_t*)&sender));
    CHECK_EQ(loop.active_reqs.count, 0);
    end();
}

TEST(udp_init_without_memory_reports_enomem_and_leaks_no_socket) {
    uv_udp_t udp;
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, free));
    CHECK_OK(uv_loop_init(&loop));
    allocations_fail = 1;
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, AF_INET), UV_ENOMEM);
    allocations_fail = 0;
    CHECK_OK(uv_loop_close(&loop));
}

TEST(dns_lookup_without_memory_reports_enomem) {
    uv_getaddrinfo_t req;
    CHECK_OK(uv_replace_allocator(failing_malloc, failing_realloc, failing_calloc, free));
    CHECK_OK(uv_loop_init(&loop));
    allocations_fail = 1;
    CHECK_EQ(uv_getaddrinfo(&loop, &req, NULL, "127.0.0.1", NULL, NULL), UV_ENOMEM);
    allocations_fail = 0;
    CHECK_OK(uv_loop_close(&loop));
}
