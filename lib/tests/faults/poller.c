// wrap: epoll_wait epoll_ctl
#include <errno.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"
#include "os/poller.h"

int __real_epoll_wait(int epfd, struct epoll_event* events, int max, int timeout);
int __wrap_epoll_wait(int epfd, struct epoll_event* events, int max, int timeout);
int __real_epoll_ctl(int epfd, int op, int fd, struct epoll_event* event);
int __wrap_epoll_ctl(int epfd, int op, int fd, struct epoll_event* event);

/* Stands for a descriptor that the limits of most machines do not allow. */
enum { HIGH_FD = 70000 };
static int behind_high_fd;

static int interruptions;
static int refusals;
static int refusal_error;
static int waits;
static int controls;

int __wrap_epoll_wait(int epfd, struct epoll_event* events, int max, int timeout) {
    waits++;
    if (interruptions > 0) {
        interruptions--;
        usleep(2000);
        errno = EINTR;
        return -1;
    }
    return __real_epoll_wait(epfd, events, max, timeout);
}

int __wrap_epoll_ctl(int epfd, int op, int fd, struct epoll_event* event) {
    controls++;
    if (fd == HIGH_FD)
        fd = behind_high_fd;
    if (refusals > 0) {
        refusals--;
        errno = refusal_error;
        return -1;
    }
    return __real_epoll_ctl(epfd, op, fd, event);
}

static uv_loop_t loop;
static int calls;

static void count_timer(uv_timer_t* handle) {
    (void)handle;
    calls++;
}

static void note(uv_poll_t* handle, int status, int events) {
    (void)status, (void)events;
    calls++;
    uv_close((uv_handle_t*)handle, NULL);
}

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(an_interrupted_wait_goes_on_with_the_time_that_is_left) {
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, count_timer, 300, 0));
    uint64_t due = uv_now(&loop) + 300;
    interruptions = 10;
    CHECK_OK(uv_run(&loop, UV_RUN_ONCE));
    CHECK_LT(interruptions, 10); /* on a busy machine each may take long */
    CHECK_EQ(calls, 1);
    CHECK_GE(uv_hrtime() / 1000000, due);
    uv_close((uv_handle_t*)&timer, NULL);
    finish();
}

static void count_idle(uv_idle_t* handle) {
    if (++calls == 1000)
        uv_close((uv_handle_t*)handle, NULL);
}

static unsigned high_fd_events;

static void on_high_fd(uv_loop_t* on, uv__io_t* watcher, unsigned int events) {
    high_fd_events = events;
    ph_watcher_close(on, watcher);
    on->active_handles--;
}

TEST(a_descriptor_number_above_65535_is_watched_like_any_other) {
    uv__io_t watcher;
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    behind_high_fd = fds[0];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(ph_poller_reserve(&loop, HIGH_FD));
    ph_watcher_init(&watcher, on_high_fd, HIGH_FD);
    ph_watcher_start(&loop, &watcher, EPOLLOUT);
    loop.active_handles++;
    finish();
    CHECK_EQ(high_fd_events, EPOLLOUT);
    close(fds[0]);
    close(fds[1]);
}

TEST(idle_iterations_without_descriptors_make_no_system_call) {
    uv_idle_t idle;
    uv_timer_t timer;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_idle_init(&loop, &idle));
    CHECK_OK(uv_idle_start(&idle, count_idle));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, count_timer, 3600000, 0));
    uv_unref((uv_handle_t*)&timer);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1000);
    CHECK_EQ(waits, 0);
    uv_close((uv_handle_t*)&timer, NULL);
    finish();
}

TEST(starting_and_stopping_in_one_iteration_asks_the_kernel_nothing) {
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    controls = 0;
    for (int i = 0; i < 100; i++) {
        CHECK_OK(uv_poll_start(&handle, UV_READABLE, note));
        CHECK_OK(uv_poll_stop(&handle));
    }
    CHECK_OK(uv_run(&loop, UV_RUN_NOWAIT));
    CHECK_EQ(controls, 0);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
    close(fds[0]);
    close(fds[1]);
}

static void watch_while_refused(int error, int times) {
    uv_poll_t handle;
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_WRITABLE, note));
    refusals = times;
    refusal_error = error;
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    CHECK_EQ(refusals, 0);
    finish();
    close(fds[0]);
    close(fds[1]);
}

static void ignore(uv_poll_t* handle, int status, int events) {
    (void)handle, (void)events;
    CHECK_OK(status);
}

static void stop_the_loop(uv_timer_t* handle) {
    uv_close((uv_handle_t*)handle, NULL);
    uv_stop(handle->loop);
}

TEST(readiness_that_nobody_asks_for_any_more_wakes_the_loop_once) {
    uv_poll_t handle;
    uv_timer_t timer;
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_poll_init(&loop, &handle, fds[0]));
    CHECK_OK(uv_poll_start(&handle, UV_READABLE | UV_WRITABLE, ignore));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_OK(uv_poll_start(&handle, UV_READABLE, ignore));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, stop_the_loop, 20, 0));
    waits = 0;
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_LT(waits, 10);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fds[0]);
    close(fds[1]);
}

TEST(a_registration_refused_for_lack_of_memory_is_tried_again) {
    watch_while_refused(ENOMEM, 3);
}

TEST(a_registration_refused_for_the_watch_limit_is_tried_again) {
    watch_while_refused(ENOSPC, 3);
}

TEST(a_registration_refused_for_good_reaches_the_callback) {
    watch_while_refused(EBADF, 1);
}

TEST(a_registration_that_the_kernel_has_already_is_changed_instead) {
    watch_while_refused(EEXIST, 1);
}
