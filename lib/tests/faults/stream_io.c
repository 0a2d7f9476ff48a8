// wrap: send sendmsg recv recvmsg connect
/* Reads and writes that the kernel interrupts, refuses or does by halves. */

#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "phasor.h"
#include "uv.h"

ssize_t __real_send(int fd, const void* base, size_t size, int flags);
ssize_t __real_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __real_recv(int fd, void* base, size_t size, int flags);
ssize_t __real_recvmsg(int fd, struct msghdr* message, int flags);
int __real_connect(int fd, const struct sockaddr* address, socklen_t size);
ssize_t __wrap_send(int fd, const void* base, size_t size, int flags);
ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags);
ssize_t __wrap_recv(int fd, void* base, size_t size, int flags);
ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags);
int __wrap_connect(int fd, const struct sockaddr* address, socklen_t size);

static bool faults_on;
static int read_error;
static int connect_error;
static uint32_t seed = 1;
static int sends;

static uint32_t next_random(void) {
    seed = seed * 1664525 + 1013904223;
    return seed >> 16;
}

/* Every other call fails, each time in another way. */
static int next_error(void) {
    static const int errors[] = {0, EINTR, 0, EAGAIN, 0, ENOBUFS, 0, 0};
    return faults_on ? errors[next_random() % 8] : 0;
}

static size_t some_of(size_t size) {
    return faults_on && size > 1 ? 1 + next_random() % size : size;
}

ssize_t __wrap_send(int fd, const void* base, size_t size, int flags) {
    sends++;
    CHECK(flags & MSG_NOSIGNAL);
    errno = next_error();
    return errno != 0 ? -1 : __real_send(fd, base, some_of(size), flags);
}

ssize_t __wrap_sendmsg(int fd, const struct msghdr* message, int flags) {
    sends++;
    CHECK(flags & MSG_NOSIGNAL);
    errno = next_error();
    if (errno != 0)
        return -1;
    if (!faults_on)
        return __real_sendmsg(fd, message, flags);
    struct msghdr less = *message;
    struct iovec parts[3];
    less.msg_iovlen = less.msg_iovlen > 3 ? 3 : less.msg_iovlen;
    memcpy(parts, message->msg_iov, less.msg_iovlen * sizeof(*parts));
    parts[less.msg_iovlen - 1].iov_len = some_of(parts[less.msg_iovlen - 1].iov_len);
    less.msg_iov = parts;
    return __real_sendmsg(fd, &less, flags);
}

ssize_t __wrap_recv(int fd, void* base, size_t size, int flags) {
    errno = read_error != 0 ? read_error : next_error();
    read_error = 0;
    if (errno == ENOBUFS)
        errno = EAGAIN;
    return errno != 0 ? -1 : __real_recv(fd, base, some_of(size), flags);
}

ssize_t __wrap_recvmsg(int fd, struct msghdr* message, int flags) {
    errno = next_error();
    if (errno == ENOBUFS)
        errno = EAGAIN;
    return errno != 0 ? -1 : __real_recvmsg(fd, message, flags);
}

int __wrap_connect(int fd, const struct sockaddr* address, socklen_t size) {
    errno = connect_error;
    connect_error = 0;
    return errno != 0 ? -1 : __real_connect(fd, address, size);
}

enum { WRITES = 500, BUFS = 6 };
static uv_loop_t loop;
static uv_pipe_t writer, reader;
static uv_write_t reqs[WRITES];
static char source[WRITES * BUFS * 40];
static char room[100];
static size_t offered, received;
static int finished;
static ssize_t last_result;
static int zero_reads;
static int status_seen;

static void open_pair(int ipc) {
    int fds[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_socketpair(SOCK_STREAM, 0, fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &writer, ipc));
    CHECK_OK(uv_pipe_init(&loop, &reader, ipc));
    CHECK_OK(uv_pipe_open(&writer, fds[0]));
    CHECK_OK(uv_pipe_open(&reader, fds[1]));
}

static void close_pair(void) {
    faults_on = false;
    uv_close((uv_handle_t*)&writer, NULL);
    uv_close((uv_handle_t*)&reader, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
}

static void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(room, sizeof(room));
}

static void compare(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    (void)stream;
    last_result = result;
    if (result <= 0) {
        zero_reads += result == 0;
        return;
    }
    CHECK_OK(memcmp(buf->base, source + received, (size_t)result));
    received += (size_t)result;
}

static void in_order(uv_write_t* req, int status) {
    CHECK_OK(status);
    CHECK_EQ(req - reqs, finished);
    CHECK_EQ(uv_write_nwritten(req) > 0, 1);
    finished++;
}

static void write_next(int i) {
    uv_buf_t bufs[BUFS];
    unsigned int count = 1 + next_random() % BUFS;
    for (unsigned int k = 0; k < count; k++) {
        unsigned int size = 1 + next_random() % 40;
        bufs[k] = uv_buf_init(source + offered, size);
        offered += size;
    }
    CHECK_OK(uv_write(&reqs[i], (uv_stream_t*)&writer, bufs, count, in_order));
}

static void write_all(uv_timer_t* timer) {
    (void)timer;
    for (int i = WRITES / 2; i < WRITES; i++)
        write_next(i);
}

static void transfer(int ipc, uint32_t new_seed) {
    static uv_timer_t timer;
    seed = new_seed;
    offered = received = 0;
    finished = 0;
    for (size_t i = 0; i < sizeof(source); i++)
        source[i] = (char)(i * 7 + i / 256);
    open_pair(ipc);
    CHECK_OK(uv_read_start((uv_stream_t*)&reader, give_room, compare));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, write_all, 0, 0));
    faults_on = true;
    for (int i = 0; i < WRITES / 2; i++)
        write_next(i);
    while (finished < WRITES || received < offered) {
        uv_run(&loop, UV_RUN_ONCE);
        CHECK_LE(writer.write_queue_size, offered - received);
    }
    CHECK_EQ(received, offered);
    CHECK_EQ(writer.write_queue_size, 0);
    uv_close((uv_handle_t*)&timer, NULL);
    close_pair();
}

TEST(transfer_survives_short_and_interrupted_calls) {
    for (uint32_t i = 1; i <= 20; i++)
        transfer(0, i);
}

TEST(transfer_over_an_ipc_pipe_survives_short_and_interrupted_calls) {
    for (uint32_t i = 1; i <= 20; i++)
        transfer(1, i);
}

TEST(read_that_finds_nothing_is_reported_as_zero_bytes) {
    open_pair(0);
    CHECK_OK(uv_read_start((uv_stream_t*)&reader, give_room, compare));
    CHECK_EQ(__real_send(writer.io_watcher.fd, source, 1, 0), 1);
    read_error = EAGAIN;
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(zero_reads, 1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(received, 1);
    close_pair();
}

TEST(read_error_is_reported_once_and_stops_the_stream) {
    open_pair(0);
    CHECK_OK(uv_read_start((uv_stream_t*)&reader, give_room, compare));
    CHECK_EQ(__real_send(writer.io_watcher.fd, source, 1, 0), 1);
    read_error = ETIMEDOUT;
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(last_result, UV_ETIMEDOUT);
    CHECK(!uv_is_active((uv_handle_t*)&reader));
    close_pair();
}

TEST(one_message_costs_one_write) {
    uv_buf_t buf = uv_buf_init(source, 10);
    open_pair(0);
    sends = 0;
    CHECK_OK(uv_write(&reqs[0], (uv_stream_t*)&writer, &buf, 1, in_order));
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(sends, 1);
    close_pair();
}

static void write_hundred(uv_timer_t* timer) {
    uv_buf_t buf = uv_buf_init(source, 10);
    (void)timer;
    for (int i = 0; i < 100; i++)
        CHECK_OK(uv_write(&reqs[i], (uv_stream_t*)&writer, &buf, 1, in_order));
}

static int system_calls_for_a_hundred_writes(int batch) {
    uv_timer_t timer;
    open_pair(0);
    phasor_loop_batch_writes(&loop, batch);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, write_hundred, 0, 0));
    sends = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(finished, 100);
    uv_close((uv_handle_t*)&timer, NULL);
    close_pair();
    return sends;
}

TEST(a_hundred_writes_cost_a_hundred_system_calls) {
    CHECK_EQ(system_calls_for_a_hundred_writes(0), 100);
}

TEST(a_hundred_gathered_writes_cost_one_system_call) {
    CHECK_EQ(system_calls_for_a_hundred_writes(1), 1);
}

static void on_connect(uv_connect_t* req, int status) {
    (void)req;
    finished++;
    status_seen = status;
}

static int connect_with(int err) {
    uv_tcp_t tcp;
    uv_connect_t req;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof(address);
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_OK(bind(listener, (struct sockaddr*)&address, size));
    CHECK_OK(listen(listener, 1));
    CHECK_OK(getsockname(listener, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    connect_error = err;
    finished = 0;
    status_seen = 1;
    int result = uv_tcp_connect(&req, &tcp, (struct sockaddr*)&address, on_connect);
    CHECK_EQ(finished, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(finished, result == 0);
    uv_close((uv_handle_t*)&tcp, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
    close(listener);
    return result;
}

TEST(connect_goes_on_after_an_interrupt) {
    CHECK_OK(connect_with(EINTR));
    CHECK_OK(status_seen);
}

TEST(connect_refused_at_once_arrives_in_the_callback) {
    CHECK_OK(connect_with(ECONNREFUSED));
    CHECK_EQ(status_seen, UV_ECONNREFUSED);
}

TEST(connect_that_can_not_be_tried_fails_in_the_call) {
    CHECK_EQ(connect_with(EACCES), UV_EACCES);
    CHECK_EQ(connect_with(EADDRNOTAVAIL), UV_EADDRNOTAVAIL);
}

/* What arrives is, for each write in turn, as much of it as uv_write_nwritten says. */
static char arrived[sizeof(source)];
static size_t write_at[WRITES + 1];
static int called_back[WRITES];
static int write_status[WRITES];

static void collect(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    (void)stream;
    if (result <= 0)
        return;
    memcpy(arrived + received, buf->base, (size_t)result);
    received += (size_t)result;
}

static void note_once(uv_write_t* req, int status) {
    called_back[req - reqs]++;
    write_status[req - reqs] = status;
    finished++;
}

static void write_and_cancel_some(uv_timer_t* timer) {
    int first = *(int*)timer->data;
    for (int i = first; i < first + WRITES / 10; i++) {
        unsigned int size = next_random() % 2000 / (1 + next_random() % 100);
        size = offered + size > sizeof(source) ? 0 : size;
        uv_buf_t bufs[2] = {uv_buf_init(source + offered, size / 3),
                            uv_buf_init(source + offered + size / 3, size - size / 3)};
        write_at[i] = offered;
        offered += size;
        CHECK_OK(uv_write(&reqs[i], (uv_stream_t*)&writer, bufs, 2, note_once));
        uv_write_t* victim = &reqs[next_random() % (uint32_t)(i + 1)];
        if (next_random() % 3 == 0) {
            int err = uv_cancel((uv_req_t*)victim);
            CHECK(err == 0 || err == UV_EBUSY);
        }
        CHECK_LE(writer.write_queue_size, offered);
    }
    *(int*)timer->data = first + WRITES / 10;
}

static void write_and_cancel(uint32_t new_seed) {
    uv_timer_t timer;
    int first = 0;
    int size = 4096;
    seed = new_seed;
    offered = received = 0;
    finished = 0;
    memset(called_back, 0, sizeof(called_back));
    for (size_t i = 0; i < sizeof(source); i++)
        source[i] = (char)(i * 13 + i / 251);
    open_pair(0);
    CHECK_OK(uv_send_buffer_size((uv_handle_t*)&writer, &size));
    CHECK_OK(uv_read_start((uv_stream_t*)&reader, give_room, collect));
    CHECK_OK(uv_timer_init(&loop, &timer));
    timer.data = &first;
    faults_on = true;
    while (finished < WRITES) {
        if (first < WRITES && next_random() % 2)
            CHECK_OK(uv_timer_start(&timer, write_and_cancel_some, 0, 0));
        else if (first < WRITES)
            write_and_cancel_some(&timer);
        uv_run(&loop, UV_RUN_NOWAIT);
    }
    faults_on = false;
    for (int i = 0; i < 10000 / 32; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    size_t at = 0;
    for (int i = 0; i < WRITES; i++) {
        size_t whole = (i + 1 < WRITES ? write_at[i + 1] : offered) - write_at[i];
        size_t sent = uv_write_nwritten(&reqs[i]);
        CHECK_EQ(called_back[i], 1);
        CHECK(write_status[i] == 0 ? sent == whole : write_status[i] == UV_ECANCELED);
        CHECK_LE(sent, whole);
        CHECK_LE(at + sent, received);
        CHECK_OK(memcmp(arrived + at, source + write_at[i], sent));
        at += sent;
    }
    CHECK_EQ(at, received);
    CHECK_EQ(writer.write_queue_size, 0);
    uv_close((uv_handle_t*)&timer, NULL);
    close_pair();
}

TEST(random_writes_and_cancels_deliver_exactly_what_was_said) {
    for (uint32_t i = 1; i <= 30; i++)
        write_and_cancel(i);
}
