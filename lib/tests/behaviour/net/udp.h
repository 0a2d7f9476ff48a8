#ifndef UDP_H
#define UDP_H

/* What the UDP tests share: a loop, sockets on the loopback interface, a log of what was received.
 */

#include <unistd.h>
#include <uv.h>

#include "harness.h"

enum { LOG_SIZE = 4096 };

struct received {
    ssize_t nread;
    bool has_addr;
    unsigned int flags;
    unsigned short port; /* host order */
    char first;          /* byte */
};

static uv_loop_t loop;
static struct received received[LOG_SIZE];
static int received_count; /* every call */
static int datagram_count; /* calls with an address */
static int empty_count;    /* calls that give a buffer back unused */
static int alloc_count;
static char receive_buffer[1 << 21];
static size_t receive_size = 65536;

#define ADDR(a) ((const struct sockaddr*)(a))
#define HANDLE(h) ((uv_handle_t*)(h))

static inline void give_buffer(uv_handle_t* handle, size_t suggested, uv_buf_t* buf) {
    (void)handle, (void)suggested;
    alloc_count++;
    *buf = uv_buf_init(receive_buffer, (unsigned int)receive_size);
}

static inline void log_datagram(uv_udp_t* handle, ssize_t nread, const uv_buf_t* buf,
                                const struct sockaddr* addr, unsigned int flags) {
    (void)handle;
    CHECK_LT(received_count, LOG_SIZE);
    struct received* r = &received[received_count++];
    r->nread = nread;
    r->has_addr = addr != NULL;
    r->flags = flags;
    r->port = addr != NULL ? ntohs(((const struct sockaddr_in*)addr)->sin_port) : 0;
    r->first = nread > 0 ? buf->base[0] : 0;
    datagram_count += addr != NULL && nread >= 0;
    empty_count += addr == NULL && nread == 0;
}

static inline struct sockaddr_in loopback(int port) {
    struct sockaddr_in addr;
    CHECK_OK(uv_ip4_addr("127.0.0.1", port, &addr));
    return addr;
}

static inline struct sockaddr_in bound_to(const uv_udp_t* handle) {
    struct sockaddr_in addr;
    int size = sizeof(addr);
    CHECK_OK(uv_udp_getsockname(handle, (struct sockaddr*)&addr, &size));
    CHECK_EQ(size, sizeof(addr));
    return addr;
}

/* Bound to a free port of the loopback address, which it returns. */
static inline struct sockaddr_in open_bound(uv_udp_t* handle, unsigned int init_flags) {
    struct sockaddr_in addr = loopback(0);
    CHECK_OK(uv_udp_init_ex(&loop, handle, init_flags));
    CHECK_OK(uv_udp_bind(handle, ADDR(&addr), 0));
    return bound_to(handle);
}

static inline void try_send_byte(uv_udp_t* from, const struct sockaddr_in* to, char byte) {
    uv_buf_t buf = uv_buf_init(&byte, 1);
    CHECK_EQ(uv_udp_try_send(from, &buf, 1, ADDR(to)), 1);
}

/* Runs the loop until the counter gets there. */
static inline void run_until(const int* counter, int value) {
    while (*counter < value)
        CHECK(uv_run(&loop, UV_RUN_ONCE) != 0 || *counter >= value);
}

static inline void close_if_open(uv_handle_t* handle, void* arg) {
    (void)arg;
    if (!uv_is_closing(handle))
        uv_close(handle, NULL);
}

static inline void end_loop(void) {
    uv_walk(&loop, close_if_open, NULL);
    CHECK_OK(uv_run(&loop, UV_RUN_DEFAULT));
    CHECK_OK(uv_loop_close(&loop));
}

#endif
