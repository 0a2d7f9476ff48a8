#ifndef PH_STREAM_STREAM_H
#define PH_STREAM_STREAM_H

/*
 * What TCP, pipe and terminal handles share.
 *
 * A stream that has a descriptor has one watcher. `requests.connect` set: connecting, everything
 * else waits. `stream.connection_cb` set: listening. Otherwise reading and writing go on
 * independently of each other.
 *
 * Writes are in `stream.write_queue` until all their bytes have left, then in
 * `stream.write_completed_queue` until the pending phase calls them back. While the queue is not
 * empty, at least one of these holds, so that the queue never stalls: the stream is connecting, the
 * watcher wants EPOLLOUT, or the watcher is fed.
 */

#include <stdbool.h>
#include <stdint.h>
#include <sys/uio.h>

#include "core/handle.h"
#include "os/poller.h"
#include "uv.h"

/* In the flags word of a terminal whose writes may block: programs look there. */
enum { PH_TTY_BLOCKING_WRITES = 0x100000 };

/* Flags of TCP handles that were set before there was a socket. */
enum { PH_TCP_NODELAY = 0x100, PH_TCP_KEEPALIVE = 0x200 };

/* Fed to a stream's watcher when writes wait for their callbacks: an event that the kernel never
 * sends. */
enum { PH_FED = EPOLLMSG };

/* How bytes are given to the kernel without a SIGPIPE. Every stream is taken for a socket until its
 * first read or write says otherwise. */
enum ph_transport {
    PH_BY_SEND,  /* a socket: MSG_NOSIGNAL */
    PH_BY_FIFO,  /* a pipe or FIFO */
    PH_BY_WRITE, /* anything else: never signals */
};

/* What a stream keeps in the spare bytes of uv_handle_t. Set anew by ph_stream_init. */
struct ph_stream_extra {
    struct ph_listener* listener; /* only while listening */
    uint8_t transport;            /* enum ph_transport */
    uint8_t reading : 1;          /* between uv_read_start and its end */
    uint8_t blocking : 1;         /* the descriptor may block: no repeated reads */
    uint8_t shut : 1;             /* uv_shutdown was called */
    uint8_t terminal : 1;         /* the program's side of a child's terminal */
};

_Static_assert(sizeof(struct ph_stream_extra) <= sizeof(((uv_stream_t*)0)->u),
               "the stream's extra state must fit");

static inline struct ph_stream_extra* ph_extra(const uv_stream_t* stream) {
    return (struct ph_stream_extra*)(uintptr_t)stream->u.reserved;
}

/* What a write keeps in its request's room. */
struct ph_write_extra {
    size_t bytes_done;
    size_t bytes_left;
    uintptr_t finished; /* 0: in the stream's queue */
};

_Static_assert(sizeof(struct ph_write_extra) <= sizeof(((uv_write_t*)0)->room),
               "the write's extra state must fit");

static inline struct ph_write_extra* ph_write_extra(const uv_write_t* req) {
    return (struct ph_write_extra*)(uintptr_t)&req->room;
}

#define PH_STREAM(h) ((uv_stream_t*)(h))

static inline int ph_stream_fd(const uv_stream_t* stream) {
    return stream->io_watcher.fd;
}

/* stream.c */
void ph_stream_init(uv_loop_t* loop, uv_stream_t* stream, uv_handle_type type);
/* Gives the stream a descriptor that is non-blocking already, and PH_READABLE | PH_WRITABLE as it
 * applies. UV_EBUSY if it has another; on failure the descriptor stays the caller's. */
int ph_stream_open(uv_stream_t* stream, int fd, unsigned int flags);
/* 0: connected or connecting. */
int ph_connect_socket(int fd, const void* address, socklen_t size);
/* A connect was started: 0 calls back when the socket is writable, an error in the pending phase.
 */
void ph_stream_connecting(uv_connect_t* req, uv_stream_t* stream, int err, uv_connect_cb cb);

/* listen.c */
int ph_stream_listen(uv_stream_t* stream, int backlog, uv_connection_cb cb);
void ph_listener_stop(uv_stream_t* stream);
void ph_listener_free(uv_loop_t* loop, uv_stream_t* stream);

/* read.c */
void ph_stream_read(uv_stream_t* stream);

/* write.c */
/* The first request of the queue has more buffers than the kernel takes in one call. */
bool ph_stream_head_takes_calls(const uv_stream_t* stream);
/* Sends as much of the queue as the kernel takes. */
void ph_stream_send_queue(uv_stream_t* stream);
/* The same, if the queue waits for nothing but the pending phase: writes that were gathered. */
void ph_stream_send_gathered(uv_stream_t* stream);
void ph_stream_run_write_callbacks(uv_stream_t* stream);
/* Fails everything that is still queued; the callbacks are left to the function above. */
void ph_stream_fail_queue(uv_stream_t* stream, int err);

/* descriptor.c: UV_EINVAL for a kind that has none, UV_EBADF for a handle without. */
int ph_handle_fd(const uv_handle_t* handle);

/* transmit.c: one system call. Bytes sent, UV_EAGAIN, or another error; `pass_fd` may be -1. */
ssize_t ph_transmit(uv_stream_t* stream, const uv_buf_t* bufs, unsigned int count, int pass_fd);
/* The descriptor turned out not to be a socket. */
void ph_find_transport(uv_stream_t* stream);

/* fdpass.c: descriptors that came over an ipc pipe and wait for uv_accept. */
ssize_t ph_receive_with_fds(uv_stream_t* stream, void* base, size_t size);
/* The next one becomes stream.accepted_fd, or -1. */
void ph_fds_shift(uv_stream_t* stream);
void ph_fds_close(uv_stream_t* stream);
unsigned int ph_fds_waiting(const uv_stream_t* stream);

/* tcp.c, tty.c */
int ph_tcp_ready_to_listen(uv_tcp_t* tcp);
int ph_tcp_apply_options(uv_tcp_t* tcp, int fd);
void ph_tty_closing(uv_tty_t* tty);

#endif
