// wrap: fcntl socketpair sigaction waitpid read
/* Children whose standard streams can't be made, and signals that somebody has set. */

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE_FCNTL()
REPLACE(int, socketpair, (int domain, int type, int protocol, int* fds), domain, type, protocol,
        fds)
REPLACE(int, sigaction, (int signum, const struct sigaction* new, struct sigaction* old), signum,
        new, old)
REPLACE(pid_t, waitpid, (pid_t pid, int* status, int options), pid, status, options)
REPLACE(ssize_t, read, (int fd, void* buffer, size_t size), fd, buffer, size)

static uv_loop_t loop;
static uv_process_t process;
static uv_pipe_t pipe_handle;
static uv_stdio_container_t stdio[3];
static char* args[] = {"true", NULL};
static uv_process_options_t options = {.file = "true", .args = args, .stdio = stdio};
static int exits;
static int64_t exit_status;
static bool without_realloc;

static void* my_realloc(void* ptr, size_t size) {
    return without_realloc ? NULL : realloc(ptr, size);
}

static void on_exit_of_child(uv_process_t* handle, int64_t status, int signal) {
    (void)signal;
    exits++;
    exit_status = status;
    uv_close((uv_handle_t*)handle, NULL);
}

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    options.exit_cb = on_exit_of_child;
    options.stdio_count = 1;
    stdio[0] = (uv_stdio_container_t){.flags = UV_CREATE_PIPE | UV_READABLE_PIPE,
                                      .data.stream = (uv_stream_t*)&pipe_handle};
}

static void close_loop(void) {
    allow_all();
    if (!uv_is_closing((uv_handle_t*)&pipe_handle))
        uv_close((uv_handle_t*)&pipe_handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static bool without_input; /* its number is free when the pipe is made */

static int spawn(void) {
    exits = 0;
    open_loop();
    if (without_input)
        close(0);
    int err = uv_spawn(&loop, &process, &options);
    if (err != 0)
        uv_close((uv_handle_t*)&process, NULL);
    close_loop();
    CHECK_EQ(exits, err == 0);
    return err;
}

TEST(spawn_whose_pipe_can_not_be_made_starts_nothing) {
    static const struct refused_case cases[] = {
        {"socketpair", 0, EMFILE, spawn, UV_EMFILE},
        {"fcntl", 0, EPERM, spawn, UV_EPERM},
        {"fcntl", 1, EPERM, spawn, UV_EPERM},
        {"sigaction", 0, EINVAL, spawn, 0},
    };
    RUN_CASES(cases);
    CHECK_OK(spawn());
    CHECK_OK(exit_status);
}

TEST(pipe_never_takes_the_number_of_a_standard_stream) {
    int saved = fcntl(0, F_DUPFD_CLOEXEC, 10);
    without_input = true;
    CHECK_OK(spawn());
    refuse("fcntl", 0, 1, EMFILE);
    CHECK_EQ(spawn(), UV_EMFILE);
    CHECK_EQ(fcntl(0, F_GETFD), -1);
    CHECK_EQ(dup2(saved, 0), 0);
    close(saved);
}

TEST(spawn_without_memory_to_watch_its_pipe_starts_nothing) {
    CHECK_OK(uv_replace_allocator(malloc, my_realloc, calloc, free));
    without_realloc = true;
    CHECK_EQ(spawn(), UV_ENOMEM);
    without_realloc = false;
    CHECK_OK(spawn());
}

static int spawn_with(int flags, uv_stream_t* stream) {
    stdio[0].flags = (uv_stdio_flags)flags;
    stdio[0].data.stream = stream;
    int err = uv_spawn(&loop, &process, &options);
    CHECK_NE(err, 0);
    uv_close((uv_handle_t*)&process, NULL);
    uv_run(&loop, UV_RUN_NOWAIT);
    return err;
}

TEST(spawn_refuses_streams_that_it_can_not_open) {
    uv_tcp_t tcp;
    uv_pipe_t open_pipe;
    int fds[2];
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_pipe_init(&loop, &open_pipe, 0));
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_pipe_open(&open_pipe, fds[0]));
    CHECK_EQ(spawn_with(UV_CREATE_PIPE, NULL), UV_EINVAL);
    CHECK_EQ(spawn_with(UV_CREATE_PIPE, (uv_stream_t*)&tcp), UV_EINVAL);
    CHECK_EQ(spawn_with(UV_CREATE_PIPE, (uv_stream_t*)&open_pipe), UV_EBUSY);
    CHECK_EQ(spawn_with(UV_INHERIT_STREAM, NULL), UV_EINVAL);
    CHECK_EQ(spawn_with(UV_INHERIT_STREAM, (uv_stream_t*)&tcp), UV_EINVAL);
    CHECK_EQ(spawn_with(UV_INHERIT_FD | UV_CREATE_PIPE, NULL), UV_EINVAL);
    uv_close((uv_handle_t*)&pipe_handle, NULL);
    CHECK_EQ(spawn_with(UV_CREATE_PIPE, (uv_stream_t*)&pipe_handle), UV_EINVAL);
    uv_close((uv_handle_t*)&tcp, NULL);
    uv_close((uv_handle_t*)&open_pipe, NULL);
    close(fds[1]);
    close_loop();
}

static void do_nothing(int signum) {
    (void)signum;
}

TEST(spawn_keeps_the_exit_status_whatever_the_program_said_about_sigchld) {
    struct sigaction action = {.sa_handler = SIG_IGN}, after;
    CHECK_OK(sigaction(SIGCHLD, &action, NULL));
    CHECK_OK(spawn());
    action.sa_handler = SIG_DFL;
    action.sa_flags = SA_NOCLDWAIT;
    CHECK_OK(sigaction(SIGCHLD, &action, NULL));
    CHECK_OK(spawn());
    action.sa_handler = do_nothing;
    CHECK_OK(sigaction(SIGCHLD, &action, NULL));
    CHECK_OK(spawn());
    CHECK_OK(sigaction(SIGCHLD, NULL, &after));
    CHECK(!(after.sa_flags & SA_NOCLDWAIT));
}

static int spawn_nothing(void) {
    args[0] = "no-such-program";
    options.file = args[0];
    int err = spawn();
    args[0] = "true";
    options.file = args[0];
    return err;
}

TEST(spawn_waits_for_its_failed_child_after_interruptions) {
    const struct refused_case one = {"waitpid", 1, EINTR, spawn_nothing, UV_ENOENT};
    run_case(&one);
}

TEST(spawn_without_arguments_gives_the_program_none) {
    open_loop();
    options.args = NULL;
    options.stdio_count = 0;
    int err = uv_spawn(&loop, &process, &options);
    CHECK_OK(err);
    close_loop();
    CHECK_EQ(exits, 1);
}

TEST(spawn_goes_on_when_the_first_wait_is_interrupted) {
    const struct refused_case one = {"waitpid", 0, EINTR, spawn, 0};
    run_case(&one);
}

TEST(spawn_goes_on_when_the_first_wait_finds_no_child) {
    const struct refused_case one = {"waitpid", 0, ECHILD, spawn, 0};
    run_case(&one);
    CHECK_GE(waitpid(-1, NULL, __WALL), -1);
    const struct refused_case two = {"waitpid", 0, ECHILD, spawn_nothing, UV_ENOENT};
    run_case(&two);
}

TEST(spawn_by_fork_reads_its_report_after_interruptions) {
    const struct refused_case one = {"read", 0, EINTR, spawn_nothing, UV_ENOENT};
    if (getuid() != 0)
        test_skip("only root may set the groups");
    options.flags = UV_PROCESS_SETUID;
    options.uid = getuid();
    run_case(&one);
    const struct refused_case two = {"read", 0, EIO, spawn, 0};
    run_case(&two);
}
