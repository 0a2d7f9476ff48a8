/* Zstandard, as a codec of zlib's module. */
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "bindings/codec.h"
#include "engine/plugins.h"

typedef struct {
    ph_codec codec;
    ZSTD_CCtx* encoder; /* one of the two */
    ZSTD_DCtx* decoder;
    bool has_ended; /* a frame; the next one would be another stream */
} stream;

enum { ENDED = 1 };

static void fail(ph_codec* codec, size_t result) {
    ZSTD_ErrorCode code = ZSTD_getErrorCode(result);
    codec->status = -(int)code;
    codec->text = ZSTD_getErrorString(code);
}

/* As far as the input and the room for the output go. */
static void step(ph_codec* codec) {
    stream* s = (stream*)codec;
    ZSTD_inBuffer in = {codec->in, codec->in_left, 0};
    ZSTD_outBuffer out = {codec->out, codec->out_left, 0};
    int flush = codec->flush < ZSTD_e_continue || codec->flush > ZSTD_e_end ? ZSTD_e_continue
                                                                            : codec->flush;
    size_t result = 0;
    codec->status = s->has_ended ? ENDED : 0;
    while (!s->has_ended) {
        size_t before = in.pos + out.pos;
        result = s->encoder != NULL
                     ? ZSTD_compressStream2(s->encoder, &out, &in, (ZSTD_EndDirective)flush)
                     : ZSTD_decompressStream(s->decoder, &out, &in);
        if (ZSTD_isError(result)) {
            fail(codec, result);
            break;
        }
        if (result == 0 && (s->decoder != NULL || flush == ZSTD_e_end)) {
            s->has_ended = s->decoder != NULL;
            codec->status = ENDED;
            break;
        }
        if (in.pos + out.pos == before || (in.pos == in.size && flush == ZSTD_e_continue) ||
            out.pos == out.size)
            break;
    }
    codec->in_left -= in.pos;
    codec->out_left -= out.pos;
}

static void close_stream(ph_codec* codec) {
    stream* s = (stream*)codec;
    ZSTD_freeCCtx(s->encoder);
    ZSTD_freeDCtx(s->decoder);
}

static const ph_codec_kind zstd_kind = {{"zstd stream", ph_codec_free}, step, close_stream};

static bool set_parameter(ph_codec* codec, int key, int64_t given) {
    stream* s = (stream*)codec;
    int value = given < INT32_MIN ? INT32_MIN : given > INT32_MAX ? INT32_MAX : (int)given;
    size_t result = s->encoder != NULL
                        ? ZSTD_CCtx_setParameter(s->encoder, (ZSTD_cParameter)key, value)
                        : ZSTD_DCtx_setParameter(s->decoder, (ZSTD_dParameter)key, value);
    return !ZSTD_isError(result);
}

static bool set_dictionary(JSContext* ctx, stream* s, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    if (JS_IsUndefined(value))
        return true;
    if (ph_bytes(ctx, value, &bytes, &length) != 0) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return false;
    }
    size_t result = s->encoder != NULL ? ZSTD_CCtx_loadDictionary(s->encoder, bytes, length)
                                       : ZSTD_DCtx_loadDictionary(s->decoder, bytes, length);
    return !ZSTD_isError(result);
}

static bool set_size(JSContext* ctx, stream* s, JSValueConst value) {
    if (JS_IsUndefined(value) || s->encoder == NULL)
        return true;
    unsigned long long size = (unsigned long long)ph_index(ctx, value, 0, SIZE_MAX / 2);
    /* Libraries before 1.5.7 forget the size when all input comes with the first step. */
    ZSTD_inBuffer in = {"", 0, 0};
    ZSTD_outBuffer out = {&(char){0}, 0, 0};
    return !ZSTD_isError(ZSTD_CCtx_setPledgedSrcSize(s->encoder, size)) &&
           !ZSTD_isError(ZSTD_compressStream2(s->encoder, &out, &in, ZSTD_e_continue));
}

/* create(compresses, parameters, size of the source or undefined, dictionary or undefined): a
 * stream, or null if something of that is not taken */
static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = calloc(1, sizeof(*s));
    if (s == NULL)
        return JS_ThrowOutOfMemory(ctx);
    s->codec.kind = &zstd_kind;
    if (ph_flag(ctx, argv[0]))
        s->encoder = ZSTD_createCCtx();
    else
        s->decoder = ZSTD_createDCtx();
    s->codec.is_open = s->encoder != NULL || s->decoder != NULL;
    if (!s->codec.is_open || !ph_codec_parameters(ctx, &s->codec, argv[1], set_parameter) ||
        !set_dictionary(ctx, s, argv[3]) || !set_size(ctx, s, argv[2])) {
        ph_codec_free(s);
        return JS_NULL;
    }
    return ph_codec_box(ctx, &s->codec);
}

static JSValue stream_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_write(ctx, argv, &zstd_kind);
}

static JSValue stream_close(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_close(ctx, argv, &zstd_kind);
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("create", 4, create),
        JS_CFUNC_DEF("write", 8, stream_write),
        JS_CFUNC_DEF("close", 1, stream_close),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return 0;
}
