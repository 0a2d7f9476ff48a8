/* Bytes in one direction: receiving and sending big blocks, and many small writes in one tick. */
#include "sockets.h"

#include <sys/uio.h>

enum { BLOCK = 65536, SMALL = 64, BATCH = 100, AT_ONCE = 8 };
#define MEGABYTE 1e6

static char block[BLOCK];

/* The client's two roles. */

static long feed(client* k, int fd) {
    (void)k;
    ssize_t size = write(fd, block, BLOCK);
    return size > 0 ? size : 0;
}

/* MSG_TRUNC: the kernel drops the bytes without copying them, so the server is the slower end. */
static long drain(client* k, int fd) {
    (void)k;
    ssize_t size = recv(fd, NULL, 1 << 20, MSG_TRUNC);
    return size > 0 ? size : 0;
}

/* Receiving */

static void give_block(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(block, BLOCK);
}

static void discard(uv_stream_t* stream, ssize_t size, const uv_buf_t* buf) {
    (void)buf;
    if (size < 0)
        uv_close((uv_handle_t*)stream, free_connection);
}

static void start_receiving(connection* conn) {
    uv_read_start(&conn->u.stream, give_block, discard);
}

static void receive_with_library(const server_side* side) {
    serve_uv(side, start_receiving);
}

static void receive_block(int fd) {
    ssize_t size = BLOCK;
    for (int i = 0; i < AT_ONCE && size == BLOCK; i++)
        size = recv(fd, block, BLOCK, 0);
    if (size == 0 || (size < 0 && errno != EAGAIN))
        close(fd);
}

static void receive_by_hand(const server_side* side) {
    serve_raw(side, EPOLLIN, receive_block);
}

/* Sending */

static void send_next(uv_write_t* write, int status) {
    uv_buf_t buf = uv_buf_init(block, BLOCK);
    if (status == 0)
        uv_write(write, write->handle, &buf, 1, send_next);
}

static void start_sending(connection* conn) {
    conn->write.handle = &conn->u.stream;
    send_next(&conn->write, 0);
}

static void send_with_library(const server_side* side) {
    serve_uv(side, start_sending);
}

static void send_block(int fd) {
    ssize_t size = BLOCK;
    for (int i = 0; i < AT_ONCE && size == BLOCK; i++)
        size = send(fd, block, BLOCK, MSG_NOSIGNAL);
    if (size < 0 && errno != EAGAIN)
        close(fd);
}

static void send_by_hand(const server_side* side) {
    serve_raw(side, EPOLLOUT, send_block);
}

/* Many small writes in one tick. When the last is done, the next batch follows. */

static uv_write_t batch[BATCH];

static void small_write_done(uv_write_t* write, int status);

static void write_batch(uv_stream_t* stream) {
    uv_buf_t buf = uv_buf_init(block, SMALL);
    for (int i = 0; i < BATCH; i++)
        uv_write(&batch[i], stream, &buf, 1, small_write_done);
}

static void small_write_done(uv_write_t* write, int status) {
    if (write == &batch[BATCH - 1] && status == 0)
        write_batch(write->handle);
}

static void start_small_writes(connection* conn) {
    write_batch(&conn->u.stream);
}

static void small_writes_with_library(const server_side* side) {
    serve_uv(side, start_small_writes);
}

/* Beyond libuv's interface: the other library does not have it. */
void phasor_loop_batch_writes(uv_loop_t* loop, int on) __attribute__((weak));

static void start_batched_writes(connection* conn) {
    if (phasor_loop_batch_writes != NULL)
        phasor_loop_batch_writes(conn->u.stream.loop, 1);
    write_batch(&conn->u.stream);
}

static void batched_writes_with_library(const server_side* side) {
    serve_uv(side, start_batched_writes);
}

static void write_vector(int fd) {
    struct iovec parts[BATCH];
    for (int i = 0; i < BATCH; i++)
        parts[i] = (struct iovec){block, SMALL};
    if (writev(fd, parts, BATCH) < 0 && errno != EAGAIN)
        close(fd);
}

static void small_writes_by_hand(const server_side* side) {
    serve_raw(side, EPOLLOUT, write_vector);
}

typedef struct {
    void (*serve)(const server_side* side);
    void (*serve_raw)(const server_side* side);
    long (*step)(client* k, int fd);
    uint32_t interest;
    double per_unit;
    const char *rate_unit, *cpu_unit;
} direction;

static const direction receiving = {
    receive_with_library, receive_by_hand, feed, EPOLLOUT, MEGABYTE, "MB/s", "us/MB"};
static const direction sending = {send_with_library, send_by_hand, drain,  EPOLLIN,
                                  MEGABYTE,          "MB/s",       "us/MB"};
static const direction small_writing = {
    small_writes_with_library, small_writes_by_hand, drain, EPOLLIN, SMALL, "writes/s", "us/write"};
static const direction batched_writing = {batched_writes_with_library,
                                          small_writes_by_hand,
                                          drain,
                                          EPOLLIN,
                                          SMALL,
                                          "writes/s",
                                          "us/write"};

static void transfer(const bench_case* c, int by_hand) {
    const direction* how = c->how;
    server s = start_server(c, by_hand ? how->serve_raw : how->serve);
    client k = connect_client(&s, c->count, how->interest);
    measure(c, &s, &k, how->step, how->per_unit, how->rate_unit, how->cpu_unit);
}

static void run(const bench_case* c) {
    transfer(c, 0);
}

static void limit(const bench_case* c) {
    transfer(c, 1);
}

static const bench_case cases[] = {
    {"receive-tcp-1", run, limit, 1, 0, &receiving},
    {"receive-tcp-100", run, limit, 100, 0, &receiving},
    {"send-tcp-1", run, limit, 1, 0, &sending},
    {"send-tcp-100", run, limit, 100, 0, &sending},
    {"small-writes", run, limit, 1, 0, &small_writing},
    {"small-writes-batched", run, limit, 1, 0, &batched_writing},
};
BENCH_MAIN(cases)
