// wrap: clone fork pipe2 waitid close_range epoll_create1 epoll_ctl
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { NO_FAULT, OLD_KERNEL = -1 };

static int clone_error;       /* an errno, for every clone and fork */
static int clone_pidfd_error; /* an errno, or OLD_KERNEL: the flag does nothing */
static int waitid_error;
static int pipe2_error;
static int close_range_error;
static int epoll_create1_error;
static int epoll_ctl_error;

int __real_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...);
int __wrap_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...);
int __wrap_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...) {
    va_list rest;
    va_start(rest, arg);
    int* pidfd = va_arg(rest, int*);
    va_end(rest);
    errno = clone_error;
    if (errno == NO_FAULT && (flags & CLONE_PIDFD) && clone_pidfd_error > 0)
        errno = clone_pidfd_error;
    if (errno != NO_FAULT)
        return -1;
    if (clone_pidfd_error == OLD_KERNEL)
        flags &= ~CLONE_PIDFD;
    return __real_clone(fn, stack, flags, arg, pidfd);
}

int __real_waitid(idtype_t type, id_t id, siginfo_t* info, int options);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t* info, int options);
int __wrap_waitid(idtype_t type, id_t id, siginfo_t* info, int options) {
    errno = waitid_error;
    return errno != NO_FAULT ? -1 : __real_waitid(type, id, info, options);
}

int __real_fork(void);
int __wrap_fork(void);
int __wrap_fork(void) {
    errno = clone_error;
    return errno != NO_FAULT ? -1 : __real_fork();
}

int __real_pipe2(int fds[2], int flags);
int __wrap_pipe2(int fds[2], int flags);
int __wrap_pipe2(int fds[2], int flags) {
    errno = pipe2_error;
    return errno != NO_FAULT ? -1 : __real_pipe2(fds, flags);
}

int __real_epoll_create1(int flags);
int __wrap_epoll_create1(int flags);
int __wrap_epoll_create1(int flags) {
    errno = epoll_create1_error;
    return errno != NO_FAULT ? -1 : __real_epoll_create1(flags);
}

int __real_epoll_ctl(int set, int op, int fd, struct epoll_event* event);
int __wrap_epoll_ctl(int set, int op, int fd, struct epoll_event* event);
int __wrap_epoll_ctl(int set, int op, int fd, struct epoll_event* event) {
    errno = epoll_ctl_error;
    return errno != NO_FAULT ? -1 : __real_epoll_ctl(set, op, fd, event);
}

int __real_close_range(unsigned first, unsigned last, int flags);
int __wrap_close_range(unsigned first, unsigned last, int flags);
int __wrap_close_range(unsigned first, unsigned last, int flags) {
    errno = close_range_error;
    return errno != NO_FAULT ? -1 : __real_close_range(first, last, flags);
}

static uv_loop_t loop;

struct child {
    uv_process_t process;
    int exits;
    int64_t status;
};

static void on_end(uv_process_t* process, int64_t status, int signal) {
    struct child* child = (struct child*)process;
    CHECK_EQ(signal, 0);
    child->exits++;
    child->status = status;
    uv_close((uv_handle_t*)process, NULL);
}

static unsigned flags;

static int spawn(struct child* child, const char* script) {
    char* args[] = {(char*)"sh", (char*)"-c", (char*)script, NULL};
    uv_process_options_t options = {
        .file = "/bin/sh", .args = args, .exit_cb = on_end, .flags = flags, .uid = getuid()};
    memset(child, 0, sizeof(*child));
    return uv_spawn(&loop, &child->process, &options);
}

static void finish(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

static void wait_until_zombie(int pid) {
    siginfo_t info;
    CHECK_OK(__real_waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT));
}

static void check_fails(int* fault, int error) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    int before = test_open_fds();
    *fault = error;
    CHECK_EQ(spawn(&c, ""), -error);
    *fault = NO_FAULT;
    CHECK(!uv_is_active((uv_handle_t*)&c.process));
    CHECK_EQ(test_open_fds(), before);
    uv_close((uv_handle_t*)&c.process, NULL);
    finish();
}

TEST(spawn_over_the_limit_of_processes_gets_eagain) {
    check_fails(&clone_error, EAGAIN);
}

TEST(spawn_by_fork_over_the_limit_of_processes_gets_eagain_and_leaves_nothing) {
    flags = UV_PROCESS_SETUID;
    check_fails(&clone_error, EAGAIN);
}

TEST(spawn_by_fork_without_descriptors_for_its_report_gets_emfile_and_leaves_nothing) {
    flags = UV_PROCESS_SETUID;
    check_fails(&pipe2_error, EMFILE);
}

TEST(spawn_that_starts_nothing_waits_for_no_child_of_the_program) {
    struct child c;
    int pid = fork();
    if (pid == 0)
        _exit(0);
    wait_until_zombie(pid);
    CHECK_OK(uv_loop_init(&loop));
    flags = UV_PROCESS_SETUID;
    pipe2_error = EMFILE;
    CHECK_EQ(spawn(&c, ""), UV_EMFILE);
    pipe2_error = NO_FAULT;
    uv_close((uv_handle_t*)&c.process, NULL);
    CHECK_EQ(waitpid(pid, NULL, 0), pid);
    finish();
}

TEST(spawn_without_memory_for_a_process_gets_enomem) {
    check_fails(&clone_error, ENOMEM);
}

static void check_without_pidfd(int fault) {
    struct child c[50];
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = fault;
    for (int i = 0; i < 50; i++) {
        char script[32];
        snprintf(script, sizeof(script), "exit %d", i);
        CHECK_OK(spawn(&c[i], script));
    }
    finish();
    for (int i = 0; i < 50; i++) {
        CHECK_EQ(c[i].exits, 1);
        CHECK_EQ(c[i].status, i);
    }
    struct sigaction action;
    CHECK_OK(sigaction(SIGCHLD, NULL, &action));
    CHECK(action.sa_handler == SIG_DFL);
}

TEST(spawn_without_a_descriptor_for_the_pidfd_still_reports_exits) {
    check_without_pidfd(EMFILE);
}

TEST(spawn_on_a_kernel_that_refuses_pidfds_still_reports_exits) {
    check_without_pidfd(EINVAL);
}

TEST(spawn_on_a_kernel_without_pidfds_still_reports_exits) {
    check_without_pidfd(OLD_KERNEL);
}

TEST(spawn_without_pidfd_reports_a_child_that_ended_before_sigchld_was_caught) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = OLD_KERNEL;
    CHECK_OK(spawn(&c, "exit 3"));
    wait_until_zombie(c.process.pid);
    finish();
    CHECK_EQ(c.status, 3);
}

static int sigchlds;

static void count_sigchld(uv_signal_t* handle, int signum) {
    (void)signum;
    sigchlds++;
    uv_unref((uv_handle_t*)handle);
}

TEST(spawn_without_pidfd_shares_sigchld_with_the_program) {
    struct child c;
    uv_signal_t handle;
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = OLD_KERNEL;
    CHECK_OK(uv_signal_init(&loop, &handle));
    CHECK_OK(uv_signal_start(&handle, count_sigchld, SIGCHLD));
    CHECK_OK(spawn(&c, "exit 3"));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c.status, 3);
    CHECK_EQ(sigchlds, 1);
    uv_close((uv_handle_t*)&handle, NULL);
    finish();
}

static void count_handle(uv_handle_t* handle, void* arg) {
    (void)handle;
    ++*(int*)arg;
}

TEST(spawn_without_pidfd_shows_no_handle_but_the_process) {
    struct child c;
    int handles = 0;
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = OLD_KERNEL;
    CHECK_OK(spawn(&c, "exit 3"));
    CHECK_EQ(loop.active_handles, 1);
    uv_walk(&loop, count_handle, &handles);
    CHECK_EQ(handles, 1);
    finish();
}

static void check_closed_before_the_end(void) {
    struct child c[2];
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(spawn(&c[0], "exec sleep 100"));
    int pid = c[0].process.pid;
    uv_close((uv_handle_t*)&c[0].process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    CHECK_OK(spawn(&c[1], "sleep 0.1"));
    finish();
    CHECK_EQ(c[0].exits, 0);
    CHECK_EQ(c[1].exits, 1);
}

TEST(spawn_without_pidfd_reaps_the_child_of_a_closed_handle) {
    clone_pidfd_error = OLD_KERNEL;
    check_closed_before_the_end();
}

TEST(spawn_with_pidfd_reaps_the_child_of_a_closed_handle) {
    check_closed_before_the_end();
}

TEST(spawn_without_pidfd_leaves_nothing_in_a_loop_that_closes_before_the_child_ends) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = OLD_KERNEL;
    CHECK_OK(spawn(&c, "exec sleep 100"));
    int pid = c.process.pid;
    uv_close((uv_handle_t*)&c.process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(spawn(&c, ""));
    finish();
}

TEST(spawn_child_whose_status_was_stolen_is_not_waited_for_in_a_loop) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(spawn(&c, "exit 3"));
    wait_until_zombie(c.process.pid);
    CHECK_EQ(waitpid(c.process.pid, NULL, 0), c.process.pid);
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.exits, 0);
    CHECK(uv_is_active((uv_handle_t*)&c.process));
    uv_close((uv_handle_t*)&c.process, NULL);
    finish();
}

static void check_waitid_refused(int error) {
    struct child c[2];
    CHECK_OK(uv_loop_init(&loop));
    waitid_error = error;
    CHECK_OK(spawn(&c[0], "exit 3"));
    CHECK_OK(spawn(&c[1], "exec sleep 100"));
    int pid = c[1].process.pid;
    uv_close((uv_handle_t*)&c[1].process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(c[0].exits, 1);
    CHECK_EQ(c[0].status, 3);
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(spawn(&c[0], "exit 4"));
    finish();
    CHECK_EQ(c[0].status, 4);
}

TEST(spawn_on_a_kernel_that_cannot_wait_for_a_pidfd_still_reports_exits) {
    check_waitid_refused(EINVAL);
}

TEST(spawn_in_a_sandbox_that_refuses_to_wait_for_a_pidfd_still_reports_exits) {
    check_waitid_refused(EPERM);
    check_waitid_refused(ENOSYS);
}

/* As if its number had been given to another child since. */
TEST(spawn_does_not_take_the_child_that_has_the_number_of_one_abandoned_before) {
    struct child c;
    siginfo_t info;
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(spawn(&c, "exec sleep 100"));
    int pid = c.process.pid;
    uv_close((uv_handle_t*)&c.process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_OK(uv_kill(pid, SIGKILL));
    wait_until_zombie(pid);
    CHECK_OK(uv_loop_init(&loop));
    waitid_error = ECHILD;
    CHECK_OK(spawn(&c, "exit 4"));
    waitid_error = NO_FAULT;
    CHECK_OK(waitid(P_PID, (id_t)pid, &info, WEXITED));
    finish();
    CHECK_EQ(c.status, 4);
}

TEST(spawn_without_pidfd_and_with_a_stolen_status_can_be_closed) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    clone_pidfd_error = OLD_KERNEL;
    CHECK_OK(spawn(&c, "exit 3"));
    wait_until_zombie(c.process.pid);
    CHECK_EQ(waitpid(c.process.pid, NULL, 0), c.process.pid);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(c.exits, 0);
    uv_close((uv_handle_t*)&c.process, NULL);
    finish();
}

static int allocations_left = -1;

static bool may_allocate(void) {
    if (allocations_left == 0)
        return false;
    allocations_left -= allocations_left > 0;
    return true;
}

static void* limited_malloc(size_t size) {
    return may_allocate() ? malloc(size) : NULL;
}

static void* limited_realloc(void* ptr, size_t size) {
    return may_allocate() ? realloc(ptr, size) : NULL;
}

static void* limited_calloc(size_t count, size_t size) {
    return may_allocate() ? calloc(count, size) : NULL;
}

/* With a pipe and many descriptors, so that every allocation there is takes its turn. */
static int spawn_with_much_stdio(struct child* child, uv_pipe_t* pipe_handle) {
    char* args[] = {(char*)"sh", (char*)"-c", (char*)"exit 3", NULL};
    uv_stdio_container_t stdio[12] = {{.flags = UV_IGNORE}};
    stdio[11].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    stdio[11].data.stream = (uv_stream_t*)pipe_handle;
    uv_process_options_t options = {.file = "/bin/sh",
                                    .args = args,
                                    .exit_cb = on_end,
                                    .stdio = stdio,
                                    .stdio_count = 12,
                                    .flags = flags,
                                    .uid = getuid()};
    memset(child, 0, sizeof(*child));
    return uv_spawn(&loop, &child->process, &options);
}

static void check_allocations(void) {
    int failures = 0;
    int result = UV_ENOMEM;
    CHECK_OK(uv_replace_allocator(limited_malloc, limited_realloc, limited_calloc, free));
    int far = fcntl(2, F_DUPFD_CLOEXEC, 3);
    for (int allowed = 0; result != 0; allowed++) {
        struct child c;
        uv_pipe_t pipe_handle;
        uv_os_fd_t fd;
        CHECK_LT(allowed, 20);
        CHECK_OK(uv_loop_init(&loop));
        CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
        int before = test_open_fds();
        allocations_left = allowed;
        result = spawn_with_much_stdio(&c, &pipe_handle);
        allocations_left = -1;
        if (result != 0) {
            CHECK_EQ(result, UV_ENOMEM);
            failures++;
            CHECK(!uv_is_active((uv_handle_t*)&c.process));
            CHECK_EQ(uv_fileno((uv_handle_t*)&pipe_handle, &fd), UV_EBADF);
            CHECK_EQ(test_open_fds(), before);
            uv_close((uv_handle_t*)&c.process, NULL);
        }
        uv_close((uv_handle_t*)&pipe_handle, NULL);
        finish();
        CHECK_EQ(c.exits, result == 0);
    }
    CHECK_GE(failures, 3);
    close(far);
}

TEST(spawn_undoes_everything_when_any_allocation_fails) {
    check_allocations();
}

TEST(spawn_by_fork_undoes_everything_when_any_allocation_fails) {
    flags = UV_PROCESS_SETUID;
    check_allocations();
}

/* The set of pidfds gets a number for which the poller has no room, and there is no memory for
 * more. */
TEST(spawn_without_memory_to_watch_the_pidfd_falls_back_to_sigchld) {
    struct child c;
    int low[64];
    CHECK_OK(uv_replace_allocator(limited_malloc, limited_realloc, limited_calloc, free));
    CHECK_OK(uv_loop_init(&loop));
    for (int i = 0; i < 64; i++)
        low[i] = fcntl(2, F_DUPFD_CLOEXEC, 3);
    allocations_left = 3; /* the loop's children, the child's record, and what it starts with */
    CHECK_OK(spawn(&c, "exit 3"));
    CHECK_EQ(allocations_left, 0);
    for (int i = 0; i < 64; i++)
        close(low[i]);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    allocations_left = -1;
    finish();
    CHECK_EQ(c.status, 3);
}

static void check_without_a_set(int* fault, int error) {
    struct child c;
    CHECK_OK(uv_loop_init(&loop));
    *fault = error;
    CHECK_OK(spawn(&c, "exit 3"));
    *fault = NO_FAULT;
    finish();
    CHECK_EQ(c.status, 3);
}

TEST(spawn_without_a_descriptor_for_the_set_of_pidfds_falls_back_to_sigchld) {
    check_without_a_set(&epoll_create1_error, EMFILE);
}

TEST(spawn_whose_pidfd_does_not_fit_into_the_set_falls_back_to_sigchld) {
    check_without_a_set(&epoll_ctl_error, ENOSPC);
}

TEST(disable_stdio_inheritance_works_without_close_range) {
    close_range_error = ENOSYS;
    int fd = dup(2);
    uv_disable_stdio_inheritance();
    CHECK(fcntl(0, F_GETFD) & FD_CLOEXEC);
    CHECK(fcntl(fd, F_GETFD) & FD_CLOEXEC);
    close(fd);
}
