/* Streams where libuv may differ or can't be asked: without callbacks, in a wrong state, blocking.
 */

#include "behaviour/stream/streams.h"

#include <limits.h>
#include <sys/stat.h>
#include <termios.h>

#include "stream/stream.h"

static uv_tcp_t tcp, client;
static uv_pipe_t pipe_handle, other;
static uv_connect_t connect_req;
static uv_shutdown_t shutdown_req;
static uv_write_t write_req;

static uint64_t events_of_loop(void) {
    uv_metrics_t metrics;
    CHECK_OK(uv_metrics_info(&loop, &metrics));
    return metrics.events;
}

TEST(connection_that_idles_gives_no_events) {
    struct sockaddr_in address;
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    while (connects == 0)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(connect_status);
    CHECK_OK(uv_read_start(STREAM(&tcp), give_room, on_read));
    uint64_t before = events_of_loop();
    run_some(5);
    CHECK_EQ(events_of_loop(), before);
    close(listener);
    close_loop();
}

TEST(requests_without_callbacks_end_without_being_told) {
    struct sockaddr_in address;
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, NULL));
    CHECK_EQ(uv_loop_alive(&loop), 1);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&tcp), NULL));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_tcp_init(&loop, &client));
    CHECK_OK(uv_tcp_connect(&connect_req, &client, (struct sockaddr*)&address, NULL));
    uv_close(HANDLE(&client), on_close);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(closes, 1);
    close(listener);
    close_loop();
}

static int in_callback;

static void try_to_write(uv_connect_t* req, int status) {
    uv_buf_t buf = text_buf("x");
    connect_status = status;
    in_callback = uv_try_write(req->handle, &buf, 1);
}

TEST(connect_that_was_cancelled_is_over_when_its_callback_runs) {
    struct sockaddr_in address;
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, try_to_write));
    uv_close(HANDLE(&tcp), NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connect_status, UV_ECANCELED);
    CHECK_EQ(in_callback, UV_EBADF);
    close(listener);
    close_loop();
}

TEST(shutdown_while_connecting_comes_after_the_connection) {
    struct sockaddr_in address;
    char byte;
    open_loop();
    int listener = raw_listener(&address);
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_connect(&connect_req, &tcp, (struct sockaddr*)&address, on_connect));
    CHECK_OK(uv_shutdown(&shutdown_req, STREAM(&tcp), on_shutdown));
    CHECK_EQ(uv_shutdown(&shutdown_req, STREAM(&tcp), on_shutdown), UV_ENOTCONN);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connects, 1);
    CHECK_EQ(shutdowns, 1);
    CHECK_OK(shutdown_status);
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK_EQ(read(peer, &byte, 1), 0);
    close(peer);
    close(listener);
    uv_close(HANDLE(&tcp), NULL);
    CHECK_EQ(uv_shutdown(&shutdown_req, STREAM(&tcp), on_shutdown), UV_ENOTCONN);
    close_loop();
}

TEST(stream_takes_its_own_descriptor_again_but_no_other) {
    int fds[2];
    open_loop();
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_OK(uv_pipe_init(&loop, &other, 0));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[0]));
    CHECK_EQ(uv_pipe_open(&pipe_handle, fds[1]), UV_EBUSY);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    CHECK_EQ(uv_pipe_open(&other, fds[0]), UV_EEXIST);
    CHECK_EQ(uv_pipe_open(&other, -1), UV_EBADF);
    close(fds[1]);
    close_loop();
}

TEST(pipe_functions_need_names_and_room) {
    char name[8] = "abc";
    size_t none = 0, size = sizeof(name);
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_EQ(uv_pipe_bind(&pipe_handle, NULL), UV_EINVAL);
    CHECK_EQ(uv_pipe_chmod(NULL, UV_READABLE), UV_EBADF);
    CHECK_EQ(uv_pipe_chmod(&pipe_handle, UV_READABLE), UV_EBADF);
    CHECK_EQ(uv_pipe_pending_type(&pipe_handle), UV_UNKNOWN_HANDLE);
    CHECK_EQ(uv_pipe_pending_count(&pipe_handle), 0);
    uv_pipe_connect(&connect_req, &pipe_handle, NULL, on_connect);
    CHECK_EQ(uv_pipe_connect2(&connect_req, &pipe_handle, "x", 1, 0, on_connect), UV_EALREADY);
    uv_pipe_connect(&connect_req, &pipe_handle, "x", on_connect);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(connects, 1);
    CHECK_EQ(connect_status, UV_EINVAL);
    CHECK_OK(uv_pipe_bind(&pipe_handle, "socket"));
    CHECK_EQ(uv_pipe_getsockname(&pipe_handle, NULL, &size), UV_EINVAL);
    CHECK_EQ(uv_pipe_getsockname(&pipe_handle, name, NULL), UV_EINVAL);
    CHECK_EQ(uv_pipe_getsockname(&pipe_handle, name, &none), UV_EINVAL);
    CHECK_OK(uv_pipe_init(&loop, &other, 1));
    CHECK_EQ(uv_pipe_pending_type(&other), UV_UNKNOWN_HANDLE);
    uv_close(HANDLE(&other), NULL);
    CHECK_EQ(uv_pipe_bind(&other, "other"), UV_EINVAL);
    close_loop();
}

TEST(handles_that_have_no_buffers_are_refused) {
    uv_timer_t timer;
    uv_udp_t udp;
    int size = 0;
    open_loop();
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_send_buffer_size(HANDLE(&timer), &size), UV_ENOTSUP);
    CHECK_OK(uv_udp_init_ex(&loop, &udp, AF_INET));
    CHECK_OK(uv_recv_buffer_size(HANDLE(&udp), &size));
    CHECK_GT(size, 0);
    CHECK_EQ(uv_recv_buffer_size(HANDLE(&udp), NULL), UV_EINVAL);
    close_loop();
}

TEST(folders_and_sequenced_sockets_are_no_handles) {
    int fds[2];
    int folder = open(".", O_RDONLY | O_CLOEXEC);
    CHECK_EQ(uv_guess_handle(folder), UV_UNKNOWN_HANDLE);
    close(folder);
    CHECK_OK(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds));
    CHECK_EQ(uv_guess_handle(fds[0]), UV_UNKNOWN_HANDLE);
    close(fds[0]);
    close(fds[1]);
}

static void stop_in_alloc(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)suggested;
    in_callback++;
    *buf = uv_buf_init(read_text, sizeof(read_text));
    uv_read_stop(STREAM(handle));
}

TEST(read_stopped_while_room_is_asked_for_leaves_the_bytes) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(write(peer, "abc", 3), 3);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), stop_in_alloc, on_read));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(in_callback, 1);
    CHECK_EQ(reads, 0);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_room, on_read));
    run_some(1);
    CHECK_EQ(read_result, 3);
    close(peer);
    close_loop();
}

TEST(read_needs_a_stream_that_was_opened_for_it) {
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_EQ(uv_read_start(STREAM(&tcp), give_room, on_read), UV_ENOTCONN);
    CHECK_EQ(uv_read_start(NULL, give_room, on_read), UV_EINVAL);
    CHECK_EQ(uv_read_start(STREAM(&tcp), NULL, on_read), UV_EINVAL);
    CHECK_EQ(uv_read_start(STREAM(&tcp), give_room, NULL), UV_EINVAL);
    tcp.flags |= PH_READABLE;
    CHECK_EQ(uv_read_start(STREAM(&tcp), give_room, on_read), UV_ENOTCONN);
    close_loop();
}

static char two_bytes[2];

static void give_two_bytes(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    *buf = uv_buf_init(two_bytes, sizeof(two_bytes));
}

TEST(blocking_stream_is_read_once_for_each_readiness) {
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 1));
    CHECK_EQ(write(peer, "abcdef", 6), 6);
    CHECK_OK(uv_read_start(STREAM(&pipe_handle), give_two_bytes, on_read));
    for (int i = 1; i <= 3; i++) {
        run_some(1);
        CHECK_EQ(reads, i);
    }
    close(peer);
    close_loop();
}

static void drain(void* arg) {
    static char some[1 << 16];
    size_t got = 0;
    ssize_t n;
    while ((n = read(*(int*)arg, some, sizeof(some))) > 0)
        got += (size_t)n;
    read_bytes = got;
}

TEST(blocking_stream_writes_everything_at_once) {
    enum { SIZE = 4 << 20 };
    static uv_write_t second_req;
    uv_thread_t thread;
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    char* bytes = calloc(1, SIZE);
    uv_buf_t buf = uv_buf_init(bytes, SIZE);
    CHECK_OK(uv_stream_set_blocking(STREAM(&pipe_handle), 1));
    CHECK_OK(uv_thread_create(&thread, drain, &peer));
    CHECK_OK(uv_write(&write_req, STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    /* Somebody else has made the descriptor non-blocking again. */
    int fd;
    CHECK_OK(uv_fileno(HANDLE(&pipe_handle), &fd));
    CHECK_OK(fcntl(fd, F_SETFL, O_NONBLOCK));
    CHECK_OK(uv_write(&second_req, STREAM(&pipe_handle), &buf, 1, on_write));
    CHECK_EQ(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    close_loop();
    CHECK_OK(uv_thread_join(&thread));
    CHECK_EQ(read_bytes, 2 * SIZE);
    CHECK_EQ(writes, 2);
    free(bytes);
    close(peer);
}

TEST(write_of_more_buffers_than_the_kernel_takes_at_once) {
    enum { MANY = IOV_MAX + 10 };
    static uv_buf_t bufs[MANY];
    static char got[MANY + 1];
    for (int i = 0; i < MANY; i++)
        bufs[i] = uv_buf_init("x", 1);
    open_loop();
    int peer = open_pipe(&pipe_handle, 0);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), bufs, MANY), IOV_MAX);
    CHECK_EQ(read(peer, got, sizeof(got)), IOV_MAX);
    close(peer);
    close_loop();
}

TEST(write_needs_buffers_and_a_descriptor) {
    uv_buf_t buf = text_buf("x");
    open_loop();
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 0));
    CHECK_EQ(uv_write(&write_req, STREAM(&pipe_handle), &buf, 0, on_write), UV_EINVAL);
    CHECK_EQ(uv_write(&write_req, STREAM(&pipe_handle), &buf, 1, on_write), UV_EBADF);
    CHECK_EQ(uv_try_write(STREAM(&pipe_handle), &buf, 1), UV_EBADF);
    close_loop();
}

TEST(descriptor_can_not_be_sent_where_there_are_no_messages) {
    int fds[2];
    uv_buf_t buf = text_buf("x");
    open_loop();
    CHECK_OK(uv_pipe(fds, 0, 0));
    CHECK_OK(uv_pipe_init(&loop, &pipe_handle, 1));
    CHECK_OK(uv_pipe_open(&pipe_handle, fds[1]));
    int peer = open_tcp(&tcp);
    CHECK_OK(uv_write2(&write_req, STREAM(&pipe_handle), &buf, 1, STREAM(&tcp), on_write));
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_EQ(write_status, UV_ENOTSOCK);
    close(peer);
    close(fds[0]);
    close_loop();
}

TEST(handle_that_is_closed_before_it_is_sent_ends_the_write) {
    enum { SIZE = 8 << 20 };
    static uv_write_t big_req;
    open_loop();
    int peer = open_pipe(&pipe_handle, 1);
    char* bytes = calloc(1, SIZE);
    uv_buf_t big = uv_buf_init(bytes, SIZE), buf = text_buf("x");
    int tcp_peer = open_tcp(&tcp);
    CHECK_OK(uv_write(&big_req, STREAM(&pipe_handle), &big, 1, on_write));
    CHECK_GT(uv_stream_get_write_queue_size(STREAM(&pipe_handle)), 0);
    CHECK_OK(uv_write2(&write_req, STREAM(&pipe_handle), &buf, 1, STREAM(&tcp), on_write));
    uv_close(HANDLE(&tcp), NULL);
    uv_thread_t thread;
    CHECK_OK(uv_thread_create(&thread, drain, &peer));
    while (writes < 2)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_EQ(write_status, UV_EBADF);
    close_loop();
    CHECK_OK(uv_thread_join(&thread));
    free(bytes);
    close(peer);
    close(tcp_peer);
}

TEST(connection_is_not_accepted_by_a_handle_that_is_closing) {
    struct sockaddr_in address = localhost(0);
    int size = sizeof(address);
    char byte;
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &tcp));
    CHECK_OK(uv_tcp_bind(&tcp, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_listen(STREAM(&tcp), 5, NULL));
    CHECK_OK(uv_stream_set_blocking(STREAM(&tcp), 1));
    CHECK_OK(uv_stream_set_blocking(STREAM(&tcp), 0));
    CHECK_OK(uv_tcp_getsockname(&tcp, (struct sockaddr*)&address, &size));
    int peer = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(connect(peer, (struct sockaddr*)&address, sizeof(address)));
    CHECK_EQ(uv_accept(STREAM(&tcp), STREAM(&client)), UV_EAGAIN);
    while (tcp.stream.accepted_fd == -1)
        uv_run(&loop, UV_RUN_ONCE);
    CHECK_OK(uv_listen(STREAM(&tcp), 5, NULL)); /* the one that waits stays */
    uv_timer_t timer;
    CHECK_OK(uv_timer_init(&loop, &timer));
    CHECK_EQ(uv_accept(STREAM(&tcp), STREAM(&timer)), UV_EINVAL);
    CHECK_OK(uv_tcp_init(&loop, &client));
    uv_close(HANDLE(&client), NULL);
    CHECK_EQ(uv_accept(STREAM(&tcp), STREAM(&client)), UV_EINVAL);
    CHECK_EQ(read(peer, &byte, 1), 0);
    close(peer);
    close_loop();
}

TEST(terminal_takes_several_buffers_at_once) {
    uv_tty_t tty;
    char got[16] = {0};
    uv_buf_t bufs[2] = {text_buf("ab"), text_buf("cd\n")};
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0)
        test_skip("no pseudoterminals");
    CHECK_OK(unlockpt(master));
    int slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    open_loop();
    CHECK_OK(uv_tty_init(&loop, &tty, slave, 0));
    CHECK_EQ(uv_try_write(STREAM(&tty), bufs, 2), 5);
    CHECK_EQ(read(master, got, sizeof(got)), 6);
    CHECK_STR(got, "abcd\r\n");
    close_loop();
    close(slave);
    close(master);
}
