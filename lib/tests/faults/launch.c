// wrap: clone
/* How children are started, seen from outside: what the memory holds, where it can't be borrowed,
 * and what stays as it was. */

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults/account.h"

static int clones, clone_error;
static bool refuses_all;
static bool copies; /* as valgrind and qemu do */

int __real_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...);
int __wrap_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...);
int __wrap_clone(int (*fn)(void*), void* stack, int flags, void* arg, ...) {
    va_list rest;
    va_start(rest, arg);
    int* pidfd = va_arg(rest, int*);
    va_end(rest);
    clones++;
    if (refuses_all || (clone_error != 0 && (flags & CLONE_PIDFD))) {
        errno = refuses_all ? EPERM : clone_error;
        return -1;
    }
    return __real_clone(fn, stack, copies ? flags & ~CLONE_VM : flags, arg, pidfd);
}

static uv_loop_t loop;
static uv_process_t process;
static int exits;
static int64_t exit_status;

static void on_end(uv_process_t* handle, int64_t status, int signal) {
    CHECK_EQ(signal, 0);
    exits++;
    exit_status = status;
    uv_close((uv_handle_t*)handle, NULL);
}

static unsigned flags;

static int spawn(const char* file, const char* script) {
    char* args[] = {(char*)(uintptr_t) "sh", (char*)(uintptr_t) "-c", (char*)(uintptr_t)script,
                    NULL};
    uv_process_options_t options = {
        .file = file, .args = args, .exit_cb = on_end, .flags = flags, .uid = getuid()};
    CHECK_OK(uv_loop_init(&loop));
    int err = uv_spawn(&loop, &process, &options);
    if (err != 0)
        uv_close((uv_handle_t*)&process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    return err;
}

static void check_both(void) {
    exits = 0;
    CHECK_OK(spawn("/bin/sh", "exit 3"));
    CHECK_EQ(exits, 1);
    CHECK_EQ(exit_status, 3);
    CHECK_EQ(spawn("/no/such/program", ""), UV_ENOENT);
    CHECK_EQ(exits, 1);
    CHECK_EQ(waitpid(-1, NULL, WNOHANG), -1);
}

TEST(children_start_whatever_the_memory_held_and_leave_none_of_it) {
    count_blocks();
    check_both();
    CHECK_EQ(in_use, 0);
    flags = UV_PROCESS_SETUID;
    check_both();
    CHECK_EQ(in_use, 0);
}

TEST(memory_is_borrowed_once_to_see_that_it_can_be) {
    CHECK_OK(spawn("/bin/sh", "exit 0"));
    CHECK_EQ(clones, 2);
    CHECK_OK(spawn("/bin/sh", "exit 0"));
    CHECK_EQ(clones, 3);
}

TEST(children_are_forked_where_memory_is_copied_instead_of_borrowed) {
    copies = true;
    check_both();
    CHECK_EQ(clones, 1);
}

TEST(children_start_without_a_pidfd_where_there_are_too_many_files) {
    static const int errors[] = {EMFILE, ENFILE, EINVAL};
    for (int i = 0; i < 3; i++) {
        clone_error = errors[i];
        check_both();
    }
    clone_error = EPERM;
    CHECK_EQ(spawn("/bin/sh", ""), UV_EPERM);
}

TEST(children_are_forked_where_memory_may_not_be_borrowed_and_others_are_not_waited_for) {
    int other = fork();
    CHECK_GE(other, 0);
    if (other == 0)
        _exit(0);
    siginfo_t info;
    CHECK_OK(waitid(P_PID, (id_t)other, &info, WEXITED | WNOWAIT));
    refuses_all = true;
    CHECK_OK(spawn("/bin/sh", "exit 3"));
    CHECK_EQ(exit_status, 3);
    CHECK_EQ(waitpid(other, NULL, 0), other);
}

static void check_what_stays(void) {
    sigset_t before, after;
    CHECK_OK(pthread_sigmask(SIG_SETMASK, NULL, &before));
    for (int i = 0; i < 2; i++) {
        errno = EXDEV;
        CHECK_EQ(spawn(i == 0 ? "/bin/sh" : "/no/such/program", "exit 0"), i == 0 ? 0 : UV_ENOENT);
        for (int fd = 0; fd < 3; fd++)
            CHECK_NE(fcntl(fd, F_GETFD), -1);
    }
    CHECK_OK(pthread_sigmask(SIG_SETMASK, NULL, &after));
    for (int signum = 1; signum < 65; signum++)
        CHECK_EQ(sigismember(&before, signum), sigismember(&after, signum));
}

TEST(descriptors_and_the_signal_mask_of_the_parent_stay_as_they_were) {
    check_what_stays();
    flags = UV_PROCESS_SETUID;
    check_what_stays();
}

static void check_errno(const char* file, int result) {
    char* args[] = {(char*)(uintptr_t) "true", NULL};
    uv_process_options_t options = {
        .file = file, .args = args, .exit_cb = on_end, .flags = flags, .uid = getuid()};
    CHECK_OK(uv_loop_init(&loop));
    errno = EXDEV;
    CHECK_EQ(uv_spawn(&loop, &process, &options), result);
    CHECK_EQ(errno, EXDEV);
    if (result != 0)
        uv_close((uv_handle_t*)&process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

TEST(errno_of_the_program_stays_as_it_was) {
    for (int i = 0; i < 2; i++) {
        check_errno("true", 0);
        check_errno("/no/such/program", UV_ENOENT);
        flags = UV_PROCESS_SETUID;
    }
}

TEST(names_of_programs_have_up_to_255_letters) {
    char name[300];
    memset(name, 'x', sizeof(name));
    name[255] = '\0';
    CHECK_EQ(spawn(name, ""), UV_ENOENT);
    name[255] = 'x';
    name[256] = '\0';
    CHECK_EQ(spawn(name, ""), UV_ENAMETOOLONG);
}

/* SIGCHLD tells nothing here. */
TEST(exit_of_a_forked_child_is_told_by_its_pidfd) {
    sigset_t mask;
    sigemptyset(&mask);
    sigaddset(&mask, SIGCHLD);
    CHECK_OK(pthread_sigmask(SIG_BLOCK, &mask, NULL));
    alarm(30);
    flags = UV_PROCESS_SETUID;
    CHECK_OK(spawn("/bin/sh", "exit 3"));
    CHECK_EQ(exit_status, 3);
    flags = 0;
    CHECK_OK(spawn("/bin/sh", "exit 4"));
    CHECK_EQ(exit_status, 4);
}
