/* The readable side: what comes in by push() and goes out by read(). */
#include "streams/streams.h"

static bool wants_more(const ph_readable* r) {
    return !ph_has(&r->side, PH_ENDED) &&
           ((double)r->side.length < r->side.mark || r->side.length == 0);
}

static int fill(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL)
        return 0;
    while (
        !ph_is_one_of(&r->side, PH_READING | PH_ENDED) &&
        ((double)r->side.length < r->side.mark || (r->flowing == PH_YES && r->side.length == 0))) {
        int64_t before = r->side.length;
        if (ph_readable_read_nothing(s) != 0)
            return -1;
        if (before == r->side.length)
            break;
    }
    ph_put(&r->side, PH_READING_MORE, false);
    return 0;
}

int ph_readable_more(ph_stream* s) {
    ph_readable* r = s->r;
    if (ph_has(&r->side, PH_READING_MORE) || !ph_has(&r->side, PH_CONSTRUCTED))
        return 0;
    ph_put(&r->side, PH_READING_MORE, true);
    return ph_stream_later(s, fill, JS_UNDEFINED, JS_UNDEFINED);
}

/* Nobody who was waited for before this chunk is waited for any more. */
static void forget_awaited(JSContext* ctx, ph_readable* r) {
    while (r->awaited_count > 0)
        JS_FreeValue(ctx, r->awaited[--r->awaited_count]);
}

static int give(ph_stream* s, JSValueConst chunk) {
    ph_put(&s->r->side, PH_DATA_EMITTED, true);
    return ph_stream_emit(s, PH_STREAM_DATA, 1, &chunk);
}

static int add(ph_stream* s, JSValueConst chunk, bool first) {
    ph_readable* r = s->r;
    int status;
    if (r->flowing == PH_YES && r->side.length == 0 && !ph_has(&r->side, PH_SYNC) &&
        ph_has(&r->side, PH_DATA_LISTENING)) {
        forget_awaited(s->ctx, r);
        status = give(s, chunk);
    } else {
        int64_t length = 1;
        if (!ph_has(&r->side, PH_OBJECT_MODE) && ph_chunk_length(s->ctx, chunk, &length) != 0)
            return -1;
        status = ph_chunks_add(s->ctx, r, chunk, first);
        if (status == 0) {
            r->side.length += length;
            if (ph_has(&r->side, PH_NEED_READABLE))
                status = ph_flow_announce(s);
        }
    }
    return status != 0 ? -1 : ph_readable_more(s);
}

/* push(null) */
static int end_of_data(ph_stream* s) {
    ph_readable* r = s->r;
    ph_put(&r->side, PH_READING, false);
    if (ph_has(&r->side, PH_ENDED))
        return 0;
    if (JS_IsObject(r->decoder)) {
        JSValue rest =
            JS_Invoke(s->ctx, r->decoder, ph_stream_name(s->ctx, PH_STREAM_END), 0, NULL);
        int64_t length = 0;
        int status = JS_IsException(rest) || ph_chunk_length(s->ctx, rest, &length) != 0 ? -1 : 0;
        if (status == 0 && length > 0) {
            status = ph_chunks_add(s->ctx, r, rest, false);
            r->side.length += ph_has(&r->side, PH_OBJECT_MODE) ? 1 : length;
        }
        ph_drop(s->ctx, rest);
        if (status != 0)
            return -1;
    }
    ph_put(&r->side, PH_ENDED, true);
    if (ph_has(&r->side, PH_SYNC))
        return ph_flow_announce(s);
    ph_put(&r->side, PH_NEED_READABLE, false);
    ph_put(&r->side, PH_EMITTED_READABLE, true);
    return ph_flow_announce_now(s);
}

/* Bytes and text as this side keeps them: a Buffer, or text if it has an encoding. Uninitialized:
 * it is neither, and the stream was told. `is_text` says that no decoder is to see it. */
static JSValue as_kept(ph_stream* s, JSValueConst chunk, JSValueConst encoding, bool first,
                       bool* is_text) {
    ph_readable* r = s->r;
    JSContext* ctx = s->ctx;
    if (JS_IsString(chunk)) {
        JSValueConst given = JS_ToBool(ctx, encoding) > 0 ? encoding : r->side.default_encoding;
        if (JS_IsString(r->encoding) && JS_IsStrictEqual(ctx, r->encoding, given)) {
            *is_text = true;
            return JS_DupValue(ctx, chunk);
        }
        JSValue bytes = ph_chunk_buffer(ctx, chunk, given);
        if (!first || !JS_IsString(r->encoding) || JS_IsException(bytes))
            return bytes;
        JSValue text = JS_Invoke(ctx, bytes, ph_stream_name(ctx, PH_STREAM_TO_STRING), 1,
                                 (JSValueConst*)&r->encoding);
        JS_FreeValue(ctx, bytes);
        *is_text = true;
        return text;
    }
    if (!ph_is_given(chunk))
        return JS_UNDEFINED;
    JSValue bytes = JS_IsObject(chunk) ? ph_chunk_buffer(ctx, chunk, JS_UNDEFINED) : JS_UNDEFINED;
    if (!JS_IsUndefined(bytes))
        return bytes;
    JSValue error = ph_streams_error(ctx, PH_ERROR_CHUNK, chunk, JS_UNDEFINED);
    return ph_fail_with(s, error, false) != 0 ? JS_EXCEPTION : JS_UNINITIALIZED;
}

static int put_back(ph_stream* s, JSValueConst chunk) {
    if (ph_has(&s->r->side, PH_END_EMITTED)) {
        JSValue error =
            ph_streams_error(s->ctx, PH_ERROR_UNSHIFT_AFTER_END, JS_UNDEFINED, JS_UNDEFINED);
        return ph_fail_with(s, error, false);
    }
    if (ph_has(&s->r->side, PH_DESTROYED) || ph_is_errored(&s->r->side))
        return 1;
    return add(s, chunk, true);
}

static int decode_and_add(ph_stream* s, JSValueConst chunk) {
    ph_readable* r = s->r;
    JSContext* ctx = s->ctx;
    JSValue text = JS_Invoke(ctx, r->decoder, ph_stream_name(ctx, PH_STREAM_WRITE), 1, &chunk);
    int64_t length = 0;
    int status = JS_IsException(text) || ph_chunk_length(ctx, text, &length) != 0 ? -1 : 0;
    if (status == 0)
        status = ph_has(&r->side, PH_OBJECT_MODE) || length > 0 ? add(s, text, false)
                                                                : ph_readable_more(s);
    ph_drop(ctx, text);
    return status;
}

/* 1: it goes nowhere, and the answer is no. */
static int put_in(ph_stream* s, JSValueConst chunk, bool is_text) {
    ph_readable* r = s->r;
    if (ph_has(&r->side, PH_ENDED)) {
        JSValue error =
            ph_streams_error(s->ctx, PH_ERROR_PUSH_AFTER_EOF, JS_UNDEFINED, JS_UNDEFINED);
        return ph_fail_with(s, error, false);
    }
    if (ph_has(&r->side, PH_DESTROYED) || ph_is_errored(&r->side))
        return 1;
    ph_put(&r->side, PH_READING, false);
    if (JS_IsObject(r->decoder) && !is_text)
        return decode_and_add(s, chunk);
    return add(s, chunk, false);
}

static int push_kept(ph_stream* s, JSValueConst chunk, bool first, bool is_text) {
    ph_readable* r = s->r;
    int64_t length = 0;
    bool has_content = ph_has(&r->side, PH_OBJECT_MODE);
    if (!has_content && ph_chunk_length(s->ctx, chunk, &length) != 0)
        return -1;
    int status = 0;
    if (has_content || length > 0) {
        status = first ? put_back(s, chunk) : put_in(s, chunk, is_text);
    } else if (!first) {
        ph_put(&r->side, PH_READING, false);
        status = ph_readable_more(s);
    }
    if (status < 0)
        return -1;
    return status == 1 ? 0 : wants_more(r);
}

int ph_readable_push(ph_stream* s, JSValueConst chunk, JSValueConst encoding, bool first) {
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL) {
        JS_ThrowTypeError(s->ctx, "push was called on what is not a readable stream");
        return -1;
    }
    if (JS_IsNull(chunk)) {
        /* There is nothing to put back. */
        ph_put(&r->side, PH_READING, false);
        return end_of_data(s) != 0 ? -1 : 0;
    }
    if (ph_has(&r->side, PH_OBJECT_MODE)) {
        bool is_text = JS_IsString(chunk) && JS_IsString(encoding) && JS_IsString(r->encoding) &&
                       JS_IsStrictEqual(s->ctx, encoding, r->encoding);
        return push_kept(s, chunk, first, is_text);
    }
    bool is_text = false;
    JSValue kept = as_kept(s, chunk, encoding, first, &is_text);
    if (JS_IsException(kept))
        return -1;
    if (JS_IsUninitialized(kept))
        return 0;
    int more = push_kept(s, kept, first, is_text);
    ph_drop(s->ctx, kept);
    return more;
}

/* How much a read of `count` (below 0: any) gives now. */
static int64_t how_much(ph_readable* r, JSContext* ctx, int64_t count) {
    if (count == 0 || (r->side.length == 0 && ph_has(&r->side, PH_ENDED)))
        return 0;
    if (ph_has(&r->side, PH_OBJECT_MODE))
        return 1;
    if (count < 0) {
        int64_t first = r->side.length;
        if (r->flowing == PH_YES && r->count > 0 &&
            ph_chunk_length(ctx, r->chunks[r->head], &first) != 0)
            return -1;
        return first;
    }
    if (count <= r->side.length)
        return count;
    return ph_has(&r->side, PH_ENDED) ? r->side.length : 0;
}

/* Calls the program's _read. */
static int ask(ph_stream* s) {
    ph_readable* r = s->r;
    ph_put(&r->side, PH_READING, true);
    ph_put(&r->side, PH_SYNC, true);
    if (r->side.length == 0)
        ph_put(&r->side, PH_NEED_READABLE, true);
    int status = 0;
    JSValueConst ours = ph_streams_of(s->ctx)->own_transform_read;
    JSValue method;
    if (ph_stream_is_ours(s->ctx, s->self, PH_STREAM_READ_METHOD, ours, &method)) {
        status = ph_transform_read(s);
    } else {
        JSValue size = JS_NewNumber(s->ctx, r->side.mark);
        JSValue result = JS_IsException(method)
                             ? JS_EXCEPTION
                             : JS_Call(s->ctx, method, s->self, 1, (JSValueConst*)&size);
        status = JS_IsException(result) ? -1 : 0;
        ph_drop(s->ctx, result);
        ph_drop(s->ctx, method);
    }
    if (status != 0)
        status = ph_fail_with(s, ph_caught(s->ctx), false);
    ph_put(&r->side, PH_SYNC, false);
    return status;
}

static bool may_ask(const ph_readable* r) {
    return !ph_is_one_of(&r->side, PH_ENDED | PH_READING | PH_DESTROYED) &&
           !ph_is_errored(&r->side) && ph_has(&r->side, PH_CONSTRUCTED);
}

/* read(0) where somebody waits and enough is there: only tells so. 1: it did. */
static int only_tells(ph_stream* s, int64_t count) {
    ph_readable* r = s->r;
    bool enough = r->side.mark != 0 ? (double)r->side.length >= r->side.mark : r->side.length > 0;
    if (count != 0 || !ph_has(&r->side, PH_NEED_READABLE) ||
        !(enough || ph_has(&r->side, PH_ENDED)))
        return 0;
    int status =
        r->side.length == 0 && ph_has(&r->side, PH_ENDED) ? ph_flow_end(s) : ph_flow_announce(s);
    return status < 0 ? -1 : 1;
}

/* Takes what a read gives, null if that is nothing, and notes what is wanted next. */
static JSValue take(ph_stream* s, int64_t asked, int64_t count) {
    ph_readable* r = s->r;
    JSValue chunk = count > 0 ? ph_chunks_take(s->ctx, r, count) : JS_NULL;
    if (JS_IsException(chunk))
        return chunk;
    if (JS_IsNull(chunk)) {
        ph_put(&r->side, PH_NEED_READABLE, (double)r->side.length <= r->side.mark);
        count = 0;
    } else {
        r->side.length -= count;
        forget_awaited(s->ctx, r);
    }
    if (r->side.length == 0) {
        if (!ph_has(&r->side, PH_ENDED))
            ph_put(&r->side, PH_NEED_READABLE, true);
        if (asked != count && ph_has(&r->side, PH_ENDED) && ph_flow_end(s) != 0) {
            ph_drop(s->ctx, chunk);
            return JS_EXCEPTION;
        }
    }
    return chunk;
}

JSValue ph_readable_read(ph_stream* s, int64_t asked) {
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL)
        return JS_ThrowTypeError(s->ctx, "read was called on what is not a readable stream");
    if (asked != 0)
        ph_put(&r->side, PH_EMITTED_READABLE, false);
    int told = only_tells(s, asked);
    if (told != 0)
        return told < 0 ? JS_EXCEPTION : JS_NULL;
    int64_t count = how_much(r, s->ctx, asked);
    if (count < 0)
        return JS_EXCEPTION;
    if (count == 0 && ph_has(&r->side, PH_ENDED)) {
        if (r->side.length == 0 && ph_flow_end(s) != 0)
            return JS_EXCEPTION;
        return JS_NULL;
    }
    bool wanted = ph_has(&r->side, PH_NEED_READABLE) || r->side.length == 0 ||
                  (double)(r->side.length - count) < r->side.mark;
    if (wanted && may_ask(r)) {
        if (ask(s) != 0)
            return JS_EXCEPTION;
        if (!ph_has(&r->side, PH_READING))
            count = how_much(r, s->ctx, asked);
    }
    JSValue chunk = take(s, asked, count);
    if (JS_IsNull(chunk) || JS_IsException(chunk) ||
        ph_is_one_of(&r->side, PH_ERROR_EMITTED | PH_CLOSE_EMITTED))
        return chunk;
    if (give(s, chunk) != 0) {
        ph_drop(s->ctx, chunk);
        return JS_EXCEPTION;
    }
    return chunk;
}

int ph_readable_read_nothing(ph_stream* s) {
    JSValueConst ours = ph_streams_of(s->ctx)->own_read;
    JSValue method, result;
    if (ph_stream_is_ours(s->ctx, s->self, PH_STREAM_READ, ours, &method)) {
        result = ph_readable_read(s, 0);
    } else {
        JSValueConst zero = JS_NewInt32(s->ctx, 0);
        result = JS_Call(s->ctx, method, s->self, 1, &zero);
        ph_drop(s->ctx, method);
    }
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

/* Brings what is in store into the encoding. */
int ph_readable_set_encoding(ph_stream* s, JSValueConst encoding) {
    ph_readable* r = ph_stream_readable(s);
    JSContext* ctx = s->ctx;
    if (r == NULL) {
        JS_ThrowTypeError(ctx, "setEncoding was called on what is not a readable stream");
        return -1;
    }
    JSValue decoder = ph_streams_call(ctx, PH_STREAMS_DECODER, 1, &encoding);
    if (JS_IsException(decoder))
        return -1;
    ph_replace(ctx, &r->decoder, decoder);
    JSValue name = JS_GetProperty(ctx, decoder, ph_stream_name(ctx, PH_STREAM_ENCODING));
    if (JS_IsException(name))
        return -1;
    ph_replace(ctx, &r->encoding, name);
    JSValue texts = JS_NewString(ctx, "");
    unsigned count = r->count;
    for (unsigned i = 0; i < count && r->count > 0 && !JS_IsException(texts); i++) {
        JSValue chunk = JS_DupValue(ctx, r->chunks[r->head]);
        r->chunks[r->head] = (JS_FreeValue(ctx, r->chunks[r->head]), JS_NULL);
        r->head = (r->head + 1) & (r->capacity - 1);
        r->count--;
        JSValue text = JS_Invoke(ctx, r->decoder, ph_stream_name(ctx, PH_STREAM_WRITE), 1,
                                 (JSValueConst*)&chunk);
        JS_FreeValue(ctx, chunk);
        JSAtom concat = JS_NewAtom(ctx, "concat");
        JSValue both = JS_IsException(text)
                           ? JS_EXCEPTION
                           : JS_Invoke(ctx, texts, concat, 1, (JSValueConst*)&text);
        JS_FreeAtom(ctx, concat);
        ph_drop(ctx, text);
        ph_drop(ctx, texts);
        texts = both;
    }
    int64_t length = 0;
    int status = JS_IsException(texts) ? -1 : ph_chunk_length(ctx, texts, &length);
    if (status == 0 && length > 0)
        status = ph_chunks_add(ctx, r, texts, false);
    if (status == 0)
        r->side.length = length;
    ph_drop(ctx, texts);
    return status;
}
