/* What a loop keeps of its children, and for how long. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/handle.h"
#include "faults/account.h"

static uv_loop_t loop;
static uv_process_t processes[3];
static int exits;

static void on_end(uv_process_t* process, int64_t status, int signal) {
    (void)status, (void)signal;
    exits++;
    uv_close((uv_handle_t*)process, NULL);
}

static void spawn(uv_process_t* process, const char* script) {
    char* args[] = {(char*)(uintptr_t) "sh", (char*)(uintptr_t) "-c", (char*)(uintptr_t)script,
                    NULL};
    uv_process_options_t options = {.file = "/bin/sh", .args = args, .exit_cb = on_end};
    CHECK_OK(uv_spawn(&loop, process, &options));
}

static void open_loop(void) {
    count_blocks();
    CHECK_OK(uv_loop_init(&loop));
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(in_use, 0);
}

static bool catches_sigchld(void) {
    struct sigaction action;
    CHECK_OK(sigaction(SIGCHLD, NULL, &action));
    return action.sa_handler != SIG_DFL;
}

static void wait_until_zombie(int pid) {
    siginfo_t info;
    CHECK_OK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
}

TEST(loop_whose_children_have_ended_watches_nothing_and_catches_nothing) {
    open_loop();
    CHECK(!catches_sigchld());
    for (int i = 0; i < 3; i++)
        spawn(&processes[i], "exit 0");
    CHECK(catches_sigchld());
    CHECK_EQ(loop.internal.poller.watched, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(exits, 3);
    CHECK_EQ(loop.internal.poller.watched, 0);
    CHECK(!catches_sigchld());
    close_loop();
}

static bool is_there(int pid) {
    siginfo_t info;
    return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

TEST(child_whose_handle_was_closed_is_reaped_without_a_word) {
    open_loop();
    spawn(&processes[0], "exec sleep 1000");
    spawn(&processes[1], "exec sleep 1000");
    uv_close((uv_handle_t*)&processes[0], NULL);
    CHECK_OK(uv_kill(processes[0].pid, SIGKILL));
    wait_until_zombie(processes[0].pid);
    while (is_there(processes[0].pid))
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(exits, 0);
    CHECK_OK(uv_process_kill(&processes[1], SIGKILL));
    close_loop();
    CHECK_EQ(exits, 1);
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

static void kill_the_other(uv_process_t* process, int64_t status, int signal) {
    uv_process_t* other = process == &processes[0] ? &processes[1] : &processes[0];
    (void)status, (void)signal;
    CHECK(!other->process.killable);
    CHECK_EQ(uv_process_kill(other, SIGKILL), UV_ESRCH);
    exits++;
    uv_close((uv_handle_t*)process, NULL);
}

/* Both are reaped before the first is told, and the number of the other may be taken by then. */
TEST(child_that_was_reaped_can_not_be_killed) {
    open_loop();
    for (int i = 0; i < 2; i++) {
        spawn(&processes[i], "exit 0");
        processes[i].exit_cb = kill_the_other;
    }
    for (int i = 0; i < 2; i++)
        wait_until_zombie(processes[i].pid);
    close_loop();
    CHECK_EQ(exits, 2);
}

TEST(children_of_a_forked_loop_are_its_own) {
    open_loop();
    spawn(&processes[0], "exec sleep 1000");
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        alarm(30);
        CHECK_OK(uv_loop_fork(&loop));
        spawn(&processes[1], "exit 0");
        CHECK_EQ(loop.internal.poller.watched, 1);
        while (exits == 0)
            uv_run(&loop, UV_RUN_ONCE);
        uv_close((uv_handle_t*)&processes[0], NULL);
        CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
        CHECK_EQ(exits, 1);
        CHECK(!catches_sigchld());
        CHECK_OK(uv_loop_close(&loop));
        CHECK_EQ(in_use, 0);
        _exit(0);
    }
    CHECK_EQ(test_child_status(child), 0);
    CHECK_OK(uv_process_kill(&processes[0], SIGKILL));
    close_loop();
    CHECK_EQ(exits, 1);
}

TEST(children_that_outlive_their_loop_are_forgotten_when_they_end) {
    open_loop();
    spawn(&processes[0], "exec sleep 1000");
    int pid = processes[0].pid;
    uv_close((uv_handle_t*)&processes[0], NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_NE(in_use, 0);
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    CHECK_OK(uv_loop_init(&loop));
    spawn(&processes[1], "exit 0");
    CHECK_EQ(waitpid(pid, NULL, WNOHANG), -1);
    close_loop();
}

TEST(spawn_needs_streams_where_it_is_told_of_any) {
    uv_process_options_t options = {.file = "true", .stdio_count = 1};
    open_loop();
    CHECK_EQ(uv_spawn(&loop, &processes[0], &options), UV_EINVAL);
    options.stdio_count = -1;
    CHECK_EQ(uv_spawn(&loop, &processes[1], &options), UV_EINVAL);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&processes[i], NULL);
    close_loop();
}
