/* What a writable side keeps until it can be written: a circle of chunks with their callbacks. */
#include "streams/streams.h"

static int make_room(JSContext* ctx, ph_writable* w) {
    if (w->count < w->capacity)
        return 0;
    unsigned capacity = w->capacity == 0 ? 16 : w->capacity * 2;
    ph_write_entry* bigger = js_malloc(ctx, capacity * sizeof(*bigger));
    if (bigger == NULL)
        return -1;
    for (unsigned i = 0; i < w->count; i++)
        bigger[i] = w->entries[(w->head + i) & (w->capacity - 1)];
    js_free(ctx, w->entries);
    w->entries = bigger;
    w->head = 0;
    w->capacity = capacity;
    return 0;
}

int ph_entries_add(ph_stream* s, JSValueConst chunk, JSValueConst encoding, JSValueConst callback) {
    ph_writable* w = s->w;
    if (make_room(s->ctx, w) != 0)
        return -1;
    w->entries[(w->head + w->count++) & (w->capacity - 1)] = (ph_write_entry){
        ph_keep(s->ctx, chunk), JS_DupValue(s->ctx, encoding), JS_DupValue(s->ctx, callback)};
    if (!JS_IsStrictEqual(s->ctx, encoding, ph_streams_of(s->ctx)->buffer))
        ph_put(&w->side, PH_ALL_BUFFERS, false);
    if (!JS_IsUndefined(callback))
        ph_put(&w->side, PH_ALL_NOP, false);
    return 0;
}

ph_write_entry ph_entries_take(ph_writable* w) {
    ph_write_entry entry = w->entries[w->head];
    w->head = (w->head + 1) & (w->capacity - 1);
    w->count--;
    return entry;
}

void ph_entries_drop(JSContext* ctx, ph_write_entry* entry) {
    ph_drop(ctx, entry->chunk);
    ph_drop(ctx, entry->encoding);
    ph_drop(ctx, entry->callback);
}

void ph_entries_begin(ph_writable* w) {
    ph_put(&w->side, PH_ALL_BUFFERS | PH_ALL_NOP, true);
}

static JSValue entry_object(JSContext* ctx, const ph_write_entry* entry) {
    JSValue object = JS_NewObject(ctx);
    if (JS_IsException(object))
        return object;
    JSValueConst callback =
        JS_IsUndefined(entry->callback) ? ph_streams_of(ctx)->nop : entry->callback;
    if (JS_SetProperty(ctx, object, ph_stream_name(ctx, PH_STREAM_CHUNK),
                       JS_DupValue(ctx, entry->chunk)) < 0 ||
        JS_SetProperty(ctx, object, ph_stream_name(ctx, PH_STREAM_ENCODING),
                       JS_DupValue(ctx, entry->encoding)) < 0 ||
        JS_SetProperty(ctx, object, ph_stream_name(ctx, PH_STREAM_CALLBACK),
                       JS_DupValue(ctx, callback)) < 0) {
        JS_FreeValue(ctx, object);
        return JS_EXCEPTION;
    }
    return object;
}

JSValue ph_writable_list(JSContext* ctx, ph_writable* w) {
    JSValue list = JS_NewArray(ctx);
    for (unsigned i = 0; i < w->count && !JS_IsException(list); i++) {
        JSValue entry = entry_object(ctx, &w->entries[(w->head + i) & (w->capacity - 1)]);
        if (!JS_IsException(entry) && JS_SetPropertyUint32(ctx, list, i, entry) >= 0)
            continue;
        JS_FreeValue(ctx, list);
        list = JS_EXCEPTION;
    }
    return list;
}
