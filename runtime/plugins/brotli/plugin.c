/* brotli, as a codec of zlib's module. */
#include <brotli/decode.h>
#include <brotli/encode.h>
#include <stdlib.h>

#include "bindings/codec.h"
#include "engine/plugins.h"

typedef struct {
    ph_codec codec;
    BrotliEncoderState* encoder; /* one of the two */
    BrotliDecoderState* decoder;
} stream;

/* What an encoder that fails has for a number; it has none of its own. */
enum { COMPRESSION_FAILED = -1000, ENDED = 1 };

static void compress(stream* s) {
    ph_codec* codec = &s->codec;
    BrotliEncoderOperation operation = (BrotliEncoderOperation)codec->flush;
    bool worked = codec->flush >= BROTLI_OPERATION_PROCESS &&
                  codec->flush <= BROTLI_OPERATION_EMIT_METADATA &&
                  BrotliEncoderCompressStream(s->encoder, operation, &codec->in_left, &codec->in,
                                              &codec->out_left, &codec->out, NULL);
    codec->status = !worked ? COMPRESSION_FAILED : BrotliEncoderIsFinished(s->encoder) ? ENDED : 0;
    codec->text = "Compression failed";
}

static void decompress(stream* s) {
    ph_codec* codec = &s->codec;
    BrotliDecoderResult result = BrotliDecoderDecompressStream(
        s->decoder, &codec->in_left, &codec->in, &codec->out_left, &codec->out, NULL);
    codec->status = result == BROTLI_DECODER_RESULT_SUCCESS ? ENDED
                    : result == BROTLI_DECODER_RESULT_ERROR
                        ? (int)BrotliDecoderGetErrorCode(s->decoder)
                        : 0;
    codec->text = "Decompression failed";
}

static void step(ph_codec* codec) {
    stream* s = (stream*)codec;
    if (s->encoder != NULL)
        compress(s);
    else
        decompress(s);
}

static void close_stream(ph_codec* codec) {
    stream* s = (stream*)codec;
    BrotliEncoderDestroyInstance(s->encoder);
    BrotliDecoderDestroyInstance(s->decoder);
}

static const ph_codec_kind brotli_kind = {{"brotli stream", ph_codec_free}, step, close_stream};

static bool set_parameter(ph_codec* codec, int key, int64_t given) {
    stream* s = (stream*)codec;
    uint32_t value = given < 0 ? 0 : given > UINT32_MAX ? UINT32_MAX : (uint32_t)given;
    if (s->encoder != NULL)
        return BrotliEncoderSetParameter(s->encoder, (BrotliEncoderParameter)key, value);
    return BrotliDecoderSetParameter(s->decoder, (BrotliDecoderParameter)key, value);
}

/* create(compresses, parameters): a stream, or null if the parameters are not taken */
static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    stream* s = calloc(1, sizeof(*s));
    if (s == NULL)
        return JS_ThrowOutOfMemory(ctx);
    s->codec.kind = &brotli_kind;
    if (ph_flag(ctx, argv[0]))
        s->encoder = BrotliEncoderCreateInstance(NULL, NULL, NULL);
    else
        s->decoder = BrotliDecoderCreateInstance(NULL, NULL, NULL);
    s->codec.is_open = s->encoder != NULL || s->decoder != NULL;
    if (!s->codec.is_open || !ph_codec_parameters(ctx, &s->codec, argv[1], set_parameter)) {
        ph_codec_free(s);
        return JS_NULL;
    }
    return ph_codec_box(ctx, &s->codec);
}

static JSValue stream_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_write(ctx, argv, &brotli_kind);
}

static JSValue stream_close(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return ph_codec_close(ctx, argv, &brotli_kind);
}

int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("create", 2, create),
        JS_CFUNC_DEF("write", 8, stream_write),
        JS_CFUNC_DEF("close", 1, stream_close),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
    return 0;
}
