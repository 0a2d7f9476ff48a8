/*
 * Writing. What the kernel takes at once costs one system call and no wait. The rest is copied,
 * piece by piece, into requests of our own: a write that is given up leaves nothing behind that
 * uses the caller's memory.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "watch.h"

enum { PIECE = 64 * 1024 };

struct piece {
    uv_write_t request;
    go_t* go; /* NULL: nobody waits any more */
    char data[];
};

static void on_write(uv_write_t* request, int status) {
    struct piece* piece = GO_OF(request, struct piece, request);
    go_t* go = piece->go;
    free(piece);
    if (go == NULL)
        return;
    go__ready(go, status);
    go__run(go->scheduler);
}

static bool give_up(void* data, int why) {
    (void)why;
    ((struct piece*)data)->go = NULL;
    return true;
}

/* What has not been written. */
struct rest {
    const uv_buf_t* buffers;
    unsigned count;
    size_t offset; /* in the first */
};

static void skip(struct rest* rest, size_t size) {
    while (rest->count > 0 && size >= rest->buffers->len - rest->offset) {
        size -= rest->buffers->len - rest->offset;
        rest->buffers++;
        rest->count--;
        rest->offset = 0;
    }
    rest->offset += size;
}

static size_t copy(struct rest* rest, char* to, size_t room) {
    size_t done = 0;
    while (rest->count > 0 && done < room) {
        size_t size = rest->buffers->len - rest->offset;
        if (size > room - done)
            size = room - done;
        memcpy(to + done, rest->buffers->base + rest->offset, size);
        done += size;
        skip(rest, size);
    }
    return done;
}

static go_suspends int write_piece(struct go__scheduler* s, uv_stream_t* stream, struct rest* rest,
                                   uint64_t deadline) {
    struct piece* piece = malloc(sizeof(*piece) + PIECE);
    if (piece == NULL)
        return UV_ENOMEM;
    uv_buf_t buffer = uv_buf_init(piece->data, (unsigned)copy(rest, piece->data, PIECE));
    piece->go = s->current;
    int status = uv_write(&piece->request, stream, &buffer, 1, on_write);
    if (status != 0) {
        free(piece);
        return status;
    }
    return go__suspend(s, "write", give_up, piece, deadline);
}

/* As much as the kernel takes now. UV_EAGAIN: something is left. */
static int write_at_once(uv_stream_t* stream, struct rest* rest) {
    if (rest->offset != 0) {
        uv_buf_t first = uv_buf_init(rest->buffers->base + rest->offset,
                                     (unsigned)(rest->buffers->len - rest->offset));
        int n = uv_try_write(stream, &first, 1);
        if (n < 0)
            return n;
        skip(rest, (size_t)n);
        return rest->count == 0 ? 0 : UV_EAGAIN;
    }
    int n = uv_try_write(stream, rest->buffers, rest->count);
    if (n < 0)
        return n;
    skip(rest, (size_t)n);
    return rest->count == 0 ? 0 : UV_EAGAIN;
}

static void end_turn(struct go__scheduler* s, uv_stream_t* stream) {
    struct go__watch* watch = go__watch_find(s, stream, GO__WRITE);
    struct go_link* next = go__list_take(&watch->waiters);
    if (next != NULL)
        go__waiter_ready(next, 0); /* it is active from here on */
    else
        go__watch_drop(s, watch);
}

/* One writer at a time: pieces of two are not mixed. */
static go_suspends int write_in_turn(struct go__scheduler* s, uv_stream_t* stream,
                                     struct rest* rest, uint64_t deadline) {
    struct go__watch* watch = go__watch_get(s, stream, GO__WRITE);
    int status = 0;
    if (watch == NULL)
        return UV_ENOMEM;
    if (watch->active) {
        status = go__wait_in(s, &watch->waiters, "turn to write", deadline);
        if (status != 0)
            return status;
    }
    watch->active = true;
    while (status == 0 && rest->count > 0) {
        status = write_piece(s, stream, rest, deadline);
        if (status == 0 && rest->count > 0) {
            status = write_at_once(stream, rest);
            if (status == UV_EAGAIN)
                status = 0;
        }
    }
    end_turn(s, stream);
    return status;
}

static int check(const struct go__scheduler* s, const uv_stream_t* stream) {
    if (s == NULL || uv_is_closing((const uv_handle_t*)stream))
        return UV_EINVAL;
    const go_t* go = s->current;
    return go->cancelled && go->shields == 0 ? UV_ECANCELED : 0;
}

static bool nobody_writes(struct go__scheduler* s, const uv_stream_t* stream) {
    return s->writers == 0 || go__watch_find(s, stream, GO__WRITE) == NULL;
}

int go_write_buffers(uv_stream_t* stream, const uv_buf_t* buffers, unsigned count,
                     uint64_t deadline) {
    struct go__scheduler* s = go__on(stream->loop);
    struct rest rest = {buffers, count, 0};
    int wrong = check(s, stream);
    if (wrong != 0)
        return wrong;
    skip(&rest, 0);
    if (rest.count == 0)
        return 0;
    if (nobody_writes(s, stream)) {
        int status = write_at_once(stream, &rest);
        if (status != UV_EAGAIN)
            return status;
    }
    if (deadline == GO_NOW)
        return UV_ETIMEDOUT;
    return write_in_turn(s, stream, &rest, deadline);
}

/* What the kernel did not take at once, or more than it is asked for at once. */
static go_suspends __attribute__((noinline)) int write_rest(uv_stream_t* stream, const char* memory,
                                                            size_t size, uint64_t deadline) {
    for (; size > INT_MAX; memory += INT_MAX, size -= INT_MAX) {
        uv_buf_t part = uv_buf_init((char*)memory, INT_MAX);
        int status = go_write_buffers(stream, &part, 1, deadline);
        if (status != 0)
            return status;
    }
    uv_buf_t buffer = uv_buf_init((char*)memory, (unsigned)size);
    return go_write_buffers(stream, &buffer, 1, deadline);
}

int go_write(uv_stream_t* stream, const void* memory, size_t size, uint64_t deadline) {
    struct go__scheduler* s = go__on(stream->loop);
    size_t done = 0;
    if (size > 0 && size <= INT_MAX && check(s, stream) == 0 && nobody_writes(s, stream)) {
        /* Nearly always the kernel takes all of it. */
        const uv_buf_t all = {.base = (char*)memory, .len = size};
        int n = uv_try_write(stream, &all, 1);
        if (n == (int)size || (n < 0 && n != UV_EAGAIN))
            return n < 0 ? n : 0;
        if (n > 0)
            done = (size_t)n;
    }
    return write_rest(stream, (const char*)memory + done, size - done, deadline);
}
