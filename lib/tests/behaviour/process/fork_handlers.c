#include "spawn.h"

#include <signal.h>

/* Fork handlers of the program: they may change what the child is, as Python's preexec_fn does. */

static int told[2] = {-1, -1};
static int prepared, continued;

static void count_prepare(void) {
    prepared++;
}

static void count_parent(void) {
    continued++;
}

static void become_other(void) {
    if (chdir("/usr") == 0 && setenv("FROM_HANDLER", "yes", 1) == 0)
        write(told[1], "child", 5);
}

static void add_handlers(void) {
    CHECK_OK(pipe2(told, O_CLOEXEC));
    CHECK_OK(pthread_atfork(count_prepare, count_parent, become_other));
}

static void check_told(int times) {
    char text[64];
    CHECK_EQ(read(told[0], text, sizeof(text)), 5 * times);
    CHECK_EQ(prepared, times);
    CHECK_EQ(continued, times);
    close(told[0]);
    close(told[1]);
}

TEST(spawn_runs_the_fork_handlers_of_the_program) {
    struct child c;
    add_handlers();
    child_shell(&c, "pwd");
    CHECK_STR(child_output(&c), "/usr\n");
    check_told(1);
}

TEST(spawn_environment_is_what_a_fork_handler_has_made_of_it) {
    struct child c;
    add_handlers();
    child_shell(&c, "echo $FROM_HANDLER");
    setenv("FROM_HANDLER", "no", 1);
    CHECK_STR(child_output(&c), "yes\n");
    CHECK_STR(getenv("FROM_HANDLER"), "no");
    check_told(1);
}

TEST(spawn_of_a_missing_program_is_an_error_with_fork_handlers_too) {
    struct child c;
    add_handlers();
    loop_open();
    for (int i = 0; i < 3; i++) {
        child_shell(&c, "");
        c.options.file = "/no/such/program";
        check_spawn_fails(&c, UV_ENOENT);
    }
    loop_finish();
    check_told(3);
}

static void end_child(void) {
    _exit(5);
}

TEST(spawn_whose_fork_handler_ends_the_child_reports_its_end) {
    struct child c;
    CHECK_OK(pthread_atfork(NULL, NULL, end_child));
    loop_open();
    child_shell(&c, "exit 1");
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.exits, 1);
    CHECK_EQ(c.status, 5);
}

static sigset_t mask;

static void kill_itself(void) {
    sigprocmask(SIG_BLOCK, NULL, &mask);
    if (sigismember(&mask, SIGTERM) == 1)
        raise(SIGKILL);
}

TEST(spawn_runs_fork_handlers_with_signals_blocked) {
    struct child c;
    CHECK_OK(pthread_atfork(NULL, NULL, kill_itself));
    loop_open();
    child_shell(&c, "exit 1");
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.signal, SIGKILL);
}
