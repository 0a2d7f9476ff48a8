// threaded
#include "streams.h"

#include <sys/wait.h>

static uv_pipe_t pipe_handle;
static uv_tcp_t tcp;
static uv_write_t reqs[64];

static void write_text(uv_write_t* req, uv_stream_t* stream, const char* text) {
    uv_buf_t buf = text_buf(text);
    CHECK_OK(uv_write(req, stream, &buf, 1, on_write));
}

/* Writes until the kernel has no room; returns the bytes it took. */
static size_t fill(int fd) {
    static char block[65536];
    size_t total = 0;
    ssize_t n;
    int flags = fcntl(fd, F_GETFL);
    CHECK_OK(fcntl(fd, F_SETFL, flags | O_NONBLOCK));
    while ((n = write(fd, block, sizeof(block))) > 0)
        total += (size_t)n;
    while (write(fd, block, 1) == 1)
        total++;
    CHECK_OK(fcntl(fd, F_SETFL, flags));
    return total;
}

static int fd_of(void* handle) {
    int fd;
    CHECK_OK(uv_fileno(handle, &fd));
    return fd;
}

TEST(try_write_sends_all_buffers_at_once) {
    uv_tcp_t tcp;
    uv_pipe_t unix_pipe;
    uv_buf_t bufs[] = {text_buf("one "), text_buf(""), text_buf("two "), text_buf("three")};
    open_loop();
    int tcp_peer = open_tcp(&tcp), unix_peer = open_pipe(&unix_pipe, 0);
    CHECK_EQ(uv_try_write(STREAM(&tcp), bufs, 4), 13);
    CHECK_EQ(uv_try_write(STREAM(&unix_pipe), bufs, 4), 13);
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&tcp)), 0);
    expect_bytes(unix_peer, "one two three");
    close(tcp_peer);
    close(unix_peer);
    close_loop();
}

TEST(stream_write_leaves_at_once_and_calls_back_later) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    write_text(&reqs[0], STREAM(&pipe_handle), "now");
    CHECK_EQ(writes, 0);
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    expect_bytes(peer, "now");
    CHECK_EQ(uv_loop_alive(&loop), 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    CHECK(reqs[0].handle == STREAM(&pipe_handle));
    close(peer);
    close_loop();
}

TEST(stream_write_copies_the_list_of_buffers) {
    static char blocked[] = "sixbyt";
    uv_buf_t bufs[6];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    size_t filled = fill(fd_of(&pipe_handle));
    for (int i = 0; i < 6; i++)
        bufs[i] = uv_buf_init(blocked + i, 1);
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, 6, on_write));
    memset(bufs, 0, sizeof(bufs));
    CHECK_EQ(pipe_handle.write_queue_size, 6);
    char* all = malloc(filled);
    CHECK_EQ(recv(peer, all, filled, MSG_WAITALL), filled);
    free(all);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 1);
    expect_bytes(peer, "sixbyt");
    close(peer);
    close_loop();
}

TEST(stream_write_takes_more_buffers_than_one_system_call) {
    enum { COUNT = 3000 };
    static char bytes[COUNT];
    static char got[COUNT];
    static uv_buf_t bufs[COUNT];
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    for (int i = 0; i < COUNT; i++) {
        bytes[i] = (char)(i % 251);
        bufs[i] = uv_buf_init(&bytes[i], 1);
    }
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), bufs, COUNT, on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 1);
    CHECK_EQ(recv(peer, got, COUNT, MSG_WAITALL), COUNT);
    CHECK_OK(memcmp(bytes, got, COUNT));
    close(peer);
    close_loop();
}

TEST(stream_empty_writes_are_called_back) {
    uv_buf_t none[2] = {{0}, {0}};
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), none, 2, on_write));
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), none, 2), 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    close(peer);
    close_loop();
}

TEST(stream_write_without_a_callback_is_fine) {
    uv_buf_t buf = text_buf("quiet");
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    expect_bytes(peer, "quiet");
    close(peer);
    close_loop();
}

/* Two buffers of together more than the kernel moves in one call. */
TEST(stream_write_of_too_many_bytes_says_einval_and_touches_nothing) {
    static uv_write_t req;
    uv_pipe_t pipe_handle;
    uv_buf_t bufs[2] = {text_buf("x"), text_buf("y")};
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    bufs[1].len = 0x7ffff000;
    CHECK_EQ(uv_write(&req, STREAM(&pipe_handle), bufs, 2, on_write), UV_EINVAL);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), bufs, 2), UV_EINVAL);
    bufs[1].len = SIZE_MAX;
    CHECK_EQ(uv_write(&req, STREAM(&pipe_handle), bufs, 2, on_write), UV_EINVAL);
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    close(peer);
    close_loop();
}

TEST(stream_write_to_a_read_end_says_epipe) {
    int fds[2];
    uv_buf_t buf = text_buf("x");
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_EQ(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, on_write), UV_EPIPE);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), UV_EPIPE);
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK_EQ(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, on_write), UV_EBADF);
    close(fds[1]);
    close_loop();
}

TEST(stream_try_write_sends_or_says_eagain) {
    static char big[1 << 20];
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    int sent = uv_try_write(STREAM(&pipe_handle), &buf, 1);
    CHECK_GT(sent, 0);
    CHECK_LT(sent, (int)sizeof(big));
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), UV_EAGAIN);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    write_text(&reqs[0], STREAM(&pipe_handle), "queued");
    CHECK_EQ(pipe_handle.write_queue_size, 6);
    char* all = malloc((size_t)sent);
    CHECK_EQ(recv(peer, all, (size_t)sent, MSG_WAITALL), sent);
    free(all);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), UV_EAGAIN);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    expect_bytes(peer, "queued");
    close(peer);
    close_loop();
}

TEST(stream_writes_are_called_back_in_order) {
    static char big[1 << 18];
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    for (int i = 0; i < 16; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_LE(pipe_handle.write_queue_size, 16 * sizeof(big));
    size_t left = 16 * sizeof(big);
    static char got[1 << 16];
    while (writes < 16) {
        ssize_t n = recv(peer, got, sizeof(got), MSG_DONTWAIT);
        left -= n > 0 ? (size_t)n : 0;
        run_some(1);
        CHECK_GE(left, pipe_handle.write_queue_size);
    }
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    close(peer);
    close_loop();
}

enum { PATTERN = 1 << 20, PATTERNS = 64 };
static char* pattern;
static int patterns_written;

static void write_pattern(uv_write_t* req, int status) {
    uv_buf_t buf = uv_buf_init(pattern, PATTERN);
    CHECK_OK(status);
    if (patterns_written++ < PATTERNS)
        CHECK_OK(uv_write(req, STREAM(&pipe_handle), &buf, 1, write_pattern));
    else
        uv_close(HANDLE(&pipe_handle), NULL);
}

static uint64_t checksum(uint64_t sum, const char* bytes, size_t size) {
    for (size_t i = 0; i < size; i++)
        sum = (sum ^ (unsigned char)bytes[i]) * 1099511628211u;
    return sum;
}

static void receive_all(void* arg) {
    static char got[1 << 16];
    int fd = *(int*)arg;
    uint64_t sum = 0, expected = 0;
    size_t total = 0;
    ssize_t n;
    while ((n = read(fd, got, sizeof(got))) > 0) {
        sum = checksum(sum, got, (size_t)n);
        total += (size_t)n;
    }
    for (int i = 0; i < PATTERNS; i++)
        expected = checksum(expected, pattern, PATTERN);
    CHECK_EQ(total, (size_t)PATTERN * PATTERNS);
    CHECK(sum == expected);
}

TEST(sixty_four_megabytes_pass_through_a_four_kilobyte_buffer) {
    uv_thread_t reader;
    int size = 4096;
    pattern = malloc(PATTERN);
    for (int i = 0; i < PATTERN; i++)
        pattern[i] = (char)((i * 2654435761u) >> 24);
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_send_buffer_size(HANDLE(&pipe_handle), &size));
    CHECK_OK(uv_thread_create(&reader, receive_all, &peer));
    write_pattern(&reqs[0], 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_thread_join(&reader));
    free(pattern);
    close(peer);
    close_loop();
}

static uv_timer_t timer;
static int endless_writes;
static bool enough;

static void write_for_ever(uv_write_t* req, int status) {
    uv_buf_t buf = text_buf("");
    CHECK_OK(status);
    endless_writes++;
    if (!enough)
        CHECK_OK(uv_write(req, req->handle, &buf, 1, write_for_ever));
}

static void say_enough(uv_timer_t* handle) {
    (void)handle;
    enough = true;
}

TEST(stream_endless_writer_does_not_starve_timers) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    reqs[0].handle = STREAM(&pipe_handle);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, say_enough, 20, 0));
    write_for_ever(&reqs[0], 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_GT(endless_writes, 1);
    close(peer);
    close_loop();
}

static void stop_the_loop(uv_timer_t* handle) {
    uv_stop(handle->loop);
}

TEST(pipe_that_nobody_reads_costs_no_turns) {
    static char big[1 << 20];
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    int fds[2];
    uv_metrics_t before, after;
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_GT(pipe_handle.write_queue_size, 0);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, stop_the_loop, 50, 0));
    CHECK_OK(uv_metrics_info(&loop, &before));
    CHECK_EQ(uv_run(&loop, UV_RUN_DEFAULT), 1);
    CHECK_OK(uv_metrics_info(&loop, &after));
    CHECK_LT(after.loop_count - before.loop_count, 10);
    CHECK_EQ(writes, 0);
    uv_close(HANDLE(&pipe_handle), on_close);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(write_status, UV_ECANCELED);
    close(fds[0]);
    close_loop();
}

TEST(pipe_write_after_the_reader_left_says_epipe_and_does_not_kill) {
    int fds[2];
    uv_buf_t buf = text_buf("x");
    sigset_t pending;
    signal(SIGPIPE, SIG_DFL);
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    close(fds[0]);
    write_text(&reqs[0], STREAM(&pipe_handle), "a");
    write_text(&reqs[1], STREAM(&pipe_handle), "b");
    CHECK_EQ(writes, 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 2);
    CHECK_EQ(write_status, UV_EPIPE);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), UV_EPIPE);
    CHECK_OK(sigpending(&pending));
    CHECK(!sigismember(&pending, SIGPIPE));
    close_loop();
}

TEST(socket_write_after_the_reader_left_says_epipe_and_does_not_kill) {
    signal(SIGPIPE, SIG_DFL);
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    close(peer);
    write_text(&reqs[0], STREAM(&pipe_handle), "a");
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(write_status, UV_EPIPE);
    close_loop();
}

static int statuses[64];

static void note_status(uv_write_t* req, int status) {
    CHECK_EQ(req - reqs, writes);
    statuses[writes++] = status;
}

TEST(tcp_peer_reset_in_the_middle_of_a_queue_fails_each_write_in_order) {
    static char big[1 << 20];
    struct linger none = {1, 0};
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    signal(SIGPIPE, SIG_IGN);
    open_loop();
    int peer = open_tcp(&tcp);
    for (int i = 0; i < 64; i++)
        CHECK_OK(uv_write(&reqs[i], STREAM(&tcp), &buf, 1, note_status));
    CHECK_OK(setsockopt(peer, SOL_SOCKET, SO_LINGER, &none, sizeof(none)));
    close(peer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 64);
    int failed = 0;
    while (failed < 64 && statuses[failed] == 0)
        failed++;
    CHECK_LT(failed, 64);
    CHECK(statuses[failed] == UV_ECONNRESET || statuses[failed] == UV_EPIPE);
    for (int i = failed + 1; i < 64; i++)
        CHECK(statuses[i] != 0);
    CHECK_EQ(tcp.write_queue_size, 0);
    close_loop();
}

TEST(stream_blocking_writes_are_done_when_the_call_returns) {
    static char big[1 << 20];
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 1));
    CHECK(!(fcntl(fd_of(&pipe_handle), F_GETFL) & O_NONBLOCK));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        static char got[1 << 20];
        _exit(recv(peer, got, sizeof(got), MSG_WAITALL) == sizeof(got) ? 0 : 1);
    }
    CHECK_OK(uv_write(&reqs[0], STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_EQ(pipe_handle.write_queue_size, 0);
    CHECK_EQ(writes, 0);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(writes, 1);
    int status;
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 0));
    CHECK(fcntl(fd_of(&pipe_handle), F_GETFL) & O_NONBLOCK);
    close(peer);
    close_loop();
}

TEST(stream_writes_before_the_connection_leave_a_turn_after_it) {
    static uv_connect_t connect_req;
    struct sockaddr_in address;
    int listener = raw_listener(&address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    write_text(&reqs[0], STREAM(&tcp), "early");
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(writes, 0);
    run_some(1);
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    close(listener);
    close_loop();
}

TEST(stream_write_behind_a_failed_one_is_not_tried_before_its_callback) {
    signal(SIGPIPE, SIG_IGN); /* for libuv */
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    close(peer);
    write_text(&reqs[0], STREAM(&pipe_handle), "first");
    write_text(&reqs[1], STREAM(&pipe_handle), "second");
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 11);
    uv_close(HANDLE(&pipe_handle), NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(writes, 2);
    CHECK_EQ(write_status, UV_ECANCELED);
    close_loop();
}

static uv_prepare_t before_poll;
static int writes_before_poll;

static void note_writes(uv_prepare_t* handle) {
    writes_before_poll = writes;
    uv_prepare_stop(handle);
}

TEST(stream_writes_that_fail_are_told_two_before_poll_and_the_third_in_it) {
    signal(SIGPIPE, SIG_IGN); /* for libuv */
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    close(peer);
    for (int i = 0; i < 3; i++)
        write_text(&reqs[i], STREAM(&pipe_handle), "lost");
    uv_prepare_init(&loop, &before_poll);
    uv_prepare_start(&before_poll, note_writes);
    run_some(1);
    CHECK_EQ(writes_before_poll, 2);
    CHECK_EQ(writes, 3);
    CHECK_EQ(write_status, UV_EPIPE);
    close_loop();
}
