#include "streams.h"

#include <sys/un.h>

static uv_pipe_t server, client, accepted;
static uv_connect_t connecting;
static int connections;

static void accept_client(uv_stream_t* stream, int status) {
    CHECK_OK(status);
    CHECK_OK(uv_pipe_init(&loop, &accepted, 0));
    CHECK_OK(uv_accept(stream, STREAM(&accepted)));
    connections++;
}

static void init_both(void) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
}

TEST(pipe_connects_by_path_and_removes_it_on_close) {
    uv_buf_t buf = text_buf("hi");
    char name[100];
    size_t size = sizeof(name);
    init_both();
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_OK(uv_listen(STREAM(&server), 8, accept_client));
    CHECK_OK(access("socket", F_OK));
    uv_pipe_connect(&connecting, &client, "socket", on_connect);
    CHECK_EQ(connects, 0);
    while (connects == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    CHECK_OK(uv_pipe_getpeername(&client, name, &size));
    CHECK_STR(name, "socket");
    CHECK_EQ(size, 6);
    CHECK_EQ(uv_try_write(STREAM(&client), &buf, 1), 2);
    CHECK_OK(uv_read_start(STREAM(&accepted), give_room, on_read));
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(read_text, "hi");
    uv_close(HANDLE(&server), NULL);
    CHECK_EQ(access("socket", F_OK), -1);
    close_loop();
}

TEST(pipe_bind_says_what_is_wrong) {
    init_both();
    CHECK_EQ(uv_listen(STREAM(&server), 1, accept_client), UV_EINVAL);
    CHECK_EQ(uv_pipe_bind(&server, "no/such/folder"), UV_EACCES);
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_EQ(uv_pipe_bind(&server, "other"), UV_EINVAL);
    CHECK_EQ(uv_pipe_bind(&client, "socket"), UV_EADDRINUSE);
    close_loop();
}

TEST(pipe_connect_failure_arrives_in_the_callback) {
    init_both();
    uv_pipe_connect(&connecting, &client, "nobody", on_connect);
    CHECK_EQ(connects, 0);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connect_status, UV_ENOENT);
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    uv_pipe_connect(&connecting, &client, "socket", on_connect);
    CHECK_EQ(connects, 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connects, 2);
    CHECK_EQ(connect_status, UV_ECONNREFUSED);
    CHECK(!uv_is_readable(STREAM(&client)));
    close_loop();
}

TEST(pipe_names_ask_for_room) {
    char name[100] = "untouched";
    size_t size = 3;
    init_both();
    CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_EBADF);
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    size = 6;
    CHECK_EQ(uv_pipe_getsockname(&server, name, &size), UV_ENOBUFS);
    CHECK_EQ(size, 7);
    CHECK_STR(name, "untouched");
    CHECK_OK(uv_pipe_getsockname(&server, name, &size));
    CHECK_EQ(size, 6);
    CHECK_STR(name, "socket");
    size = sizeof(name);
    CHECK_EQ(uv_pipe_getpeername(&server, name, &size), UV_ENOTCONN);
    close_loop();
}

TEST(pipe_without_a_name_has_an_empty_one) {
    char name[10];
    size_t size = sizeof(name);
    open_loop();
    int peer = open_pipe(&client, 0);
    CHECK_OK(uv_pipe_getsockname(&client, name, &size));
    CHECK_EQ(size, 0);
    close(peer);
    close_loop();
}

TEST(pipe_chmod_sets_the_mode_for_everybody) {
    struct stat info;
    uv_pipe_t fresh;
    init_both();
    CHECK_OK(uv_pipe_init(&loop, &fresh, 0));
    CHECK_EQ(uv_pipe_chmod(&fresh, UV_READABLE), UV_EBADF);
    umask(077);
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_EQ(uv_pipe_chmod(&server, 0), UV_EINVAL);
    CHECK_EQ(uv_pipe_chmod(&server, 12345), UV_EINVAL);
    CHECK_OK(uv_pipe_chmod(&server, UV_READABLE));
    CHECK_OK(stat("socket", &info));
    CHECK_EQ(info.st_mode & 07777, 0444);
    CHECK_OK(uv_pipe_chmod(&server, UV_READABLE | UV_WRITABLE));
    CHECK_OK(stat("socket", &info));
    CHECK_EQ(info.st_mode & 07777, 0666);
    CHECK_OK(uv_pipe_chmod(&server, UV_WRITABLE));
    CHECK_OK(stat("socket", &info));
    CHECK_EQ(info.st_mode & 07777, 0222);
    close_loop();
}

TEST(pipe_abstract_names_work_and_have_no_file) {
    char name[100];
    char got[100];
    size_t size = sizeof(got);
    snprintf(name, sizeof(name), "%cphasor-test-%d", 0, getpid());
    size_t length = 1 + strlen(name + 1);
    init_both();
    CHECK_OK(uv_pipe_bind2(&server, name, length, 0));
    CHECK_OK(uv_listen(STREAM(&server), 8, accept_client));
    CHECK_OK(uv_pipe_getsockname(&server, got, &size));
    CHECK_EQ(size, length);
    CHECK_OK(memcmp(got, name, length));
    CHECK_OK(uv_pipe_connect2(&connecting, &client, name, length, 0, on_connect));
    while (connects == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    size = sizeof(got);
    CHECK_OK(uv_pipe_getpeername(&client, got, &size));
    CHECK_EQ(size, length);
    CHECK_OK(memcmp(got, name, length));
    close_loop();
}

TEST(pipe_bind2_and_connect2_check_name_and_flags) {
    init_both();
    CHECK_EQ(uv_pipe_bind2(&server, NULL, 4, 0), UV_EINVAL);
    CHECK_EQ(uv_pipe_bind2(&server, "name", 4, 2), UV_EINVAL);
    CHECK_EQ(uv_pipe_bind2(&server, "na\0me", 5, 0), UV_EINVAL);
    CHECK_EQ(uv_pipe_connect2(&connecting, &client, NULL, 4, 0, on_connect), UV_EINVAL);
    CHECK_EQ(uv_pipe_connect2(&connecting, &client, "", 0, 0, on_connect), UV_EINVAL);
    CHECK_EQ(uv_pipe_connect2(&connecting, &client, "name", 4, 2, on_connect), UV_EINVAL);
    CHECK_EQ(uv_pipe_connect2(&connecting, &client, "na\0me", 5, 0, on_connect), UV_EINVAL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    close_loop();
}

TEST(pipe_abstract_names_fit_exactly_and_have_no_nul_behind_them) {
    char name[32];
    char got[32];
    snprintf(name, sizeof(name), "%cexact-%d", 0, getpid());
    size_t length = 1 + strlen(name + 1);
    size_t size = length - 1;
    init_both();
    CHECK_OK(uv_pipe_bind2(&server, name, length, 0));
    CHECK_EQ(uv_pipe_getsockname(&server, got, &size), UV_ENOBUFS);
    CHECK_EQ(size, length);
    memset(got, '#', sizeof(got));
    CHECK_OK(uv_pipe_getsockname(&server, got, &size));
    CHECK_EQ(size, length);
    CHECK_OK(memcmp(got, name, length));
    CHECK_EQ(got[length], '#');
    close_loop();
}

TEST(pipe_path_may_be_as_long_as_the_kernel_takes) {
    enum { LONGEST = sizeof(((struct sockaddr_un*)0)->sun_path) };
    char name[LONGEST + 1] = {0};
    char got[LONGEST + 1];
    size_t size = LONGEST;
    memset(name, 'n', LONGEST);
    init_both();
    CHECK_OK(uv_pipe_bind2(&server, name, LONGEST, UV_PIPE_NO_TRUNCATE));
    CHECK_OK(access(name, F_OK));
    CHECK_EQ(uv_pipe_getsockname(&server, got, &size), UV_ENOBUFS);
    CHECK_EQ(size, LONGEST + 1);
    CHECK_OK(uv_pipe_getsockname(&server, got, &size));
    CHECK_STR(got, name);
    CHECK_OK(uv_pipe_chmod(&server, UV_READABLE));
    CHECK_OK(uv_listen(STREAM(&server), 8, accept_client));
    CHECK_OK(
        uv_pipe_connect2(&connecting, &client, name, LONGEST, UV_PIPE_NO_TRUNCATE, on_connect));
    while (connects == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    uv_close(HANDLE(&server), NULL);
    CHECK_EQ(access(name, F_OK), -1);
    close_loop();
}

TEST(pipe_bound_to_an_empty_name_gets_an_abstract_one) {
    char got[64];
    size_t size = sizeof(got);
    init_both();
    CHECK_OK(uv_pipe_bind2(&server, "", 0, 0));
    CHECK_OK(uv_pipe_getsockname(&server, got, &size));
    CHECK_GT(size, 1);
    CHECK_EQ(got[0], '\0');
    close_loop();
}

TEST(pipe_overlong_names_are_refused_or_cut) {
    char name[200];
    char got[200];
    size_t size = sizeof(got);
    memset(name, 'n', sizeof(name));
    init_both();
    CHECK_EQ(uv_pipe_bind2(&server, name, sizeof(name), UV_PIPE_NO_TRUNCATE), UV_EINVAL);
    CHECK_EQ(
        uv_pipe_connect2(&connecting, &client, name, sizeof(name), UV_PIPE_NO_TRUNCATE, on_connect),
        UV_EINVAL);
    CHECK_OK(uv_pipe_bind2(&server, name, sizeof(name), 0));
    CHECK_OK(uv_pipe_getsockname(&server, got, &size));
    CHECK_EQ(size, sizeof(((struct sockaddr_un*)0)->sun_path));
    CHECK_OK(uv_listen(STREAM(&server), 8, accept_client));
    CHECK_OK(uv_pipe_connect2(&connecting, &client, name, sizeof(name), 0, on_connect));
    while (connects == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    uv_close(HANDLE(&server), NULL);
    CHECK_EQ(access(got, F_OK), -1);
    close_loop();
}

TEST(pipe_ipc_handle_can_not_listen) {
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &server, 1));
    CHECK_OK(uv_pipe_bind(&server, "socket"));
    CHECK_EQ(uv_listen(STREAM(&server), 1, accept_client), UV_EINVAL);
    close_loop();
}

TEST(pipe_open_takes_the_direction_from_the_descriptor) {
    int fds[2];
    open_loop();
    CHECK_OK(uv_pipe(fds, UV_NONBLOCK_PIPE, 0));
    CHECK(fcntl(fds[0], F_GETFL) & O_NONBLOCK);
    CHECK(!(fcntl(fds[1], F_GETFL) & O_NONBLOCK));
    CHECK(fcntl(fds[0], F_GETFD) & FD_CLOEXEC);
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(uv_pipe_open(&server, fds[0]));
    CHECK_OK(uv_pipe_open(&client, fds[1]));
    CHECK(uv_is_readable(STREAM(&server)));
    CHECK(!uv_is_writable(STREAM(&server)));
    CHECK(!uv_is_readable(STREAM(&client)));
    CHECK(uv_is_writable(STREAM(&client)));
    CHECK(fcntl(fds[1], F_GETFL) & O_NONBLOCK);
    CHECK_EQ(uv_pipe_open(&server, -1), UV_EBADF);
    close_loop();
}

TEST(pipe_bytes_go_through_a_plain_pipe) {
    int fds[2];
    static char big[300000];
    uv_buf_t buf = uv_buf_init(big, sizeof(big));
    uv_write_t req;
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &server, 0));
    CHECK_OK(uv_pipe_init(&loop, &client, 0));
    CHECK_OK(uv_pipe_open(&server, fds[0]));
    CHECK_OK(uv_pipe_open(&client, fds[1]));
    CHECK_OK(uv_write(&req, STREAM(&client), &buf, 1, on_write));
    CHECK_OK(uv_read_start(STREAM(&server), give_room, on_read));
    size_t total = 0;
    while (total < sizeof(big)) {
        read_bytes = 0;
        uv_run(&loop, UV_RUN_ONCE);
        total += read_bytes;
    }
    run_some(2);
    CHECK_EQ(writes, 1);
    CHECK_OK(write_status);
    close_loop();
}

TEST(guess_handle_knows_the_kinds) {
    int fds[2];
    CHECK_EQ(uv_guess_handle(-1), UV_UNKNOWN_HANDLE);
    CHECK_EQ(uv_guess_handle(12345), UV_UNKNOWN_HANDLE);
    int fd = open("/dev/null", O_RDONLY);
    CHECK_EQ(uv_guess_handle(fd), UV_FILE);
    close(fd);
    fd = open("file", O_CREAT | O_RDWR, 0600);
    CHECK_EQ(uv_guess_handle(fd), UV_FILE);
    close(fd);
    fd = socket(AF_INET, SOCK_STREAM, 0);
    CHECK_EQ(uv_guess_handle(fd), UV_TCP);
    close(fd);
    fd = socket(AF_INET6, SOCK_DGRAM, 0);
    CHECK_EQ(uv_guess_handle(fd), UV_UDP);
    close(fd);
    CHECK_OK(pipe(fds));
    CHECK_EQ(uv_guess_handle(fds[0]), UV_NAMED_PIPE);
    close(fds[0]);
    close(fds[1]);
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
    CHECK_EQ(uv_guess_handle(fds[0]), UV_NAMED_PIPE);
    close(fds[0]);
    close(fds[1]);
    CHECK_OK(socketpair(AF_UNIX, SOCK_DGRAM, 0, fds));
    CHECK_EQ(uv_guess_handle(fds[0]), UV_UNKNOWN_HANDLE);
    close(fds[0]);
    close(fds[1]);
}
