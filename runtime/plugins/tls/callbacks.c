/* What OpenSSL asks while it works: names, protocols, sessions, keys. Where JavaScript decides, the
 * handshake stops with an error that means "later" and goes on when JavaScript has decided. */
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

/* The name in the client's extension: a list with one entry of the kind "host name". */
static void read_servername(tls_engine* engine, const uint8_t* at, size_t length) {
    if (length < 5 || at[2] != 0)
        return;
    size_t size = (size_t)at[3] << 8 | at[4];
    if (size > length - 5 || size > 255 || memchr(at + 5, 0, size) != NULL)
        return;
    free(engine->servername);
    engine->servername = (char*)tls_copy(at + 5, size);
}

static void read_hello(tls_engine* engine) {
    SSL* ssl = engine->ssl;
    const uint8_t* bytes;
    size_t length;
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_server_name, &bytes, &length) == 1)
        read_servername(engine, bytes, length);
    if (SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_application_layer_protocol_negotiation, &bytes,
                                  &length) == 1 &&
        length > 2) {
        free(engine->alpn_offered);
        engine->alpn_offered = tls_copy(bytes + 2, length - 2);
        engine->alpn_offered_length = engine->alpn_offered == NULL ? 0 : length - 2;
    }
    engine->has_ticket =
        SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_session_ticket, &bytes, &length) == 1 &&
        length > 0;
    engine->wants_ocsp =
        SSL_client_hello_get0_ext(ssl, TLSEXT_TYPE_status_request, &bytes, &length) == 1;
    length = SSL_client_hello_get0_session_id(ssl, &bytes);
    if (length <= sizeof(engine->session_id)) {
        memcpy(engine->session_id, bytes, length);
        engine->session_id_length = length;
    }
}

static int on_hello(SSL* ssl, int* alert, void* opaque) {
    (void)opaque;
    (void)alert;
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL || engine->saw_hello)
        return SSL_CLIENT_HELLO_SUCCESS;
    if (engine->wait != TLS_WAITS_FOR_HELLO) {
        read_hello(engine);
        if (!engine->wants_hello) {
            engine->saw_hello = true;
            return SSL_CLIENT_HELLO_SUCCESS;
        }
        engine->wait = TLS_WAITS_FOR_HELLO;
    }
    return SSL_CLIENT_HELLO_RETRY;
}

/* Before the certificate is sent, and after the protocol is known. */
static int on_certificate(SSL* ssl, void* opaque) {
    tls_engine* engine = opaque;
    (void)ssl;
    if (!engine->wants_certificate || engine->saw_certificate)
        return 1;
    engine->wait = TLS_WAITS_FOR_CERTIFICATE;
    return -1;
}

static int on_servername(SSL* ssl, int* alert, void* opaque) {
    (void)ssl;
    (void)alert;
    (void)opaque;
    return SSL_TLSEXT_ERR_OK;
}

static int on_alpn(SSL* ssl, const unsigned char** out, unsigned char* out_length,
                   const unsigned char* in, unsigned in_length, void* opaque) {
    (void)opaque;
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL || engine->alpn == NULL)
        return SSL_TLSEXT_ERR_NOACK;
    unsigned char* chosen;
    if (SSL_select_next_proto(&chosen, out_length, engine->alpn, (unsigned)engine->alpn_length, in,
                              in_length) != OPENSSL_NPN_NEGOTIATED)
        return SSL_TLSEXT_ERR_ALERT_FATAL;
    *out = chosen;
    return SSL_TLSEXT_ERR_OK;
}

/* Gives no reference away: 0. */
static int on_new_session(SSL* ssl, SSL_SESSION* session) {
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL || !engine->wants_sessions)
        return 0;
    int size = i2d_SSL_SESSION(session, NULL);
    uint8_t* bytes = size > 0 ? malloc((size_t)size) : NULL;
    if (bytes == NULL)
        return 0;
    uint8_t* end = bytes;
    i2d_SSL_SESSION(session, &end);
    unsigned id_length;
    const uint8_t* id = SSL_SESSION_get_id(session, &id_length);
    tls_note_add(engine, "_onSession", bytes, (size_t)size, id, id_length);
    OPENSSL_cleanse(bytes, (size_t)size);
    free(bytes);
    return 0;
}

static SSL_SESSION* on_get_session(SSL* ssl, const unsigned char* id, int length, int* copies) {
    (void)id;
    (void)length;
    tls_engine* engine = SSL_get_app_data(ssl);
    *copies = 0;
    if (engine == NULL)
        return NULL;
    SSL_SESSION* found = engine->found;
    engine->found = NULL;
    return found;
}

static int on_status(SSL* ssl, void* opaque) {
    (void)opaque;
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL)
        return SSL_TLSEXT_ERR_NOACK;
    if (SSL_is_server(ssl)) {
        if (engine->ocsp == NULL)
            return SSL_TLSEXT_ERR_NOACK;
        unsigned char* copy = OPENSSL_memdup(engine->ocsp, engine->ocsp_length);
        if (copy == NULL || SSL_set_tlsext_status_ocsp_resp(ssl, copy, engine->ocsp_length) != 1)
            OPENSSL_free(copy);
        return SSL_TLSEXT_ERR_OK;
    }
    const unsigned char* bytes;
    long length = SSL_get_tlsext_status_ocsp_resp(ssl, &bytes);
    tls_note_add(engine, "_onOcsp", length > 0 ? bytes : NULL, length > 0 ? (size_t)length : 0,
                 NULL, 0);
    return 1; /* JavaScript judges it */
}

static int on_verify(int fine, X509_STORE_CTX* store) {
    (void)fine;
    (void)store;
    return 1; /* JavaScript asks for the result when the handshake is done */
}

static void copy_text(JSContext* ctx, JSValueConst object, const char* name, char* out,
                      size_t size) {
    JSValue value = JS_GetPropertyStr(ctx, object, name);
    size_t length;
    const char* text = JS_IsString(value) ? ph_text(ctx, value, &length) : NULL;
    out[0] = '\0';
    if (text != NULL && length < size) {
        memcpy(out, text, length);
        out[length] = '\0';
    }
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
}

static unsigned copy_key(JSContext* ctx, JSValueConst object, uint8_t* out, unsigned size) {
    JSValue value = JS_GetPropertyStr(ctx, object, "psk");
    uint8_t* bytes;
    size_t length = 0;
    if (!JS_IsObject(value) || ph_bytes(ctx, value, &bytes, &length) != 0 || length > size)
        length = 0;
    if (length > 0)
        memcpy(out, bytes, length);
    JS_FreeValue(ctx, value);
    JS_FreeValue(ctx, JS_GetException(ctx));
    return (unsigned)length;
}

static unsigned on_client_psk(SSL* ssl, const char* hint, char* identity, unsigned identity_size,
                              unsigned char* key, unsigned key_size) {
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL)
        return 0;
    JSContext* ctx = engine->env->ctx;
    JSValue args[] = {hint == NULL ? JS_NULL : JS_NewString(ctx, hint),
                      JS_NewInt32(ctx, (int)key_size), JS_NewInt32(ctx, (int)identity_size - 1)};
    JSValue answer = tls_ask(engine, "_onPsk", PH_COUNT(args), args);
    unsigned length = 0;
    if (JS_IsObject(answer)) {
        copy_text(ctx, answer, "identity", identity, identity_size);
        length = copy_key(ctx, answer, key, key_size);
    }
    JS_FreeValue(ctx, answer);
    return length;
}

static unsigned on_server_psk(SSL* ssl, const char* identity, unsigned char* key,
                              unsigned key_size) {
    tls_engine* engine = SSL_get_app_data(ssl);
    if (engine == NULL)
        return 0;
    JSContext* ctx = engine->env->ctx;
    JSValue args[] = {identity == NULL ? JS_NULL : JS_NewString(ctx, identity),
                      JS_NewInt32(ctx, (int)key_size)};
    JSValue answer = tls_ask(engine, "_onPsk", PH_COUNT(args), args);
    unsigned length = JS_IsObject(answer) ? copy_key(ctx, answer, key, key_size) : 0;
    JS_FreeValue(ctx, answer);
    return length;
}

void tls_callbacks_init(SSL_CTX* ssl) {
    SSL_CTX_set_client_hello_cb(ssl, on_hello, NULL);
    SSL_CTX_set_tlsext_servername_callback(ssl, on_servername);
    SSL_CTX_set_alpn_select_cb(ssl, on_alpn, NULL);
    SSL_CTX_sess_set_new_cb(ssl, on_new_session);
    SSL_CTX_sess_set_get_cb(ssl, on_get_session);
    SSL_CTX_set_tlsext_status_cb(ssl, on_status);
    SSL_CTX_set_verify(ssl, SSL_VERIFY_NONE, on_verify);
}

void tls_engine_callbacks_init(tls_engine* engine) {
    SSL_set_app_data(engine->ssl, engine);
    SSL_set_cert_cb(engine->ssl, on_certificate, engine);
    SSL_set_verify(engine->ssl, SSL_VERIFY_NONE, on_verify);
    if (!engine->wants_psk)
        return;
    if (SSL_is_server(engine->ssl))
        SSL_set_psk_server_callback(engine->ssl, on_server_psk);
    else
        SSL_set_psk_client_callback(engine->ssl, on_client_psk);
}
