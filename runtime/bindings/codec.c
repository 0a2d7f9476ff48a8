#include "bindings/codec.h"

#include <stdlib.h>

#include "engine/trace.h"

static void close_codec(ph_codec* codec) {
    if (codec->is_open)
        codec->kind->close(codec);
    codec->is_open = false;
}

void ph_codec_free(void* content) {
    close_codec(content);
    free(content);
}

JSValue ph_codec_box(JSContext* ctx, ph_codec* codec) {
    return ph_box(ctx, &codec->kind->box, codec);
}

bool ph_codec_parameters(JSContext* ctx, ph_codec* codec, JSValueConst list,
                         bool (*set)(ph_codec* codec, int key, int64_t value)) {
    enum { MOST = 100 };
    int64_t length = 0;
    bool taken = JS_GetLength(ctx, list, &length) == 0 && length <= MOST;
    for (int64_t i = 0; taken && i + 1 < length; i += 2) {
        JSValue key = JS_GetPropertyInt64(ctx, list, i);
        JSValue value = JS_GetPropertyInt64(ctx, list, i + 1);
        int64_t number = 0;
        taken = JS_IsNumber(key) && JS_IsNumber(value) && JS_ToInt64(ctx, &number, value) == 0 &&
                set(codec, ph_int(ctx, key, 0), number);
        JS_FreeValue(ctx, key);
        JS_FreeValue(ctx, value);
    }
    if (!taken)
        JS_FreeValue(ctx, JS_GetException(ctx));
    return taken;
}

ph_codec* ph_codec_idle(JSContext* ctx, JSValueConst value, const ph_codec_kind* kind) {
    ph_codec* codec = ph_box_content(ctx, value, &kind->box);
    if (codec == NULL || (codec->is_open && !codec->busy))
        return codec;
    JS_ThrowTypeError(ctx, "the stream is closed or busy");
    return NULL;
}

static JSValue result_of(JSContext* ctx, const ph_codec* codec) {
    JSValue result = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, result, 0, JS_NewInt32(ctx, codec->status));
    JS_SetPropertyUint32(ctx, result, 1, JS_NewInt64(ctx, (int64_t)codec->in_left));
    JS_SetPropertyUint32(ctx, result, 2, JS_NewInt64(ctx, (int64_t)codec->out_left));
    if (codec->text != NULL)
        JS_SetPropertyUint32(ctx, result, 3, JS_NewString(ctx, codec->text));
    return result;
}

static void on_pool(uv_work_t* work) {
    ph_codec* codec = work->data;
    codec->kind->step(codec);
}

static void on_done(uv_work_t* work, int status) {
    ph_codec* codec = work->data;
    ph_env* env = codec->pending.env;
    /* The callback may start the next step; this one's values are let go of after it. */
    ph_pending done = codec->pending;
    codec->busy = false;
    if (codec->close_later)
        close_codec(codec);
    if (env->stopping || status != 0 || codec->close_later) {
        ph_pending_drop(&done);
        return;
    }
    JSValue args[] = {result_of(env->ctx, codec)};
    ph_pending_finish(&done, 1, args);
}

/* The places of in and out: from the given offsets, as far as the bytes go. */
static void set_places(JSContext* ctx, ph_codec* codec, JSValueConst* argv, uint8_t* in,
                       size_t in_length, uint8_t* out, size_t out_length) {
    size_t in_from = ph_index(ctx, argv[3], 0, in_length);
    size_t out_from = ph_index(ctx, argv[6], 0, out_length);
    codec->in = in + in_from;
    codec->in_left = ph_index(ctx, argv[4], 0, in_length - in_from);
    codec->out = out + out_from;
    codec->out_left = out_length - out_from;
}

static JSValue write_on_pool(JSContext* ctx, ph_codec* codec, JSValueConst* argv) {
    uint8_t* bytes;
    size_t length;
    ph_pending_begin(ctx, &codec->pending, argv[7], argv[0]);
    ph_pins* pins = &codec->pending.pins;
    if (ph_pins_add(ctx, pins, argv[2], &bytes, &length) != 0 ||
        ph_pins_add(ctx, pins, argv[5], &bytes, &length) != 0) {
        ph_pending_drop(&codec->pending);
        return JS_EXCEPTION;
    }
    codec->busy = true;
    codec->work.data = codec;
    ph_trace_request(&codec->work, "zlib");
    uv_queue_work(ph_env_of(ctx)->loop, &codec->work, on_pool, on_done);
    return JS_UNDEFINED;
}

JSValue ph_codec_write(JSContext* ctx, JSValueConst* argv, const ph_codec_kind* kind) {
    ph_codec* codec = ph_codec_idle(ctx, argv[0], kind);
    uint8_t* in;
    uint8_t* out;
    size_t in_length;
    size_t out_length;
    if (codec == NULL || ph_bytes(ctx, argv[2], &in, &in_length) != 0 ||
        ph_bytes(ctx, argv[5], &out, &out_length) != 0)
        return JS_EXCEPTION;
    codec->flush = ph_int(ctx, argv[1], 0);
    set_places(ctx, codec, argv, in, in_length, out, out_length);
    if (JS_IsFunction(ctx, argv[7]))
        return write_on_pool(ctx, codec, argv);
    kind->step(codec);
    return result_of(ctx, codec);
}

JSValue ph_codec_close(JSContext* ctx, JSValueConst* argv, const ph_codec_kind* kind) {
    ph_codec* codec = ph_box_content(ctx, argv[0], &kind->box);
    if (codec == NULL)
        return JS_EXCEPTION;
    if (codec->busy)
        codec->close_later = true;
    else
        close_codec(codec);
    return JS_UNDEFINED;
}
