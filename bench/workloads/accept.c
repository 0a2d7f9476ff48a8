/* Short connections: accept, read one byte, close. */
#include "sockets.h"

static void close_after_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)buf;
    if (size != 0)
        uv_close((uv_handle_t*)stream, free_connection);
}

static void await_byte(connection* conn) {
    uv_read_start(&conn->u.stream, give_buffer, close_after_read);
}

static void serve_with_library(const server_side* side) {
    serve_uv(side, await_byte);
}

static void read_and_close(int fd) {
    char buffer[16];
    if (recv(fd, buffer, sizeof(buffer), 0) >= 0 || errno != EAGAIN)
        close(fd);
}

static void serve_by_hand(const server_side* side) {
    serve_raw(side, EPOLLIN, read_and_close);
}

static server target;

static void open_connection(client* k) {
    int fd = connect_to(&target, 0);
    MUST(write(fd, "x", 1) == 1);
    watch(k->epoll, fd, EPOLLIN);
}

/* The server has closed. The reset that this close sends keeps the port out of TIME_WAIT. */
static long replace_connection(client* k, int fd) {
    struct linger reset = {1, 0};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof(reset));
    close(fd);
    open_connection(k);
    return 1;
}

static void connections(const bench_case* c, void (*serve)(const server_side* side)) {
    target = start_server(c, serve);
    client k = connect_client(&target, 0, 0);
    for (int i = 0; i < c->count; i++)
        open_connection(&k);
    measure(c, &target, &k, replace_connection, 1, "connections/s", "us/connection");
}

static void run(const bench_case* c) {
    connections(c, serve_with_library);
}

static void limit(const bench_case* c) {
    connections(c, serve_by_hand);
}

static const bench_case cases[] = {
    {"accept-tcp", run, limit, 16, 0, NULL},
    {"accept-pipe", run, limit, 16, 0, NULL},
};
BENCH_MAIN(cases)
