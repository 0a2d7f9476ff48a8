/* Resident memory: of loops, and of idle connections. Repeats hardly differ, so few rounds. */
#include "sockets.h"

enum { LOOPS = 2000 };

static void idle_loops(const bench_case* c) {
    static uv_loop_t loops[LOOPS];
    size_t before = resident_bytes();
    for (int i = 0; i < LOOPS; i++) {
        MUST(uv_loop_init(&loops[i]) == 0);
        uv_run(&loops[i], UV_RUN_NOWAIT);
    }
    report(c, "", "bytes/loop", (double)(resident_bytes() - before) / LOOPS, "lower");
}

/* The server: reports what it grew by when all connections are there. */

static size_t before;
static int expected, growth_fd;

static void discard(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)stream;
    (void)size;
    (void)buf;
}

static void report_growth(uv_timer_t* timer) {
    size_t growth = resident_bytes() - before;
    (void)timer;
    MUST(write(growth_fd, &growth, sizeof(growth)) == sizeof(growth));
}

static void count_connection(connection* conn) {
    static uv_timer_t timer;
    uv_read_start(&conn->u.stream, give_buffer, discard);
    if (--expected == 0) {
        uv_timer_init(conn->u.stream.loop, &timer);
        uv_timer_start(&timer, report_growth, 10, 0);
    }
}

static void serve(const server_side* side) {
    expected = side->c->count;
    before = resident_bytes();
    serve_uv(side, count_connection);
}

static void idle_connections(const bench_case* c) {
    int growth_pipe[2];
    size_t growth;
    MUST(pipe(growth_pipe) == 0);
    growth_fd = growth_pipe[1];
    server s = start_server(c, serve);
    client k = connect_client(&s, c->count, EPOLLIN);
    MUST(read(growth_pipe[0], &growth, sizeof(growth)) == sizeof(growth));
    report(c, "", "bytes/connection", (double)growth / k.count, "lower");
    stop_server(&s);
}

static const bench_case cases[] = {
    {"memory-loop", idle_loops, NULL, LOOPS, 3, NULL},
    {"memory-connection-1k", idle_connections, NULL, 1000, 3, NULL},
};
BENCH_MAIN(cases)
