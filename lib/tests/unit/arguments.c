/* Arguments that libuv does not check, but we do: a clear error, and nothing changed. */

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "base/alloc.h"
#include "base/error.h"
#include "harness.h"
#include "os/fd.h"

static uv_loop_t loop;

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void on_fs(uv_fs_t* req) {
    (void)req;
}

/* Every file request, with a callback but without a loop, and without a request. */
#define EVERY_FILE_REQUEST(DO)      \
    DO(access, "file", 0)           \
    DO(chmod, "file", 0600)         \
    DO(fchmod, 0, 0600)             \
    DO(chown, "file", 0, 0)         \
    DO(fchown, 0, 0, 0)             \
    DO(lchown, "file", 0, 0)        \
    DO(open, "file", O_RDONLY, 0)   \
    DO(close, 0)                    \
    DO(read, 0, &buf, 1, 0)         \
    DO(write, 0, &buf, 1, 0)        \
    DO(sendfile, 0, 0, 0, 1)        \
    DO(fsync, 0)                    \
    DO(fdatasync, 0)                \
    DO(ftruncate, 0, 0)             \
    DO(stat, "file")                \
    DO(lstat, "file")               \
    DO(fstat, 0)                    \
    DO(statfs, "file")              \
    DO(utime, "file", 0, 0)         \
    DO(futime, 0, 0, 0)             \
    DO(lutime, "file", 0, 0)        \
    DO(link, "file", "other")       \
    DO(symlink, "file", "other", 0) \
    DO(rename, "file", "other")     \
    DO(unlink, "file")              \
    DO(mkdir, "folder", 0700)       \
    DO(rmdir, "folder")             \
    DO(mkdtemp, "XXXXXX")           \
    DO(mkstemp, "XXXXXX")           \
    DO(readlink, "file")            \
    DO(realpath, "file")            \
    DO(scandir, "file", 0)          \
    DO(opendir, "file")             \
    DO(readdir, &dir)               \
    DO(closedir, &dir)              \
    DO(copyfile, "file", "other", 0)

TEST(file_requests_without_a_loop_for_their_callback_are_refused) {
    static uv_fs_t req;
    uv_dir_t dir = {0};
    char byte;
    uv_buf_t buf = uv_buf_init(&byte, 1);
#define REFUSED(name, ...) CHECK_EQ(uv_fs_##name(NULL, &req, __VA_ARGS__, on_fs), UV_EINVAL);
    EVERY_FILE_REQUEST(REFUSED)
#undef REFUSED
#define REFUSED(name, ...) CHECK_EQ(uv_fs_##name(NULL, NULL, __VA_ARGS__, NULL), UV_EINVAL);
    EVERY_FILE_REQUEST(REFUSED)
#undef REFUSED
    CHECK_EQ(access("folder", F_OK), -1);
}

TEST(directories_that_are_not_open_are_not_read) {
    uv_dirent_t entries[1];
    uv_dir_t closed = {.dirents = entries, .nentries = 1};
    uv_fs_t req;
    CHECK_EQ(uv_fs_readdir(NULL, &req, NULL, NULL), UV_EINVAL);
    CHECK_EQ(uv_fs_readdir(NULL, &req, &closed, NULL), UV_EINVAL);
    CHECK_EQ(uv_fs_closedir(NULL, &req, NULL, NULL), UV_EINVAL);
    uv_fs_req_cleanup(NULL);
}

static void on_poll_change(uv_fs_poll_t* handle, int status, const uv_stat_t* prev,
                           const uv_stat_t* curr) {
    (void)handle, (void)status, (void)prev, (void)curr;
}

static void on_event(uv_fs_event_t* handle, const char* name, int events, int status) {
    (void)handle, (void)name, (void)events, (void)status;
}

TEST(watchers_of_files_need_a_callback_a_path_and_room_for_it) {
    uv_fs_poll_t poll;
    uv_fs_event_t event;
    char path[16];
    size_t size = sizeof(path);
    open_loop();
    CHECK_OK(uv_fs_poll_init(&loop, &poll));
    CHECK_OK(uv_fs_event_init(&loop, &event));
    CHECK_EQ(uv_fs_poll_start(&poll, NULL, ".", 1000), UV_EINVAL);
    CHECK_EQ(uv_fs_poll_start(&poll, on_poll_change, NULL, 1000), UV_EINVAL);
    CHECK_EQ(uv_fs_event_start(&event, NULL, ".", 0), UV_EINVAL);
    CHECK_EQ(uv_fs_event_start(&event, on_event, NULL, 0), UV_EINVAL);
    CHECK_EQ(uv_fs_poll_getpath(&poll, path, &size), UV_EINVAL);
    CHECK_EQ(uv_fs_event_getpath(&event, path, &size), UV_EINVAL);
    CHECK_OK(uv_fs_poll_start(&poll, on_poll_change, ".", 1000));
    CHECK_OK(uv_fs_event_start(&event, on_event, ".", 0));
    CHECK_EQ(uv_fs_poll_getpath(&poll, NULL, &size), UV_EINVAL);
    CHECK_EQ(uv_fs_poll_getpath(&poll, path, NULL), UV_EINVAL);
    CHECK_EQ(uv_fs_event_getpath(&event, NULL, &size), UV_EINVAL);
    CHECK_EQ(uv_fs_event_getpath(&event, path, NULL), UV_EINVAL);
    uv_close((uv_handle_t*)&poll, NULL);
    uv_close((uv_handle_t*)&event, NULL);
    CHECK_EQ(uv_fs_poll_start(&poll, on_poll_change, ".", 1000), UV_EINVAL);
    CHECK_EQ(uv_fs_event_start(&event, on_event, ".", 0), UV_EINVAL);
    close_loop();
}

TEST(threads_need_places_for_their_answers) {
    uv_thread_t self = uv_thread_self();
    char mask[CPU_SETSIZE], name[16];
    CHECK_EQ(uv_thread_getaffinity(NULL, mask, sizeof(mask)), UV_EINVAL);
    CHECK_EQ(uv_thread_getaffinity(&self, NULL, sizeof(mask)), UV_EINVAL);
    CHECK_EQ(uv_thread_setaffinity(NULL, mask, NULL, sizeof(mask)), UV_EINVAL);
    CHECK_EQ(uv_thread_setaffinity(&self, NULL, NULL, sizeof(mask)), UV_EINVAL);
    CHECK_EQ(uv_thread_getname(NULL, name, sizeof(name)), UV_EINVAL);
    CHECK_EQ(uv_thread_getname(&self, NULL, sizeof(name)), UV_EINVAL);
}

static void on_random(uv_random_t* req, int status, void* buf, size_t length) {
    (void)req, (void)status, (void)buf, (void)length;
}

TEST(system_functions_need_places_for_their_answers) {
    uint16_t wide[2] = {'a', 0};
    char byte[8], *target = byte;
    uv_random_t random;
    CHECK_EQ(uv_uptime(NULL), UV_EINVAL);
    CHECK_EQ(uv_resident_set_memory(NULL), UV_EINVAL);
    CHECK_EQ(uv_gettimeofday(NULL), UV_EINVAL);
    CHECK_EQ(uv_set_process_title(NULL), UV_EINVAL);
    CHECK(uv_setup_args(1, NULL) == NULL);
    CHECK_EQ(uv_utf16_to_wtf8(NULL, 1, &target, NULL), UV_EINVAL);
    CHECK_EQ(uv_utf16_to_wtf8(wide, 1, &target, NULL), UV_EINVAL);
    wide[0] = 'x';
    uv_wtf8_to_utf16("b", wide, 0);
    CHECK_EQ(wide[0], 'x');
    CHECK_EQ(uv_random(NULL, &random, byte, 1, 0, on_random), UV_EINVAL);
    open_loop();
    CHECK_EQ(uv_random(&loop, NULL, byte, 1, 0, on_random), UV_EINVAL);
    close_loop();
}

TEST(utf16_into_too_few_units_ends_early_with_a_nul) {
    uint16_t wide[8];
    for (size_t room = 1; room <= 4; room++) {
        memset(wide, 0xff, sizeof(wide));
        uv_wtf8_to_utf16("ab\xf0\x9f\x98\x80", wide, room);
        CHECK_EQ(wide[room < 3 ? room - 1 : 2], 0);
        CHECK_EQ(wide[room < 3 ? room : 3], 0xffff);
    }
    uv_wtf8_to_utf16("ab\xf0\x9f\x98\x80", wide, 5);
    CHECK_EQ(wide[2], 0xD83D);
    CHECK_EQ(wide[3], 0xDE00);
    CHECK_EQ(wide[4], 0);
}

TEST(text_ends_at_its_nul_whatever_room_there_is) {
    uint16_t units[8];
    memset(units, 0x55, sizeof(units));
    uv_wtf8_to_utf16("ab\0cdef", units, 8);
    CHECK_EQ(units[1], 'b');
    CHECK_EQ(units[2], 0);
    CHECK_EQ(units[3], 0x5555);
}

TEST(names_of_errors_are_those_of_the_list) {
    char text[100];
#define XX(name, message)                                           \
    CHECK_STR(uv_err_name(UV_##name), #name);                       \
    CHECK_STR(uv_err_name_r(UV_##name, text, sizeof(text)), #name); \
    CHECK_STR(uv_strerror(UV_##name), message);                     \
    CHECK_STR(uv_strerror_r(UV_##name, text, sizeof(text)), message);
    UV_ERRNO_MAP(XX)
#undef XX
}

TEST(cancel_of_something_that_is_no_request_is_refused) {
    uv_write_t write = {.type = UV_UNKNOWN_REQ};
    CHECK_EQ(uv_cancel((uv_req_t*)&write), UV_EINVAL);
}

static void close_what_is_no_handle(void) {
    uv_handle_t handle = {.type = UV_HANDLE_TYPE_MAX};
    uv_close(&handle, NULL);
}

static void close_a_file(void) {
    uv_handle_t handle = {.type = UV_FILE};
    uv_close(&handle, NULL);
}

static void say_something_fatal(void) {
    void (*volatile fatal)(const char* format, ...) = ph_fatal; /* which is known not to return */
    fatal("%s %d", "nothing but", 7);
    _exit(0);
}

TEST(what_is_fatal_is_said_and_ends_the_process) {
    test_child_dies(say_something_fatal, SIGABRT, "phasor: nothing but 7");
}

TEST(close_of_something_that_is_no_handle_ends_the_process) {
    test_child_dies(close_what_is_no_handle, SIGABRT, "is not a handle");
    test_child_dies(close_a_file, SIGABRT, "is not a handle");
}

TEST(ring_for_the_loop_is_a_hint_that_is_taken) {
    open_loop();
    CHECK_OK(uv_loop_configure(&loop, UV_LOOP_USE_IO_URING_SQPOLL));
    CHECK_EQ(uv_loop_configure(&loop, (uv_loop_option)99), UV_ENOSYS);
    close_loop();
}

static bool out_of_memory;

static void* my_malloc(size_t size) {
    return out_of_memory ? NULL : malloc(size);
}

static void* my_calloc(size_t count, size_t size) {
    return out_of_memory ? NULL : calloc(count, size);
}

static void* my_realloc(void* ptr, size_t size) {
    return out_of_memory ? NULL : realloc(ptr, size);
}

TEST(closing_a_descriptor_and_freeing_memory_keep_errno) {
    errno = ENOTTY;
    ph_fd_close(-1);
    ph_free(NULL);
    CHECK_EQ(errno, ENOTTY);
}

TEST(allocations_of_no_bytes_give_nothing) {
    CHECK(ph_malloc(0) == NULL);
    char* one = ph_malloc(1);
    CHECK(one != NULL);
    ph_free(one);
}

/* What is beyond all file systems but fits into their calls' seconds is theirs to cut. */
TEST(times_that_no_call_takes_are_refused) {
    static const double impossible[] = {1e19, -1e19, 1.7e308, -1.7e308};
    uv_fs_t req;
    close(open("file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    for (int i = 0; i < 4; i++) {
        CHECK_EQ(uv_fs_utime(NULL, &req, "file", impossible[i], 0, NULL), UV_EINVAL);
        CHECK_EQ(uv_fs_utime(NULL, &req, "file", 0, impossible[i], NULL), UV_EINVAL);
    }
    CHECK_OK(uv_fs_utime(NULL, &req, "file", 9e18, -9e18, NULL));
}

TEST(unknown_errors_have_a_text_without_memory_too) {
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, free));
    out_of_memory = true;
    CHECK_STR(uv_err_name(-123456), "Unknown system error");
    CHECK_STR(uv_strerror(-123456), "Unknown system error");
    out_of_memory = false;
    CHECK_STR(uv_strerror(-123456), "Unknown system error -123456");
}

TEST(environment_that_is_not_there_is_empty) {
    uv_env_item_t* items;
    int count = -1;
    char** saved = environ;
    environ = NULL;
    CHECK_OK(uv_os_environ(&items, &count));
    environ = saved;
    CHECK_EQ(count, 0);
}

TEST(working_folder_that_is_too_long_needs_memory) {
    char name[201], path[PATH_MAX];
    size_t size = sizeof(path);
    memset(name, 'n', sizeof(name) - 1);
    name[sizeof(name) - 1] = '\0';
    for (int i = 0; i < 25; i++)
        CHECK(mkdir(name, 0700) == 0 && chdir(name) == 0);
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, free));
    out_of_memory = true;
    CHECK_EQ(uv_cwd(path, &size), UV_ENOMEM);
    out_of_memory = false;
    CHECK_EQ(uv_cwd(path, &size), UV_ENOBUFS);
    CHECK_GT(size, 5000);
}

TEST(high_surrogate_before_something_else_stays_alone) {
    const uint16_t wide[] = {0xD800, 0xE000, 0xD800, 0xDBFF, 0};
    char* target = NULL;
    CHECK_OK(uv_utf16_to_wtf8(wide, 4, &target, NULL));
    CHECK_STR(target, "\xED\xA0\x80\xEE\x80\x80\xED\xA0\x80\xED\xAF\xBF");
    free(target);
}

TEST(addresses_need_a_text_and_room) {
    struct sockaddr_in6 six;
    struct in_addr four = {0};
    char text[8];
    CHECK_EQ(uv_ip6_addr(NULL, 0, &six), UV_EINVAL);
    CHECK_EQ(uv_inet_ntop(AF_INET, &four, NULL, 100), UV_ENOSPC);
    CHECK_EQ(uv_inet_ntop(AF_INET, &four, text, 7), UV_ENOSPC);
    CHECK_OK(uv_inet_ntop(AF_INET, &four, text, 8));
    CHECK_STR(text, "0.0.0.0");
}

TEST(reference_to_a_handle_that_does_nothing_counts_when_it_starts) {
    uv_timer_t timer;
    open_loop();
    CHECK_OK(uv_timer_init(&loop, &timer));
    uv_unref((uv_handle_t*)&timer);
    uv_ref((uv_handle_t*)&timer);
    uv_ref((uv_handle_t*)&timer);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    uv_close((uv_handle_t*)&timer, NULL);
    close_loop();
}

TEST(tcp_needs_a_tcp_handle_and_an_address_of_its_kind) {
    uv_udp_t udp;
    uv_tcp_t* other = (uv_tcp_t*)&udp;
    uv_connect_t req;
    struct sockaddr_in there = {.sin_family = AF_INET};
    struct sockaddr unix_address = {.sa_family = AF_UNIX};
    uv_tcp_t tcp;
    open_loop();
    CHECK_OK(uv_udp_init(&loop, &udp));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_tcp_bind(other, (struct sockaddr*)&there, 0), UV_EINVAL);
    CHECK_EQ(uv_tcp_connect(&req, other, (struct sockaddr*)&there, NULL), UV_EINVAL);
    CHECK_EQ(uv_tcp_bind(&tcp, &unix_address, 0), UV_EINVAL);
    CHECK_EQ(uv_tcp_connect(&req, &tcp, &unix_address, NULL), UV_EINVAL);
    uv_close((uv_handle_t*)&udp, NULL);
    uv_close((uv_handle_t*)&tcp, NULL);
    CHECK_EQ(uv_tcp_bind(&tcp, (struct sockaddr*)&there, 0), UV_EINVAL);
    CHECK_EQ(uv_tcp_connect(&req, &tcp, (struct sockaddr*)&there, NULL), UV_EINVAL);
    close_loop();
}

TEST(sockets_without_memory_to_watch_them_are_closed) {
    uv_tcp_t tcp;
    uv_udp_t udp;
    uv_pipe_t pipe_handle;
    uv_connect_t req;
    CHECK_OK(uv_replace_allocator(my_malloc, my_realloc, my_calloc, free));
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    int before = test_open_fds();
    out_of_memory = true;
    CHECK_EQ(uv_tcp_init_ex(&loop, &tcp, AF_INET), UV_ENOMEM);
    CHECK_EQ(uv_udp_init_ex(&loop, &udp, AF_INET), UV_ENOMEM);
    uv_pipe_connect(&req, &pipe_handle, "socket", NULL);
    out_of_memory = false;
    CHECK_EQ(test_open_fds(), before);
    uv_close((uv_handle_t*)&pipe_handle, NULL);
    close_loop();
}

/* Errors are told by what functions return, not by what errno happens to be. */
TEST(errno_from_before_is_no_error) {
    uv_utsname_t name;
    uv_rusage_t usage;
    char text[PATH_MAX];
    size_t size = sizeof(text);
    int priority;
    errno = EIO;
    CHECK_OK(uv_os_setenv("PHASOR_SOME_VARIABLE", "x"));
    errno = EIO;
    CHECK_OK(uv_os_unsetenv("PHASOR_SOME_VARIABLE"));
    errno = EIO;
    CHECK_OK(uv_os_uname(&name));
    errno = EIO;
    CHECK_OK(uv_getrusage(&usage));
    errno = EIO;
    CHECK_OK(uv_chdir("."));
    errno = EIO;
    CHECK_OK(uv_cwd(text, &size));
    errno = EIO;
    CHECK_OK(uv_os_getpriority(0, &priority));
    errno = EIO;
    CHECK_OK(uv_os_setpriority(0, priority));
}
