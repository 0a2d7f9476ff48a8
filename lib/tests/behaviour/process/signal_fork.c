#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static uv_loop_t loop;
static uv_signal_t handle;
static int calls;

static void count(uv_signal_t* h, int signum) {
    (void)h, (void)signum;
    calls++;
}

static void start(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, count, SIGUSR1));
}

static void stop(void) {
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void check_child(pid_t pid) {
    int status;
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

TEST(signal_in_a_forked_child_reaches_the_loop_of_the_child_only) {
    start();
    pid_t pid = fork();
    if (pid == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        raise(SIGUSR1);
        uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(calls, 1);
        stop();
        _exit(0);
    }
    check_child(pid);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 0);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(calls, 1);
    stop();
}

TEST(signal_caught_before_a_fork_belongs_to_the_parent) {
    start();
    raise(SIGUSR1);
    pid_t pid = fork();
    if (pid == 0) {
        CHECK_OK(uv_loop_fork(&loop));
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(calls, 0);
        raise(SIGUSR1);
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(calls, 1);
        stop();
        _exit(0);
    }
    check_child(pid);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 1);
    stop();
}

TEST(signal_caught_in_the_child_before_uv_loop_fork_stays_in_the_child) {
    start();
    pid_t pid = fork();
    if (pid == 0) {
        raise(SIGUSR1);
        CHECK_OK(uv_loop_fork(&loop));
        uv_run(&loop, UV_RUN_NOWAIT);
        stop();
        _exit(0);
    }
    check_child(pid);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(calls, 0);
    stop();
}

static void fork_in_callback(uv_signal_t* h, int signum) {
    count(h, signum);
    pid_t pid = fork();
    if (pid == 0)
        _exit(uv_loop_fork(&loop));
    check_child(pid);
}

TEST(signal_callback_may_fork_and_the_parent_goes_on) {
    start();
    CHECK_OK(uv_signal_start(&handle, fork_in_callback, SIGUSR1));
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(calls, 1);
    raise(SIGUSR1);
    uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(calls, 2);
    stop();
}

static volatile int stop_forking;

static void send_signals(void* arg) {
    (void)arg;
    while (!__atomic_load_n(&stop_forking, __ATOMIC_RELAXED))
        kill(getpid(), SIGUSR1);
}

TEST(signal_fork_while_another_thread_handles_signals_leaves_the_child_working) {
    uv_thread_t thread;
    start();
    CHECK_OK(uv_thread_create(&thread, send_signals, NULL));
    for (int i = 0; i < 100; i++) {
        pid_t pid = fork();
        if (pid == 0) {
            int before = calls;
            CHECK_OK(uv_loop_fork(&loop));
            raise(SIGUSR1);
            uv_run(&loop, UV_RUN_ONCE);
            CHECK_GT(calls, before);
            stop();
            _exit(0);
        }
        check_child(pid);
    }
    __atomic_store_n(&stop_forking, 1, __ATOMIC_RELAXED);
    CHECK_OK(uv_thread_join(&thread));
    uv_run(&loop, UV_RUN_NOWAIT);
    stop();
}
