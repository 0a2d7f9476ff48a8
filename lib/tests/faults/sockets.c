// wrap: socket setsockopt getsockopt bind listen connect getsockname fcntl pipe2 socketpair chmod
/* TCP and pipes whose sockets the kernel refuses to make, to set up or to connect. */

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uv.h>

#include "refuse.h"

REPLACE(int, socket, (int domain, int type, int protocol), domain, type, protocol)
REPLACE(int, setsockopt, (int fd, int level, int name, const void* value, socklen_t size), fd,
        level, name, value, size)
REPLACE(int, getsockopt, (int fd, int level, int name, void* value, socklen_t* size), fd, level,
        name, value, size)
REPLACE(int, bind, (int fd, const struct sockaddr* address, socklen_t size), fd, address, size)
REPLACE(int, listen, (int fd, int backlog), fd, backlog)
REPLACE(int, getsockname, (int fd, struct sockaddr* address, socklen_t* size), fd, address, size)
REPLACE_FCNTL()
REPLACE(int, pipe2, (int* fds, int flags), fds, flags)
REPLACE(int, socketpair, (int domain, int type, int protocol, int* fds), domain, type, protocol,
        fds)
REPLACE(int, chmod, (const char* path, mode_t mode), path, mode)

static const int* connect_errors; /* of the next calls, up to a 0 */
int __real_connect(int fd, const struct sockaddr* address, socklen_t size);
int __wrap_connect(int fd, const struct sockaddr* address, socklen_t size);

int __wrap_connect(int fd, const struct sockaddr* address, socklen_t size) {
    if (is_refused("connect"))
        return -1;
    if (connect_errors == NULL || *connect_errors == 0)
        return __real_connect(fd, address, size);
    errno = *connect_errors++;
    return -1;
}

static uv_loop_t loop;
static uv_tcp_t tcp;
static uv_pipe_t pipe_handle;
static struct sockaddr_in address4;
static struct sockaddr_in6 address6;
static int status_seen, calls;

static void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address4));
    CHECK_OK(uv_ip6_addr("::1", 0, &address6));
}

static void close_handle(void* handle) {
    allow_all();
    uv_close(handle, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
}

static void close_loop(void) {
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static int init_tcp(void) {
    int err = uv_tcp_init_ex(&loop, &tcp, AF_INET);
    if (err == 0)
        close_handle(&tcp);
    return err;
}

static int bind_tcp(const void* address, unsigned flags) {
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    int err = uv_tcp_bind(&tcp, address, flags);
    close_handle(&tcp);
    return err;
}

static int bind4(void) {
    return bind_tcp(&address4, 0);
}

static int bind_shared_port(void) {
    return bind_tcp(&address4, UV_TCP_REUSEPORT);
}

static int bind6(void) {
    return bind_tcp(&address6, 0);
}

static void on_connection(uv_stream_t* stream, int status) {
    (void)stream;
    status_seen = status;
    calls++;
}

static int listen_tcp(void) {
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address4, 0));
    int err = uv_listen((uv_stream_t*)&tcp, 1, on_connection);
    CHECK_EQ(uv_is_active((uv_handle_t*)&tcp), err == 0);
    allow_all();
    CHECK_OK(uv_listen((uv_stream_t*)&tcp, 1, on_connection));
    close_handle(&tcp);
    return err;
}

static int listen_again(void) {
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_listen((uv_stream_t*)&tcp, 1, on_connection));
    int err = uv_listen((uv_stream_t*)&tcp, 1, on_connection);
    CHECK(uv_is_active((uv_handle_t*)&tcp));
    close_handle(&tcp);
    return err;
}

static int ask_name(void) {
    struct sockaddr_storage name;
    int size = sizeof(name);
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    int err = uv_tcp_getsockname(&tcp, (struct sockaddr*)&name, &size);
    close_handle(&tcp);
    return err;
}

static int reset(void) {
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    int err = uv_tcp_close_reset(&tcp, NULL);
    CHECK_EQ(uv_is_closing((uv_handle_t*)&tcp), err == 0);
    if (err != 0)
        close_handle(&tcp);
    return err;
}

static int keep_alive(void) {
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    int err = uv_tcp_keepalive(&tcp, 1, 60);
    close_handle(&tcp);
    return err;
}

static int no_delay(void) {
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    int err = uv_tcp_nodelay(&tcp, 1);
    close_handle(&tcp);
    return err;
}

static int open_with_options(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_nodelay(&tcp, 1));
    CHECK_OK(uv_tcp_keepalive(&tcp, 1, 60));
    int err = uv_tcp_open(&tcp, fd);
    if (err != 0)
        close(fd);
    close_handle(&tcp);
    return err;
}

static int send_buffer(void) {
    int size = 0;
    CHECK_OK(uv_tcp_init_ex(&loop, &tcp, AF_INET));
    int err = uv_send_buffer_size((uv_handle_t*)&tcp, &size);
    close_handle(&tcp);
    return err;
}

TEST(tcp_that_the_kernel_refuses_is_its_error) {
    static const struct refused_case cases[] = {
        {"socket", 0, EMFILE, init_tcp, UV_EMFILE},
        {"socket", 0, ENFILE, bind4, UV_ENFILE},
        {"setsockopt", 0, EPERM, bind4, UV_EPERM},
        {"setsockopt", 1, EPERM, bind_shared_port, UV_EPERM},
        {"setsockopt", 1, EPERM, bind6, UV_EPERM},
        {"bind", 0, EACCES, bind4, UV_EACCES},
        {"bind", 0, EAFNOSUPPORT, bind4, UV_EINVAL},
        {"listen", 0, EADDRINUSE, listen_tcp, UV_EADDRINUSE},
        {"listen", 1, EADDRINUSE, listen_again, UV_EADDRINUSE},
        {"getsockname", 0, ENOBUFS, ask_name, UV_ENOBUFS},
        {"setsockopt", 0, EINVAL, reset, UV_EINVAL},
        {"setsockopt", 0, EPERM, keep_alive, UV_EPERM},
        {"setsockopt", 1, EPERM, keep_alive, UV_EPERM},
        {"setsockopt", 2, EPERM, keep_alive, UV_EPERM},
        {"setsockopt", 3, EPERM, keep_alive, UV_EPERM},
        {"setsockopt", 0, EPERM, no_delay, UV_EPERM},
        {"setsockopt", 0, EPERM, open_with_options, UV_EPERM},
        {"setsockopt", 1, EPERM, open_with_options, UV_EPERM},
        {"fcntl", 0, EBADF, open_with_options, UV_EBADF},
        {"fcntl", 1, EPERM, open_with_options, UV_EPERM},
        {"getsockopt", 0, ENOBUFS, send_buffer, UV_ENOBUFS},
    };
    open_loop();
    RUN_CASES(cases);
    close_loop();
}

static void on_connect(uv_connect_t* req, int status) {
    (void)req;
    status_seen = status;
    calls++;
}

/* To a listener of our own, with what connect says first. */
static int connect_after(const int* errors) {
    uv_tcp_t server;
    uv_connect_t req;
    int size = sizeof(address4);
    struct sockaddr_in there = address4;
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address4, 0));
    CHECK_OK(uv_listen((uv_stream_t*)&server, 1, NULL));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&there, &size));
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    connect_errors = errors;
    calls = 0;
    int err = uv_tcp_connect(&req, &tcp, (struct sockaddr*)&there, on_connect);
    while (err == 0 && calls == 0)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close((uv_handle_t*)&server, NULL);
    close_handle(&tcp);
    return err == 0 ? status_seen : err;
}

TEST(connect_that_is_interrupted_goes_on_by_itself) {
    static const int interrupted[] = {EINTR, 0};
    static const int going_on[] = {EINTR, EALREADY, 0};
    static const int done[] = {EINTR, EISCONN, 0};
    static const int refused[] = {EACCES, 0};
    static const int already[] = {EALREADY, 0};
    open_loop();
    CHECK_OK(connect_after(interrupted));
    /* The socket is not connected in truth: what counts is that the call did not fail. */
    uv_connect_t req;
    for (int i = 0; i < 2; i++) {
        CHECK_OK(uv_tcp_init(&loop, &tcp));
        connect_errors = i == 0 ? going_on : done;
        CHECK_OK(uv_tcp_connect(&req, &tcp, (struct sockaddr*)&address4, on_connect));
        close_handle(&tcp);
        CHECK_EQ(*connect_errors, 0);
    }
    CHECK_EQ(connect_after(refused), UV_EACCES);
    CHECK_EQ(connect_after(already), UV_EALREADY);
    close_loop();
}

static int connect_without_answer(void) {
    static const int none[] = {0};
    return connect_after(none);
}

static int connect_without_socket(void) {
    uv_connect_t req;
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    int err = uv_tcp_connect(&req, &tcp, (struct sockaddr*)&address4, on_connect);
    close_handle(&tcp);
    return err;
}

TEST(connect_whose_result_can_not_be_asked_for_has_that_error) {
    static const struct refused_case cases[] = {
        {"getsockopt", 0, ENOBUFS, connect_without_answer, UV_ENOBUFS},
        {"socket", 0, EMFILE, connect_without_socket, UV_EMFILE},
    };
    open_loop();
    RUN_CASES(cases);
    close_loop();
}

static int open_pipe_handle(void) {
    int fds[2];
    CHECK_OK(pipe(fds));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    int err = uv_pipe_open(&pipe_handle, fds[0]);
    if (err != 0)
        close(fds[0]);
    close(fds[1]);
    close_handle(&pipe_handle);
    return err;
}

static int bind_pipe(void) {
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    int err = uv_pipe_bind(&pipe_handle, "socket");
    close_handle(&pipe_handle);
    CHECK_EQ(access("socket", F_OK), -1);
    return err;
}

static int connect_pipe(void) {
    uv_connect_t req;
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    calls = 0;
    uv_pipe_connect(&req, &pipe_handle, "socket", on_connect);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(calls, 1);
    close_handle(&pipe_handle);
    return status_seen;
}

static int change_mode(void) {
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_bind(&pipe_handle, "socket"));
    int err = uv_pipe_chmod(&pipe_handle, UV_READABLE);
    close_handle(&pipe_handle);
    return err;
}

TEST(pipe_that_the_kernel_refuses_is_its_error) {
    static const struct refused_case cases[] = {
        {"fcntl", 0, EBADF, open_pipe_handle, UV_EBADF},
        {"fcntl", 1, EPERM, open_pipe_handle, UV_EPERM},
        {"fcntl", 2, EPERM, open_pipe_handle, UV_EPERM},
        {"socket", 0, EMFILE, bind_pipe, UV_EMFILE},
        {"bind", 0, ENOENT, bind_pipe, UV_EACCES},
        {"bind", 0, EROFS, bind_pipe, UV_EROFS},
        {"socket", 0, EMFILE, connect_pipe, UV_EMFILE},
        {"connect", 0, EPERM, connect_pipe, UV_EPERM},
        {"getsockname", 0, ENOBUFS, change_mode, UV_ENOBUFS},
        {"chmod", 0, EPERM, change_mode, UV_EPERM},
    };
    open_loop();
    RUN_CASES(cases);
    close_loop();
}

static int make_pipe(void) {
    int fds[2] = {-1, -1};
    int err = uv_pipe(fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
    if (err == 0)
        CHECK(close(fds[0]) == 0 && close(fds[1]) == 0);
    else
        CHECK(fds[0] == -1 && fds[1] == -1);
    return err;
}

static int make_pair(void) {
    int fds[2] = {-1, -1};
    int err = uv_socketpair(SOCK_STREAM, 0, fds, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE);
    if (err == 0)
        CHECK(close(fds[0]) == 0 && close(fds[1]) == 0);
    return err;
}

static int guess_a_socket(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    uv_handle_type type = uv_guess_handle(fd);
    close(fd);
    return type;
}

TEST(pairs_that_the_kernel_refuses_leave_nothing_open) {
    static const struct refused_case cases[] = {
        {"pipe2", 0, EMFILE, make_pipe, UV_EMFILE},
        {"fcntl", 0, EPERM, make_pipe, UV_EPERM},
        {"fcntl", 2, EPERM, make_pipe, UV_EPERM},
        {"socketpair", 0, EMFILE, make_pair, UV_EMFILE},
        {"fcntl", 0, EPERM, make_pair, UV_EPERM},
        {"fcntl", 3, EPERM, make_pair, UV_EPERM},
        {"getsockopt", 0, ENOBUFS, guess_a_socket, UV_UNKNOWN_HANDLE},
        {"getsockopt", 1, ENOBUFS, guess_a_socket, UV_UNKNOWN_HANDLE},
    };
    RUN_CASES(cases);
    CHECK_OK(make_pipe());
    CHECK_OK(make_pair());
    CHECK_EQ(guess_a_socket(), UV_TCP);
}
