#include "spawn.h"

#include <signal.h>

TEST(kill_zero_asks_whether_the_process_exists) {
    CHECK_OK(uv_kill(getpid(), 0));
    CHECK_EQ(uv_kill(0x3fffffff, 0), UV_ESRCH);
}

TEST(kill_with_a_bad_signal_gets_einval) {
    CHECK_EQ(uv_kill(getpid(), 9999), UV_EINVAL);
    CHECK_EQ(uv_kill(getpid(), -1), UV_EINVAL);
}

static void kill_init(void) {
    CHECK_OK(setuid(65534));
    CHECK_EQ(uv_kill(1, SIGTERM), UV_EPERM);
}

TEST(kill_of_someone_elses_process_gets_eperm) {
    if (getuid() != 0)
        test_skip("needs root");
    test_child_dies(kill_init, 0, NULL);
}

TEST(process_kill_ends_a_running_child) {
    struct child c;
    loop_open();
    child_shell(&c, "exec sleep 100");
    CHECK_OK(child_spawn(&c));
    CHECK_OK(uv_process_kill(&c.process, 0));
    CHECK_EQ(uv_process_kill(&c.process, 9999), UV_EINVAL);
    CHECK_OK(uv_process_kill(&c.process, SIGTERM));
    loop_finish();
    CHECK_EQ(c.status, 0);
    CHECK_EQ(c.signal, SIGTERM);
}

static int kill_result;

static void kill_again(uv_process_t* process, int64_t status, int signal) {
    on_exit_close(process, status, signal);
    kill_result = uv_process_kill(process, SIGTERM);
}

TEST(process_kill_after_the_exit_gets_esrch) {
    struct child c;
    loop_open();
    child_shell(&c, "exit 0");
    c.options.exit_cb = kill_again;
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(kill_result, UV_ESRCH);
}

TEST(process_kill_of_a_child_that_never_started_gets_esrch) {
    struct child c;
    loop_open();
    child_shell(&c, "");
    c.options.file = "/no/such/program";
    CHECK_EQ(child_spawn(&c), UV_ENOENT);
    CHECK_EQ(uv_process_kill(&c.process, 0), UV_ESRCH);
    uv_close((uv_handle_t*)&c.process, NULL);
    loop_finish();
}
