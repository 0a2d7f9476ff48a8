/* Listening and accepting. */

#include <errno.h>
#include <sys/socket.h>

#include "base/error.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "os/fd.h"
#include "stream/stream.h"

enum {
    EVENTS_PER_ACCEPT = 8, /* of others in the same turn; see on_connections */
    LONGEST_PAUSE = 100    /* ms */
};

/*
 * While descriptors or memory are short, accepting pauses: the connections stay in the kernel's
 * queue, nobody is told, and the loop does not spin. Allocated by uv_listen, so that a pause itself
 * needs nothing that could be short.
 */
struct ph_listener {
    uv_timer_t retry; /* the library's own, does not keep the loop alive */
    uv_stream_t* stream;
    unsigned int pause; /* ms, the last one */
};

static int open_listener(uv_stream_t* stream) {
    if (ph_extra(stream)->listener != NULL)
        return 0;
    struct ph_listener* listener = ph_loop_malloc(stream->loop, sizeof(*listener));
    if (listener == NULL)
        return UV_ENOMEM;
    uv_timer_init(stream->loop, &listener->retry);
    listener->retry.flags |= PH_INTERNAL;
    uv_unref(PH_HANDLE(&listener->retry));
    listener->stream = stream;
    listener->pause = 0;
    ph_extra(stream)->listener = listener;
    return 0;
}

void ph_listener_stop(uv_stream_t* stream) {
    struct ph_listener* listener = ph_extra(stream)->listener;
    if (listener != NULL)
        uv_timer_stop(&listener->retry);
}

/* Not before the closing phase: the timers phase may be looking at the timers that are due. */
void ph_listener_free(uv_loop_t* loop, uv_stream_t* stream) {
    struct ph_listener* listener = ph_extra(stream)->listener;
    if (listener == NULL)
        return;
    ph_handle_forget(PH_HANDLE(&listener->retry));
    ph_loop_free(loop, listener);
    ph_extra(stream)->listener = NULL;
}

/* The poll phase of this turn finds the connections: callers expect them there. */
static void go_on_accepting(uv_timer_t* retry) {
    uv_stream_t* stream = PH_CONTAINER_OF(retry, struct ph_listener, retry)->stream;
    ph_watcher_start(stream->loop, &stream->io_watcher, EPOLLIN);
}

static void pause_accepting(uv_stream_t* stream) {
    struct ph_listener* listener = ph_extra(stream)->listener;
    listener->pause = listener->pause == 0 ? 1 : listener->pause * 2;
    if (listener->pause > LONGEST_PAUSE)
        listener->pause = LONGEST_PAUSE;
    ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLIN);
    uv_timer_start(&listener->retry, go_on_accepting, listener->pause, 0);
}

static int accept_one(int fd) {
    int peer;
    do
        peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    while (peer == -1 && (errno == EINTR || errno == ECONNABORTED));
    return peer == -1 ? ph_errno() : peer;
}

static bool is_shortage(int err) {
    return err == UV_EMFILE || err == UV_ENFILE || err == UV_ENOBUFS || err == UV_ENOMEM;
}

/* True: there may be more. */
static bool take_connection(uv_stream_t* stream) {
    int peer = accept_one(ph_stream_fd(stream));
    if (peer == UV_EAGAIN)
        return false;
    if (is_shortage(peer)) {
        pause_accepting(stream);
        return false;
    }
    if (peer >= 0) {
        stream->stream.accepted_fd = peer;
        ph_extra(stream)->listener->pause = 0;
    }
    if (stream->stream.connection_cb != NULL)
        PH_DISPATCH(stream->loop, stream, stream->stream.connection_cb, stream,
                    peer < 0 ? peer : 0);
    if (peer < 0 || ph_stream_fd(stream) == -1)
        return false;
    if (stream->stream.accepted_fd != -1) {
        /* Nobody took it: wait for uv_accept. */
        ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLIN);
        return false;
    }
    return true;
}

/*
 * An accept that finds nothing costs more than being told of the next connection, because the
 * kernel makes a socket for it first. So there is one accept a turn, and more only in proportion to
 * what else the turn has to do: else a busy loop would accept too slowly.
 */
static void on_connections(uv_loop_t* loop, uv__io_t* watcher, unsigned int events) {
    uv_stream_t* stream = PH_CONTAINER_OF(watcher, uv_stream_t, io_watcher);
    (void)events;
    unsigned more = loop->internal.poller.reported / EVENTS_PER_ACCEPT;
    unsigned rounds = ph_extra(stream)->blocking ? 1 : 1 + more;
    while (rounds-- > 0 && take_connection(stream))
        continue;
}

/* What a socket that can't listen gets before anything has changed. */
static int prepare(uv_stream_t* stream) {
    switch (stream->type) {
    case UV_TCP:
        return ph_tcp_ready_to_listen((uv_tcp_t*)stream);
    case UV_NAMED_PIPE:
        return ph_stream_fd(stream) == -1 || ((uv_pipe_t*)stream)->ipc ? UV_EINVAL : 0;
    default:
        return UV_EINVAL;
    }
}

/* Without a callback the connections wait for uv_accept. */
int uv_listen(uv_stream_t* stream, int backlog, uv_connection_cb cb) {
    if (ph_is_closing(stream))
        return UV_EINVAL;
    bool again = ph_extra(stream)->listener != NULL;
    int err = prepare(stream);
    if (err == 0)
        err = open_listener(stream);
    if (err != 0)
        return err;
    if (listen(ph_stream_fd(stream), backlog) != 0) {
        err = ph_errno();
        if (!again)
            ph_listener_free(stream->loop, stream);
        return err;
    }
    stream->stream.connection_cb = cb;
    stream->io_watcher.on_events = on_connections;
    if (stream->stream.accepted_fd == -1)
        ph_watcher_start(stream->loop, &stream->io_watcher, EPOLLIN);
    ph_handle_start(stream);
    return 0;
}

static int adopt(uv_handle_t* client, int fd) {
    if (client->type == UV_UDP)
        return uv_udp_open((uv_udp_t*)client, fd);
    return ph_stream_open(PH_STREAM(client), fd, PH_READABLE | PH_WRITABLE);
}

static bool takes_descriptors(const uv_stream_t* client) {
    return client->type == UV_TCP || client->type == UV_NAMED_PIPE || client->type == UV_UDP;
}

/* A connection that the client can't take is closed: kept, it would stand before all others. */
int uv_accept(uv_stream_t* server, uv_stream_t* client) {
    int fd = server->stream.accepted_fd;
    if (fd == -1)
        return UV_EAGAIN;
    if (!takes_descriptors(client))
        return UV_EINVAL;
    int err = ph_is_closing(client) ? UV_EINVAL : adopt(PH_HANDLE(client), fd);
    if (err != 0)
        ph_fd_close(fd);
    ph_fds_shift(server);
    struct ph_listener* listener = ph_extra(server)->listener;
    if (listener != NULL && !ph_is_active(&listener->retry))
        ph_watcher_start(server->loop, &server->io_watcher, EPOLLIN);
    return err;
}
