/* What fills the caller's memory writes what it says, and no byte more. */

#include "behaviour/stream/streams.h"

enum { ROOM = 4096, MARK = 0x7e };

static char buffer[ROOM];
static uv_fs_event_t event;
static uv_fs_poll_t poll;
static uv_pipe_t server;

static void mark(void) {
    memset(buffer, MARK, sizeof(buffer));
}

static void check_rest(size_t from) {
    for (size_t i = from; i < sizeof(buffer); i++)
        CHECK_EQ(buffer[i], MARK);
}

/* The text with its end, into each buffer that is large enough; nothing into one that is not. */
static void check_text(int (*get)(char* to, size_t* size)) {
    size_t size = sizeof(buffer);
    mark();
    CHECK_OK(get(buffer, &size));
    CHECK_GT(size, 0);
    CHECK_EQ(strlen(buffer), size);
    check_rest(size + 1);
    size_t length = size;
    size = length + 1;
    mark();
    CHECK_OK(get(buffer, &size));
    CHECK_EQ(size, length);
    check_rest(length + 1);
    size = length;
    mark();
    CHECK_EQ(get(buffer, &size), UV_ENOBUFS);
    CHECK_EQ(size, length + 1);
    check_rest(0);
    size = 1;
    CHECK_EQ(get(buffer, &size), length == 0 ? 0 : UV_ENOBUFS);
    check_rest(0);
}

static int get_variable(char* to, size_t* size) {
    return uv_os_getenv("FOR_THIS_TEST", to, size);
}

static int get_loopback(char* to, size_t* size) {
    return uv_if_indextoname(1, to, size);
}

static int get_interface(char* to, size_t* size) {
    return uv_if_indextoiid(1, to, size);
}

TEST(text_of_the_system_is_written_and_no_byte_more) {
    CHECK_OK(setenv("HOME", "/a/home", 1));
    CHECK_OK(setenv("TMPDIR", "/a/folder", 1));
    CHECK_OK(setenv("FOR_THIS_TEST", "value", 1));
    check_text(uv_cwd);
    check_text(uv_os_homedir);
    check_text(uv_os_tmpdir);
    check_text(uv_os_gethostname);
    check_text(get_variable);
    check_text(get_loopback);
    check_text(get_interface);
    CHECK_OK(unsetenv("HOME"));
    check_text(uv_os_homedir);
}

static int event_path(char* to, size_t* size) {
    return uv_fs_event_getpath(&event, to, size);
}

static int poll_path(char* to, size_t* size) {
    return uv_fs_poll_getpath(&poll, to, size);
}

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
}

static void on_change(uv_fs_poll_t* handle, int status, const uv_stat_t* a, const uv_stat_t* b) {
    (void)handle, (void)status, (void)a, (void)b;
}

TEST(paths_of_watchers_are_written_and_no_byte_more) {
    open_loop();
    CHECK_OK(uv_fs_event_init(&loop, &event));
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", 0));
    CHECK_OK(uv_fs_poll_start(&poll, on_change, "./some/file", 1000));
    check_text(event_path);
    check_text(poll_path);
    close_loop();
}

static int pipe_name(char* to, size_t* size) {
    return uv_pipe_getsockname(&server, to, size);
}

/* These names may hold any byte and have no end of their own, but a path's is written. */
TEST(names_of_pipes_are_written_and_no_byte_more) {
    size_t size = sizeof(buffer);
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_bind(&server, "a.sock"));
    mark();
    CHECK_OK(pipe_name(buffer, &size));
    CHECK_EQ(size, 6);
    CHECK(memcmp(buffer, "a.sock", 6) == 0);
    check_rest(7);
    close_loop();
}

TEST(addresses_are_written_and_no_byte_more) {
    struct sockaddr_in four = localhost(80);
    struct sockaddr_in6 six;
    CHECK_OK(uv_ip6_addr("fe80::1:2", 80, &six));
    mark();
    CHECK_OK(uv_ip4_name(&four, buffer, 10));
    CHECK_STR(buffer, "127.0.0.1");
    check_rest(10);
    CHECK_EQ(uv_ip4_name(&four, buffer, 9), UV_ENOSPC);
    mark();
    CHECK_OK(uv_ip6_name(&six, buffer, 10));
    CHECK_STR(buffer, "fe80::1:2");
    check_rest(10);
    CHECK_EQ(uv_ip6_name(&six, buffer, 9), UV_ENOSPC);
    mark();
    CHECK_OK(uv_ip_name((struct sockaddr*)&six, buffer, 10));
    check_rest(10);
    CHECK_OK(uv_ip_name((struct sockaddr*)&four, buffer, 10));
    CHECK_STR(buffer, "127.0.0.1");
    check_rest(10);
}

TEST(names_of_errors_are_written_and_no_byte_more) {
    mark();
    uv_err_name_r(UV_EOF, buffer, 4);
    CHECK_STR(buffer, "EOF");
    check_rest(4);
    mark();
    uv_err_name_r(UV_EOF, buffer, 3);
    CHECK_STR(buffer, "EO");
    check_rest(3);
    mark();
    uv_strerror_r(UV_EOF, buffer, 5);
    CHECK_STR(buffer, "end ");
    check_rest(5);
    mark();
    uv_strerror_r(-123456, buffer, 100);
    CHECK(strstr(buffer, "123456") != NULL);
    check_rest(strlen(buffer) + 1);
}

static int title_argc;
static char** title_argv;

static __attribute__((constructor)) void keep_arguments(int argc, char** argv) {
    title_argc = argc;
    title_argv = argv;
}

TEST(title_is_written_and_no_byte_more) {
    uv_setup_args(title_argc, title_argv);
    CHECK_OK(uv_set_process_title("short"));
    mark();
    CHECK_OK(uv_get_process_title(buffer, sizeof(buffer)));
    CHECK_STR(buffer, "short");
    check_rest(6);
    mark();
    CHECK_OK(uv_get_process_title(buffer, 6));
    check_rest(6);
    CHECK_EQ(uv_get_process_title(buffer, 5), UV_ENOBUFS);
    check_rest(6);
}

TEST(name_of_a_thread_is_written_and_no_byte_more) {
    uv_thread_t self = uv_thread_self();
    CHECK_OK(uv_thread_setname("worker"));
    mark();
    CHECK_OK(uv_thread_getname(&self, buffer, 16));
    CHECK_STR(buffer, "worker");
    check_rest(16);
    mark();
    CHECK_OK(uv_thread_getname(&self, buffer, 4));
    CHECK_STR(buffer, "wor");
    check_rest(4);
}

TEST(names_of_the_system_are_followed_by_zeros_alone) {
    uv_utsname_t names;
    memset(&names, MARK, sizeof(names));
    CHECK_OK(uv_os_uname(&names));
    const char* texts[] = {names.sysname, names.release, names.version, names.machine};
    for (int i = 0; i < 4; i++)
        for (size_t at = strlen(texts[i]); at < sizeof(names.sysname); at++)
            CHECK_EQ(texts[i][at], 0);
}
