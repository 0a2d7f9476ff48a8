#include <limits.h>
#include <phasor.h>
#include <string.h>
#include <unistd.h>

#include "base/bufs.h"
#include "base/loop_alloc.h"
#include "base/queue.h"
#include "core/dispatch.h"
#include "core/loop.h"
#include "core/parts.h"
#include "core/request.h"
#include "stream/stream.h"

enum {
    SENDS_PER_TURN = 32,      /* so that one stream can't keep the loop to itself */
    MOST_BUFS = 256,          /* of several requests in one call: they are listed on the stack */
    MOST_GATHERED = 64 * 1024 /* bytes: more than that gains nothing by waiting */
};

static uv_write_t* first_of(const struct uv__queue* queue) {
    return PH_CONTAINER_OF(queue->next, uv_write_t, internal.queue);
}

/* From the queue to those that wait for their callback. */
static void finish(uv_stream_t* stream, uv_write_t* req, int err) {
    req->internal.error = err;
    ph_write_extra(req)->finished = 1;
    ph_queue_remove(&req->internal.queue);
    ph_queue_push(&stream->stream.write_completed_queue, &req->internal.queue);
    ph_watcher_feed(stream->loop, &stream->io_watcher, PH_FED);
}

/* `size` bytes of the request have left, and not all. The empty buffers behind them have, too. */
static void advance(uv_write_t* req, size_t size) {
    struct uv__write_state* state = &req->internal;
    ph_write_extra(req)->bytes_done += size;
    ph_write_extra(req)->bytes_left -= size;
    while (size >= state->bufs[state->index].len)
        size -= state->bufs[state->index++].len;
    if (size > 0) {
        state->bufs[state->index].base += size;
        state->bufs[state->index].len -= size;
    }
}

/* `size` bytes of the queue have left. Empty writes that follow have nothing left to send. */
static void account(uv_stream_t* stream, size_t size) {
    struct uv__queue* queue = &stream->stream.write_queue;
    stream->write_queue_size -= size;
    do {
        uv_write_t* req = first_of(queue);
        size_t left = ph_write_extra(req)->bytes_left;
        if (size < left) {
            advance(req, size);
            return;
        }
        size -= left;
        ph_write_extra(req)->bytes_done += left;
        ph_write_extra(req)->bytes_left = 0;
        finish(stream, req, 0);
    } while (!ph_queue_empty(queue));
}

static bool is_too_long(const uv_write_t* req) {
    return req->internal.nbufs - req->internal.index > IOV_MAX;
}

bool ph_stream_head_takes_calls(const uv_stream_t* stream) {
    const struct uv__queue* queue = &stream->stream.write_queue;
    return !ph_queue_empty(queue) && first_of(queue)->internal.nbufs > IOV_MAX;
}

/* The head of the queue as one list of buffers. A request with a handle to pass goes alone, since
 * the kernel ties the handle to the bytes of one call; so does one that takes several calls. */
static unsigned int gather(const uv_stream_t* stream, uv_buf_t* list, size_t* total) {
    const struct uv__queue* head = &stream->stream.write_queue;
    unsigned int used = 0;
    *total = 0;
    for (const struct uv__queue* node = head->next; node != head; node = node->next) {
        const uv_write_t* req = PH_CONTAINER_OF(node, uv_write_t, internal.queue);
        if (used > 0 && (req->send_handle != NULL || is_too_long(req)))
            break;
        for (unsigned int i = req->internal.index; i < req->internal.nbufs; i++) {
            if (used == MOST_BUFS)
                return used;
            list[used++] = req->internal.bufs[i];
            *total += req->internal.bufs[i].len;
        }
        if (req->send_handle != NULL)
            break;
    }
    return used;
}

static ssize_t send_many(uv_stream_t* stream, size_t* total, int pass_fd) {
    uv_buf_t list[MOST_BUFS];
    unsigned int count = gather(stream, list, total);
    return ph_transmit(stream, list, count, pass_fd);
}

enum outcome {
    ALL_TAKEN,  /* of what was offered */
    SOME_TAKEN, /* by the kernel, or nothing */
    REFUSED     /* an error ended the first request; the next may try its luck in the next round */
};

/* One system call. */
static enum outcome send_head(uv_stream_t* stream) {
    struct uv__queue* queue = &stream->stream.write_queue;
    uv_write_t* req = first_of(queue);
    unsigned int count = req->internal.nbufs - req->internal.index;
    size_t total = ph_write_extra(req)->bytes_left;
    int pass_fd = -1;
    ssize_t n;
    if (req->send_handle != NULL) {
        pass_fd = ph_handle_fd(PH_HANDLE(req->send_handle));
        if (pass_fd < 0) {
            finish(stream, req, UV_EBADF);
            return REFUSED;
        }
    }
    bool too_long = is_too_long(req);
    if (req->internal.queue.next == queue || too_long)
        n = ph_transmit(stream, req->internal.bufs + req->internal.index, count, pass_fd);
    else
        n = send_many(stream, &total, pass_fd);
    if (n == UV_EAGAIN)
        return SOME_TAKEN;
    if (n < 0) {
        finish(stream, req, (int)n);
        return REFUSED;
    }
    req->send_handle = NULL;
    account(stream, (size_t)n);
    if (too_long && !ph_extra(stream)->blocking)
        return SOME_TAKEN; /* as in libuv: the rest of such a request waits for the next turn */
    return (size_t)n == total || ph_extra(stream)->blocking ? ALL_TAKEN : SOME_TAKEN;
}

void ph_stream_send_queue(uv_stream_t* stream) {
    struct uv__queue* queue = &stream->stream.write_queue;
    enum outcome outcome = ALL_TAKEN;
    for (int i = 0; !ph_queue_empty(queue) && outcome == ALL_TAKEN; i++) {
        if (i == SENDS_PER_TURN && !ph_extra(stream)->blocking)
            break;
        outcome = send_head(stream);
    }
    if (ph_queue_empty(queue) || outcome == REFUSED)
        ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLOUT);
    else
        ph_watcher_start(stream->loop, &stream->io_watcher, EPOLLOUT);
}

void ph_stream_fail_queue(uv_stream_t* stream, int err) {
    struct uv__queue* queue = &stream->stream.write_queue;
    while (!ph_queue_empty(queue)) {
        uv_write_t* req = first_of(queue);
        req->internal.error = err;
        ph_write_extra(req)->finished = 1;
        ph_queue_remove(&req->internal.queue);
        ph_queue_push(&stream->stream.write_completed_queue, &req->internal.queue);
    }
}

void ph_stream_run_write_callbacks(uv_stream_t* stream) {
    struct uv__queue done;
    struct uv__queue* node;
    if (ph_queue_empty(&stream->stream.write_completed_queue))
        return;
    ph_queue_move(&done, &stream->stream.write_completed_queue);
    while ((node = ph_queue_pop(&done)) != NULL) {
        uv_write_t* req = PH_CONTAINER_OF(node, uv_write_t, internal.queue);
        stream->write_queue_size -= ph_write_extra(req)->bytes_left;
        if (req->internal.bufs != req->internal.inline_bufs)
            ph_loop_free(stream->loop, req->internal.bufs);
        ph_request_end(stream->loop);
        if (req->cb != NULL)
            PH_DISPATCH(stream->loop, req, req->cb, req, req->internal.error);
        else
            ph_tell_request_ends(stream->loop, req);
    }
}

static int check_before_write(const uv_stream_t* stream, const uv_buf_t* bufs, unsigned int nbufs,
                              size_t* size, const uv_stream_t* send_handle) {
    if (nbufs == 0 || !ph_bufs_size(bufs, nbufs, size))
        return UV_EINVAL;
    if (ph_stream_fd(stream) < 0)
        return UV_EBADF;
    if (!(stream->flags & PH_WRITABLE))
        return UV_EPIPE;
    if (send_handle == NULL)
        return 0;
    if (stream->type != UV_NAMED_PIPE || !((const uv_pipe_t*)stream)->ipc)
        return UV_EINVAL;
    return ph_handle_fd((const uv_handle_t*)send_handle) < 0 ? UV_EBADF : 0;
}

/* Copies the list of buffers, not the bytes. */
static int init_write(uv_write_t* req, uv_stream_t* stream, const uv_buf_t* bufs,
                      unsigned int nbufs, size_t size) {
    uv_buf_t* copy = req->internal.inline_bufs;
    if (nbufs > sizeof(req->internal.inline_bufs) / sizeof(*bufs)) {
        copy = ph_loop_malloc(stream->loop, nbufs * sizeof(*bufs));
        if (copy == NULL)
            return UV_ENOMEM;
    }
    for (unsigned int i = 0; i < nbufs; i++)
        copy[i] = bufs[i];
    req->internal.bufs = copy;
    req->internal.nbufs = nbufs;
    req->internal.index = 0;
    *ph_write_extra(req) = (struct ph_write_extra){.bytes_left = size};
    ph_request_init(stream->loop, req, UV_WRITE);
    return 0;
}

/* The queue leaves when the stream is connected, or when the kernel has room. */
static bool waits_for_kernel(const uv_stream_t* stream) {
    return stream->requests.connect != NULL || ph_watcher_wants(&stream->io_watcher, EPOLLOUT);
}

static bool batches(const uv_loop_t* loop) {
    return (loop->internal.options & PH_LOOP_BATCHES_WRITES) != 0;
}

/* Whether what is queued may wait for the pending phase. Not on descriptors that others are likely
 * to write to meanwhile: those of blocking streams and terminals, standard output and error. */
static bool gathers(const uv_stream_t* stream) {
    return batches(stream->loop) && stream->write_queue_size < MOST_GATHERED &&
           !ph_extra(stream)->blocking && stream->type != UV_TTY &&
           ph_stream_fd(stream) > STDERR_FILENO;
}

int uv_write2(uv_write_t* req, uv_stream_t* stream, const uv_buf_t* bufs, unsigned int nbufs,
              uv_stream_t* send_handle, uv_write_cb cb) {
    size_t size;
    int err = check_before_write(stream, bufs, nbufs, &size, send_handle);
    if (err == 0)
        err = init_write(req, stream, bufs, nbufs, size);
    if (err != 0)
        return err;
    req->cb = cb;
    req->handle = stream;
    req->send_handle = send_handle;

    bool first = stream->write_queue_size == 0; /* also of those that failed and don't know it */
    stream->write_queue_size += size;
    ph_queue_push(&stream->stream.write_queue, &req->internal.queue);
    if (waits_for_kernel(stream))
        return 0;
    bool may_wait = gathers(stream) && send_handle == NULL;
    if (!may_wait && (first || batches(stream->loop)))
        ph_stream_send_queue(stream);
    else
        ph_watcher_feed(stream->loop, &stream->io_watcher, PH_FED);
    return 0;
}

int uv_write(uv_write_t* req, uv_stream_t* handle, const uv_buf_t* bufs, unsigned int nbufs,
             uv_write_cb cb) {
    return uv_write2(req, handle, bufs, nbufs, NULL, cb);
}

size_t uv_write_nwritten(const uv_write_t* req) {
    return ph_write_extra(req)->bytes_done;
}

int uv_try_write2(uv_stream_t* stream, const uv_buf_t* bufs, unsigned int nbufs,
                  uv_stream_t* send_handle) {
    size_t size;
    ph_stream_send_gathered(stream);
    if (stream->requests.connect != NULL || stream->write_queue_size != 0)
        return UV_EAGAIN;
    int err = check_before_write(stream, bufs, nbufs, &size, send_handle);
    if (err != 0)
        return err;
    int pass_fd = send_handle != NULL ? ph_handle_fd(PH_HANDLE(send_handle)) : -1;
    return (int)ph_transmit(stream, bufs, nbufs, pass_fd);
}

int uv_try_write(uv_stream_t* stream, const uv_buf_t* bufs, unsigned int nbufs) {
    return uv_try_write2(stream, bufs, nbufs, NULL);
}

void ph_stream_send_gathered(uv_stream_t* stream) {
    if (batches(stream->loop) && !ph_queue_empty(&stream->stream.write_queue) &&
        !waits_for_kernel(stream))
        ph_stream_send_queue(stream);
}

/* Off: nothing stays behind. */
void phasor_loop_batch_writes(uv_loop_t* loop, int on) {
    struct uv__queue* head = &loop->handle_queue;
    for (struct uv__queue* node = head->next; node != head && !on; node = node->next) {
        uv_handle_t* handle = PH_CONTAINER_OF(node, uv_handle_t, handle_queue);
        bool stream =
            handle->type == UV_TCP || handle->type == UV_NAMED_PIPE || handle->type == UV_TTY;
        if (stream && !ph_is_closing(handle))
            ph_stream_send_gathered(PH_STREAM(handle));
    }
    if (on)
        loop->internal.options |= PH_LOOP_BATCHES_WRITES;
    else
        loop->internal.options &= ~(unsigned)PH_LOOP_BATCHES_WRITES;
}

/* What has left already is told by the callback, not here. */
int ph_write_cancel(uv_write_t* req) {
    uv_stream_t* stream = req->handle;
    if (ph_is_closing(stream))
        return UV_EBUSY;
    if (ph_write_extra(req)->finished)
        return 0;
    finish(stream, req, UV_ECANCELED);
    if (ph_queue_empty(&stream->stream.write_queue) && stream->requests.connect == NULL)
        ph_watcher_stop(stream->loop, &stream->io_watcher, EPOLLOUT);
    return 0;
}
