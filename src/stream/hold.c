/*
 * Writes after the first in one callback are held back and leave together, as one system call, when
 * the callback returns (ph_dispatch_ends).
 *
 * A held stream has been fed, so even if a callback never returns properly (a longjmp), the pending
 * phase sends what is held. Nothing is held outside of callbacks, nor on descriptors that others
 * may write to in between: standard output and error, terminals, blocking streams.
 */

#include <pthread.h>
#include <unistd.h>

#include "base/queue.h"
#include "core/parts.h"
#include "stream/stream.h"

enum { HELD_LIMIT = 64 * 1024 };

/* The loop of this thread whose flush list is not empty, so that exit() and fork() find it. With
 * one loop run inside another's callback, the outer one is flushed before the inner one holds. */
static _Thread_local uv_loop_t* holding __attribute__((tls_model("initial-exec")));

static void flush_at_exit(void) __attribute__((destructor));

static void flush_at_exit(void) {
    ph_streams_flush_thread();
}

/* Otherwise the child would send, at its own exit, a copy of what the parent sends. */
static void flush_before_fork(void) {
    ph_streams_flush_thread();
}

static void watch_forks(void) {
    pthread_atfork(flush_before_fork, NULL, NULL);
}

bool ph_stream_may_hold(const uv_stream_t* stream) {
    const struct ph_stream_extra* extra = ph_extra(stream);
    return stream->loop->internal.in_callback > 0 && !extra->blocking && !extra->exposed &&
           stream->type != UV_TTY && ph_stream_fd(stream) > STDERR_FILENO;
}

void ph_stream_hold(uv_stream_t* stream, size_t bytes) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct ph_stream_extra* extra = ph_extra(stream);
    uv_loop_t* loop = stream->loop;
    if (!ph_stream_holds(stream)) {
        if (holding != loop) {
            ph_streams_flush_thread();
            pthread_once(&once, watch_forks);
            holding = loop;
        }
        ph_queue_push(&loop->internal.flush, &extra->held);
        ph_watcher_feed(loop, &stream->io_watcher, PH_FED);
        extra->held_bytes = 0;
    }
    if (bytes >= HELD_LIMIT - extra->held_bytes)
        ph_stream_flush(stream);
    else
        extra->held_bytes += (uint32_t)bytes;
}

void ph_stream_flush(uv_stream_t* stream) {
    if (!ph_stream_holds(stream))
        return;
    ph_queue_remove(&ph_extra(stream)->held);
    if (holding == stream->loop && ph_queue_empty(&stream->loop->internal.flush))
        holding = NULL;
    ph_stream_send_queue(stream);
}

void ph_streams_flush(uv_loop_t* loop) {
    struct uv__queue* list = &loop->internal.flush;
    while (!ph_queue_empty(list)) {
        struct ph_stream_extra* extra = PH_CONTAINER_OF(list->next, struct ph_stream_extra, held);
        ph_stream_flush(PH_CONTAINER_OF(extra, uv_stream_t, u));
    }
}

void ph_streams_flush_thread(void) {
    if (holding != NULL)
        ph_streams_flush(holding);
}
