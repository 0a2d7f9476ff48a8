// threaded
/* The loop inside another one, which waits on uv_backend_fd for uv_backend_timeout. */

#include <errno.h>
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_async_t async;
static uv_timer_t timer;
static uv_poll_t reader;
static int fds[2];
static int bytes, wakes, ticks;

static bool is_readable(void) {
    struct pollfd backend = {.fd = uv_backend_fd(&loop), .events = POLLIN};
    return poll(&backend, 1, 0) == 1;
}

static void on_wake(uv_async_t* handle) {
    (void)handle;
    wakes++;
}

static void on_tick(uv_timer_t* handle) {
    ticks++;
    if (ticks == 3)
        uv_timer_stop(handle);
    CHECK_EQ(write(fds[1], "x", 1), 1);
}

static void on_readable(uv_poll_t* handle, int status, int events) {
    char byte;
    (void)handle, (void)events;
    CHECK_OK(status);
    CHECK_EQ(read(fds[0], &byte, 1), 1);
    bytes++;
}

static void open_all(void) {
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, on_wake));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_poll_init(&loop, &reader, fds[0]));
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    uv_close(handle, NULL);
}

static void close_all(void) {
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fds[0]);
    close(fds[1]);
}

TEST(the_backend_timeout_is_zero_until_the_kernel_knows_of_a_watcher) {
    open_all();
    CHECK_EQ(uv_backend_timeout(&loop), -1);
    CHECK_OK(uv_poll_start(&reader, UV_READABLE, on_readable));
    CHECK_EQ(uv_backend_timeout(&loop), 0);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(uv_backend_timeout(&loop), -1);
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK(is_readable());
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(bytes, 1);
    CHECK(!is_readable());
    close_all();
}

TEST(a_run_takes_the_wake_up_with_nothing_else_to_watch) {
    open_all();
    CHECK(!is_readable());
    for (int i = 1; i < 4; i++) {
        CHECK_OK(uv_async_send(&async));
        CHECK(is_readable());
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        CHECK_EQ(wakes, i);
        CHECK(!is_readable());
    }
    close_all();
}

TEST(a_run_takes_a_wake_up_from_before_the_descriptor_was_asked_for) {
    open_all();
    CHECK_OK(uv_async_send(&async));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    uv_backend_fd(&loop);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(wakes, 1);
    CHECK(!is_readable());
    close_all();
}

/* The kernel still knows of the descriptor; the first event that nobody wants ends that. */
TEST(a_watcher_that_was_stopped_does_not_keep_the_descriptor_readable) {
    open_all();
    CHECK_OK(uv_poll_start(&reader, UV_READABLE, on_readable));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_OK(uv_poll_stop(&reader));
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK(!is_readable());
    CHECK_EQ(bytes, 0);
    close_all();
}

static void send_thrice(void* arg) {
    (void)arg;
    for (int i = 0; i < 3; i++) {
        uv_sleep(5);
        CHECK_OK(uv_async_send(&async));
    }
}

/* Runs until every kind of event has come, and says how often the loop was run. */
static int embed_in(void (*wait)(int fd, int timeout)) {
    uv_thread_t thread;
    int runs = 0;
    open_all();
    CHECK_OK(uv_timer_start(&timer, on_tick, 5, 5));
    CHECK_OK(uv_poll_start(&reader, UV_READABLE, on_readable));
    CHECK_OK(uv_thread_create(&thread, send_thrice, NULL));
    while (ticks < 3 || bytes < 3 || wakes == 0) {
        wait(uv_backend_fd(&loop), uv_backend_timeout(&loop));
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        runs++;
    }
    CHECK_OK(uv_thread_join(&thread));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK(!is_readable());
    CHECK_EQ(uv_backend_timeout(&loop), -1);
    close_all();
    return runs;
}

static void wait_in_poll(int fd, int timeout) {
    struct pollfd backend = {.fd = fd, .events = POLLIN};
    CHECK_GE(poll(&backend, 1, timeout), 0);
}

TEST(a_loop_inside_poll_gets_all_its_events_without_spinning) {
    CHECK_LT(embed_in(wait_in_poll), 40);
}

static int outer = -1;

static void wait_in_epoll(int fd, int timeout) {
    struct epoll_event event = {.events = EPOLLIN};
    if (outer == -1) {
        outer = epoll_create1(EPOLL_CLOEXEC);
        CHECK_OK(epoll_ctl(outer, EPOLL_CTL_ADD, fd, &event));
    }
    int count = epoll_wait(outer, &event, 1, timeout);
    CHECK(count >= 0 || errno == EINTR); /* by a child's end, for instance */
}

TEST(a_loop_inside_epoll_gets_all_its_events_without_spinning) {
    CHECK_LT(embed_in(wait_in_epoll), 40);
    close(outer);
}
