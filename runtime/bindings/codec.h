/* Compression and its opposite, whatever the library: a stream takes one step at a time, at once or
 * on the thread pool. */
#ifndef PH_RUNTIME_CODEC_H
#define PH_RUNTIME_CODEC_H

#include "bindings/box.h"
#include "bindings/request.h"

typedef struct ph_codec ph_codec;

/* Of one library. Steps run on any thread, but one at a time. */
typedef struct {
    ph_box_kind box; /* with ph_codec_free */
    void (*step)(ph_codec* codec);
    void (*close)(ph_codec* codec); /* lets go of all but the struct */
} ph_codec_kind;

/* The first member of a library's own struct, from calloc. */
struct ph_codec {
    const ph_codec_kind* kind;
    /* What a step reads and writes: it moves them on. */
    const uint8_t* in;
    size_t in_left;
    uint8_t* out;
    size_t out_left;
    int flush;
    int status;       /* after a step: 1 at the end, negative for an error */
    const char* text; /* what the library says of it */
    bool is_open;
    bool busy; /* a step is on the pool */
    bool close_later;
    uv_work_t work;
    ph_pending pending;
};

void ph_codec_free(void* content);
/* The codec passes to the box. */
JSValue ph_codec_box(JSContext* ctx, ph_codec* codec);
/* Sets each of a list [key, value, key, value, ...]; false if one is not taken. */
bool ph_codec_parameters(JSContext* ctx, ph_codec* codec, JSValueConst list,
                         bool (*set)(ph_codec* codec, int key, int64_t value));
/* NULL and an exception if it is closed, or busy on the pool. */
ph_codec* ph_codec_idle(JSContext* ctx, JSValueConst value, const ph_codec_kind* kind);
/* write(stream, flush, in, inOffset, inLength, out, outOffset, callback?): gives, or calls back
 * with, [status, bytes in left, bytes out left, text] */
JSValue ph_codec_write(JSContext* ctx, JSValueConst* argv, const ph_codec_kind* kind);
/* close(stream): now, or when its step is done */
JSValue ph_codec_close(JSContext* ctx, JSValueConst* argv, const ph_codec_kind* kind);

#endif
