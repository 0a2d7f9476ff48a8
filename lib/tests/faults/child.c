// wrap: syscall
/* The child before its program runs: it calls the kernel by number, and what is refused there is
 * told to the parent. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <uv.h>

#include "faults/account.h"

#ifdef SYS_setuid32
enum { SET_GID = SYS_setgid32, SET_UID = SYS_setuid32 };
#else
enum { SET_GID = SYS_setgid, SET_UID = SYS_setuid };
#endif

long __real_syscall(long number, ...);
long __wrap_syscall(long number, ...);

static long refused_number;
static long refused_command = -1; /* of fcntl */
static int refused_error, refused_times;

/* It runs on the stack of a child, where calls that did not return have left their marks. */
__attribute__((no_sanitize("address"))) long __wrap_syscall(long number, ...) {
    va_list list;
    long a[6];
    va_start(list, number);
    for (int i = 0; i < 6; i++)
        a[i] = va_arg(list, long);
    va_end(list);
    if (number == refused_number && refused_times > 0 &&
        (number != SYS_fcntl || a[1] == refused_command)) {
        refused_times--;
        errno = refused_error;
        return -1;
    }
    return __real_syscall(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}

static uv_loop_t loop;
static uv_process_t process;
static uv_stdio_container_t stdio[40];
static char *args[] = {"true", NULL}, *nothing[] = {NULL};
static uv_process_options_t options = {.file = "true", .args = args, .stdio = stdio};
static int exits;
static int64_t exit_status;

static void on_child_exit(uv_process_t* handle, int64_t status, int signal) {
    (void)handle, (void)signal;
    exits++;
    exit_status = status;
}

static void refuse(long number, int error) {
    refused_number = number;
    refused_error = error;
    refused_times = 1;
}

static void inherit(int number, int fd) {
    stdio[number].flags = UV_INHERIT_FD;
    stdio[number].data.fd = fd;
}

static int spawn(void) {
    exits = 0;
    options.exit_cb = on_child_exit;
    CHECK_OK(uv_loop_init(&loop));
    int err = uv_spawn(&loop, &process, &options);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    uv_close((uv_handle_t*)&process, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    CHECK_EQ(exits, err == 0);
    refused_number = 0;
    return err;
}

/* A user of its own makes the child a fork. */
static void fork_for_children(void) {
    options.flags = UV_PROCESS_SETUID;
    options.uid = getuid();
    if (getuid() != 0)
        test_skip("only root may set the groups");
}

TEST(descriptor_that_can_not_be_given_to_the_child_is_an_error) {
    options.stdio_count = 3;
    for (int i = 0; i < 3; i++)
        inherit(i, i);
    refused_command = F_SETFD;
    refuse(SYS_fcntl, EBADF);
    CHECK_EQ(spawn(), UV_EBADF);
    refused_command = F_GETFL; /* it only makes the descriptor blocking */
    refuse(SYS_fcntl, EBADF);
    CHECK_OK(spawn());
    inherit(1, 0);
    refused_command = F_DUPFD_CLOEXEC;
    refuse(SYS_fcntl, EMFILE);
    CHECK_EQ(spawn(), UV_EMFILE);
    refuse(SYS_dup3, EBADF);
    CHECK_EQ(spawn(), UV_EBADF);
    CHECK_OK(spawn());
}

TEST(standard_error_that_nobody_gives_is_had_whatever_standard_output_is) {
    options.stdio_count = 3;
    stdio[0].flags = UV_IGNORE;
    inherit(1, 1);
    stdio[2].flags = UV_IGNORE;
    CHECK_OK(spawn());
    CHECK_OK(exit_status);
    stdio[1].flags = UV_IGNORE;
    CHECK_OK(spawn());
    CHECK_OK(exit_status);
    refuse(SYS_openat, EACCES);
    CHECK_EQ(spawn(), UV_EACCES);
}

TEST(search_goes_on_after_folders_that_can_not_be_asked) {
    static const int errors[] = {EACCES, ENOENT, ENOTDIR, ESTALE, ENODEV, ETIMEDOUT};
    for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++) {
        CHECK_OK(setenv("PATH", "/nowhere:/usr/bin:/bin", 1));
        refuse(SYS_execve, errors[i]);
        CHECK_OK(spawn());
        CHECK_OK(exit_status);
    }
    refuse(SYS_execve, ENOMEM);
    CHECK_EQ(spawn(), UV_ENOMEM);
}

TEST(search_passes_over_folders_with_names_that_are_too_long) {
    static char path[6000];
    for (size_t length = PATH_MAX; length < 5000; length += 800) {
        memset(path, 'x', length);
        strcpy(path + length, ":/usr/bin:/bin");
        CHECK_OK(setenv("PATH", path, 1));
        CHECK_OK(spawn());
        CHECK_OK(exit_status);
    }
}

static void put_program(const char* name, const char* text) {
    FILE* file = fopen(name, "we");
    CHECK(file != NULL);
    fputs(text, file);
    CHECK_OK(fchmod(fileno(file), 0755));
    fclose(file);
}

TEST(search_finds_folders_with_a_name_of_one_letter) {
    CHECK_OK(mkdir("d", 0755));
    put_program("d/program", "#!/bin/sh\nexit 9\n");
    CHECK_OK(setenv("PATH", "d", 1));
    options.file = "program";
    CHECK_OK(spawn());
    CHECK_EQ(exit_status, 9);
}

TEST(search_without_an_environment_looks_in_the_usual_places) {
    options.env = nothing;
    CHECK_OK(spawn());
    CHECK_OK(exit_status);
    options.env = NULL;
    char** saved = environ;
    environ = NULL;
    CHECK_OK(spawn());
    environ = saved;
    CHECK_OK(exit_status);
}

static void put_script(void) {
    put_program("script", "exit $((40 + $#))\n");
    options.file = "./script";
}

TEST(script_without_a_first_line_is_run_by_the_shell_with_what_arguments_there_are) {
    static char* more[] = {"script", "a", "b", NULL};
    fork_for_children();
    count_blocks();
    put_script();
    options.args = NULL;
    CHECK_OK(spawn());
    CHECK_EQ(exit_status, 40);
    options.args = nothing;
    CHECK_OK(spawn());
    CHECK_EQ(exit_status, 40);
    options.args = more;
    CHECK_OK(spawn());
    CHECK_EQ(exit_status, 42);
}

TEST(child_by_fork_that_can_not_keep_its_report_ends_with_an_error) {
    fork_for_children();
    options.stdio_count = 40; /* the number of the report is among them */
    CHECK_OK(spawn());
    CHECK_OK(exit_status);
    refuse(SET_UID, EPERM);
    CHECK_EQ(spawn(), UV_EPERM);
    options.flags |= UV_PROCESS_SETGID;
    options.gid = getgid();
    refuse(SET_GID, EPERM);
    CHECK_EQ(spawn(), UV_EPERM);
    refuse(SYS_execve, E2BIG);
    CHECK_EQ(spawn(), UV_E2BIG);
}

/* Of what the shell sees: its number, and how it was opened. */
static int run_script(const char* script) {
    static char text[300];
    static char* shell[] = {"sh", "-c", text, NULL};
    snprintf(text, sizeof(text), "%s", script);
    options.file = "/bin/sh";
    options.args = shell;
    CHECK_OK(spawn());
    return (int)exit_status;
}

TEST(standard_input_that_nobody_gives_can_be_read_and_the_others_written_too) {
    options.stdio_count = 3;
    for (int i = 0; i < 3; i++)
        stdio[i].flags = UV_IGNORE;
    CHECK_OK(run_script("for i in 0:0 1:2 2:2; do while read name value; do [ $name != flags: ] ||"
                        " [ $((value & 3)) = ${i#*:} ] || exit 1; done"
                        " </proc/$$/fdinfo/${i%:*}; done"));
}

TEST(source_with_the_first_number_behind_those_of_the_child_is_closed_there) {
    options.stdio_count = 3;
    int fd = open("/dev/null", O_RDWR);
    CHECK_EQ(dup2(fd, 50), 50);
    close(fd);
    CHECK_EQ(dup2(50, 3), 3);
    for (int i = 0; i < 3; i++)
        inherit(i, 3);
    CHECK_OK(run_script("[ ! -e /proc/$$/fd/3 ]"));
    close(3);
    close(50);
}
