#include "spawn.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void make_file(const char* name, const char* text, mode_t mode) {
    FILE* file = fopen(name, "w");
    fputs(text, file);
    fclose(file);
    CHECK_OK(chmod(name, mode));
}

static void check_file_fails(const char* file, int error) {
    struct child c;
    int before = test_open_fds();
    loop_open();
    child_shell(&c, "");
    c.options.file = file;
    check_spawn_fails(&c, error);
    loop_finish();
    CHECK_EQ(test_open_fds(), before);
}

TEST(spawn_missing_program_gets_enoent) {
    check_file_fails("/no/such/program", UV_ENOENT);
}

/* Where a tool copies the memory that a child was to share with its parent. */
TEST(spawn_missing_program_is_an_error_under_valgrind_too) {
    struct child c;
    char self[4096] = "";
#if defined(__SANITIZE_ADDRESS__) || THREAD_SANITIZER
    test_skip("valgrind does not go with sanitizers");
#endif
    if (system("valgrind --version >valgrind 2>&1") != 0)
        test_skip("there is no valgrind");
    CHECK_GT(readlink("/proc/self/exe", self, sizeof(self) - 1), 0);
    child_shell(&c, "exec valgrind -q --error-exitcode=9 \"$1\" spawn_missing_program_gets_enoent");
    c.args[3] = (char*)"sh";
    c.args[4] = self;
    loop_open();
    CHECK_OK(child_spawn(&c));
    loop_finish();
    CHECK_EQ(c.status, 0);
}

TEST(spawn_program_that_is_not_in_path_gets_enoent) {
    setenv("PATH", "/bin:/usr/bin", 1);
    check_file_fails("no-such-program-anywhere", UV_ENOENT);
}

TEST(spawn_empty_program_name_is_a_folder_of_the_path) {
    setenv("PATH", "/bin", 1);
    check_file_fails("", UV_EACCES);
}

TEST(spawn_file_that_may_not_be_executed_gets_eacces) {
    make_file("data", "text", 0644);
    check_file_fails("./data", UV_EACCES);
}

TEST(spawn_folder_gets_eacces) {
    check_file_fails("/", UV_EACCES);
}

TEST(spawn_path_through_a_file_gets_enotdir) {
    make_file("data", "text", 0644);
    check_file_fails("./data/program", UV_ENOTDIR);
}

TEST(spawn_file_without_a_format_gets_enoexec) {
    make_file("script", "echo not reached\n", 0755);
    check_file_fails("./script", UV_ENOEXEC);
    make_file("empty", "", 0755);
    check_file_fails("./empty", UV_ENOEXEC);
}

TEST(spawn_search_ends_at_a_file_without_a_format) {
    CHECK_OK(mkdir("one", 0755));
    CHECK_OK(mkdir("two", 0755));
    make_file("one/tool", "echo one\n", 0755);
    make_file("two/tool", "#!/bin/sh\necho two\n", 0755);
    setenv("PATH", "one:two", 1);
    check_file_fails("tool", UV_ENOEXEC);
}

TEST(spawn_with_a_user_gives_a_file_without_a_format_to_the_shell) {
    struct child c;
    make_file("script", "echo \"$1 by $0\"\n", 0755);
    child_shell(&c, "");
    c.options.file = "./script";
    c.options.flags = UV_PROCESS_SETUID;
    c.options.uid = getuid();
    CHECK_STR(child_output(&c), "-c by ./script\n");
}

TEST(spawn_script_without_an_interpreter_gets_enoent) {
    make_file("script", "#!/no/such/interpreter\n", 0755);
    check_file_fails("./script", UV_ENOENT);
}

TEST(spawn_too_long_program_name_gets_enametoolong) {
    char name[400];
    memset(name, 'x', sizeof(name));
    name[sizeof(name) - 1] = '\0';
    check_file_fails(name, UV_ENAMETOOLONG);
}

TEST(spawn_path_finds_what_it_may_execute_behind_what_it_may_not) {
    struct child c;
    CHECK_OK(mkdir("one", 0755));
    CHECK_OK(mkdir("two", 0755));
    make_file("one/tool", "echo one\n", 0644);
    make_file("two/tool", "#!/bin/sh\necho two\n", 0755);
    setenv("PATH", "missing:one:two", 1);
    child_shell(&c, "");
    c.options.file = "tool";
    CHECK_STR(child_output(&c), "two\n");
}

TEST(spawn_path_that_finds_only_what_it_may_not_execute_gets_eacces) {
    CHECK_OK(mkdir("one", 0755));
    make_file("one/tool", "echo one\n", 0644);
    setenv("PATH", "one:missing", 1);
    check_file_fails("tool", UV_EACCES);
}

TEST(spawn_bad_folder_gets_its_error) {
    struct child c;
    loop_open();
    child_shell(&c, "");
    c.options.cwd = "/no/such/folder";
    check_spawn_fails(&c, UV_ENOENT);
    make_file("data", "text", 0644);
    c.options.cwd = "data";
    check_spawn_fails(&c, UV_ENOTDIR);
    loop_finish();
}

TEST(spawn_descriptor_that_is_not_open_gets_ebadf) {
    struct child c;
    loop_open();
    child_shell(&c, "");
    child_fd(&c, 3, 9999);
    check_spawn_fails(&c, UV_EBADF);
    child_fd(&c, 3, -1);
    check_spawn_fails(&c, UV_EINVAL);
    loop_finish();
}

TEST(spawn_missing_or_unknown_options_get_einval) {
    struct child c;
    loop_open();
    child_shell(&c, "");
    c.options.file = NULL;
    check_spawn_fails(&c, UV_EINVAL);
    child_shell(&c, "");
    c.options.flags = 1u << 30;
    check_spawn_fails(&c, UV_EINVAL);
    child_shell(&c, "");
    c.options.stdio_count = -1;
    check_spawn_fails(&c, UV_EINVAL);
    child_shell(&c, "");
    c.options.stdio = NULL;
    check_spawn_fails(&c, UV_EINVAL);
    child_shell(&c, "");
    c.stdio[0].flags = UV_CREATE_PIPE | UV_INHERIT_FD;
    check_spawn_fails(&c, UV_EINVAL);
    loop_finish();
}

TEST(spawn_streams_that_cannot_be_used_get_einval) {
    struct child c;
    uv_tcp_t tcp;
    loop_open();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    child_shell(&c, "");
    c.stdio[0].data.stream = (uv_stream_t*)&tcp;
    c.stdio[0].flags = UV_CREATE_PIPE;
    check_spawn_fails(&c, UV_EINVAL);
    c.stdio[0].flags = UV_INHERIT_STREAM;
    check_spawn_fails(&c, UV_EINVAL);
    uv_close((uv_handle_t*)&tcp, NULL);
    loop_finish();
}

TEST(spawn_pipe_that_is_open_already_gets_ebusy_and_keeps_the_others_closed) {
    struct child c;
    uv_pipe_t pipes[2];
    uv_os_fd_t fd;
    int before = test_open_fds();
    loop_open();
    for (int i = 0; i < 2; i++)
        CHECK_OK(uv_pipe_init(&loop, &pipes[i], 0));
    child_shell(&c, "");
    for (int i = 0; i < 2; i++) {
        c.stdio[i].flags = UV_CREATE_PIPE;
        c.stdio[i].data.stream = (uv_stream_t*)&pipes[0];
    }
    check_spawn_fails(&c, UV_EBUSY);
    CHECK_EQ(uv_fileno((uv_handle_t*)&pipes[0], &fd), UV_EBADF);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t*)&pipes[i], NULL);
    loop_finish();
    CHECK_EQ(test_open_fds(), before);
}

static char byte;
static int ended;

static void give_byte(uv_handle_t* handle, size_t size, uv_buf_t* buf) {
    (void)handle, (void)size;
    *buf = uv_buf_init(&byte, 1);
}

static void expect_end(uv_stream_t* stream, ssize_t n, const uv_buf_t* buf) {
    (void)buf;
    CHECK_EQ(n, UV_EOF);
    ended++;
    uv_close((uv_handle_t*)stream, NULL);
}

TEST(spawn_that_cannot_execute_gives_its_pipes_an_end) {
    struct child c;
    uv_pipe_t out;
    loop_open();
    CHECK_OK(uv_pipe_init(&loop, &out, 0));
    child_shell(&c, "");
    c.options.file = "/no/such/program";
    c.stdio[1].flags = UV_CREATE_PIPE | UV_WRITABLE_PIPE;
    c.stdio[1].data.stream = (uv_stream_t*)&out;
    check_spawn_fails(&c, UV_ENOENT);
    CHECK_OK(uv_read_start((uv_stream_t*)&out, give_byte, expect_end));
    loop_finish();
    CHECK_EQ(ended, 1);
}

/* Room for three more descriptors: not for two pairs. */
TEST(spawn_without_descriptors_for_pipes_gets_emfile_and_leaks_none) {
    struct child c;
    uv_pipe_t pipes[3];
    struct rlimit limit;
    uv_os_fd_t fd;
    loop_open();
    int before = test_open_fds();
    int lowest = dup(0);
    close(lowest);
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
    struct rlimit low = {(rlim_t)lowest + 3, limit.rlim_max};
    child_shell(&c, "");
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_pipe_init(&loop, &pipes[i], 0));
        c.stdio[i].flags = UV_CREATE_PIPE;
        c.stdio[i].data.stream = (uv_stream_t*)&pipes[i];
    }
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &low));
    check_spawn_fails(&c, UV_EMFILE);
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &limit));
    CHECK_EQ(test_open_fds(), before);
    for (int i = 0; i < 3; i++) {
        CHECK_EQ(uv_fileno((uv_handle_t*)&pipes[i], &fd), UV_EBADF);
        uv_close((uv_handle_t*)&pipes[i], NULL);
    }
    loop_finish();
}
