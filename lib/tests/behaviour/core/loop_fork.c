// threaded
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_async_t async;
static uv_timer_t timer;
static uv_poll_t poll_handle;
static int fds[2];
static char record[64];

static void on_async(uv_async_t* handle) {
    (void)handle;
    strcat(record, "a");
}

static void on_timer(uv_timer_t* handle) {
    (void)handle;
    strcat(record, "t");
}

static void on_poll(uv_poll_t* handle, int status, int events) {
    char byte;
    CHECK_OK(status);
    CHECK_EQ(events, UV_READABLE);
    CHECK_EQ(read(fds[0], &byte, 1), 1);
    strcat(record, "p");
    uv_poll_stop(handle);
}

static void open_all(void) {
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_async_init(&loop, &async, on_async));
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_poll_init(&loop, &poll_handle, fds[0]));
    CHECK_OK(uv_poll_start(&poll_handle, UV_READABLE, on_poll));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
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

static void wait_for(pid_t pid) {
    int status;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

TEST(a_forked_loop_goes_on_in_the_child_with_all_its_handles) {
    open_all();
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_OK(uv_async_send(&async));
        CHECK_EQ(write(fds[1], "x", 1), 1);
        CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
        CHECK_STR(record, "ap");
        CHECK_OK(uv_timer_start(&timer, on_timer, 5, 0));
        uv_unref((uv_handle_t*)&async);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_STR(record, "apt");
        close_all();
        _exit(0);
    }
    wait_for(pid);
    close_all();
}

TEST(a_forked_loop_watches_what_the_kernel_was_not_told_of_before) {
    open_all();
    CHECK_OK(uv_poll_stop(&poll_handle));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_OK(uv_poll_start(&poll_handle, UV_READABLE, on_poll));
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_EQ(write(fds[1], "x", 1), 1);
        CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
        CHECK_STR(record, "p");
        close_all();
        _exit(0);
    }
    wait_for(pid);
    close_all();
}

TEST(a_forked_loop_has_as_many_descriptors_as_before) {
    open_all();
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        int before = test_open_fds();
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        CHECK_EQ(test_open_fds(), before);
        _exit(0);
    }
    wait_for(pid);
    close_all();
}

TEST(what_a_child_does_with_its_loop_does_not_reach_the_parent) {
    open_all();
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        CHECK_OK(uv_async_send(&async));
        uv_close((uv_handle_t*)&poll_handle, NULL);
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
        _exit(0);
    }
    wait_for(pid);
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "");
    CHECK_EQ(write(fds[1], "x", 1), 1);
    CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
    CHECK_STR(record, "p");
    close_all();
}

TEST(a_wake_up_sent_before_the_fork_reaches_both) {
    open_all();
    CHECK_OK(uv_async_send(&async));
    pid_t pid = fork();
    CHECK_GE(pid, 0);
    if (pid == 0)
        CHECK_OK(uv_loop_fork(&loop));
    CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_STR(record, "a");
    close_all();
    if (pid == 0)
        _exit(0);
    wait_for(pid);
}

enum { SENDERS = 3, EACH = 300, BUSY = SENDERS * EACH };

static uv_async_t busy[BUSY];
static int stops, calls;

static void count_call(uv_async_t* handle) {
    (void)handle;
    calls++;
}

/* To one handle after the other, so that nearly every send is one that has to be handed over. */
static void send_like_mad(void* arg) {
    uv_async_t* handles = arg;
    while (!__atomic_load_n(&stops, __ATOMIC_ACQUIRE))
        for (int i = 0; i < EACH; i++)
            CHECK_OK(uv_async_send(&handles[i]));
}

/* In the child: whatever the senders were doing, their handles still work and can be closed. */
static void use_and_close_busy(void) {
    CHECK_OK(uv_loop_fork(&loop));
    uv_run(&loop, UV_RUN_NOWAIT);
    calls = 0;
    for (int i = 0; i < BUSY; i++)
        CHECK_OK(uv_async_send(&busy[i]));
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, BUSY);
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(senders_that_are_busy_at_a_fork_do_not_stop_the_child) {
    uv_thread_t threads[SENDERS];
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < BUSY; i++)
        CHECK_OK(uv_async_init(&loop, &busy[i], count_call));
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_create(&threads[i], send_like_mad, &busy[i * EACH]));
    for (int i = 0; i < 100; i++) {
        CHECK_NE(uv_run(&loop, UV_RUN_ONCE), 0);
        pid_t pid = fork();
        CHECK_GE(pid, 0);
        if (pid == 0) {
            alarm(20);
            use_and_close_busy();
            _exit(0);
        }
        wait_for(pid);
    }
    __atomic_store_n(&stops, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < SENDERS; i++)
        CHECK_OK(uv_thread_join(&threads[i]));
    uv_walk(&loop, close_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}
