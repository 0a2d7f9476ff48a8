// wrap: accept4
/* Accepting while descriptors or memory are short. */

#include <errno.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness.h"
#include "uv.h"

int __real_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags);
int __wrap_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags);

static int error_to_give;
static int errors_left;
static int calls;

int __wrap_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags) {
    calls++;
    CHECK(flags & SOCK_CLOEXEC);
    if (errors_left > 0) {
        errors_left--;
        errno = error_to_give;
        return -1;
    }
    return __real_accept4(fd, address, size, flags);
}

static uv_loop_t loop;
static uv_tcp_t server;
static uv_tcp_t accepted[64];
static struct sockaddr_in address;
static int connections;
static int connection_status, connection_errors;

static void on_connection(uv_stream_t* stream, int status) {
    connection_status = status;
    connection_errors += status != 0;
    if (status != 0)
        return;
    CHECK_OK(uv_tcp_init(&loop, &accepted[connections]));
    CHECK_OK(uv_accept(stream, (uv_stream_t*)&accepted[connections]));
    connections++;
}

static void start_server(void) {
    int size = sizeof(address);
    CHECK_OK(uv_loop_init(&loop));
    CHECK_OK(uv_ip4_addr("127.0.0.1", 0, &address));
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_listen((uv_stream_t*)&server, 128, on_connection));
}

static int connect_one(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_GE(fd, 0);
    CHECK_OK(connect(fd, (struct sockaddr*)&address, sizeof(address)));
    return fd;
}

static void stop_server(void) {
    for (int i = 0; i < connections; i++)
        uv_close((uv_handle_t*)&accepted[i], NULL);
    if (!uv_is_closing((uv_handle_t*)&server))
        uv_close((uv_handle_t*)&server, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

static void survive(int error) {
    int fds[5];
    connections = 0;
    connection_status = 0;
    start_server();
    for (int i = 0; i < 5; i++)
        fds[i] = connect_one();
    error_to_give = error;
    errors_left = 6;
    calls = 0;
    uint64_t start = uv_hrtime();
    while (connections < 5) {
        uv_run(&loop, UV_RUN_ONCE);
        CHECK_OK(connection_status);
    }
    /* Pauses of 1, 2, 4, 8, 16 and 32 ms, less what the clock's granularity takes from each. */
    CHECK_GE((uv_hrtime() - start) / 1000000, 63 - 6);
    CHECK_LE(calls, 6 + 5 + 3);
    for (int i = 0; i < 5; i++)
        close(fds[i]);
    stop_server();
}

TEST(accept_waits_while_descriptors_are_short) {
    survive(EMFILE);
    survive(ENFILE);
}

TEST(accept_waits_while_memory_is_short) {
    survive(ENOMEM);
    survive(ENOBUFS);
}

TEST(accept_passes_over_interrupts_and_aborted_connections) {
    static const int errors[] = {EINTR, ECONNABORTED};
    for (int i = 0; i < 2; i++) {
        connections = 0;
        start_server();
        int fd = connect_one();
        error_to_give = errors[i];
        errors_left = 3;
        while (connections == 0)
            uv_run(&loop, UV_RUN_ONCE);
        CHECK_EQ(connections, 1);
        CHECK_EQ(connection_errors, 0);
        close(fd);
        stop_server();
    }
}

TEST(accept_tells_other_errors_and_goes_on) {
    start_server();
    int fd = connect_one();
    error_to_give = EPERM;
    errors_left = 1;
    while (connection_status == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(connection_status, UV_EPERM);
    while (connections == 0)
        uv_run(&loop, UV_RUN_ONCE);
    close(fd);
    stop_server();
}

static int seen_by_walk;

static void count_handle(uv_handle_t* handle, void* arg) {
    (void)handle;
    (void)arg;
    seen_by_walk++;
}

TEST(accept_pause_is_invisible_and_ends_with_the_listener) {
    start_server();
    int fd = connect_one();
    error_to_give = EMFILE;
    errors_left = 1000000;
    for (int i = 0; i < 5; i++)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_GE(calls, 1);
    uv_walk(&loop, count_handle, NULL);
    CHECK_EQ(seen_by_walk, 1);
    CHECK_EQ(loop.active_handles, 1);
    uv_close((uv_handle_t*)&server, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fd);
}

static void close_timer(uv_timer_t* timer) {
    uv_close((uv_handle_t*)timer, NULL);
}

static void close_server(uv_timer_t* timer) {
    uv_close((uv_handle_t*)&server, NULL);
    uv_close((uv_handle_t*)timer, NULL);
}

/* The timers phase knows by then which timers it will call, the pause's among them. */
TEST(a_listener_may_be_closed_while_its_pause_and_other_timers_are_due) {
    uv_timer_t timer, later;
    start_server();
    int fd = connect_one();
    error_to_give = EMFILE;
    errors_left = 1000000;
    while (calls == 0)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_OK(uv_timer_init(&loop, &later));
    CHECK_OK(uv_timer_start(&timer, close_server, 0, 0));
    CHECK_OK(uv_timer_start(&later, close_timer, 5, 0));
    uv_sleep(20);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
    close(fd);
}

TEST(accept_pause_of_an_unreferenced_listener_lets_the_loop_end) {
    start_server();
    int fd = connect_one();
    error_to_give = EMFILE;
    errors_left = 1000000;
    uv_run(&loop, UV_RUN_NOWAIT);
    uv_unref((uv_handle_t*)&server);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    close(fd);
    stop_server();
}

static void turns_for(uint64_t ms, int* turns) {
    uint64_t end = uv_hrtime() + ms * 1000000;
    *turns = 0;
    while (uv_hrtime() < end) {
        uv_run(&loop, UV_RUN_ONCE);
        ++*turns;
    }
}

TEST(real_shortage_of_descriptors_loses_no_connection_and_does_not_spin) {
    struct rlimit before, low;
    int turns;
    start_server();
    int fds[2] = {connect_one(), connect_one()};
    CHECK_OK(getrlimit(RLIMIT_NOFILE, &before));
    low = before;
    int next = dup(fds[0]);
    close(next);
    low.rlim_cur = (rlim_t)next;
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &low));
    turns_for(300, &turns);
    CHECK_EQ(connections, 0);
    CHECK_LT(turns, 30);
    CHECK_OK(setrlimit(RLIMIT_NOFILE, &before));
    while (connections < 2)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connection_status);
    CHECK_EQ(send(fds[0], "x", 1, 0), 1);
    close(fds[0]);
    close(fds[1]);
    stop_server();
}
