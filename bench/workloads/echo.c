/* An echo server: 64-byte messages, one on the way per connection. */
#include "sockets.h"

enum { MESSAGE = 64 };

static void wrote(uv_write_t* write, int status) {
    (void)write;
    (void)status;
}

static void echo_back(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    connection* conn = (connection*)stream;
    if (size < 0) {
        uv_close((uv_handle_t*)stream, free_connection);
    } else if (size > 0) {
        uv_buf_t answer = uv_buf_init(buf->base, (unsigned int)size);
        uv_write(&conn->write, stream, &answer, 1, wrote);
    }
}

static void start_echo(connection* conn) {
    uv_read_start(&conn->u.stream, give_buffer, echo_back);
}

static void serve_with_library(const server_side* side) {
    serve_uv(side, start_echo);
}

static void echo_raw(int fd) {
    char buffer[4096];
    ssize_t size = recv(fd, buffer, sizeof(buffer), 0);
    if (size <= 0)
        close(fd);
    else
        MUST(send(fd, buffer, (size_t)size, MSG_NOSIGNAL) == size);
}

static void serve_by_hand(const server_side* side) {
    serve_raw(side, EPOLLIN, echo_raw);
}

static double sent_at[2 * CONNECTIONS_AT_MOST]; /* by descriptor */
static double trips[1 << 20];
static size_t trip_count;

static void note_trip(int fd) {
    double now = wall_seconds();
    MUST(fd < 2 * CONNECTIONS_AT_MOST);
    if (trip_count < sizeof(trips) / sizeof(trips[0]) && sent_at[fd] > 0)
        trips[trip_count++] = now - sent_at[fd];
    sent_at[fd] = now;
}

/* Sends back what came: the bytes stay on their way for ever. */
static long send_again(client* k, int fd) {
    char buffer[4096];
    ssize_t size = read(fd, buffer, sizeof(buffer));
    (void)k;
    note_trip(fd);
    MUST(size > 0 && write(fd, buffer, (size_t)size) == size);
    return size;
}

static void echo(const bench_case* c, void (*serve)(const server_side* side)) {
    char message[MESSAGE] = {0};
    server s = start_server(c, serve);
    client k = connect_client(&s, c->count, EPOLLIN);
    for (int i = 0; i < k.count; i++)
        MUST(write(k.fds[i], message, MESSAGE) == MESSAGE);
    measure(c, &s, &k, send_again, MESSAGE, "messages/s", "us/message");
    report_latency(c, trips, trip_count);
}

static void run(const bench_case* c) {
    echo(c, serve_with_library);
}

static void limit(const bench_case* c) {
    echo(c, serve_by_hand);
}

static const bench_case cases[] = {
    {"echo-tcp-1", run, limit, 1, 0, NULL},       {"echo-tcp-50", run, limit, 50, 0, NULL},
    {"echo-tcp-1000", run, limit, 1000, 0, NULL}, {"echo-pipe-1", run, limit, 1, 0, NULL},
    {"echo-pipe-50", run, limit, 50, 0, NULL},    {"echo-pipe-1000", run, limit, 1000, 0, NULL},
};
BENCH_MAIN(cases)
