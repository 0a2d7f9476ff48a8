// wrap: pwritev2
/* Kernels that can't write to a pipe without a signal. */

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/uio.h>
#include <unistd.h>

#include "harness.h"
#include "uv.h"

ssize_t __wrap_pwritev2(int fd, const struct iovec* parts, int count, off_t at, int flags);

static int calls;

ssize_t __wrap_pwritev2(int fd, const struct iovec* parts, int count, off_t at, int flags) {
    (void)fd;
    (void)parts;
    (void)count;
    (void)at;
    (void)flags;
    calls++;
    errno = EOPNOTSUPP;
    return -1;
}

static uv_loop_t loop;
static uv_pipe_t writer;
static int read_end;

static void open_writer(void) {
    int fds[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &writer, 0));
    CHECK_OK(uv_pipe_open(&writer, fds[1]));
    read_end = fds[0];
}

static void close_writer(void) {
    uv_close((uv_handle_t*)&writer, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
}

static int try_one(void) {
    uv_buf_t buf = uv_buf_init("x", 1);
    return uv_try_write((uv_stream_t*)&writer, &buf, 1);
}

static bool is_pending(void) {
    sigset_t pending;
    CHECK_OK(sigpending(&pending));
    return sigismember(&pending, SIGPIPE);
}

static bool is_blocked(void) {
    sigset_t mask;
    CHECK_OK(pthread_sigmask(SIG_SETMASK, NULL, &mask));
    return sigismember(&mask, SIGPIPE);
}

TEST(pipe_write_falls_back_and_asks_the_kernel_only_once) {
    char got[4];
    open_writer();
    CHECK_EQ(try_one(), 1);
    CHECK_EQ(try_one(), 1);
    CHECK_EQ(calls, 1);
    CHECK_EQ(read(read_end, got, sizeof(got)), 2);
    CHECK(!is_blocked());
    close(read_end);
    close_writer();
}

TEST(pipe_write_after_the_reader_left_leaves_no_signal_behind) {
    signal(SIGPIPE, SIG_DFL);
    open_writer();
    close(read_end);
    CHECK_EQ(try_one(), UV_EPIPE);
    CHECK(!is_pending());
    CHECK(!is_blocked());
    close_writer();
}

TEST(pipe_write_says_epipe_where_the_signal_is_ignored) {
    signal(SIGPIPE, SIG_IGN);
    open_writer();
    close(read_end);
    CHECK_EQ(try_one(), UV_EPIPE);
    close_writer();
}

TEST(pipe_write_keeps_a_signal_that_was_pending_before) {
    sigset_t mask;
    signal(SIGPIPE, SIG_DFL);
    sigemptyset(&mask);
    sigaddset(&mask, SIGPIPE);
    CHECK_OK(pthread_sigmask(SIG_BLOCK, &mask, NULL));
    CHECK_OK(raise(SIGPIPE));
    open_writer();
    close(read_end);
    CHECK_EQ(try_one(), UV_EPIPE);
    CHECK(is_pending());
    CHECK(is_blocked());
    close_writer();
}
