/* What an engine is told before and during the handshake. */
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

/* setServername(engine, name): whom the client wants */
static JSValue set_servername(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[1]);
    tls_engine* engine = name == NULL ? NULL : tls_engine_of(ctx, argv[0]);
    if (engine != NULL)
        SSL_set_tlsext_host_name(engine->ssl, name);
    JS_FreeCString(ctx, name);
    return engine == NULL ? JS_EXCEPTION : JS_UNDEFINED;
}

/* Each name of the list has its length before it, none is empty. */
static bool is_protocol_list(const uint8_t* bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        if (bytes[at] == 0)
            return false;
        at += (size_t)bytes[at] + 1;
    }
    return at == length && length <= 65535;
}

enum { ALPN, OCSP };

/* setAlpn(engine, bytes): what the client offers, or the server takes; setOcsp(engine, bytes) */
static JSValue set_bytes(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int magic) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    uint8_t* bytes;
    size_t length;
    if (engine == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (magic == ALPN && !is_protocol_list(bytes, length))
        return JS_ThrowTypeError(ctx, "not a list of protocols");
    if (magic == ALPN && !SSL_is_server(engine->ssl)) {
        SSL_set_alpn_protos(engine->ssl, bytes, (unsigned)length);
        return JS_UNDEFINED;
    }
    uint8_t* copy = tls_copy(bytes, length);
    if (copy == NULL)
        return JS_ThrowOutOfMemory(ctx);
    uint8_t** where = magic == ALPN ? &engine->alpn : &engine->ocsp;
    free(*where);
    *where = copy;
    *(magic == ALPN ? &engine->alpn_length : &engine->ocsp_length) = length;
    return JS_UNDEFINED;
}

/* setSession(engine, bytes): to be resumed; whether it is one. For a server: what the id stands for
 */
static JSValue set_session(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    const unsigned char* at = bytes;
    SSL_SESSION* session = length > INT32_MAX ? NULL : d2i_SSL_SESSION(NULL, &at, (long)length);
    ERR_clear_error();
    if (session == NULL)
        return JS_FALSE;
    if (SSL_is_server(engine->ssl)) {
        SSL_SESSION_free(engine->found);
        engine->found = session;
        return JS_TRUE;
    }
    bool done = SSL_set_session(engine->ssl, session) == 1;
    SSL_SESSION_free(session);
    ERR_clear_error();
    return JS_NewBool(ctx, done);
}

/* setVerify(engine, ask the peer for a certificate?, is none a failure?) */
static JSValue set_verify(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    int mode = ph_flag(ctx, argv[1]) ? SSL_VERIFY_PEER : SSL_VERIFY_NONE;
    if (mode != SSL_VERIFY_NONE && ph_flag(ctx, argv[2]))
        mode |= SSL_VERIFY_FAIL_IF_NO_PEER_CERT;
    SSL_set_verify(engine->ssl, mode, SSL_get_verify_callback(engine->ssl));
    return JS_UNDEFINED;
}

/* setContext(engine, context): the one for the name that the client wants */
static JSValue set_context(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    SSL_CTX* context = tls_context(ctx, argv[1]);
    if (context == NULL)
        return JS_EXCEPTION;
    ERR_clear_error();
    SSL_set_SSL_CTX(engine->ssl, context);
    SSL_set1_verify_cert_store(engine->ssl, SSL_CTX_get_cert_store(context));
    STACK_OF(X509_NAME)* names = SSL_dup_CA_list(SSL_CTX_get_client_CA_list(context));
    SSL_set_client_CA_list(engine->ssl, names);
    ERR_clear_error();
    return JS_UNDEFINED;
}

enum { WANT_HELLO, WANT_CERTIFICATE, WANT_SESSIONS, WANT_OCSP, WANT_KEYS };

static void on_keylog(const SSL* ssl, const char* line) {
    tls_engine* engine = SSL_get_app_data(ssl);
    size_t length = strlen(line);
    uint8_t* text = engine == NULL ? NULL : tls_copy(line, length + 1);
    if (text == NULL)
        return;
    text[length] = '\n';
    tls_note_add(engine, "_onKeylog", text, length + 1, NULL, 0);
    OPENSSL_cleanse(text, length);
    free(text);
}

/* wantHello(engine) and the like: what the owner is told, or asked */
static JSValue want(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    if (engine == NULL)
        return JS_EXCEPTION;
    switch (magic) {
    case WANT_HELLO:
        engine->wants_hello = true;
        break;
    case WANT_CERTIFICATE:
        engine->wants_certificate = true;
        break;
    case WANT_SESSIONS:
        engine->wants_sessions = true;
        break;
    case WANT_OCSP:
        SSL_set_tlsext_status_type(engine->ssl, TLSEXT_STATUSTYPE_ocsp);
        break;
    default:
        SSL_CTX_set_keylog_callback(SSL_get_SSL_CTX(engine->ssl), on_keylog);
        break;
    }
    return JS_UNDEFINED;
}

/* proceed(engine): JavaScript has decided what it was asked; receive() goes on */
static JSValue proceed(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)ctx;
    (void)argv;
    if (engine->wait == TLS_WAITS_FOR_HELLO)
        engine->saw_hello = true;
    else if (engine->wait == TLS_WAITS_FOR_CERTIFICATE)
        engine->saw_certificate = true;
    engine->wait = TLS_WAITS_FOR_NOTHING;
    return JS_UNDEFINED;
}

/* setMaxFragment(engine, size): whether it may be */
static JSValue set_max_fragment(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    return JS_NewBool(ctx, SSL_set_max_send_fragment(engine->ssl, ph_int(ctx, argv[1], 0)) == 1);
}

/* setPskHint(engine, text) */
static JSValue set_psk_hint(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* hint = JS_ToCString(ctx, argv[1]);
    tls_engine* engine = hint == NULL ? NULL : tls_engine_of(ctx, argv[0]);
    ERR_clear_error();
    bool done = engine != NULL && SSL_use_psk_identity_hint(engine->ssl, hint) == 1;
    ERR_clear_error();
    JS_FreeCString(ctx, hint);
    return engine == NULL ? JS_EXCEPTION : JS_NewBool(ctx, done);
}

enum { SET_SESSION, SET_VERIFY, SET_CONTEXT, PROCEED, SET_MAX_FRAGMENT };

static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    static tls_method* const methods[] = {[SET_SESSION] = set_session,
                                          [SET_VERIFY] = set_verify,
                                          [SET_CONTEXT] = set_context,
                                          [PROCEED] = proceed,
                                          [SET_MAX_FRAGMENT] = set_max_fragment};
    (void)self;
    (void)argc;
    return tls_call(ctx, argv, methods[magic]);
}

void tls_export_settings(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setServername", 2, set_servername),
        JS_CFUNC_MAGIC_DEF("setAlpn", 2, set_bytes, ALPN),
        JS_CFUNC_MAGIC_DEF("setOcsp", 2, set_bytes, OCSP),
        JS_CFUNC_MAGIC_DEF("setSession", 2, call, SET_SESSION),
        JS_CFUNC_MAGIC_DEF("setVerify", 3, call, SET_VERIFY),
        JS_CFUNC_MAGIC_DEF("setContext", 2, call, SET_CONTEXT),
        JS_CFUNC_MAGIC_DEF("wantHello", 1, want, WANT_HELLO),
        JS_CFUNC_MAGIC_DEF("wantCertificate", 1, want, WANT_CERTIFICATE),
        JS_CFUNC_MAGIC_DEF("wantSessions", 1, want, WANT_SESSIONS),
        JS_CFUNC_MAGIC_DEF("wantOcsp", 1, want, WANT_OCSP),
        JS_CFUNC_MAGIC_DEF("wantKeys", 1, want, WANT_KEYS),
        JS_CFUNC_MAGIC_DEF("proceed", 1, call, PROCEED),
        JS_CFUNC_MAGIC_DEF("setMaxFragment", 2, call, SET_MAX_FRAGMENT),
        JS_CFUNC_DEF("setPskHint", 2, set_psk_hint),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
