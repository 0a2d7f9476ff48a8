/*
 * Reading. While somebody waits the loop reads, straight into the memory of the first who does. The
 * callback runs the coroutine; only if nobody waits after that, reading is stopped: a server that
 * reads, answers and reads again costs the loop no more than a callback.
 */
#include <limits.h>
#include <string.h>

#include "waiting.h"
#include "watch.h"

struct reader {
    struct go__waiter waiter; /* first */
    uv_stream_t* stream;
    char* memory;
    size_t size;
};

static void stop_if_nobody_waits(struct go__scheduler* s, uv_stream_t* stream) {
    struct go__watch* watch = go__watch_find(s, stream, GO__READ);
    if (watch == NULL || !go__list_empty(&watch->waiters))
        return;
    if (!uv_is_closing((uv_handle_t*)stream))
        uv_read_stop(stream);
    go__watch_drop(s, watch);
}

static bool leave(void* data, int why) {
    struct reader* reader = data;
    (void)why;
    go__list_remove(&reader->waiter.link);
    stop_if_nobody_waits(reader->waiter.go->scheduler, reader->stream);
    return true;
}

/* The kernel is asked for the bytes next: meanwhile the processor gets what the coroutine needs to
 * run. With many connections that was in no cache any more. */
static void fetch(const struct reader* reader) {
    const char* stack = (const char*)reader;
    __builtin_prefetch(reader->waiter.go, 1);
    for (int line = -2; line <= 3; line++)
        __builtin_prefetch(stack + line * 64, 1);
}

static void give_memory(uv_handle_t* handle, size_t wished, uv_buf_t* buffer) {
    struct go__scheduler* s = go__scheduler_of(handle->loop);
    struct go__watch* watch = go__watch_find(s, handle, GO__READ);
    (void)wished;
    buffer->base = NULL;
    buffer->len = 0;
    if (watch != NULL && !go__list_empty(&watch->waiters)) {
        const struct reader* reader = (struct reader*)watch->waiters.next;
        buffer->base = reader->memory;
        buffer->len = reader->size;
        fetch(reader);
    }
}

static void on_read(uv_stream_t* stream, ssize_t size, const uv_buf_t* buffer) {
    struct go__scheduler* s = go__scheduler_of(stream->loop);
    struct go__watch* watch = go__watch_find(s, stream, GO__READ);
    (void)buffer;
    if (size == 0 || watch == NULL)
        return;
    if (size < 0) {
        watch->active = false; /* the loop has stopped, or will not get any further */
        go__wake_all(&watch->waiters, (int)size);
    } else {
        struct reader* reader = (struct reader*)go__list_take(&watch->waiters);
        go__ready_inline(reader->waiter.go, (int)size);
    }
    go__run(s);
    stop_if_nobody_waits(s, stream);
}

/* Has the loop read for whoever waits. */
static __attribute__((noinline)) int begin(struct go__scheduler* s, uv_stream_t* stream,
                                           struct go__watch** place) {
    struct go__watch* watch = go__watch_get(s, stream, GO__READ);
    if (watch == NULL)
        return UV_ENOMEM;
    if (!watch->active) {
        int status = uv_read_start(stream, give_memory, on_read);
        if (status != 0) {
            if (go__list_empty(&watch->waiters))
                go__watch_drop(s, watch);
            return status;
        }
        watch->active = true;
    }
    *place = watch;
    return 0;
}

ssize_t go_read(uv_stream_t* stream, void* memory, size_t size, uint64_t deadline) {
    struct go__scheduler* s = go__on(stream->loop);
    if (s == NULL || uv_is_closing((uv_handle_t*)stream))
        return UV_EINVAL;
    if (size == 0)
        return UV_ENOBUFS;
    struct go__watch* watch = s->last_watch;
    if (!go__watch_is(watch, stream, GO__READ) || !watch->active) {
        int status = begin(s, stream, &watch);
        if (status != 0)
            return status;
    }
    struct reader reader = {.waiter = {.go = s->current},
                            .stream = stream,
                            .memory = memory,
                            .size = size < INT_MAX ? size : INT_MAX};
    go__list_add(&watch->waiters, &reader.waiter.link);
    return go__suspend_inline(s, "read", leave, &reader, deadline);
}

ssize_t go_read_exactly(uv_stream_t* stream, void* memory, size_t size, uint64_t deadline) {
    for (size_t done = 0; done < size;) {
        ssize_t n = go_read(stream, (char*)memory + done, size - done, deadline);
        if (n < 0)
            return n;
        done += (size_t)n;
    }
    return (ssize_t)size;
}

void go_reader_init(go_reader_t* reader, uv_stream_t* stream, void* memory, size_t size) {
    *reader = (go_reader_t){.stream = stream, .memory = memory, .size = size};
}

ssize_t go_reader_read(go_reader_t* reader, void* memory, size_t size, uint64_t deadline) {
    size_t there = reader->end - reader->start;
    if (there == 0)
        return go_read(reader->stream, memory, size, deadline);
    if (size == 0)
        return UV_ENOBUFS;
    if (size > there)
        size = there;
    memcpy(memory, reader->memory + reader->start, size);
    reader->start += size;
    return (ssize_t)size;
}

ssize_t go_reader_exactly(go_reader_t* reader, void* memory, size_t size, uint64_t deadline) {
    for (size_t done = 0; done < size;) {
        ssize_t n = go_reader_read(reader, (char*)memory + done, size - done, deadline);
        if (n < 0)
            return n;
        done += (size_t)n;
    }
    return (ssize_t)size;
}

ssize_t go_read_until(go_reader_t* reader, const void* delimiter, size_t delimiter_size,
                      char** text, uint64_t deadline) {
    size_t searched = 0; /* of what is there: no delimiter begins before that */
    if (delimiter_size == 0)
        return UV_EINVAL;
    for (;;) {
        char* start = reader->memory + reader->start;
        size_t there = reader->end - reader->start;
        char* found = memmem(start + searched, there - searched, delimiter, delimiter_size);
        if (found != NULL) {
            size_t size = (size_t)(found - start) + delimiter_size;
            reader->start += size;
            *text = start;
            return (ssize_t)size;
        }
        if (there >= delimiter_size)
            searched = there - delimiter_size + 1;
        if (reader->end == reader->size) {
            if (reader->start == 0)
                return UV_ENOBUFS;
            memmove(reader->memory, start, there);
            reader->start = 0;
            reader->end = there;
        }
        ssize_t n = go_read(reader->stream, reader->memory + reader->end,
                            reader->size - reader->end, deadline);
        if (n < 0)
            return n;
        reader->end += (size_t)n;
    }
}
