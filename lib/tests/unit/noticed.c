/* What changes of the library nobody noticed before (make mutants): each of these sees one. */

#include <signal.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

static void on_signal(uv_signal_t* handle, int signum) {
    (void)handle, (void)signum;
}

TEST(signals_have_their_default_again_after_the_library_has_shut_down) {
    uv_loop_t loop;
    uv_signal_t handle;
    struct sigaction action;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, on_signal, SIGUSR1));
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(action.sa_handler != SIG_DFL);
    uv_library_shutdown();
    CHECK_OK(sigaction(SIGUSR1, NULL, &action));
    CHECK(action.sa_handler == SIG_DFL);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(signal_handle_has_no_callback_before_it_is_started) {
    uv_loop_t loop;
    uv_signal_t handle;
    memset(&handle, 0xff, sizeof(handle));
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK(handle.signal_cb == NULL);
    CHECK_EQ(handle.signum, 0);
    uv_close((uv_handle_t*)&handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static uv_loop_t children_loop;
static uv_process_t waits, ends;
static int64_t told_status = -1;

static void on_exit_of_child(uv_process_t* process, int64_t status, int signal) {
    (void)signal;
    if (process == &ends) {
        told_status = status;
        CHECK_OK(uv_process_kill(&waits, SIGKILL));
    }
    uv_close((uv_handle_t*)process, NULL);
}

static void spawn_shell(uv_process_t* process, const char* command) {
    char* args[] = {(char*)(uintptr_t) "sh", (char*)(uintptr_t) "-c", (char*)(uintptr_t)command,
                    NULL};
    uv_process_options_t options = {.file = "/bin/sh", .args = args, .exit_cb = on_exit_of_child};
    CHECK_OK(uv_spawn(&children_loop, process, &options));
}

/* The program has taken SIGCHLD from a loop that has a child already. */
static void check_status_with(const struct sigaction* action) {
    struct sigaction after;
    CHECK_OK(uv_loop_init(&children_loop));
    spawn_shell(&waits, "exec sleep 1000");
    CHECK_OK(sigaction(SIGCHLD, action, NULL));
    spawn_shell(&ends, "exit 7");
    CHECK_OK(sigaction(SIGCHLD, NULL, &after));
    CHECK(after.sa_handler != SIG_IGN);
    CHECK_EQ(after.sa_flags & SA_NOCLDWAIT, 0);
    CHECK_OK(uv_run(&children_loop, UV_RUN_DEFAULT));
    CHECK_EQ(told_status, 7);
    CHECK_OK(uv_loop_close(&children_loop));
}

TEST(exit_status_is_told_though_the_program_has_begun_to_ignore_sigchld) {
    struct sigaction action = {.sa_handler = SIG_IGN};
    check_status_with(&action);
}

static void on_child(int signum) {
    (void)signum;
}

TEST(exit_status_is_told_though_the_program_has_asked_for_no_zombies) {
    struct sigaction action = {.sa_handler = on_child, .sa_flags = SA_NOCLDWAIT};
    check_status_with(&action);
}
