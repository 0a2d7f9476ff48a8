/* What is to be encrypted: JavaScript's writes, and those of parsers past JavaScript. */
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

enum { PIECE = 4 * 1024 * 1024 };

static bool encrypt(tls_engine* engine, const uint8_t* bytes, size_t length) {
    size_t written;
    if (length == 0)
        return true;
    ERR_clear_error();
    engine->inside = true;
    int result = SSL_write_ex(engine->ssl, bytes, length, &written);
    engine->inside = false;
    return result == 1;
}

/* Long data in pieces, so that the ciphertext does not gather. */
static bool encrypt_long(tls_engine* engine, const uint8_t* bytes, size_t length) {
    while (length > PIECE) {
        if (!encrypt(engine, bytes, PIECE))
            return false;
        tls_flush_quietly(engine);
        if (engine->closed)
            return false;
        bytes += PIECE;
        length -= PIECE;
    }
    return encrypt(engine, bytes, length);
}

/* Small pieces share a record. */
static bool encrypt_list(tls_engine* engine, const uv_buf_t* pieces, unsigned count) {
    uint8_t record[TLS_RECORD];
    size_t used = 0;
    for (unsigned i = 0; i < count; i++) {
        const uint8_t* bytes = (const uint8_t*)pieces[i].base;
        size_t length = pieces[i].len;
        if (used + length > TLS_RECORD) {
            if (!encrypt(engine, record, used))
                return false;
            used = 0;
        }
        if (length > TLS_RECORD) {
            if (!encrypt_long(engine, bytes, length))
                return false;
        } else if (length > 0) {
            memcpy(record + used, bytes, length);
            used += length;
        }
    }
    bool done = encrypt(engine, record, used);
    OPENSSL_cleanse(record, used);
    return done;
}

/* 1: done. 0: OpenSSL failed. -1: an exception. */
static int encrypt_value(JSContext* ctx, tls_engine* engine, JSValueConst data) {
    ph_pins pins = {NULL, NULL, 0};
    bool done = false;
    if (JS_IsString(data)) {
        size_t length;
        const char* text = ph_text(ctx, data, &length);
        if (text == NULL)
            return -1;
        done = encrypt_long(engine, (const uint8_t*)text, length);
        JS_FreeCString(ctx, text);
        return done;
    }
    if (JS_IsArray(data)) {
        uv_buf_t* pieces;
        unsigned count;
        int status = ph_pins_add_list(ctx, &pins, data, &pieces, &count);
        /* What gave the bytes may have closed the engine. */
        done = status == 0 && !engine->closed && encrypt_list(engine, pieces, count);
        ph_pins_release(engine->env, &pins);
        free(pieces);
        return status != 0 ? -1 : done;
    }
    uint8_t* bytes;
    size_t length;
    if (ph_pins_add(ctx, &pins, data, &bytes, &length) != 0)
        return -1;
    done = encrypt_long(engine, bytes, length);
    ph_pins_release(engine->env, &pins);
    return done;
}

static int send_sealed(ph_handle* handle, uv_buf_t* pieces, unsigned count,
                       const ph_leftover* leftover) {
    JSContext* ctx = handle->env->ctx;
    tls_engine* engine = ph_box_content(ctx, handle->consumer, &tls_engine_kind);
    if (engine == NULL || engine->closed || engine->inside || !engine->secure)
        return UV_ECANCELED;
    JSValue box = JS_DupValue(ctx, handle->consumer);
    JSValue owner = JS_DupValue(ctx, handle->owner);
    tls_call_state saved = {engine->owner, engine->handle};
    engine->owner = owner;
    engine->handle = handle;
    bool was_running = tls_begin(engine);
    int status = UV_ECANCELED;
    bool done = count == 1 && pieces[0].len <= TLS_RECORD
                    ? encrypt(engine, (const uint8_t*)pieces[0].base, pieces[0].len)
                    : encrypt_list(engine, pieces, count);
    if (done) {
        for (unsigned i = 0; i < count; i++)
            engine->plain_written += pieces[i].len;
        status = tls_flush_for(engine, leftover->callback, leftover->self);
    } else {
        ERR_clear_error();
    }
    tls_finish(engine, was_running);
    tls_leave(engine, saved);
    JS_FreeValue(ctx, owner);
    JS_FreeValue(ctx, box);
    return status;
}

const ph_seal tls_seal = {send_sealed};

/* write(engine, owner, handle, data, callback): data as of a stream's write. Gives the status of
 * ph_stream_send, or an error of OpenSSL's. */
JSValue tls_write(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    if (engine == NULL)
        return JS_EXCEPTION;
    if (!engine->secure)
        return JS_NewInt32(ctx, UV_EAGAIN);
    tls_call_state saved = tls_enter(engine, ctx, argv[1], argv[2]);
    bool was_running = tls_begin(engine);
    int done = encrypt_value(ctx, engine, argv[3]);
    JSValue result = JS_EXCEPTION;
    if (done == 0)
        result = engine->closed ? JS_NewInt32(ctx, UV_ECANCELED)
                                : tls_error(ctx, true, "nothing can be written any more");
    else if (done == 1)
        result = JS_NewInt32(ctx, tls_flush_for(engine, argv[4], engine->owner));
    tls_finish(engine, was_running);
    tls_leave(engine, saved);
    return result;
}
