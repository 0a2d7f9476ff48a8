/* In which order exits are told: among each other, and among signals. */

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { CHILDREN = 4 };

/* Handles of one signal are called in the order of their addresses, and the loop is one of them. */
static struct {
    uv_signal_t in_front;
    uv_loop_t loop;
    uv_signal_t behind;
} memory;

static uv_loop_t* const loop = &memory.loop;
static uv_process_t children[CHILDREN];
static uv_signal_t user;
static char told[64]; /* a letter for each callback, but one for several of a kind in a row */
static int reaped_by_the_program;
static void (*in_first_exit)(void);

static void note(char letter) {
    size_t length = strlen(told);
    if (length == 0 || told[length - 1] != letter)
        told[length] = letter;
}

static void on_end(uv_process_t* process, int64_t status, int signal) {
    CHECK_EQ(status, 0);
    CHECK_EQ(signal, SIGKILL);
    note((char)('0' + (process - children)));
    if (process == &children[0] && in_first_exit != NULL)
        in_first_exit();
}

static void on_signal(uv_signal_t* handle, int number) {
    (void)handle;
    note(number == SIGCHLD ? 'c' : 'u');
}

static void wait_in_callback(uv_signal_t* handle, int number) {
    (void)handle, (void)number;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        reaped_by_the_program++;
}

static void catch (uv_signal_t* handle, uv_signal_cb cb, int number) {
    CHECK_OK(uv_signal_init(loop, handle));
    CHECK_OK(uv_signal_start(handle, cb, number));
    uv_unref((uv_handle_t*)handle);
}

static void begin_child(int which) {
    const char* args[] = {"sleep", "1000", NULL};
    uv_process_options_t options = {.file = args[0], .args = (char**)args, .exit_cb = on_end};
    CHECK_OK(uv_spawn(loop, &children[which], &options));
}

/* All run and are known to the loop. */
static void begin(int count) {
    for (int i = 0; i < count; i++)
        begin_child(i);
    CHECK_NE(uv_run(loop, UV_RUN_NOWAIT), 0);
    memset(told, 0, sizeof(told));
}

static void end_child(int which) {
    siginfo_t info;
    CHECK_OK(kill(children[which].pid, SIGKILL));
    CHECK_OK(waitid(P_PID, (id_t)children[which].pid, &info, WEXITED | WNOWAIT));
}

static void close_handle(uv_handle_t* handle, void* arg) {
    (void)arg;
    uv_close(handle, NULL);
}

static void finish(const char* expected) {
    CHECK_STR(told, expected);
    uv_walk(loop, close_handle, NULL);
    CHECK_OK(uv_run(loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(loop));
}

static void run_turn(void) {
    uv_run(loop, UV_RUN_NOWAIT);
}

TEST(exits_of_children_that_ended_before_one_turn_are_told_in_the_order_of_spawning) {
    CHECK_OK(uv_loop_init(loop));
    begin(CHILDREN);
    end_child(2);
    end_child(0);
    end_child(3);
    end_child(1);
    run_turn();
    finish("0123");
}

TEST(exits_are_told_before_a_signal_that_was_caught_later) {
    CHECK_OK(uv_loop_init(loop));
    catch (&user, on_signal, SIGUSR1);
    begin(2);
    end_child(1);
    raise(SIGUSR1);
    end_child(0);
    run_turn();
    finish("01u");
}

TEST(exits_are_told_after_a_signal_that_was_caught_earlier) {
    CHECK_OK(uv_loop_init(loop));
    catch (&user, on_signal, SIGUSR1);
    begin(2);
    raise(SIGUSR1);
    end_child(1);
    end_child(0);
    run_turn();
    finish("u01");
}

TEST(exits_are_told_before_a_sigchld_handle_that_lies_behind_the_loop) {
    CHECK_OK(uv_loop_init(loop));
    catch (&memory.behind, on_signal, SIGCHLD);
    begin(2);
    end_child(0);
    end_child(1);
    run_turn();
    finish("01c");
}

TEST(exits_are_told_after_a_sigchld_handle_that_lies_in_front_of_the_loop) {
    CHECK_OK(uv_loop_init(loop));
    catch (&memory.in_front, on_signal, SIGCHLD);
    begin(1);
    end_child(0);
    run_turn();
    finish("c0");
}

TEST(exits_are_told_before_a_oneshot_sigchld_handle_wherever_it_lies) {
    CHECK_OK(uv_loop_init(loop));
    begin(1);
    CHECK_OK(uv_signal_init(loop, &memory.in_front));
    CHECK_OK(uv_signal_start_oneshot(&memory.in_front, on_signal, SIGCHLD));
    end_child(0);
    run_turn();
    finish("0c");
}

TEST(exit_of_a_child_that_an_earlier_sigchld_callback_waited_for_is_not_told) {
    CHECK_OK(uv_loop_init(loop));
    catch (&memory.in_front, wait_in_callback, SIGCHLD);
    begin(2);
    end_child(0);
    end_child(1);
    run_turn();
    CHECK_EQ(reaped_by_the_program, 2);
    finish("");
}

TEST(exit_is_told_before_a_later_sigchld_callback_could_wait_for_the_child) {
    CHECK_OK(uv_loop_init(loop));
    catch (&memory.behind, wait_in_callback, SIGCHLD);
    begin(2);
    end_child(0);
    end_child(1);
    run_turn();
    CHECK_EQ(reaped_by_the_program, 0);
    finish("01");
}

static void look_at_the_second(void) {
    CHECK_EQ(waitpid(children[1].pid, NULL, WNOHANG), -1);
    CHECK_EQ(errno, ECHILD);
    CHECK_EQ(uv_process_kill(&children[1], 0), UV_ESRCH);
    CHECK(uv_is_active((uv_handle_t*)&children[1]));
}

TEST(exits_are_told_when_all_children_that_ended_have_been_waited_for) {
    CHECK_OK(uv_loop_init(loop));
    in_first_exit = look_at_the_second;
    begin(2);
    end_child(1);
    end_child(0);
    run_turn();
    finish("01");
}

static void end_the_third(void) {
    end_child(2);
}

TEST(exit_of_a_child_that_ends_in_the_callback_of_another_is_told_with_the_next_sigchld) {
    CHECK_OK(uv_loop_init(loop));
    in_first_exit = end_the_third;
    begin(3);
    end_child(0);
    end_child(1);
    run_turn();
    finish("012");
}

static bool is_sigchld_caught(void) {
    struct sigaction action;
    CHECK_OK(sigaction(SIGCHLD, NULL, &action));
    return action.sa_handler != SIG_DFL;
}

TEST(sigchld_is_caught_until_the_handle_of_the_last_child_is_closed) {
    CHECK_OK(uv_loop_init(loop));
    CHECK(!is_sigchld_caught());
    begin(2);
    CHECK(is_sigchld_caught());
    end_child(0);
    end_child(1);
    run_turn();
    CHECK(is_sigchld_caught());
    uv_close((uv_handle_t*)&children[1], NULL);
    CHECK(!is_sigchld_caught());
    uv_close((uv_handle_t*)&children[0], NULL);
    CHECK_OK(uv_run(loop, UV_RUN_DEFAULT));
    finish("01");
}

TEST(exits_are_told_where_sigchld_is_blocked) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    CHECK_OK(sigprocmask(SIG_BLOCK, &set, NULL));
    CHECK_OK(uv_loop_init(loop));
    begin(2);
    end_child(1);
    end_child(0);
    CHECK_OK(uv_run(loop, UV_RUN_DEFAULT));
    finish("01");
}

static bool is_backend_readable(void) {
    struct pollfd backend = {.fd = uv_backend_fd(loop), .events = POLLIN};
    return poll(&backend, 1, 0) == 1;
}

TEST(exit_of_a_child_that_was_spawned_outside_of_a_callback_makes_the_backend_readable) {
    CHECK_OK(uv_loop_init(loop));
    begin(1);
    CHECK(!is_backend_readable());
    end_child(0);
    CHECK(is_backend_readable());
    run_turn();
    CHECK(!is_backend_readable());
    uv_close((uv_handle_t*)&children[0], NULL);
    CHECK_OK(uv_run(loop, UV_RUN_DEFAULT));

    begin_child(1);
    end_child(1);
    CHECK(is_backend_readable());
    run_turn();
    CHECK(!is_backend_readable());
    finish("01");
}
