// wrap: epoll_create1 eventfd epoll_ctl epoll_wait write clock_gettime
/* Loops that can't be made, and what the kernel refuses to those that are. */

#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, epoll_create1, (int flags), flags)
REPLACE(int, eventfd, (unsigned value, int flags), value, flags)
REPLACE(int, epoll_ctl, (int epoll, int op, int fd, struct epoll_event* event), epoll, op, fd,
        event)
REPLACE(int, epoll_wait, (int epoll, struct epoll_event* events, int count, int timeout), epoll,
        events, count, timeout)
REPLACE(ssize_t, write, (int fd, const void* bytes, size_t count), fd, bytes, count)
REPLACE(int, clock_gettime, (clockid_t clock, struct timespec* time), clock, time)

static uv_loop_t loop;
static int fds[2], calls, status_seen, events_seen;

static int init(void) {
    int err = uv_loop_init(&loop);
    if (err == 0)
        CHECK_OK(uv_loop_close(&loop));
    return err;
}

static int init_new(void) {
    uv_loop_t* made = uv_loop_new();
    if (made == NULL)
        return UV_ENOMEM;
    uv_loop_delete(made);
    return 0;
}

static int init_default(void) {
    uv_loop_t* made = uv_default_loop();
    if (made == NULL)
        return UV_ENOMEM;
    uv_loop_delete(made);
    return 0;
}

static int fork_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    int err = uv_loop_fork(&loop);
    CHECK_OK(uv_run(&loop, UV_RUN_NOWAIT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

TEST(loop_that_can_not_be_made_leaves_nothing_open) {
    static const struct refused_case cases[] = {
        {"epoll_create1", 0, EMFILE, init, UV_EMFILE},
        {"eventfd", 0, ENFILE, init, UV_ENFILE},
        {"epoll_ctl", 0, ENOSPC, init, UV_ENOSPC},
        {"epoll_create1", 0, EMFILE, init_new, UV_ENOMEM},
        {"epoll_create1", 0, EMFILE, init_default, UV_ENOMEM},
        {"epoll_create1", 1, EMFILE, fork_loop, UV_EMFILE},
        {"eventfd", 1, EMFILE, fork_loop, UV_EMFILE},
    };
    RUN_CASES(cases);
    CHECK_OK(init_new());
    CHECK_OK(init_default());
}

static void on_poll(uv_poll_t* handle, int status, int events) {
    (void)handle;
    calls++;
    status_seen = status;
    events_seen = events;
}

static void open_poll(uv_poll_t* poll) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_poll_init(&loop, poll, fds[0]));
}

static void close_poll(uv_poll_t* poll) {
    allow_all();
    uv_close((uv_handle_t*)poll, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fds[0]);
    close(fds[1]);
}

TEST(registration_without_kernel_memory_is_tried_again) {
    static const int errors[] = {ENOMEM, ENOSPC};
    uv_poll_t poll;
    for (int i = 0; i < 2; i++) {
        calls = 0;
        open_poll(&poll);
        CHECK_OK(uv_poll_start(&poll, UV_WRITABLE, on_poll));
        refuse("epoll_ctl", 0, 3, errors[i]);
        while (calls == 0)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_OK(status_seen);
        CHECK_EQ(events_seen, UV_WRITABLE);
        CHECK_EQ(refusal.count, 3);
        close_poll(&poll);
    }
}

TEST(registration_that_the_kernel_knows_differently_is_tried_the_other_way) {
    static const int errors[] = {EEXIST, ENOENT};
    uv_poll_t poll;
    for (int i = 0; i < 2; i++) {
        open_poll(&poll);
        CHECK_OK(uv_poll_start(&poll, UV_READABLE, on_poll));
        if (i == 1)
            uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_OK(uv_poll_start(&poll, UV_READABLE | UV_WRITABLE, on_poll));
        /* The kernel then refuses the other way in truth. */
        refuse("epoll_ctl", 0, 1, errors[i]);
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(refusal.count, 1);
        CHECK_EQ(status_seen, UV_EBADF);
        status_seen = 0;
        close_poll(&poll);
    }
}

TEST(registration_that_is_refused_is_an_error_of_the_handle) {
    uv_poll_t poll;
    open_poll(&poll);
    CHECK_OK(uv_poll_start(&poll, UV_READABLE, on_poll));
    refuse("epoll_ctl", 0, 1, EPERM);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 1);
    CHECK_EQ(status_seen, UV_EBADF);
    CHECK(!uv_is_active((uv_handle_t*)&poll));
    close_poll(&poll);
}

TEST(poll_of_a_descriptor_that_is_registered_elsewhere_is_allowed) {
    uv_poll_t poll;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    refuse("epoll_ctl", 0, 1, EEXIST);
    CHECK_OK(uv_poll_init(&loop, &poll, fds[0]));
    close_poll(&poll);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_EQ(uv_poll_init(&loop, &poll, -1), UV_EBADF);
    CHECK_OK(uv_loop_close(&loop));
}

static void wait_on_a_broken_poller(void) {
    uv_poll_t poll;
    open_poll(&poll);
    CHECK_OK(uv_poll_start(&poll, UV_READABLE, on_poll));
    refuse("epoll_wait", 0, -1, EBADF);
    uv_run(&loop, UV_RUN_NOWAIT);
}

static void read_a_missing_clock(void) {
    refuse("clock_gettime", 0, -1, EINVAL);
    uv_hrtime();
}

TEST(loop_without_its_descriptor_or_clock_ends_the_process) {
    test_child_dies(wait_on_a_broken_poller, SIGABRT, "epoll_wait");
    test_child_dies(read_a_missing_clock, SIGABRT, "no monotonic clock");
}

TEST(wait_that_is_interrupted_goes_on) {
    uv_poll_t poll;
    open_poll(&poll);
    CHECK_OK(uv_poll_start(&poll, UV_WRITABLE, on_poll));
    refuse("epoll_wait", 0, 1, EINTR);
    while (calls == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(refusal.count, 1);
    CHECK_OK(status_seen);
    close_poll(&poll);
}

static void on_async(uv_async_t* handle) {
    calls++;
    uv_close((uv_handle_t*)handle, NULL);
}

static void send_later(void* async) {
    uv_sleep(20);
    refuse("write", 0, 2, EINTR);
    CHECK_OK(uv_async_send(async));
}

TEST(wake_up_that_is_interrupted_is_repeated) {
    uv_async_t async;
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    CHECK_OK(uv_thread_create(&thread, send_later, &async));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(calls, 1);
    CHECK_OK(uv_loop_close(&loop));
}

TEST(handles_of_the_default_loop_are_printed_with_their_marks) {
    static char text[4096];
    uv_timer_t timer;
    uv_idle_t idle;
    FILE* stream = fmemopen(text, sizeof(text), "w");
    CHECK_OK(uv_timer_init(uv_default_loop(), &timer));
    CHECK_OK(uv_idle_init(uv_default_loop(), &idle));
    uv_unref((uv_handle_t*)&timer);
    uv_print_all_handles(NULL, stream);
    fflush(stream);
    CHECK(strstr(text, "[---] timer") != NULL);
    CHECK(strstr(text, "[R--] idle") != NULL);
    rewind(stream);
    memset(text, 0, sizeof(text));
    uv_print_active_handles(NULL, stream);
    fflush(stream);
    CHECK(strstr(text, "timer") == NULL);
    fclose(stream);
    uv_close((uv_handle_t*)&timer, NULL);
    uv_close((uv_handle_t*)&idle, NULL);
    CHECK_OK(uv_run(uv_default_loop(), UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(uv_default_loop()));
}

TEST(poll_handles_that_are_closing_are_refused) {
    uv_poll_t poll;
    open_poll(&poll);
    CHECK_EQ(uv_poll_start(&poll, 0x80, on_poll), UV_EINVAL);
    uv_close((uv_handle_t*)&poll, NULL);
    CHECK_EQ(uv_poll_start(&poll, UV_READABLE, on_poll), UV_EINVAL);
    CHECK_EQ(uv_poll_stop(&poll), UV_EINVAL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fds[0]);
    close(fds[1]);
}

static void ask_idle_time(void* arg) {
    (void)arg;
    while (uv_metrics_idle_time(&loop) == 0)
        uv_sleep(1);
    calls = 1;
}

static void on_timer(uv_timer_t* timer) {
    if (!__atomic_load_n(&calls, __ATOMIC_SEQ_CST))
        CHECK_OK(uv_timer_start(timer, on_timer, 20, 0));
    else
        uv_close((uv_handle_t*)timer, NULL);
}

TEST(idle_time_counts_the_wait_that_goes_on) {
    uv_timer_t timer;
    uv_thread_t thread;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_loop_configure(&loop, UV_METRICS_IDLE_TIME));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_start(&timer, on_timer, 200, 0));
    CHECK_OK(uv_thread_create(&thread, ask_idle_time, NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_thread_join(&thread));
    CHECK_OK(uv_loop_close(&loop));
}

static void on_prepare(uv_prepare_t* handle) {
    (void)handle;
}

static void on_check(uv_check_t* handle) {
    (void)handle;
}

TEST(hooks_start_once_and_need_a_callback) {
    uv_prepare_t prepare;
    uv_check_t check;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_prepare_init(&loop, &prepare));
    CHECK_OK(uv_check_init(&loop, &check));
    CHECK_EQ(uv_prepare_start(&prepare, NULL), UV_EINVAL);
    CHECK_EQ(uv_check_start(&check, NULL), UV_EINVAL);
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_prepare_start(&prepare, on_prepare));
        CHECK_OK(uv_check_start(&check, on_check));
    }
    CHECK_EQ(loop.active_handles, 2);
    uv_close((uv_handle_t*)&prepare, NULL);
    uv_close((uv_handle_t*)&check, NULL);
    CHECK_EQ(uv_prepare_start(&prepare, on_prepare), UV_EINVAL);
    CHECK_EQ(uv_check_start(&check, on_check), UV_EINVAL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
