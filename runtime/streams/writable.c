/* The writable side: what is written waits here until the program's _write has called back. */
#include "streams/streams.h"

static JSValue on_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                        JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status = ph_stream_writable(&s) == NULL
                     ? 0
                     : ph_writable_written(&s, argc > 0 ? argv[0] : JS_UNDEFINED);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* The function that the program calls back; the side's. */
static JSValueConst callback_of(ph_stream* s) {
    ph_writable* w = s->w;
    if (JS_IsUndefined(w->on_write))
        w->on_write =
            JS_NewCFunctionData2(s->ctx, on_write, "onwrite", 1, 0, 1, (JSValueConst*)&s->self);
    return w->on_write;
}

static int call_write(ph_stream* s, JSValueConst chunk, JSValueConst encoding) {
    JSContext* ctx = s->ctx;
    JSValueConst done = callback_of(s);
    if (JS_IsException(done)) {
        s->w->on_write = JS_UNDEFINED;
        return -1;
    }
    JSValueConst ours = ph_streams_of(ctx)->own_transform_write;
    JSValue method;
    if (ph_stream_is_ours(ctx, s->self, PH_STREAM_WRITE_METHOD, ours, &method))
        return ph_transform_write(s, chunk, encoding, done);
    if (JS_IsException(method))
        return -1;
    JSValue held = JS_DupValue(ctx, done);
    JSValueConst args[] = {chunk, encoding, held};
    JSValue result = JS_Call(ctx, method, s->self, 3, args);
    ph_drop(ctx, result);
    JS_FreeValue(ctx, held);
    ph_drop(ctx, method);
    return JS_IsException(result) ? -1 : 0;
}

static int call_writev(ph_stream* s, JSValueConst method, JSValueConst list) {
    JSValueConst done = callback_of(s);
    if (JS_IsException(done)) {
        s->w->on_write = JS_UNDEFINED;
        return -1;
    }
    JSValue held = JS_DupValue(s->ctx, done);
    JSValueConst args[] = {list, held};
    JSValue result = JS_Call(s->ctx, method, s->self, 2, args);
    ph_drop(s->ctx, result);
    JS_FreeValue(s->ctx, held);
    return JS_IsException(result) ? -1 : 0;
}

/* Gives a chunk, or with `method` a list, to the program. The callback passes to the side. */
static int do_write(ph_stream* s, int64_t length, JSValueConst chunk, JSValueConst encoding,
                    JSValue callback_owned, JSValueConst method) {
    ph_writable* w = s->w;
    w->write_length = length;
    ph_replace(s->ctx, &w->callback, callback_owned);
    ph_put(&w->side, PH_WRITING | PH_SYNC | PH_WRITE_WAITS, true);
    int status;
    if (ph_has(&w->side, PH_DESTROYED)) {
        JSValue error = ph_streams_error_of(s->ctx, PH_ERROR_STREAM_DESTROYED, "write");
        status = ph_writable_written(s, error);
        JS_FreeValue(s->ctx, error);
    } else {
        status =
            JS_IsUndefined(method) ? call_write(s, chunk, encoding) : call_writev(s, method, chunk);
    }
    ph_put(&w->side, PH_SYNC, false);
    return status;
}

static int write_or_keep(ph_stream* s, JSValueConst chunk, JSValueConst encoding,
                         JSValueConst callback) {
    ph_writable* w = s->w;
    int64_t length = 1;
    if (!ph_has(&w->side, PH_OBJECT_MODE) && ph_chunk_length(s->ctx, chunk, &length) != 0)
        return -1;
    w->side.length += length;
    int status;
    if (ph_has(&w->side, PH_WRITING) || w->corked > 0 || ph_is_errored(&w->side) ||
        !ph_has(&w->side, PH_CONSTRUCTED))
        status = ph_entries_add(s, chunk, encoding, callback);
    else
        status = do_write(s, length, chunk, encoding, JS_DupValue(s->ctx, callback), JS_UNDEFINED);
    if (status != 0)
        return -1;
    /* A chunk that was called back at once takes no room. */
    bool more = (double)w->side.length < w->side.mark || w->side.length == 0;
    if (!more)
        ph_put(&w->side, PH_NEED_DRAIN, true);
    return more && !ph_is_errored(&w->side) && !ph_has(&w->side, PH_DESTROYED);
}

static int check_encoding(ph_stream* s, JSValueConst encoding) {
    ph_streams* streams = ph_streams_of(s->ctx);
    if (JS_IsStrictEqual(s->ctx, encoding, streams->buffer) ||
        JS_IsStrictEqual(s->ctx, encoding, streams->utf8))
        return 0;
    JSValue known = ph_streams_call(s->ctx, PH_STREAMS_ENCODING, 1, &encoding);
    if (JS_IsException(known))
        return -1;
    bool is_known = ph_flag(s->ctx, known);
    ph_drop(s->ctx, known);
    if (is_known)
        return 0;
    ph_streams_throw(s->ctx, PH_ERROR_ENCODING, encoding);
    return -1;
}

/* The chunk as it is kept and its encoding, both the caller's. */
static int prepare(ph_stream* s, JSValueConst given, JSValueConst given_encoding, JSValue* chunk,
                   JSValue* encoding) {
    ph_writable* w = s->w;
    JSContext* ctx = s->ctx;
    *chunk = JS_UNDEFINED;
    if (JS_IsNull(given)) {
        ph_streams_throw(ctx, PH_ERROR_NULL_VALUES, JS_UNDEFINED);
        return -1;
    }
    if (ph_has(&w->side, PH_OBJECT_MODE)) {
        *chunk = ph_keep(ctx, given);
        *encoding = ph_keep(ctx, given_encoding);
        return 0;
    }
    bool named = JS_ToBool(ctx, given_encoding) > 0;
    JSValueConst name = named ? given_encoding : w->side.default_encoding;
    if (named && check_encoding(s, name) != 0)
        return -1;
    if (JS_IsString(given) && !ph_has(&w->side, PH_DECODE_STRINGS)) {
        *chunk = ph_keep(ctx, given);
        *encoding = JS_DupValue(ctx, name);
        return 0;
    }
    *chunk =
        JS_IsString(given) || JS_IsObject(given) ? ph_chunk_buffer(ctx, given, name) : JS_UNDEFINED;
    *encoding = JS_DupValue(ctx, ph_streams_of(ctx)->buffer);
    if (JS_IsUndefined(*chunk))
        ph_streams_throw(ctx, PH_ERROR_CHUNK, given);
    return JS_IsObject(*chunk) ? 0 : -1;
}

static int call_with_error(ph_stream* s, JSValueConst* values) {
    return ph_call_back(s->ctx, values[0], values[1]);
}

/* Nothing can be written any more. */
static int refuse(ph_stream* s, JSValueConst callback, JSValue* failure) {
    JSValue error =
        ph_has(&s->w->side, PH_ENDING)
            ? ph_streams_error(s->ctx, PH_ERROR_WRITE_AFTER_END, JS_UNDEFINED, JS_UNDEFINED)
            : ph_streams_error_of(s->ctx, PH_ERROR_STREAM_DESTROYED, "write");
    int status = 0;
    if (!JS_IsUndefined(callback))
        status = ph_stream_later(s, call_with_error, callback, error);
    if (status == 0)
        status = ph_fail(s, error, true);
    if (failure != NULL)
        *failure = error;
    else
        JS_FreeValue(s->ctx, error);
    return status;
}

int ph_writable_write(ph_stream* s, JSValueConst chunk, JSValueConst encoding,
                      JSValueConst callback, JSValue* failure) {
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL) {
        JS_ThrowTypeError(s->ctx, "write was called on what is not a writable stream");
        return -1;
    }
    JSValue kept, name = JS_UNDEFINED;
    int status = prepare(s, chunk, encoding, &kept, &name);
    if (status == 0 && ph_is_one_of(&w->side, PH_ENDING | PH_DESTROYED)) {
        status = refuse(s, callback, failure);
    } else if (status == 0) {
        w->pending++;
        status = write_or_keep(s, kept, name, callback);
    }
    ph_drop(s->ctx, kept);
    ph_drop(s->ctx, name);
    return status;
}

int ph_writable_fail_buffer(ph_stream* s) {
    ph_writable* w = s->w;
    if (ph_has(&w->side, PH_WRITING))
        return 0;
    int status = 0;
    unsigned count = w->count;
    for (unsigned i = 0; i < count && w->count > 0 && status == 0; i++) {
        ph_write_entry entry = ph_entries_take(w);
        int64_t length = 1;
        if (!ph_has(&w->side, PH_OBJECT_MODE))
            status = ph_chunk_length(s->ctx, entry.chunk, &length);
        w->side.length -= length;
        if (status == 0 && !JS_IsUndefined(entry.callback)) {
            JSValue error = ph_is_errored(&w->side)
                                ? JS_DupValue(s->ctx, w->side.errored)
                                : ph_streams_error_of(s->ctx, PH_ERROR_STREAM_DESTROYED, "write");
            status = ph_call_back(s->ctx, entry.callback, error);
            JS_FreeValue(s->ctx, error);
        }
        ph_entries_drop(s->ctx, &entry);
    }
    if (status != 0 || w->finish_count == 0)
        return status;
    JSValue error = ph_is_errored(&w->side)
                        ? JS_DupValue(s->ctx, w->side.errored)
                        : ph_streams_error_of(s->ctx, PH_ERROR_STREAM_DESTROYED, "end");
    status = ph_finish_tell(s, error);
    JS_FreeValue(s->ctx, error);
    ph_entries_begin(w);
    return status;
}

static bool owes_drain(const ph_writable* w) {
    return !ph_is_one_of(&w->side, PH_ENDING | PH_DESTROYED) && w->side.length == 0 &&
           ph_has(&w->side, PH_NEED_DRAIN);
}

/* 'drain', and `count` calls of the callback: that much was written. */
static int after_write(ph_stream* s, int64_t count, JSValueConst callback) {
    ph_writable* w = s->w;
    if (owes_drain(w)) {
        ph_put(&w->side, PH_NEED_DRAIN, false);
        if (ph_stream_emit(s, PH_STREAM_DRAIN, 0, NULL) != 0)
            return -1;
    }
    if (JS_IsUndefined(callback)) {
        w->pending -= count;
    } else {
        while (count-- > 0) {
            w->pending--;
            if (ph_call_back(s->ctx, callback, JS_NULL) != 0)
                return -1;
        }
    }
    if (ph_has(&w->side, PH_DESTROYED) && ph_writable_fail_buffer(s) != 0)
        return -1;
    return ph_finish_maybe(s);
}

/* The ticks come in the order of the groups. */
static int after_write_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL || w->group_head == w->group_end)
        return 0;
    ph_write_group group = w->groups[w->group_head++];
    if (w->group_head == w->group_end)
        w->group_head = w->group_end = 0;
    int status = after_write(s, group.count, group.callback);
    ph_drop(s->ctx, group.callback);
    return status;
}

static int drain_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    if (ph_stream_writable(s) == NULL)
        return 0;
    ph_put(&s->w->side, PH_DRAIN_SCHEDULED, false);
    return after_write(s, 1, JS_UNDEFINED);
}

/* Nobody waits for this write: a tick is needed only to tell of room for more. */
static int end_silent_write(ph_stream* s) {
    ph_writable* w = s->w;
    if (owes_drain(w) && !ph_has(&w->side, PH_DRAIN_SCHEDULED)) {
        ph_put(&w->side, PH_DRAIN_SCHEDULED, true);
        return ph_stream_later(s, drain_later, JS_UNDEFINED, JS_UNDEFINED);
    }
    w->pending--;
    return ph_has(&w->side, PH_ENDING) ? ph_finish_maybe(s) : 0;
}

/* Writes that follow each other and have the same callback are one group, with one tick. */
static int schedule_after_write(ph_stream* s, JSValueConst callback) {
    ph_writable* w = s->w;
    if (JS_IsUndefined(callback))
        return end_silent_write(s);
    if (w->group_head != w->group_end &&
        JS_IsStrictEqual(s->ctx, callback, w->groups[w->group_end - 1].callback)) {
        w->groups[w->group_end - 1].count++;
        return 0;
    }
    if (w->group_end == w->group_capacity) {
        unsigned capacity = w->group_capacity == 0 ? 2 : w->group_capacity * 2;
        ph_write_group* bigger = js_realloc(s->ctx, w->groups, capacity * sizeof(*bigger));
        if (bigger == NULL)
            return -1;
        w->groups = bigger;
        w->group_capacity = capacity;
    }
    w->groups[w->group_end++] = (ph_write_group){JS_DupValue(s->ctx, callback), 1};
    return ph_stream_later(s, after_write_later, JS_UNDEFINED, JS_UNDEFINED);
}

static int tell_failure(ph_stream* s, JSValueConst* values) {
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL)
        return 0;
    w->pending--;
    if (!JS_IsUndefined(values[1]) && ph_call_back(s->ctx, values[1], values[0]) != 0)
        return -1;
    if (ph_writable_fail_buffer(s) != 0)
        return -1;
    return ph_fail(s, values[0], false);
}

static int write_failed(ph_stream* s, JSValueConst error, JSValueConst callback, bool was_sync) {
    ph_writable* w = s->w;
    ph_readable* r = ph_stream_readable(s);
    if (!ph_is_errored(&w->side))
        ph_replace(s->ctx, &w->side.errored, JS_DupValue(s->ctx, error));
    if (r != NULL && !ph_is_errored(&r->side))
        ph_replace(s->ctx, &r->side.errored, JS_DupValue(s->ctx, error));
    if (was_sync)
        return ph_stream_later(s, tell_failure, error, callback);
    JSValueConst values[] = {error, callback};
    return tell_failure(s, values);
}

int ph_writable_written(ph_stream* s, JSValueConst error) {
    ph_writable* w = s->w;
    bool was_sync = ph_has(&w->side, PH_SYNC);
    if (!ph_has(&w->side, PH_WRITE_WAITS))
        return ph_fail_with(
            s, ph_streams_error(s->ctx, PH_ERROR_MULTIPLE_CALLBACK, JS_UNDEFINED, JS_UNDEFINED),
            false);
    ph_put(&w->side, PH_WRITING | PH_WRITE_WAITS, false);
    w->side.length -= w->write_length;
    w->write_length = 0;
    JSValue callback = w->callback;
    w->callback = JS_UNDEFINED;
    int status;
    if (JS_ToBool(s->ctx, error) > 0) {
        status = write_failed(s, error, callback, was_sync);
    } else {
        status = w->count > 0 ? ph_writable_clear_buffer(s) : 0;
        if (status == 0)
            status = was_sync ? schedule_after_write(s, callback) : after_write(s, 1, callback);
    }
    ph_drop(s->ctx, callback);
    return status;
}

/* Calls back all of a list that was written at once. */
static JSValue call_all(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                        JSValueConst* data) {
    (void)self;
    (void)magic;
    JSValueConst error = argc > 0 ? argv[0] : JS_UNDEFINED;
    int64_t count = 0;
    if (JS_GetLength(ctx, data[0], &count) != 0)
        return JS_EXCEPTION;
    for (int64_t i = 0; i < count; i++) {
        JSValue callback = JS_GetPropertyInt64(ctx, data[0], i);
        int status = JS_IsFunction(ctx, callback) ? ph_call_back(ctx, callback, error) : 0;
        ph_drop(ctx, callback);
        if (status != 0)
            return JS_EXCEPTION;
    }
    return JS_UNDEFINED;
}

/* One callback for all that wait; undefined if nobody wants to know. */
static JSValue joint_callback(ph_stream* s) {
    ph_writable* w = s->w;
    if (ph_has(&w->side, PH_ALL_NOP))
        return JS_UNDEFINED;
    JSValue list = JS_NewArray(s->ctx);
    for (unsigned i = 0; i < w->count && !JS_IsException(list); i++) {
        JSValueConst callback = w->entries[(w->head + i) & (w->capacity - 1)].callback;
        if (JS_SetPropertyUint32(s->ctx, list, i, JS_DupValue(s->ctx, callback)) < 0) {
            JS_FreeValue(s->ctx, list);
            return JS_EXCEPTION;
        }
    }
    if (JS_IsException(list))
        return list;
    JSValue made = JS_NewCFunctionData2(s->ctx, call_all, "", 1, 0, 1, (JSValueConst*)&list);
    JS_FreeValue(s->ctx, list);
    return made;
}

/* Everything that waits in one call. */
static int write_all(ph_stream* s, JSValueConst method) {
    ph_writable* w = s->w;
    JSContext* ctx = s->ctx;
    JSValue list = ph_writable_list(ctx, w);
    JSValue callback = JS_IsException(list) ? JS_EXCEPTION : joint_callback(s);
    if (JS_IsException(callback) ||
        JS_SetProperty(ctx, list, ph_stream_name(ctx, PH_STREAM_ALL_BUFFERS),
                       JS_NewBool(ctx, ph_has(&w->side, PH_ALL_BUFFERS))) < 0) {
        JS_FreeValue(ctx, list);
        return -1;
    }
    w->pending -= (int64_t)w->count - 1;
    while (w->count > 0) {
        ph_write_entry entry = ph_entries_take(w);
        ph_entries_drop(ctx, &entry);
    }
    ph_entries_begin(w);
    int status = do_write(s, w->side.length, list, JS_UNDEFINED, callback, method);
    JS_FreeValue(ctx, list);
    return status;
}

static int write_one(ph_stream* s) {
    ph_writable* w = s->w;
    ph_write_entry entry = ph_entries_take(w);
    int64_t length = 1;
    int status = 0;
    if (!ph_has(&w->side, PH_OBJECT_MODE))
        status = ph_chunk_length(s->ctx, entry.chunk, &length);
    if (status == 0)
        status = do_write(s, length, entry.chunk, entry.encoding,
                          JS_DupValue(s->ctx, entry.callback), JS_UNDEFINED);
    ph_entries_drop(s->ctx, &entry);
    return status;
}

int ph_writable_clear_buffer(ph_stream* s) {
    ph_writable* w = s->w;
    if (w->corked > 0 || ph_is_one_of(&w->side, PH_BUFFER_PROCESSING | PH_DESTROYED) ||
        !ph_has(&w->side, PH_CONSTRUCTED) || w->count == 0)
        return 0;
    ph_put(&w->side, PH_BUFFER_PROCESSING, true);
    int status = 0;
    JSValue method = w->count > 1 ? ph_stream_method(s, PH_STREAM_WRITEV_METHOD) : JS_UNDEFINED;
    if (JS_IsException(method)) {
        status = -1;
    } else if (JS_IsFunction(s->ctx, method)) {
        status = write_all(s, method);
    } else {
        do
            status = write_one(s);
        while (status == 0 && w->count > 0 && !ph_has(&w->side, PH_WRITING));
        if (w->count == 0)
            ph_entries_begin(w);
    }
    ph_drop(s->ctx, method);
    ph_put(&w->side, PH_BUFFER_PROCESSING, false);
    return status;
}
