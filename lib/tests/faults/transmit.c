// wrap: pwritev2 writev sigtimedwait fstat accept4 send poll
/* Pipes on kernels that refuse in different words, and terminals and listeners that gather. */

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "behaviour/stream/streams.h"
#include "phasor.h"
#include "refuse.h"

REPLACE(ssize_t, pwritev2, (int fd, const struct iovec* parts, int count, off_t at, int flags), fd,
        parts, count, at, flags)
REPLACE(ssize_t, writev, (int fd, const struct iovec* parts, int count), fd, parts, count)
REPLACE(int, sigtimedwait, (const sigset_t* set, siginfo_t* info, const struct timespec* time), set,
        info, time)
REPLACE(int, fstat, (int fd, struct stat* info), fd, info)
REPLACE(int, accept4, (int fd, struct sockaddr* address, socklen_t* size, int flags), fd, address,
        size, flags)

REPLACE(ssize_t, send, (int fd, const void* bytes, size_t size, int flags), fd, bytes, size, flags)

static int waits;
int __real_poll(struct pollfd* items, nfds_t count, int timeout);
int __wrap_poll(struct pollfd* items, nfds_t count, int timeout);
int __wrap_poll(struct pollfd* items, nfds_t count, int timeout) {
    waits++;
    CHECK_EQ(count, 1);
    CHECK_EQ(items->events, POLLOUT);
    CHECK_LT(timeout, 0);
    return __real_poll(items, count, timeout);
}

static uv_pipe_t writer;
static uv_tcp_t server, client;
static uv_write_t reqs[40];

static int open_fifo(void) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &writer, 0));
    CHECK_OK(uv_pipe_open(&writer, fds[1]));
    return fds[0];
}

static int try_one(void) {
    uv_buf_t buf = text_buf("x");
    return uv_try_write(STREAM(&writer), &buf, 1);
}

/* Each in a process of its own: what the kernel lacks is remembered. */
static void write_to_a_kernel_that_says(int error) {
    int reader = open_fifo();
    refuse("pwritev2", 0, 1, error);
    CHECK_EQ(try_one(), 1);
    CHECK_EQ(refusal.count, 1);
    CHECK_EQ(try_one(), 1);
    close(reader);
    CHECK_EQ(try_one(), UV_EPIPE);
    close_loop();
}

TEST(pipe_on_a_kernel_without_the_flag_says_not_supported) {
    write_to_a_kernel_that_says(EOPNOTSUPP);
}

TEST(pipe_on_a_kernel_without_the_flag_says_invalid) {
    write_to_a_kernel_that_says(EINVAL);
}

TEST(pipe_on_a_kernel_without_the_call) {
    write_to_a_kernel_that_says(ENOSYS);
}

TEST(pipe_in_a_sandbox_without_the_call) {
    write_to_a_kernel_that_says(EPERM);
}

TEST(pipe_error_that_is_no_refusal_is_told) {
    int reader = open_fifo();
    refuse("pwritev2", 0, 1, EIO);
    CHECK_EQ(try_one(), UV_EIO);
    close(reader);
    close_loop();
}

TEST(signal_of_a_broken_pipe_is_taken_back_after_interruptions_too) {
    int reader = open_fifo();
    refuse("pwritev2", 0, -1, ENOSYS);
    CHECK_EQ(try_one(), 1);
    close(reader);
    refuse("sigtimedwait", 0, 2, EINTR);
    CHECK_EQ(try_one(), UV_EPIPE);
    CHECK_EQ(refusal.count, 2);
    close_loop();
}

TEST(signal_of_a_broken_pipe_that_waited_before_still_waits) {
    sigset_t pipe_only, pending;
    int reader = open_fifo();
    refuse("pwritev2", 0, -1, ENOSYS);
    CHECK_EQ(try_one(), 1);
    close(reader);
    sigemptyset(&pipe_only);
    sigaddset(&pipe_only, SIGPIPE);
    CHECK_OK(pthread_sigmask(SIG_BLOCK, &pipe_only, NULL));
    CHECK_OK(raise(SIGPIPE));
    CHECK_EQ(try_one(), UV_EPIPE);
    CHECK_OK(sigpending(&pending));
    CHECK(sigismember(&pending, SIGPIPE));
    close_loop();
}

TEST(error_of_a_pipe_that_is_no_broken_pipe_takes_no_signal) {
    int reader = open_fifo();
    refuse("pwritev2", 0, -1, ENOSYS);
    CHECK_EQ(try_one(), 1);
    refuse("writev", 0, 1, EIO);
    CHECK_EQ(try_one(), UV_EIO);
    close(reader);
    close_loop();
}

TEST(pipe_whose_kind_can_not_be_asked_is_written_to_plainly) {
    char byte;
    int reader = open_fifo();
    refuse("fstat", 0, 1, EIO);
    CHECK_EQ(try_one(), 1);
    CHECK_EQ(refusal.count, 1);
    CHECK_EQ(read(reader, &byte, 1), 1);
    close(reader);
    close_loop();
}

TEST(blocking_stream_waits_for_room_with_the_kernel) {
    open_loop();
    int peer = open_pipe(&writer, 0);
    CHECK_OK(uv_stream_set_blocking(STREAM(&writer), 1));
    refuse("send", 0, 2, EAGAIN);
    CHECK_EQ(try_one(), 1);
    CHECK_EQ(waits, 2);
    expect_bytes(peer, "x");
    close(peer);
    close_loop();
}

TEST(blocking_streams_do_not_gather) {
    uv_buf_t buf = text_buf("x");
    open_loop();
    phasor_loop_batch_writes(&loop, 1);
    int peer = open_pipe(&writer, 0);
    CHECK_OK(uv_stream_set_blocking(STREAM(&writer), 1));
    for (int i = 0; i < 40; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&writer), &buf, 1, on_write));
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&writer)), 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 40);
    close_loop();
    close(peer);
}

TEST(gathering_that_ends_sends_what_waits_on_every_open_stream) {
    uv_buf_t buf = text_buf("x");
    uv_timer_t timer;
    uv_pipe_t closing;
    uv_tty_t tty;
    char byte;
    int fds[2];
    open_loop();
    phasor_loop_batch_writes(&loop, 1);
    CHECK_OK(uv_timer_init(&loop, &timer));
    int other = open_pipe(&closing, 0);
    uv_close(HANDLE(&closing), NULL);
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_tty_init(&loop, &tty, fds[1], 0));
    CHECK_OK(uv_write(&reqs[1], STREAM(&tty), &buf, 1, on_write));
    CHECK_EQ(read(fds[0], &byte, 1), 1); /* terminals never wait */
    int peer = open_pipe(&writer, 0);
    CHECK_OK(uv_write(&reqs[0], STREAM(&writer), &buf, 1, on_write));
    CHECK_EQ(take(peer, &byte, 1), -EAGAIN);
    phasor_loop_batch_writes(&loop, 0);
    CHECK_EQ(take(peer, &byte, 1), 1);
    close_loop();
    CHECK_EQ(writes, 2);
    close(peer);
    close(other);
    close(fds[0]);
}

static void on_connection(uv_stream_t* stream, int status) {
    (void)stream;
    connects++;
    connect_status = status;
}

static int open_server(void) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_listen(STREAM(&server), 5, on_connection));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(connect(peer, (struct sockaddr*)&address, sizeof(address)));
    return peer;
}

TEST(connection_that_is_gone_before_it_is_accepted_is_nothing) {
    int peer = open_server();
    refuse("accept4", 0, 1, EAGAIN);
    run_some(1);
    CHECK_EQ(refusal.count, 1);
    CHECK_EQ(connects, 0);
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    close(peer);
    close_loop();
}

TEST(blocking_listener_accepts_one_at_a_time) {
    int peer = open_server();
    CHECK_OK(uv_stream_set_blocking(STREAM(&server), 1));
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_accept(STREAM(&server), STREAM(&client)));
    close(peer);
    close_loop();
}

/* While it pauses, somebody listens again and so gets the connection at once. */
TEST(connection_accepted_in_a_pause_does_not_end_the_pause) {
    int peer = open_server();
    refuse("accept4", 0, 1, EMFILE);
    run_some(1);
    CHECK_EQ(connects, 0);
    CHECK_OK(uv_listen(STREAM(&server), 5, on_connection));
    run_some(1);
    CHECK_EQ(connects, 1);
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_accept(STREAM(&server), STREAM(&client)));
    run_some(3);
    close(peer);
    close_loop();
}

static void stop_on_error(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    (void)buf;
    read_result = result;
    uv_read_stop(stream);
}

TEST(read_error_whose_callback_stops_is_told_once) {
    struct linger none = {1, 0};
    open_loop();
    int peer = open_tcp(&client);
    CHECK_OK(setsockopt(peer, SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
    CHECK_OK(uv_read_start(STREAM(&client), give_room, stop_on_error));
    close(peer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(read_result, UV_ECONNRESET);
    CHECK(!uv_is_active(HANDLE(&client)));
    close_loop();
}
