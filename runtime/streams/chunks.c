/* What a readable side has in store: a circle of chunks. */
#include <stdlib.h>
#include <string.h>

#include "bindings/bytes.h"
#include "streams/streams.h"

static int make_room(JSContext* ctx, ph_readable* r) {
    if (r->count < r->capacity)
        return 0;
    unsigned capacity = r->capacity == 0 ? 16 : r->capacity * 2;
    JSValue* bigger = js_malloc(ctx, capacity * sizeof(*bigger));
    if (bigger == NULL)
        return -1;
    for (unsigned i = 0; i < r->count; i++)
        bigger[i] = r->chunks[(r->head + i) & (r->capacity - 1)];
    js_free(ctx, r->chunks);
    r->chunks = bigger;
    r->head = 0;
    r->capacity = capacity;
    return 0;
}

static JSValue* chunk_at(ph_readable* r, unsigned at) {
    return &r->chunks[(r->head + at) & (r->capacity - 1)];
}

int ph_chunks_add(JSContext* ctx, ph_readable* r, JSValueConst chunk, bool first) {
    if (make_room(ctx, r) != 0)
        return -1;
    if (first)
        r->head = (r->head - 1) & (r->capacity - 1);
    *chunk_at(r, first ? 0 : r->count) = ph_keep(ctx, chunk);
    r->count++;
    return 0;
}

static JSValue take_first(ph_readable* r) {
    JSValue chunk = *chunk_at(r, 0);
    r->head = (r->head + 1) & (r->capacity - 1);
    r->count--;
    return chunk;
}

void ph_chunks_clear(JSRuntime* rt, ph_readable* r) {
    while (r->count > 0)
        JS_FreeValueRT(rt, take_first(r));
}

JSValue ph_chunks_list(JSContext* ctx, ph_readable* r) {
    JSValue list = JS_NewArray(ctx);
    for (unsigned i = 0; i < r->count && !JS_IsException(list); i++) {
        if (JS_SetPropertyUint32(ctx, list, i, JS_DupValue(ctx, *chunk_at(r, i))) >= 0)
            continue;
        JS_FreeValue(ctx, list);
        list = JS_EXCEPTION;
    }
    return list;
}

static JSValue part(JSContext* ctx, JSValueConst chunk, int64_t from, int64_t to) {
    JSValueConst range[] = {JS_NewInt64(ctx, from), JS_NewInt64(ctx, to)};
    ph_stream_atom method = JS_IsString(chunk) ? PH_STREAM_SLICE : PH_STREAM_SUBARRAY;
    return JS_Invoke(ctx, chunk, ph_stream_name(ctx, method), to < 0 ? 1 : 2, range);
}

/* The first `count` of the first chunk, whose rest stays. */
static JSValue split_first(JSContext* ctx, ph_readable* r, int64_t count) {
    JSValue chunk = ph_keep(ctx, *chunk_at(r, 0));
    JSValue taken = part(ctx, chunk, 0, count);
    JSValue rest = JS_IsException(taken) ? JS_EXCEPTION : part(ctx, chunk, count, -1);
    ph_drop(ctx, chunk);
    if (JS_IsException(rest)) {
        ph_drop(ctx, taken);
        return JS_EXCEPTION;
    }
    /* `subarray` is a method that a program may have replaced: the store may be empty by now. */
    if (r->count > 0)
        ph_replace(ctx, chunk_at(r, 0), rest);
    else
        ph_drop(ctx, rest);
    return taken;
}

/* The next piece of at most `left`; its length is subtracted. */
static JSValue next_piece(JSContext* ctx, ph_readable* r, int64_t* left) {
    int64_t length;
    if (ph_chunk_length(ctx, *chunk_at(r, 0), &length) != 0)
        return JS_EXCEPTION;
    if (length > *left) {
        JSValue piece = split_first(ctx, r, *left);
        *left = 0;
        return piece;
    }
    *left -= length;
    return take_first(r);
}

static JSValue join_texts(JSContext* ctx, ph_readable* r, int64_t count) {
    JSValue pieces = JS_NewArray(ctx);
    uint32_t to = 0;
    bool failed = JS_IsException(pieces);
    while (count > 0 && r->count > 0 && !failed) {
        JSValue piece = next_piece(ctx, r, &count);
        failed = JS_IsException(piece) || JS_SetPropertyUint32(ctx, pieces, to++, piece) < 0;
    }
    JSValue result = JS_EXCEPTION;
    if (!failed) {
        JSValue nothing = JS_NewString(ctx, "");
        JSAtom join = JS_NewAtom(ctx, "join");
        result = JS_Invoke(ctx, pieces, join, 1, (JSValueConst*)&nothing);
        JS_FreeAtom(ctx, join);
        JS_FreeValue(ctx, nothing);
    }
    JS_FreeValue(ctx, pieces);
    return result;
}

static JSValue join_bytes(JSContext* ctx, ph_readable* r, int64_t count) {
    uint8_t* all = malloc((size_t)count);
    if (all == NULL)
        return JS_ThrowOutOfMemory(ctx);
    size_t at = 0;
    size_t size = (size_t)count;
    while (count > 0 && r->count > 0) {
        uint8_t* bytes;
        size_t length;
        JSValue piece = next_piece(ctx, r, &count);
        if (JS_IsException(piece) || ph_bytes(ctx, piece, &bytes, &length) != 0) {
            ph_drop(ctx, piece);
            free(all);
            return JS_EXCEPTION;
        }
        if (length > size - at)
            length = size - at;
        memcpy(all + at, bytes, length);
        at += length;
        ph_drop(ctx, piece);
    }
    return ph_buffer(ph_env_of(ctx), all, at);
}

JSValue ph_chunks_all(JSContext* ctx, ph_readable* r) {
    if (r->count == 0)
        return JS_NULL;
    if (r->count == 1)
        return take_first(r);
    return ph_chunks_take(ctx, r, r->side.length);
}

JSValue ph_chunks_take(JSContext* ctx, ph_readable* r, int64_t count) {
    if (r->count == 0 || count <= 0)
        return JS_NULL;
    if (ph_has(&r->side, PH_OBJECT_MODE))
        return take_first(r);
    int64_t length;
    if (ph_chunk_length(ctx, *chunk_at(r, 0), &length) != 0)
        return JS_EXCEPTION;
    /* Bytes that were put back in front of text become text. */
    bool becomes_text = JS_IsObject(r->decoder) && !JS_IsString(*chunk_at(r, 0));
    if (!becomes_text && (length == count || (r->count == 1 && count >= length)))
        return take_first(r);
    if (length > count)
        return split_first(ctx, r, count);
    if (count > r->side.length)
        count = r->side.length;
    return JS_IsObject(r->decoder) || JS_IsString(*chunk_at(r, 0)) ? join_texts(ctx, r, count)
                                                                   : join_bytes(ctx, r, count);
}
