/* One end of one connection: ciphertext goes in, plaintext and ciphertext come out.
 *
 * The functions take the engine, its owner (the object that is told) and the handle that carries
 * the ciphertext; without a handle, ciphertext is given to the owner. What one call makes goes out
 * in one write. */
#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "plugins/tls/tls.h"

enum { END_OF_STREAM = -4095 };

static void release(tls_engine* engine) {
    SSL_free(engine->ssl); /* and its memory on both sides */
    engine->ssl = NULL;
    SSL_SESSION_free(engine->found);
    engine->found = NULL;
    tls_notes_drop(engine);
}

static void free_engine(void* content) {
    tls_engine* engine = content;
    release(engine);
    free(engine->servername);
    free(engine->alpn_offered);
    free(engine->alpn);
    free(engine->ocsp);
    free(engine);
}

const ph_box_kind tls_engine_kind = {"TLS engine", free_engine};

tls_engine* tls_engine_of(JSContext* ctx, JSValueConst value) {
    tls_engine* engine = ph_box_content(ctx, value, &tls_engine_kind);
    if (engine == NULL || (!engine->closed && !engine->inside))
        return engine;
    JS_ThrowTypeError(ctx, engine->closed ? "the engine is closed" : "the engine is running");
    return NULL;
}

JSValue tls_call(JSContext* ctx, JSValueConst* argv, tls_method* method) {
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    return engine == NULL ? JS_EXCEPTION : method(ctx, engine, argv);
}

int tls_flush_for(tls_engine* engine, JSValueConst callback, JSValueConst self) {
    char* bytes;
    long length = engine->ssl == NULL ? 0 : BIO_get_mem_data(engine->out, &bytes);
    if (length <= 0)
        return 1;
    ph_handle* handle = engine->handle;
    int status = 1;
    if (handle == NULL) {
        JSValue args[] = {ph_buffer_copy(engine->env, bytes, (size_t)length)};
        BIO_reset(engine->out);
        tls_emit(engine, "_onCiphertext", 1, args);
    } else {
        uv_buf_t piece = uv_buf_init(bytes, (unsigned)length);
        ph_leftover leftover = {JS_UNDEFINED, NULL, callback, self};
        status = handle->state != PH_HANDLE_OPEN ? UV_ECANCELED
                                                 : ph_stream_send(handle, &piece, 1, &leftover);
        BIO_reset(engine->out);
    }
    return status;
}

void tls_flush_quietly(tls_engine* engine) {
    JSContext* ctx = engine->env->ctx;
    if (engine->ssl == NULL || BIO_ctrl_pending(engine->out) == 0)
        return;
    JSValue callback = JS_GetPropertyStr(ctx, engine->owner, "_onFlushed");
    if (!JS_IsFunction(ctx, callback)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        JS_FreeValue(ctx, callback);
        BIO_reset(engine->out);
        return;
    }
    int status = tls_flush_for(engine, callback, engine->owner);
    if (status < 0) {
        JSValue args[] = {JS_NewInt32(ctx, status)};
        tls_emit(engine, "_onFlushed", 1, args);
    }
    JS_FreeValue(ctx, callback);
}

/* The alert goes out before the owner hears of the error, and closes. */
static void fail(tls_engine* engine) {
    JSValue error = tls_error(engine->env->ctx, true, "the connection failed");
    engine->ended = true;
    tls_flush_quietly(engine);
    tls_emit(engine, "_onTlsError", 1, &error);
}

static void tell_wait(tls_engine* engine) {
    JSContext* ctx = engine->env->ctx;
    if (engine->wait == TLS_WAITS_FOR_CERTIFICATE) {
        JSValue args[] = {JS_NewBool(ctx, engine->wants_ocsp)};
        tls_emit(engine, "_onCertificate", 1, args);
        return;
    }
    const char* name = engine->servername;
    const void* offered = engine->alpn_offered == NULL ? "" : (const void*)engine->alpn_offered;
    JSValue args[] = {
        name == NULL ? JS_NewString(ctx, "") : JS_NewString(ctx, name),
        ph_buffer_copy(engine->env, offered, engine->alpn_offered_length),
        ph_buffer_copy(engine->env, engine->session_id, engine->session_id_length),
        JS_NewBool(ctx, engine->has_ticket),
    };
    tls_emit(engine, "_onHello", PH_COUNT(args), args);
}

static void handshake(tls_engine* engine) {
    if (engine->wait != TLS_WAITS_FOR_NOTHING)
        return;
    ERR_clear_error();
    engine->inside = true;
    int result = SSL_do_handshake(engine->ssl);
    int reason = result == 1 ? SSL_ERROR_NONE : SSL_get_error(engine->ssl, result);
    engine->inside = false;
    tls_tell_notes(engine);
    if (engine->closed)
        return;
    if (result == 1) {
        engine->secure = true;
        /* A client may begin while the server's owner is still told. A server waits for a client's
         * last word until the client's owner has judged its certificate. */
        if (SSL_is_server(engine->ssl))
            tls_flush_quietly(engine);
        tls_emit(engine, "_onSecure", 0, NULL);
    } else if (engine->wait != TLS_WAITS_FOR_NOTHING) {
        tell_wait(engine);
    } else if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE) {
        fail(engine);
    }
}

/* Who reads plaintext past JavaScript is asked first. */
static void tell_plaintext(tls_engine* engine, const uint8_t* bytes, size_t length) {
    JSContext* ctx = engine->env->ctx;
    ph_handle* handle = engine->handle;
    if (handle != NULL && handle->consume_plain != NULL && handle->state == PH_HANDLE_OPEN) {
        engine->plain_read += length;
        if (engine->env->stopping || handle->consume_plain(handle, bytes, length))
            return;
        engine->plain_read -= length;
    }
    JSValue args[] = {JS_NewInt64(ctx, (int64_t)length),
                      ph_buffer_copy(engine->env, bytes, length)};
    if (JS_IsException(args[1])) {
        ph_gate_exception(engine->env);
        return;
    }
    tls_emit(engine, "_onPlaintext", PH_COUNT(args), args);
}

/* What the ciphertext that is there says, up to the end of the first record that is not full: what
 * the other side wrote in two pieces comes in two. Never longer than the ciphertext. False: there
 * was nothing, or nothing more will come. */
static bool read_some(tls_engine* engine) {
    uint8_t few[TLS_RECORD];
    size_t room = BIO_ctrl_pending(engine->in) + (size_t)SSL_pending(engine->ssl) + 64;
    uint8_t* bytes = room <= sizeof(few) ? few : malloc(room);
    size_t length = 0;
    size_t got = 0;
    int result = 0;
    if (bytes == NULL)
        return false;
    ERR_clear_error();
    engine->inside = true;
    while (length < room &&
           (result = SSL_read_ex(engine->ssl, bytes + length, room - length, &got)) == 1) {
        length += got;
        if (got < TLS_RECORD)
            break;
    }
    int reason = result == 1 ? SSL_ERROR_NONE : SSL_get_error(engine->ssl, result);
    engine->inside = false;
    tls_tell_notes(engine);
    if (length > 0 && !engine->closed)
        tell_plaintext(engine, bytes, length);
    if (bytes != few)
        free(bytes);
    if (engine->closed || engine->ended)
        return false;
    if (reason == SSL_ERROR_ZERO_RETURN) {
        JSValue args[] = {JS_NewInt32(engine->env->ctx, END_OF_STREAM)};
        engine->ended = true;
        tls_emit(engine, "_onPlaintext", 1, args);
        return false;
    }
    if (reason == SSL_ERROR_NONE)
        return BIO_ctrl_pending(engine->in) > 0 || SSL_has_pending(engine->ssl);
    if (reason != SSL_ERROR_WANT_READ && reason != SSL_ERROR_WANT_WRITE)
        fail(engine);
    return false;
}

void tls_step(tls_engine* engine) {
    engine->again = true;
    if (engine->running)
        return;
    engine->running = true;
    while (engine->again && !engine->closed && !engine->ended && !engine->env->stopping) {
        engine->again = false;
        if (!engine->secure)
            handshake(engine);
        while (engine->secure && !engine->closed && !engine->ended && read_some(engine))
            continue;
    }
    if (!engine->closed)
        tls_flush_quietly(engine);
    engine->running = false;
    if (engine->closed)
        release(engine);
}

tls_call_state tls_enter(tls_engine* engine, JSContext* ctx, JSValueConst owner,
                         JSValueConst handle) {
    tls_call_state saved = {engine->owner, engine->handle};
    engine->owner = owner;
    engine->handle = NULL;
    if (JS_IsObject(handle)) {
        engine->handle = ph_stream_get(ctx, handle);
        JS_FreeValue(ctx, JS_GetException(ctx));
    }
    return saved;
}

void tls_leave(tls_engine* engine, tls_call_state saved) {
    engine->owner = saved.owner;
    engine->handle = saved.handle;
}

static bool feed(tls_engine* engine, const uint8_t* bytes, size_t length) {
    return length == 0 ||
           (length <= INT32_MAX && BIO_write(engine->in, bytes, (int)length) == (int)length);
}

/* newEngine(context, is it the server?, does JavaScript know keys?) */
static JSValue new_engine(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    SSL_CTX* context = tls_context(ctx, argv[0]);
    if (context == NULL)
        return JS_EXCEPTION;
    tls_engine* engine = calloc(1, sizeof(*engine));
    if (engine == NULL)
        return JS_ThrowOutOfMemory(ctx);
    engine->env = ph_env_of(ctx);
    engine->owner = JS_UNDEFINED;
    engine->last_note = &engine->notes;
    engine->wants_psk = ph_flag(ctx, argv[2]);
    engine->ssl = SSL_new(context);
    engine->in = BIO_new(BIO_s_mem());
    engine->out = BIO_new(BIO_s_mem());
    if (engine->ssl == NULL || engine->in == NULL || engine->out == NULL) {
        BIO_free(engine->in);
        BIO_free(engine->out);
        free_engine(engine);
        return tls_throw(ctx, "out of memory");
    }
    SSL_set_bio(engine->ssl, engine->in, engine->out);
    if (ph_flag(ctx, argv[1]))
        SSL_set_accept_state(engine->ssl);
    else
        SSL_set_connect_state(engine->ssl);
    tls_engine_callbacks_init(engine);
    return ph_box(ctx, &tls_engine_kind, engine);
}

/* receive(engine, owner, handle, bytes); without bytes: start, or go on */
static JSValue receive(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    uint8_t* bytes = NULL;
    size_t length = 0;
    if (engine == NULL ||
        (!JS_IsUndefined(argv[3]) && ph_bytes(ctx, argv[3], &bytes, &length) != 0))
        return JS_EXCEPTION;
    if (!feed(engine, bytes, length))
        return JS_ThrowOutOfMemory(ctx);
    tls_call_state saved = tls_enter(engine, ctx, argv[1], argv[2]);
    tls_step(engine);
    tls_leave(engine, saved);
    return JS_UNDEFINED;
}

/* What the handle has read, straight from the space it was read to. */
static void consume(ph_handle* handle, const uint8_t* bytes, size_t length) {
    ph_env* env = handle->env;
    JSContext* ctx = env->ctx;
    JSValue box = JS_DupValue(ctx, handle->consumer);
    JSValue owner = JS_DupValue(ctx, handle->owner);
    tls_engine* engine = ph_box_content(ctx, box, &tls_engine_kind);
    if (engine != NULL && !engine->closed && feed(engine, bytes, length)) {
        tls_call_state saved = {engine->owner, engine->handle};
        engine->owner = owner;
        engine->handle = handle;
        tls_step(engine);
        tls_leave(engine, saved);
    }
    JS_FreeValue(ctx, owner);
    JS_FreeValue(ctx, box);
}

/* attach(engine, handle): all that the handle reads is for the engine; its owner is setReader's */
static JSValue attach(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_handle* handle = ph_stream_get(ctx, argv[1]);
    if (handle == NULL || tls_engine_of(ctx, argv[0]) == NULL)
        return JS_EXCEPTION;
    handle->consume = consume;
    handle->seal = &tls_seal;
    ph_handle_hold(handle, &handle->consumer, argv[0]);
    return JS_UNDEFINED;
}

bool tls_begin(tls_engine* engine) {
    bool was_running = engine->running;
    if (!was_running)
        engine->again = false;
    engine->running = true;
    return was_running;
}

void tls_finish(tls_engine* engine, bool was_running) {
    engine->running = was_running;
    if (was_running)
        return;
    if (engine->closed)
        release(engine);
    else if (engine->again)
        tls_step(engine);
}

/* counted(engine): [bytes read, bytes written] that JavaScript has not seen */
static JSValue counted(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const tls_engine* engine = ph_box_content(ctx, argv[0], &tls_engine_kind);
    if (engine == NULL)
        return JS_EXCEPTION;
    JSValue counts[] = {JS_NewInt64(ctx, (int64_t)engine->plain_read),
                        JS_NewInt64(ctx, (int64_t)engine->plain_written)};
    return JS_NewArrayFrom(ctx, PH_COUNT(counts), counts);
}

/* shutdown(engine, owner, handle): says that nothing more will be written */
static JSValue shutdown_engine(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    if (engine == NULL)
        return JS_EXCEPTION;
    tls_call_state saved = tls_enter(engine, ctx, argv[1], argv[2]);
    bool was_running = tls_begin(engine);
    if (engine->secure) {
        ERR_clear_error();
        engine->inside = true;
        SSL_shutdown(engine->ssl);
        engine->inside = false;
        ERR_clear_error();
    }
    tls_flush_quietly(engine);
    tls_finish(engine, was_running);
    tls_leave(engine, saved);
    return JS_UNDEFINED;
}

/* close(engine) */
static JSValue close_engine(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    tls_engine* engine = ph_box_content(ctx, argv[0], &tls_engine_kind);
    if (engine == NULL)
        return JS_EXCEPTION;
    engine->closed = true;
    if (!engine->running && !engine->inside)
        release(engine);
    return JS_UNDEFINED;
}

void tls_export_engine(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newEngine", 3, new_engine),     JS_CFUNC_DEF("attach", 2, attach),
        JS_CFUNC_DEF("receive", 4, receive),          JS_CFUNC_DEF("write", 5, tls_write),
        JS_CFUNC_DEF("shutdown", 3, shutdown_engine), JS_CFUNC_DEF("close", 1, close_engine),
        JS_CFUNC_DEF("counted", 1, counted),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
