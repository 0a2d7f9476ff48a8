/* zlib: deflate, gzip and their opposites. */
#include "bindings/bindings.h"

#ifdef PHASOR_ZLIB
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "bindings/codec.h"

/* The numbers are those of Node's zlib.constants. */
typedef enum { DEFLATE = 1, INFLATE, GZIP, GUNZIP, DEFLATERAW, INFLATERAW, UNZIP } mode;

typedef struct {
    ph_codec codec;
    z_stream z;
    mode kind;
    uint8_t* dictionary;
    size_t dictionary_length;
} stream;

static bool compresses(const stream* s) {
    return s->kind == DEFLATE || s->kind == GZIP || s->kind == DEFLATERAW;
}

static void close_stream(ph_codec* codec) {
    stream* s = (stream*)codec;
    if (compresses(s))
        deflateEnd(&s->z);
    else
        inflateEnd(&s->z);
    free(s->dictionary);
}

static void step(ph_codec* codec);

static const ph_codec_kind zlib_kind = {{"zlib stream", ph_codec_free}, step, close_stream};

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
    s->codec.is_open = status == Z_OK;
    return status == Z_OK ? use_dictionary(s) : status;
}

/* create(mode, level, windowBits, memLevel, strategy, dictionary) */
static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = calloc(1, sizeof(*s));
    if (s == NULL)
        return JS_ThrowOutOfMemory(ctx);
    s->codec.kind = &zlib_kind;
    s->kind = (mode)ph_int(ctx, argv[0], DEFLATE);
    if (!JS_IsUndefined(argv[5])) {
        uint8_t* bytes;
        if (ph_bytes(ctx, argv[5], &bytes, &s->dictionary_length) == 0)
            s->dictionary = malloc(s->dictionary_length + 1);
        if (s->dictionary == NULL) {
            free(s);
            return JS_EXCEPTION;
        }
        memcpy(s->dictionary, bytes, s->dictionary_length);
    }
    int bits = (int)ph_index(ctx, argv[2], 15, 15);
    int status = open_stream(s, ph_int(ctx, argv[1], -1), bits, ph_int(ctx, argv[3], 8),
                             ph_int(ctx, argv[4], 0));
    if (status != Z_OK) {
        if (!s->codec.is_open)
            free(s->dictionary);
        ph_codec_free(s);
        return JS_NewInt32(ctx, status);
    }
    return ph_codec_box(ctx, &s->codec);
}

/* Members of a gzip file follow each other; what follows that is no member is padding. */
static bool next_member(stream* s) {
    bool gzip = s->kind == GUNZIP || s->kind == UNZIP;
    if (!gzip || s->z.avail_in == 0 || s->z.next_in[0] != 0x1f)
        return false;
    return inflateReset(&s->z) == Z_OK;
}

static int take_step(stream* s, int flush) {
    if (compresses(s))
        return deflate(&s->z, flush);
    int status = inflate(&s->z, flush);
    if (status == Z_NEED_DICT && s->dictionary != NULL) {
        status = inflateSetDictionary(&s->z, s->dictionary, (uInt)s->dictionary_length);
        if (status == Z_OK)
            status = inflate(&s->z, flush);
        else if (status == Z_DATA_ERROR)
            status = Z_NEED_DICT; /* the wrong one */
    }
    while (status == Z_STREAM_END && next_member(s))
        status = inflate(&s->z, flush);
    return status;
}

static uInt at_most(size_t length) {
    return length < UINT32_MAX ? (uInt)length : UINT32_MAX;
}

static void step(ph_codec* codec) {
    stream* s = (stream*)codec;
    uInt in_given = at_most(codec->in_left);
    uInt out_given = at_most(codec->out_left);
    s->z.next_in = (uint8_t*)codec->in;
    s->z.avail_in = in_given;
    s->z.next_out = codec->out;
    s->z.avail_out = out_given;
    codec->status = take_step(s, codec->flush);
    codec->text = s->z.msg;
    codec->in_left -= in_given - s->z.avail_in;
    codec->out_left -= out_given - s->z.avail_out;
}

static JSValue stream_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_write(ctx, argv, &zlib_kind);
}

static JSValue stream_close(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_close(ctx, argv, &zlib_kind);
}

/* reset(stream): -> status */
static JSValue stream_reset(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = (stream*)ph_codec_idle(ctx, argv[0], &zlib_kind);
    if (s == NULL)
        return JS_EXCEPTION;
    int status = compresses(s) ? deflateReset(&s->z) : inflateReset(&s->z);
    return JS_NewInt32(ctx, status == Z_OK ? use_dictionary(s) : status);
}

/* params(stream, level, strategy): -> status */
static JSValue stream_params(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = (stream*)ph_codec_idle(ctx, argv[0], &zlib_kind);
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

/* crc32(bytes, start) */
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
