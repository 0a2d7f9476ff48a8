#include "streams.h"

#include <sys/wait.h>

static uv_tcp_t server, client, accepted;
static uv_connect_t connecting;
static uv_write_t write_req;
static int connections;

static void count_connection(uv_stream_t* stream, int status) {
    (void)stream;
    CHECK_OK(status);
    connections++;
}

static struct sockaddr_in start_server(uv_connection_cb cb) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_listen(STREAM(&server), 1024, cb));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_NE(address.sin_port, 0);
    return address;
}

static void start_connect(const struct sockaddr_in* address) {
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_tcp_connect(&connecting, &client, (const struct sockaddr*)address, on_connect));
}

static void echo_back(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    if (result < 0) {
        CHECK_EQ(result, UV_EOF);
        uv_close(HANDLE(stream), on_close);
        return;
    }
    uv_buf_t same = uv_buf_init(buf->base, (unsigned)result);
    CHECK_OK(uv_write(&write_req, stream, &same, 1, on_write));
}

static char echo_room[100];

static void give_echo_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    CHECK_EQ(suggested, 65536);
    *buf = uv_buf_init(echo_room, sizeof(echo_room));
}

static void accept_and_echo(uv_stream_t* stream, int status) {
    CHECK_OK(status);
    CHECK_OK(uv_tcp_init(&loop, &accepted));
    CHECK_OK(uv_accept(stream, STREAM(&accepted)));
    CHECK(uv_is_readable(STREAM(&accepted)));
    CHECK(uv_is_writable(STREAM(&accepted)));
    CHECK_OK(uv_read_start(STREAM(&accepted), give_echo_room, echo_back));
    uv_close(HANDLE(stream), on_close);
}

static void take_echo(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    on_read(stream, result, buf);
    uv_close(HANDLE(stream), on_close);
}

static void greet(uv_connect_t* req, int status) {
    static uv_write_t greeting;
    uv_buf_t buf = text_buf("hello");
    on_connect(req, status);
    CHECK_OK(uv_write(&greeting, req->handle, &buf, 1, on_write));
    CHECK_OK(uv_read_start(req->handle, give_room, take_echo));
}

TEST(tcp_echo_returns_what_was_sent) {
    open_loop();
    struct sockaddr_in address = start_server(accept_and_echo);
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_tcp_connect(&connecting, &client, (struct sockaddr*)&address, greet));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connects, 1);
    CHECK_OK(connect_status);
    CHECK_EQ(read_result, 5);
    CHECK_STR(read_text, "hello");
    CHECK_EQ(writes, 2);
    CHECK_EQ(closes, 3);
    close_loop();
}

TEST(tcp_connect_never_calls_back_inside_the_call) {
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    start_connect(&address);
    CHECK_EQ(connects, 0);
    CHECK(!uv_is_active(HANDLE(&client)));
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    close_loop();
}

TEST(tcp_connect_refused_arrives_in_the_callback) {
    struct sockaddr_in address;
    open_loop();
    close(raw_listener(&address));
    start_connect(&address);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(connects, 1);
    CHECK_EQ(connect_status, UV_ECONNREFUSED);
    close_loop();
}

/* Both ends of a connection that is there already. */
TEST(tcp_connect_from_an_address_that_is_taken_fails_in_the_call) {
    struct sockaddr_in address;
    struct sockaddr_in own = localhost(0);
    socklen_t size = sizeof(own);
    open_loop();
    int listener = raw_listener(&address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int reuse = 1;
    CHECK_OK(setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &reuse, sizeof(reuse)));
    CHECK_OK(bind(fd, (struct sockaddr*)&own, size));
    CHECK_OK(connect(fd, (struct sockaddr*)&address, size));
    CHECK_OK(getsockname(fd, (struct sockaddr*)&own, &size));
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_tcp_bind(&client, (struct sockaddr*)&own, 0));
    CHECK_EQ(uv_tcp_connect(&connecting, &client, (struct sockaddr*)&address, on_connect),
             UV_EADDRNOTAVAIL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    close(fd);
    close(listener);
    close_loop();
}

TEST(tcp_connect_says_ealready_while_connecting) {
    uv_connect_t second;
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    start_connect(&address);
    CHECK_EQ(uv_tcp_connect(&second, &client, (struct sockaddr*)&address, on_connect), UV_EALREADY);
    close_loop();
}

TEST(tcp_connect_refuses_other_families) {
    struct sockaddr address = {.sa_family = AF_UNIX};
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_EQ(uv_tcp_connect(&connecting, &client, &address, on_connect), UV_EINVAL);
    CHECK_EQ(uv_loop_alive(&loop), 0);
    close_loop();
}

TEST(tcp_connect_is_cancelled_by_close) {
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    start_connect(&address);
    uv_close(HANDLE(&client), on_close);
    CHECK_EQ(connects, 0);
    run_some(2);
    CHECK_EQ(connects, 1);
    CHECK_EQ(connect_status, UV_ECANCELED);
    CHECK_EQ(closes, 1);
    close_loop();
}

TEST(tcp_writes_wait_for_the_connection) {
    uv_buf_t buf = text_buf("early");
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    start_connect(&address);
    CHECK_OK(uv_write(&write_req, STREAM(&client), &buf, 1, on_write));
    CHECK_EQ(uv_try_write(STREAM(&client), &buf, 1), UV_EAGAIN);
    CHECK_EQ(client.write_queue_size, 5);
    while (writes == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(write_status);
    CHECK_OK(uv_tcp_init(&loop, &accepted));
    CHECK_OK(uv_accept(STREAM(&server), STREAM(&accepted)));
    CHECK_OK(uv_read_start(STREAM(&accepted), give_room, on_read));
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_STR(read_text, "early");
    close_loop();
}

TEST(tcp_failed_connect_cancels_what_was_written) {
    struct sockaddr_in address;
    uv_buf_t buf = text_buf("lost");
    open_loop();
    close(raw_listener(&address));
    start_connect(&address);
    CHECK_OK(uv_write(&write_req, STREAM(&client), &buf, 1, on_write));
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(connect_status, UV_ECONNREFUSED);
    CHECK_EQ(writes, 1);
    CHECK_EQ(write_status, UV_ECANCELED);
    CHECK_EQ(client.write_queue_size, 0);
    close_loop();
}

TEST(tcp_accept_without_a_connection_says_eagain) {
    open_loop();
    start_server(count_connection);
    CHECK_OK(uv_tcp_init(&loop, &accepted));
    CHECK_EQ(uv_accept(STREAM(&server), STREAM(&accepted)), UV_EAGAIN);
    close_loop();
}

TEST(tcp_connections_wait_until_the_first_is_accepted) {
    uv_tcp_t clients[3], taken[3];
    uv_connect_t reqs[3];
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_tcp_init(&loop, &clients[i]));
        CHECK_OK(uv_tcp_connect(&reqs[i], &clients[i], (struct sockaddr*)&address, on_connect));
    }
    while (connects < 3)
        uv_run(&loop, UV_RUN_ONCE);
    run_some(5);
    CHECK_EQ(connections, 1);
    for (int i = 0; i < 3; i++) {
        CHECK_OK(uv_tcp_init(&loop, &taken[i]));
        CHECK_OK(uv_accept(STREAM(&server), STREAM(&taken[i])));
        run_some(2);
        CHECK_EQ(connections, i < 2 ? i + 2 : 3);
    }
    CHECK_EQ(uv_accept(STREAM(&server), STREAM(&taken[0])), UV_EAGAIN);
    close_loop();
}

/* Kept, it would stand before all others. */
TEST(tcp_connection_that_a_used_handle_can_not_take_is_closed_and_the_next_one_comes) {
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    start_connect(&address);
    while (connections == 0 || connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(uv_accept(STREAM(&server), STREAM(&client)), UV_EBUSY);
    CHECK_EQ(uv_accept(STREAM(&server), STREAM(&client)), UV_EAGAIN);
    CHECK_OK(uv_read_start(STREAM(&client), give_room, on_read));
    while (reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(read_result, UV_EOF);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(connect(fd, (struct sockaddr*)&address, sizeof(address)));
    while (connections == 1)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_tcp_init(&loop, &accepted));
    CHECK_OK(uv_accept(STREAM(&server), STREAM(&accepted)));
    close(fd);
    close_loop();
}

TEST(tcp_close_of_the_listener_closes_what_nobody_accepted) {
    char byte;
    open_loop();
    struct sockaddr_in address = start_server(count_connection);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(connect(fd, (struct sockaddr*)&address, sizeof(address)));
    while (connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    uv_close(HANDLE(&server), on_close);
    CHECK_LE(read(fd, &byte, 1), 0);
    close(fd);
    close_loop();
}

TEST(tcp_listener_may_be_closed_in_its_callback) {
    int fds[3];
    open_loop();
    struct sockaddr_in address = start_server(accept_and_echo);
    for (int i = 0; i < 3; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_OK(connect(fds[i], (struct sockaddr*)&address, sizeof(address)));
    }
    run_some(3);
    CHECK_EQ(closes, 1);
    for (int i = 0; i < 3; i++)
        close(fds[i]);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_EQ(closes, 2);
    close_loop();
}

TEST(tcp_listen_checks_its_stream) {
    uv_timer_t timer;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    uv_close(HANDLE(&server), NULL);
    CHECK_EQ(uv_listen(STREAM(&server), 1, count_connection), UV_EINVAL);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_listen(STREAM(&timer), 1, count_connection), UV_EINVAL);
    close_loop();
}

TEST(tcp_listen_without_bind_takes_a_free_port) {
    struct sockaddr_in address;
    int size = sizeof(address);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_listen(STREAM(&server), 1, count_connection));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_EQ(address.sin_family, AF_INET);
    CHECK_NE(address.sin_port, 0);
    CHECK(uv_is_active(HANDLE(&server)));
    close_loop();
}

/* As a name server does that shares one listening socket between its threads. */
TEST(tcp_flags_word_copied_from_a_bound_handle_lets_another_listen) {
    struct sockaddr_in address = localhost(0);
    uv_tcp_t copy;
    int fd;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_fileno(HANDLE(&server), &fd));
    CHECK_OK(uv_tcp_init(&loop, &copy));
    CHECK_OK(uv_tcp_open(&copy, dup(fd)));
    memcpy((char*)&copy + FLAGS, (char*)&server + FLAGS, sizeof(unsigned int));
    CHECK_OK(uv_listen(STREAM(&copy), 8, count_connection));
    int size = sizeof(address);
    CHECK_OK(uv_tcp_getsockname(&copy, (struct sockaddr*)&address, &size));
    start_connect(&address);
    while (connects == 0 || connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    close_loop();
}

struct crowd {
    uv_tcp_t* handles;
    int count;
};

static void accept_crowd(uv_stream_t* stream, int status) {
    struct crowd* crowd = stream->data;
    CHECK_OK(status);
    uv_tcp_t* next = &crowd->handles[crowd->count++];
    CHECK_OK(uv_tcp_init(&loop, next));
    CHECK_OK(uv_accept(stream, STREAM(next)));
    CHECK_OK(uv_read_start(STREAM(next), give_room, on_read));
}

/* The other ends live in a process of their own, which has descriptors of its own. */
static void connect_crowd(const struct sockaddr_in* address, int count, int stay) {
    char byte;
    int fd = -1;
    for (int i = 0; i < count; i++) {
        fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || connect(fd, (const struct sockaddr*)address, sizeof(*address)) != 0)
            _exit(1);
    }
    if (write(fd, "x", 1) != 1 || read(stay, &byte, 1) != 0)
        _exit(1);
    _exit(0);
}

static void hold_connections(int count) {
    struct crowd crowd = {calloc((size_t)count, sizeof(uv_tcp_t)), 0};
    int stay[2];
    int status;
    open_loop();
    struct sockaddr_in address = start_server(accept_crowd);
    server.data = &crowd;
    CHECK_OK(pipe(stay));
    pid_t child = fork();
    CHECK_GE(child, 0);
    if (child == 0) {
        close(stay[1]);
        connect_crowd(&address, count, stay[0]);
    }
    close(stay[0]);
    while (crowd.count < count || reads == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(reads, 1);
    CHECK_EQ(read_bytes, 1);
    close(stay[1]);
    CHECK_EQ(waitpid(child, &status, 0), child);
    CHECK_OK(status);
    close_loop();
    free(crowd.handles);
}

TEST(tcp_accepts_a_crowd_of_connections) {
    hold_connections(300);
}

TEST(tcp_holds_ten_thousand_idle_connections) {
    const rlim_t needed = 10100;
    struct rlimit limit;
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &limit));
    if (limit.rlim_cur < needed) {
        limit.rlim_cur = needed;
        limit.rlim_max = limit.rlim_max > needed ? limit.rlim_max : needed;
        if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
            test_skip("10,100 descriptors are not allowed");
    }
    hold_connections(10000);
}
