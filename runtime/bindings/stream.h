/* Writing to streams from C. */
#ifndef PH_RUNTIME_STREAM_H
#define PH_RUNTIME_STREAM_H

#include "bindings/bytes.h"
#include "bindings/handle.h"

/* What becomes of bytes that the system does not take at once. */
typedef struct {
    JSValueConst keep;     /* has the bytes; undefined: they are copied, */
    ph_pins* pins;         /* unless they are pinned already: these pass to the write */
    JSValueConst callback; /* (status), when they are written */
    JSValueConst self;     /* the callback's `this` */
} ph_leftover;

/* What encrypts the bytes of a handle: it is their consumer, and writes what is given to it. */
struct ph_seal {
    int (*send)(ph_handle* handle, uv_buf_t* pieces, unsigned count, const ph_leftover* leftover);
};

/* As ph_stream_send; writes through what encrypts the handle's bytes, if there is such. */
int ph_stream_send_plain(ph_handle* handle, uv_buf_t* pieces, unsigned count,
                         const ph_leftover* leftover);

/* 1: all is written, nothing is called. 0: the callback will be. Negative: an error. The pieces may
 * change. */
int ph_stream_send(ph_handle* handle, uv_buf_t* pieces, unsigned count,
                   const ph_leftover* leftover);

#endif
