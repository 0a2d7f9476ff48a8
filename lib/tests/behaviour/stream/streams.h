#ifndef STREAMS_H
#define STREAMS_H

/* What the tests of streams share: a loop, connected pairs, counters for the callbacks. */

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>
#include <uv.h>

#include "harness.h"

#define UNUSED __attribute__((unused))
#define STREAM(h) ((uv_stream_t*)(h))
#define HANDLE(h) ((uv_handle_t*)(h))

/* Where programs that look inside find the flags of a handle and the descriptor of a stream. */
#define FLAGS (sizeof(void*) == 8 ? 88 : 44)
#define DESCRIPTOR (sizeof(void*) == 8 ? 184 : 96)

static uv_loop_t loop;

static inline void open_loop(void) {
    CHECK_OK(uv_loop_init(&loop));
}

static inline void close_if_open(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static inline void close_loop(void) {
    uv_walk(&loop, close_if_open, NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    CHECK_OK(uv_loop_close(&loop));
}

static inline void run_some(int turns) {
    while (turns-- > 0)
        uv_run(&loop, UV_RUN_NOWAIT);
}

static inline struct sockaddr_in localhost(int port) {
    struct sockaddr_in address;
    CHECK_OK(uv_ip4_addr("127.0.0.1", port, &address));
    return address;
}

/* A listening socket of the system, and where it is. */
static inline int raw_listener(struct sockaddr_in* address) {
    socklen_t size = sizeof(*address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    *address = localhost(0);
    CHECK_OK(bind(fd, (struct sockaddr*)address, size));
    CHECK_OK(listen(fd, 1024));
    CHECK_OK(getsockname(fd, (struct sockaddr*)address, &size));
    return fd;
}

/* A stream connected over TCP to a plain descriptor, which is returned. */
static inline int open_tcp(uv_tcp_t* tcp) {
    struct sockaddr_in address;
    int listener = raw_listener(&address);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK_OK(connect(fd, (struct sockaddr*)&address, sizeof(address)));
    int peer = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    CHECK_GE(peer, 0);
    close(listener);
    CHECK_OK(uv_tcp_init(&loop, tcp));
    CHECK_OK(uv_tcp_open(tcp, fd));
    return peer;
}

/* The same over a Unix socket. */
static inline int open_pipe(uv_pipe_t* pipe, int ipc) {
    int fds[2];
    CHECK_OK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds));
    CHECK_OK(uv_pipe_init(&loop, pipe, ipc));
    CHECK_OK(uv_pipe_open(pipe, fds[0]));
    return fds[1];
}

/* Without blocking; the number of bytes, 0 at the end, or -errno. */
static inline long take(int fd, void* to, size_t size) {
    ssize_t n = recv(fd, to, size, MSG_DONTWAIT);
    return n >= 0 ? n : -errno;
}

static inline void expect_bytes(int fd, const char* text) {
    char got[256] = {0};
    CHECK_EQ(take(fd, got, sizeof(got) - 1), strlen(text));
    CHECK_STR(got, text);
}

static inline uv_buf_t text_buf(const char* text) {
    return uv_buf_init((char*)(uintptr_t)text, (unsigned int)strlen(text));
}

/* Callbacks that count. */

static UNUSED int writes, shutdowns, connects, closes, reads;
static UNUSED int write_status, shutdown_status, connect_status;
static UNUSED ssize_t read_result;
static UNUSED char read_text[1 << 16];
static UNUSED size_t read_bytes;

static inline void on_write(uv_write_t* req, int status) {
    (void)req;
    writes++;
    write_status = status;
}

static inline void on_shutdown(uv_shutdown_t* req, int status) {
    (void)req;
    shutdowns++;
    shutdown_status = status;
}

static inline void on_connect(uv_connect_t* req, int status) {
    (void)req;
    connects++;
    connect_status = status;
}

static inline void on_close(uv_handle_t* handle) {
    (void)handle;
    closes++;
}

static inline void give_room(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle;
    (void)suggested;
    *buf = uv_buf_init(read_text + read_bytes, (unsigned)(sizeof(read_text) - 1 - read_bytes));
}

static inline void on_read(uv_stream_t* stream, ssize_t result, const uv_buf_t* buf) {
    (void)stream;
    (void)buf;
    reads++;
    read_result = result;
    if (result > 0)
        read_bytes += (size_t)result;
}

#endif
