// Compression through zlib. A stream works at once, or on the thread pool, one step at a time.
#include "bindings/bindings.h"

#ifdef PHASOR_ZLIB
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "bindings/box.h"
#include "bindings/request.h"
#include "engine/trace.h"

// The numbers are those of Node's zlib.constants.
typedef enum { DEFLATE = 1, INFLATE, GZIP, GUNZIP, DEFLATERAW, INFLATERAW, UNZIP } mode;

typedef struct {
    z_stream z;
    mode kind;
    bool is_open;
    bool busy; // a step is on the pool
    bool free_later;
    int status;
    int flush;
    uint8_t* dictionary;
    size_t dictionary_length;
    uv_work_t work;
    ph_pending pending;
} stream;

static bool compresses(const stream* s) {
    return s->kind == DEFLATE || s->kind == GZIP || s->kind == DEFLATERAW;
}

static void close_stream(stream* s) {
    if (s->is_open && compresses(s))
        deflateEnd(&s->z);
    else if (s->is_open)
        inflateEnd(&s->z);
    s->is_open = false;
}

static void free_stream(void* content) {
    stream* s = content;
    close_stream(s);
    free(s->dictionary);
    free(s);
}

static const ph_box_kind stream_kind = {"zlib stream", free_stream};

static int window_of(mode kind, int bits) {
    switch (kind) {
    case GZIP:
    case GUNZIP:
        return bits + 16;
    case UNZIP:
        return bits + 32;
    case DEFLATERAW:
    case INFLATERAW:
        return -bits;
    default:
        return bits;
    }
}

static int use_dictionary(stream* s) {
    if (s->dictionary == NULL)
        return Z_OK;
    if (compresses(s))
        return deflateSetDictionary(&s->z, s->dictionary, (uInt)s->dictionary_length);
    return s->kind == INFLATERAW
               ? inflateSetDictionary(&s->z, s->dictionary, (uInt)s->dictionary_length)
               : Z_OK;
}

static int open_stream(stream* s, int level, int bits, int memory, int strategy) {
    int window = window_of(s->kind, bits);
    int status = compresses(s) ? deflateInit2(&s->z, level, Z_DEFLATED, window, memory, strategy)
                               : inflateInit2(&s->z, window);
    s->is_open = status == Z_OK;
    return status == Z_OK ? use_dictionary(s) : status;
}

// create(mode, level, windowBits, memLevel, strategy, dictionary)
static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = calloc(1, sizeof(*s));
    if (s == NULL)
        return JS_ThrowOutOfMemory(ctx);
    s->kind = (mode)ph_int(ctx, argv[0], DEFLATE);
    if (!JS_IsUndefined(argv[5])) {
        uint8_t* bytes;
        if (ph_bytes(ctx, argv[5], &bytes, &s->dictionary_length) == 0)
            s->dictionary = malloc(s->dictionary_length + 1);
        if (s->dictionary == NULL) {
            free_stream(s);
            return JS_EXCEPTION;
        }
        memcpy(s->dictionary, bytes, s->dictionary_length);
    }
    int bits = (int)ph_index(ctx, argv[2], 15, 15);
    int status = open_stream(s, ph_int(ctx, argv[1], -1), bits, ph_int(ctx, argv[3], 8),
                             ph_int(ctx, argv[4], 0));
    if (status != Z_OK) {
        free_stream(s);
        return JS_NewInt32(ctx, status);
    }
    return ph_box(ctx, &stream_kind, s);
}

// NULL and an exception if it is closed, or busy on the pool.
static stream* idle_stream(JSContext* ctx, JSValueConst value) {
    stream* s = ph_box_content(ctx, value, &stream_kind);
    if (s == NULL || (s->is_open && !s->busy))
        return s;
    JS_ThrowTypeError(ctx, "the stream is closed or busy");
    return NULL;
}

// Members of a gzip file follow each other; what follows that is no member is padding.
static bool next_member(stream* s) {
    bool gzip = s->kind == GUNZIP || s->kind == UNZIP;
    if (!gzip || s->z.avail_in == 0 || s->z.next_in[0] != 0x1f)
        return false;
    return inflateReset(&s->z) == Z_OK;
}

static void step(stream* s) {
    if (compresses(s)) {
        s->status = deflate(&s->z, s->flush);
        return;
    }
    s->status = inflate(&s->z, s->flush);
    if (s->status == Z_NEED_DICT && s->dictionary != NULL) {
        s->status = inflateSetDictionary(&s->z, s->dictionary, (uInt)s->dictionary_length);
        if (s->status == Z_OK)
            s->status = inflate(&s->z, s->flush);
        else if (s->status == Z_DATA_ERROR)
            s->status = Z_NEED_DICT; // the wrong one
    }
    while (s->status == Z_STREAM_END && next_member(s))
        s->status = inflate(&s->z, s->flush);
}

static void on_pool(uv_work_t* work) {
    step(work->data);
}

// [status, bytes in left, bytes out left, message]
static JSValue result_of(JSContext* ctx, const stream* s) {
    JSValue result = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, result, 0, JS_NewInt32(ctx, s->status));
    JS_SetPropertyUint32(ctx, result, 1, JS_NewUint32(ctx, s->z.avail_in));
    JS_SetPropertyUint32(ctx, result, 2, JS_NewUint32(ctx, s->z.avail_out));
    if (s->z.msg != NULL)
        JS_SetPropertyUint32(ctx, result, 3, JS_NewString(ctx, s->z.msg));
    return result;
}

static void on_done(uv_work_t* work, int status) {
    stream* s = work->data;
    ph_env* env = s->pending.env;
    // The callback may start the next step; this one's values are let go of after it.
    ph_pending done = s->pending;
    s->busy = false;
    if (s->free_later)
        close_stream(s);
    if (env->stopping || status != 0 || s->free_later) {
        ph_pending_drop(&done);
        return;
    }
    JSValue args[] = {result_of(env->ctx, s)};
    ph_pending_finish(&done, 1, args);
}

// The places of in and out: from the given offsets, as far as the bytes go.
static void set_places(JSContext* ctx, stream* s, JSValueConst* argv, uint8_t* in, size_t in_length,
                       uint8_t* out, size_t out_length) {
    size_t in_from = ph_index(ctx, argv[3], 0, in_length);
    size_t out_from = ph_index(ctx, argv[6], 0, out_length);
    s->z.next_in = in + in_from;
    s->z.avail_in = (uInt)ph_index(ctx, argv[4], 0, in_length - in_from);
    s->z.next_out = out + out_from;
    s->z.avail_out = (uInt)(out_length - out_from);
}

// write(stream, flush, in, inOffset, inLength, out, outOffset, callback?)
static JSValue stream_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = idle_stream(ctx, argv[0]);
    uint8_t* in;
    uint8_t* out;
    size_t in_length;
    size_t out_length;
    if (s == NULL || ph_bytes(ctx, argv[2], &in, &in_length) != 0 ||
        ph_bytes(ctx, argv[5], &out, &out_length) != 0)
        return JS_EXCEPTION;
    s->flush = ph_int(ctx, argv[1], 0);
    set_places(ctx, s, argv, in, in_length, out, out_length);
    if (!JS_IsFunction(ctx, argv[7])) {
        step(s);
        return result_of(ctx, s);
    }
    ph_pending_begin(ctx, &s->pending, argv[7], argv[0]);
    ph_pins* pins = &s->pending.pins;
    if (ph_pins_add(ctx, pins, argv[2], &in, &in_length) != 0 ||
        ph_pins_add(ctx, pins, argv[5], &out, &out_length) != 0) {
        ph_pending_drop(&s->pending);
        return JS_EXCEPTION;
    }
    s->busy = true;
    s->work.data = s;
    uv_queue_work(ph_env_of(ctx)->loop, &s->work, on_pool, on_done);
    ph_trace_request(&s->work, "zlib");
    return JS_UNDEFINED;
}

// close(stream)
static JSValue stream_close(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = ph_box_content(ctx, argv[0], &stream_kind);
    if (s == NULL)
        return JS_EXCEPTION;
    if (s->busy)
        s->free_later = true;
    else
        close_stream(s);
    return JS_UNDEFINED;
}

// reset(stream): -> status
static JSValue stream_reset(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = idle_stream(ctx, argv[0]);
    if (s == NULL)
        return JS_EXCEPTION;
    int status = compresses(s) ? deflateReset(&s->z) : inflateReset(&s->z);
    return JS_NewInt32(ctx, status == Z_OK ? use_dictionary(s) : status);
}

// params(stream, level, strategy): -> status
static JSValue stream_params(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = idle_stream(ctx, argv[0]);
    if (s == NULL)
        return JS_EXCEPTION;
    if (!compresses(s))
        return JS_NewInt32(ctx, Z_OK);
    uint8_t none[1];
    s->z.next_in = none;
    s->z.avail_in = 0;
    s->z.next_out = none;
    s->z.avail_out = 0;
    int status = deflateParams(&s->z, ph_int(ctx, argv[1], -1), ph_int(ctx, argv[2], 0));
    return JS_NewInt32(ctx, status == Z_BUF_ERROR ? Z_OK : status);
}

// crc32(bytes, start)
static JSValue checksum(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, argv[0], &bytes, &length) != 0)
        return JS_EXCEPTION;
    uLong sum = (uLong)ph_index(ctx, argv[1], 0, UINT32_MAX);
    return JS_NewUint32(ctx, (uint32_t)crc32_z(sum, bytes, length));
}

JSValue ph_zlib_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("create", 6, create),
        JS_CFUNC_DEF("write", 8, stream_write),
        JS_CFUNC_DEF("close", 1, stream_close),
        JS_CFUNC_DEF("reset", 1, stream_reset),
        JS_CFUNC_DEF("params", 3, stream_params),
        JS_CFUNC_DEF("crc32", 2, checksum),
        JS_PROP_INT32_DEF("version", ZLIB_VERNUM, JS_PROP_C_W_E),
    };
    return PH_EXPORT(ctx, functions);
}
#else
JSValue ph_zlib_binding(JSContext* ctx) {
    return JS_NewObject(ctx);
}
#endif
