// wrap: accept4 listen
/* How many connections a turn takes, and how long accepting pauses. */

#include "behaviour/stream/streams.h"

#include "base/queue.h"
#include "core/handle.h"
#include "stream/stream.h"

static int accepts, accept_error, listen_error;

int __real_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags);
int __wrap_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags);
int __wrap_accept4(int fd, struct sockaddr* address, socklen_t* size, int flags) {
    accepts++;
    errno = accept_error;
    return accept_error != 0 ? -1 : __real_accept4(fd, address, size, flags);
}

int __real_listen(int fd, int backlog);
int __wrap_listen(int fd, int backlog);
int __wrap_listen(int fd, int backlog) {
    errno = listen_error;
    return listen_error != 0 ? -1 : __real_listen(fd, backlog);
}

enum { READY = 16, CLIENTS = 6 };

static uv_tcp_t server, clients[CLIENTS];
static uv_udp_t ready[READY];
static int fds[CLIENTS];
static struct sockaddr_in address;
static int told, told_status;
static void (*on_told)(uv_stream_t* stream);

static void on_connection(uv_stream_t* stream, int status) {
    told++;
    told_status = status;
    if (on_told != NULL)
        on_told(stream);
}

static void take_it(uv_stream_t* stream) {
    CHECK_OK(uv_tcp_init(&loop, &clients[told - 1]));
    CHECK_OK(uv_accept(stream, STREAM(&clients[told - 1])));
}

static void close_it(uv_stream_t* stream) {
    uv_close(HANDLE(stream), NULL);
}

static void take_and_close(uv_stream_t* stream) {
    take_it(stream);
    close_it(stream);
}

static void start_server(void) {
    int size = sizeof(address);
    address = localhost(0);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&address, 0));
    CHECK_OK(uv_tcp_getsockname(&server, (struct sockaddr*)&address, &size));
    CHECK_OK(uv_listen(STREAM(&server), 128, on_connection));
}

static void connect_all(int count) {
    for (int i = 0; i < count; i++) {
        fds[i] = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        CHECK_OK(connect(fds[i], (struct sockaddr*)&address, sizeof(address)));
    }
}

static void on_datagram(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                        const struct sockaddr* from, unsigned flags) {
    (void)handle, (void)nread, (void)buf, (void)from, (void)flags;
}

/* So many others have something to read. */
static void make_others_ready(void) {
    uv_buf_t byte = text_buf("x");
    for (int i = 0; i < READY; i++) {
        struct sockaddr_in own = localhost(0);
        int size = sizeof(own);
        CHECK_OK(uv_udp_init(&loop, &ready[i]));
        CHECK_OK(uv_udp_bind(&ready[i], (struct sockaddr*)&own, 0));
        CHECK_OK(uv_udp_getsockname(&ready[i], (struct sockaddr*)&own, &size));
        CHECK_OK(uv_udp_recv_start(&ready[i], give_room, on_datagram));
        CHECK_EQ(uv_udp_try_send(&ready[i], &byte, 1, (struct sockaddr*)&own), 1);
    }
}

static void end(int count) {
    for (int i = 0; i < count; i++)
        close(fds[i]);
    close_loop();
}

TEST(quiet_loop_takes_one_connection_a_turn) {
    start_server();
    connect_all(3);
    on_told = take_it;
    for (int i = 1; i <= 3; i++) {
        uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(accepts, i);
        CHECK_EQ(told, i);
    }
    end(3);
}

TEST(busy_loop_takes_more_connections_a_turn) {
    start_server();
    make_others_ready();
    connect_all(CLIENTS);
    on_told = take_it;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(loop.internal.poller.reported, READY + 1);
    CHECK_EQ(accepts, 1 + (READY + 1) / 8);
    CHECK_EQ(told, accepts);
    end(CLIENTS);
}

TEST(busy_loop_takes_no_more_connections_than_there_are) {
    start_server();
    make_others_ready();
    connect_all(1);
    on_told = take_it;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(accepts, 2); /* the second found none */
    CHECK_EQ(told, 1);
    CHECK_EQ(told_status, 0);
    end(1);
}

TEST(connection_that_nobody_takes_keeps_the_others_waiting) {
    start_server();
    make_others_ready();
    connect_all(3);
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(accepts, 1);
    CHECK_EQ(told, 1);
    end(3);
}

TEST(listener_that_closes_in_its_callback_takes_no_more) {
    start_server();
    make_others_ready();
    connect_all(3);
    on_told = take_and_close;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(accepts, 1);
    CHECK_EQ(told, 1);
    end(3);
}

TEST(error_of_accepting_ends_the_turns_accepting) {
    start_server();
    make_others_ready();
    connect_all(2);
    accept_error = EPERM;
    uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(accepts, 1);
    CHECK_EQ(told_status, UV_EPERM);
    accept_error = 0;
    end(2);
}

static uv_timer_t* own_timer(void) {
    struct uv__queue* head = &loop.handle_queue;
    for (struct uv__queue* node = head->next; node != head; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        if (handle->type == UV_TIMER)
            return (uv_timer_t*)handle;
    }
    return NULL;
}

static void check_pause(unsigned ms) {
    int before = accepts;
    while (accepts == before)
        uv_run(&loop, UV_RUN_NOWAIT);
    CHECK_EQ(accepts, before + 1);
    CHECK(uv_is_active(HANDLE(own_timer())));
    CHECK_EQ(uv_timer_get_due_in(own_timer()), ms);
    CHECK_EQ(uv_timer_get_repeat(own_timer()), 0);
    CHECK_EQ(told, 0);
}

TEST(pauses_double_up_to_a_tenth_of_a_second_and_begin_anew) {
    static const unsigned pauses[] = {1, 2, 4, 8, 16, 32, 64, 100, 100};
    start_server();
    make_others_ready();
    connect_all(1);
    for (int round = 0; round < 2; round++) {
        accept_error = EMFILE;
        for (int i = 0; i < (round == 0 ? 9 : 2); i++)
            check_pause(pauses[i]);
        accept_error = 0;
        on_told = take_it;
        while (told == 0)
            uv_run(&loop, UV_RUN_NOWAIT);
        CHECK_EQ(told_status, 0);
        uv_close(HANDLE(&clients[0]), NULL);
        uv_run(&loop, UV_RUN_NOWAIT);
        told = 0;
        close(fds[0]);
        connect_all(1);
    }
    end(1);
}

TEST(listening_that_is_refused_leaves_nothing_behind) {
    struct sockaddr_in any = localhost(0);
    open_loop();
    CHECK_OK(uv_tcp_init(&loop, &server));
    CHECK_OK(uv_tcp_bind(&server, (struct sockaddr*)&any, 0));
    listen_error = EADDRINUSE;
    CHECK_EQ(uv_listen(STREAM(&server), 1, on_connection), UV_EADDRINUSE);
    CHECK(own_timer() == NULL);
    listen_error = 0;
    CHECK_OK(uv_listen(STREAM(&server), 1, on_connection));
    CHECK(own_timer() != NULL);
    listen_error = EADDRINUSE;
    CHECK_EQ(uv_listen(STREAM(&server), 1, on_connection), UV_EADDRINUSE);
    CHECK(own_timer() != NULL);
    close_loop();
}
