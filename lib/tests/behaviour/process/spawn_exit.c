#include "spawn.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

TEST(spawn_reports_the_exit_status) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 42");
    CHECK_OK(child_spawn(&c));
    CHECK(uv_is_active((uv_handle_t*)&c.process));
    CHECK_GT(c.process.pid, 0);
    CHECK_EQ(uv_process_get_pid(&c.process), c.process.pid);
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 42);
    CHECK_EQ(c.signal, 0);
}

TEST(spawn_reports_the_signal_that_ended_the_child) {
    struct child c;
    loop_open();
    child_shell(&c, "kill -TERM $$");
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.status, 0);
    CHECK_EQ(c.signal, SIGTERM);
}

TEST(spawn_handle_is_inactive_in_the_exit_callback_and_nothing_is_left) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 0");
    CHECK_OK(child_spawn(&c));
    int pid = c.process.pid;
    loop_finish();
    CHECK_EQ(waitpid(pid, NULL, WNOHANG), -1);
    CHECK_EQ(errno, ECHILD);
}

static int active_in_callback;

static void look_at_handle(uv_process_t* process, int64_t status, int signal) {
    (void)status, (void)signal;
    active_in_callback = uv_is_active((uv_handle_t*)process);
}

TEST(spawn_handle_is_stopped_before_its_exit_callback) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 0");
    c.options.exit_cb = look_at_handle;
    active_in_callback = -1;
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(active_in_callback, 0);
    CHECK_EQ(uv_process_kill(&c.process, 0), UV_ESRCH);
    uv_close((uv_handle_t*)&c.process, NULL);
    loop_finish();
}

TEST(spawn_without_an_exit_callback_reaps_the_child) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 3");
    c.options.exit_cb = NULL;
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK(!uv_is_active((uv_handle_t*)&c.process));
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
    uv_close((uv_handle_t*)&c.process, NULL);
    loop_finish();
}

static void wait_until_zombie(int pid) {
    siginfo_t info;
    CHECK_OK(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
}

TEST(spawn_child_that_ended_long_before_the_loop_runs_is_reported) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 7");
    CHECK_OK(child_spawn(&c));
    wait_until_zombie(c.process.pid);
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 7);
}

TEST(spawn_child_that_the_program_waited_for_itself_is_not_reported) {
    struct child c;
    int status;
    loop_open();
    child_shell(&c, "exit 7");
    CHECK_OK(child_spawn(&c));
    CHECK_EQ(waitpid(c.process.pid, &status, 0), c.process.pid);
    for (int i = 0; i < 5; i++)
        CHECK_NE(uv_run(&loop, UV_RUN_NOWAIT), 0);
    CHECK_EQ(c.exits, 0);
    CHECK(uv_is_active((uv_handle_t*)&c.process));
    CHECK_EQ(uv_process_kill(&c.process, 0), UV_ESRCH);
    uv_close((uv_handle_t*)&c.process, NULL);
    loop_finish();
    CHECK_EQ(c.exits, 0);
}

TEST(spawn_exit_never_comes_inside_the_call_of_uv_spawn) {
    struct child c[20];
    loop_open();
    for (int i = 0; i < 20; i++) {
        child_shell(&c[i], "");
        c[i].options.file = "/bin/true";
        CHECK_OK(child_spawn(&c[i]));
        CHECK_EQ(c[i].exits, 0);
        wait_until_zombie(c[i].process.pid);
    }
    uv_run(&loop, UV_RUN_NOWAIT);
    loop_finish();
    for (int i = 0; i < 20; i++)
        CHECK_EQ(c[i].exits, 1);
}

TEST(spawn_closed_handle_gets_no_exit_callback) {
    struct child c[2];
    loop_open();
    child_shell(&c[0], "exec sleep 100");
    CHECK_OK(child_spawn(&c[0]));
    int pid = c[0].process.pid;
    uv_close((uv_handle_t*)&c[0].process, NULL);
    CHECK(!uv_is_active((uv_handle_t*)&c[0].process));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c[0].exits, 0);
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    child_shell(&c[1], "exit 0");
    CHECK_OK(child_spawn(&c[1]));
    loop_finish();
    CHECK_EQ(c[0].exits, 0);
    CHECK_EQ(c[1].exits, 1);
}

TEST(spawn_child_of_a_closed_handle_is_reaped_by_the_loop) {
    struct child c[2];
    loop_open();
    child_shell(&c[0], "exec sleep 100");
    CHECK_OK(child_spawn(&c[0]));
    int pid = c[0].process.pid;
    CHECK_OK(uv_process_kill(&c[0].process, SIGKILL));
    uv_close((uv_handle_t*)&c[0].process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    child_shell(&c[1], "sleep 0.2");
    CHECK_OK(child_spawn(&c[1]));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(waitpid(pid, NULL, WNOHANG), -1);
    loop_finish();
}

TEST(spawn_child_that_outlives_handle_and_loop_is_reaped_by_a_later_spawn) {
    struct child c[2];
    loop_open();
    child_shell(&c[0], "exec sleep 100");
    CHECK_OK(child_spawn(&c[0]));
    int pid = c[0].process.pid;
    uv_close((uv_handle_t*)&c[0].process, NULL);
    loop_finish();
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    loop_open();
    child_shell(&c[1], "exit 0");
    CHECK_OK(child_spawn(&c[1]));
    CHECK_EQ(waitpid(pid, NULL, WNOHANG), -1);
    loop_finish();
}

static struct child* other;

static void close_both(uv_process_t* process, int64_t status, int signal) {
    on_exit_close(process, status, signal);
    if (!uv_is_closing((uv_handle_t*)&other->process))
        uv_close((uv_handle_t*)&other->process, NULL);
}

TEST(spawn_exit_callback_may_close_another_child_that_has_ended_too) {
    struct child c[2];
    loop_open();
    for (int i = 0; i < 2; i++) {
        child_shell(&c[i], "exit 0");
        c[i].options.exit_cb = close_both;
        CHECK_OK(child_spawn(&c[i]));
        wait_until_zombie(c[i].process.pid);
    }
    other = &c[1];
    c[1].options.exit_cb = on_exit_close;
    c[1].process.exit_cb = on_exit_close;
    uv_run(&loop, UV_RUN_NOWAIT);
    loop_finish();
    CHECK_EQ(c[0].exits + c[1].exits, c[1].exits ? 2 : 1);
}

static int sigchlds;

static void count_sigchld(uv_signal_t* handle, int signum) {
    CHECK_EQ(signum, SIGCHLD);
    if (++sigchlds == 1)
        uv_unref((uv_handle_t*)handle);
}

TEST(spawn_leaves_sigchld_to_a_signal_handle_of_the_program) {
    struct child c;
    uv_signal_t handle;
    loop_open();
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, count_sigchld, SIGCHLD));
    child_shell(&c, "exit 9");
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(sigchlds, 1);
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 9);
    uv_close((uv_handle_t*)&handle, NULL);
    loop_finish();
}

TEST(spawn_reports_the_status_even_if_sigchld_was_ignored) {
    struct child c;
    signal(SIGCHLD, SIG_IGN);
    loop_open();
    child_shell(&c, "exit 5");
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 5);
}

TEST(spawn_does_not_take_the_children_that_the_program_forked) {
    struct child c;
    int status;
    loop_open();
    pid_t pid = fork();
    if (pid == 0)
        _exit(11);
    wait_until_zombie(pid);
    child_shell(&c, "exit 0");
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(WEXITSTATUS(status), 11);
}

static void spawn_again(uv_process_t* process, int64_t status, int signal) {
    struct child* child = (struct child*)process;
    on_exit_close(process, status, signal);
    struct child* next = child + 1;
    if (next->exits == -1)
        return;
    child_shell(next, "exit 1");
    next->options.exit_cb = next == other ? on_exit_close : spawn_again;
    CHECK_OK(child_spawn(next));
}

TEST(spawn_works_inside_an_exit_callback) {
    struct child c[4];
    memset(c, 0, sizeof(c));
    loop_open();
    other = &c[3];
    child_shell(&c[0], "exit 1");
    c[0].options.exit_cb = spawn_again;
    CHECK_OK(child_spawn(&c[0]));
    loop_finish();
    for (int i = 0; i < 4; i++)
        CHECK_EQ(c[i].exits, 1);
}

TEST(spawn_unreferenced_child_does_not_keep_the_loop) {
    struct child c;
    loop_open();
    child_shell(&c, "exec sleep 100");
    CHECK_OK(child_spawn(&c));
    uv_unref((uv_handle_t*)&c.process);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_process_kill(&c.process, SIGKILL));
    uv_ref((uv_handle_t*)&c.process);
    loop_finish();
    CHECK_EQ(c.signal, SIGKILL);
}

TEST(spawn_handle_in_a_forked_process_is_not_called_back_there) {
    struct child c;
    int status;
    loop_open();
    child_shell(&c, "sleep 0.2; exit 4");
    CHECK_OK(child_spawn(&c));
    pid_t pid = fork();
    if (pid == 0) {
        struct child own;
        CHECK_OK(uv_loop_fork(&loop));
        uv_unref((uv_handle_t*)&c.process);
        child_shell(&own, "sleep 0.4; exit 6");
        CHECK_OK(child_spawn(&own));
        uv_run(&loop, UV_RUN_DEFAULT);
        CHECK_EQ(own.status, 6);
        CHECK_EQ(c.exits, 0);
        uv_close((uv_handle_t*)&c.process, NULL);
        loop_finish();
        _exit(0);
    }
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 4);
    CHECK_EQ(waitpid(pid, &status, 0), pid);
    CHECK_EQ(status, 0);
}

static char order[8];
static char last_bytes[64];

static void note_exit(uv_process_t* process, int64_t status, int signal) {
    on_exit_close(process, status, signal);
    strcat(order, "e");
}

static void give_buffer(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(last_bytes, sizeof(last_bytes));
}

static void note_read(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    (void)buf;
    if (n > 0)
        strcat(order, "r");
    else
        uv_close((uv_handle_t*)stream, NULL);
}

TEST(spawn_last_output_is_read_before_the_exit_is_reported) {
    struct child c;
    uv_pipe_t pipe_handle;
    loop_open();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    child_shell(&c, "echo last");
    c.options.exit_cb = note_exit;
    c.stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    c.stdio[1].data.stream = (uv_stream_t*)&pipe_handle;
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_read_start((uv_stream_t*)&pipe_handle, give_buffer, note_read));
    wait_until_zombie(c.process.pid);
    loop_finish();
    CHECK_STR(order, "re");
}
