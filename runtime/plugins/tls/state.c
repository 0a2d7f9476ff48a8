/* What is known of a connection: protocol, cipher, session, the other side's certificates. */
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

static JSValue text_or_null(JSContext* ctx, const char* text) {
    return text == NULL ? JS_NULL : JS_NewString(ctx, text);
}

enum { PROTOCOL, CIPHER, REUSED, SERVERNAME, ALPN, IS_SERVER };

static JSValue cipher_value(JSContext* ctx, const SSL_CIPHER* cipher) {
    if (cipher == NULL)
        return JS_UNDEFINED;
    JSValue made = JS_NewObject(ctx);
    ph_set(ctx, made, "name", JS_NewString(ctx, SSL_CIPHER_get_name(cipher)));
    ph_set(ctx, made, "standardName", JS_NewString(ctx, SSL_CIPHER_standard_name(cipher)));
    ph_set(ctx, made, "version", JS_NewString(ctx, SSL_CIPHER_get_version(cipher)));
    return made;
}

static JSValue get(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    if (engine == NULL)
        return JS_EXCEPTION;
    const SSL* ssl = engine->ssl;
    const unsigned char* alpn;
    unsigned length;
    switch (magic) {
    case PROTOCOL:
        return JS_NewString(ctx, SSL_get_version(ssl));
    case CIPHER:
        return cipher_value(ctx, SSL_get_current_cipher(ssl));
    case REUSED:
        return JS_NewBool(ctx, SSL_session_reused(ssl));
    case SERVERNAME:
        if (engine->servername != NULL)
            return JS_NewString(ctx, engine->servername);
        return text_or_null(ctx, SSL_get_servername(ssl, TLSEXT_NAMETYPE_host_name));
    case ALPN:
        SSL_get0_alpn_selected(ssl, &alpn, &length);
        return length == 0 ? JS_FALSE : JS_NewStringLen(ctx, (const char*)alpn, length);
    default:
        return JS_NewBool(ctx, SSL_is_server(ssl));
    }
}

/* session(engine): bytes for setSession, or undefined */
static JSValue session(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)ctx;
    (void)argv;
    SSL_SESSION* found = SSL_get_session(engine->ssl);
    unsigned char* bytes = NULL;
    int length = found == NULL ? 0 : i2d_SSL_SESSION(found, &bytes);
    if (length <= 0)
        return JS_UNDEFINED;
    JSValue made = ph_buffer_copy(engine->env, bytes, (size_t)length);
    OPENSSL_cleanse(bytes, (size_t)length);
    OPENSSL_free(bytes);
    return made;
}

/* ticket(engine, session?): that of the session given or of the one in use: bytes, or undefined */
static JSValue ticket(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    uint8_t* given = NULL;
    size_t length = 0;
    SSL_SESSION* parsed = NULL;
    if (!JS_IsUndefined(argv[1])) {
        if (ph_bytes(ctx, argv[1], &given, &length) != 0)
            return JS_EXCEPTION;
        const unsigned char* at = given;
        parsed = d2i_SSL_SESSION(NULL, &at, (long)length);
    }
    const SSL_SESSION* found = given == NULL ? SSL_get_session(engine->ssl) : parsed;
    const unsigned char* bytes = NULL;
    if (found != NULL)
        SSL_SESSION_get0_ticket(found, &bytes, &length);
    JSValue made = bytes == NULL ? JS_UNDEFINED : ph_buffer_copy(engine->env, bytes, length);
    SSL_SESSION_free(parsed);
    return made;
}

/* verifyError(engine): null, or [number, words] */
static JSValue verify_error(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)argv;
    long result = X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT;
    const SSL_CIPHER* cipher = SSL_get_current_cipher(engine->ssl);
    const SSL_SESSION* current = SSL_get_session(engine->ssl);
    if (SSL_get0_peer_certificate(engine->ssl) != NULL)
        result = SSL_get_verify_result(engine->ssl);
    else if ((cipher != NULL && SSL_CIPHER_get_auth_nid(cipher) == NID_auth_psk) ||
             (current != NULL && SSL_SESSION_get_protocol_version(current) == TLS1_3_VERSION &&
              SSL_session_reused(engine->ssl)))
        result = X509_V_OK;
    if (result == X509_V_OK)
        return JS_NULL;
    JSValue parts[] = {JS_NewInt32(ctx, (int)result),
                       JS_NewString(ctx, X509_verify_cert_error_string(result))};
    return JS_NewArrayFrom(ctx, PH_COUNT(parts), parts);
}

static bool is_self_issued(X509* one) {
    return X509_check_issued(one, one) == X509_V_OK;
}

/* The one that issued the certificate, from what the peer sent or from what we believe; a new
 * reference. */
static X509* issuer_of(tls_engine* engine, X509* one) {
    STACK_OF(X509)* sent = SSL_get_peer_cert_chain(engine->ssl);
    for (int i = 0; i < sk_X509_num(sent); i++) {
        X509* other = sk_X509_value(sent, i);
        if (X509_cmp(other, one) != 0 && X509_check_issued(other, one) == X509_V_OK) {
            X509_up_ref(other);
            return other;
        }
    }
    X509* found = NULL;
    X509_STORE_CTX* search = X509_STORE_CTX_new();
    X509_STORE* store = SSL_CTX_get_cert_store(SSL_get_SSL_CTX(engine->ssl));
    if (search != NULL && X509_STORE_CTX_init(search, store, NULL, NULL) == 1)
        X509_STORE_CTX_get1_issuer(&found, search, one);
    X509_STORE_CTX_free(search);
    ERR_clear_error();
    return found;
}

/* peerCertificates(engine, all): objects, the peer's own first; the last is its own issuer if it
 * has `isRoot` */
static JSValue peer_certificates(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    enum { MOST = 32 };
    bool all = ph_flag(ctx, argv[1]);
    JSValue list = JS_NewArray(ctx);
    X509* one = SSL_get1_peer_certificate(engine->ssl);
    for (uint32_t i = 0; one != NULL && i < MOST; i++) {
        JSValue made = tls_certificate_value(engine->env, one);
        bool is_root = is_self_issued(one);
        if (is_root && JS_IsObject(made))
            ph_set(ctx, made, "isRoot", JS_TRUE);
        JS_SetPropertyUint32(ctx, list, i, made);
        X509* next = is_root || !all ? NULL : issuer_of(engine, one);
        X509_free(one);
        one = next;
    }
    X509_free(one);
    return list;
}

/* certificate(engine): our own, as an object, or undefined */
static JSValue certificate(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)ctx;
    (void)argv;
    X509* found = SSL_get_certificate(engine->ssl);
    return found == NULL ? JS_UNDEFINED : tls_certificate_value(engine->env, found);
}

enum { OURS, THEIRS };

/* finished(engine), peerFinished(engine): bytes, or undefined */
static JSValue finished(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int magic) {
    (void)self;
    (void)argc;
    tls_engine* engine = tls_engine_of(ctx, argv[0]);
    if (engine == NULL)
        return JS_EXCEPTION;
    uint8_t bytes[EVP_MAX_MD_SIZE];
    size_t length = magic == OURS ? SSL_get_finished(engine->ssl, bytes, sizeof(bytes))
                                  : SSL_get_peer_finished(engine->ssl, bytes, sizeof(bytes));
    if (length == 0 || length > sizeof(bytes))
        return JS_UNDEFINED;
    return ph_buffer_copy(engine->env, bytes, length);
}

/* ephemeralKey(engine): { type, name, size } */
static JSValue ephemeral_key(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)argv;
    EVP_PKEY* key = NULL;
    JSValue made = JS_NewObject(ctx);
    if (SSL_get_peer_tmp_key(engine->ssl, &key) != 1 || key == NULL) {
        ERR_clear_error();
        return made;
    }
    int kind = EVP_PKEY_get_id(key);
    char name[64];
    size_t length = 0;
    if (kind == EVP_PKEY_DH) {
        ph_set(ctx, made, "type", JS_NewString(ctx, "DH"));
    } else {
        ph_set(ctx, made, "type", JS_NewString(ctx, "ECDH"));
        if (kind != EVP_PKEY_EC)
            ph_set(ctx, made, "name", JS_NewString(ctx, OBJ_nid2sn(kind)));
        else if (EVP_PKEY_get_group_name(key, name, sizeof(name), &length) == 1)
            ph_set(ctx, made, "name", JS_NewStringLen(ctx, name, length));
    }
    ph_set(ctx, made, "size", JS_NewInt32(ctx, EVP_PKEY_get_bits(key)));
    EVP_PKEY_free(key);
    ERR_clear_error();
    return made;
}

/* exportKeys(engine, length, label, context) */
static JSValue export_keys(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enum { MOST = 1 << 20 };
    size_t length = ph_index(ctx, argv[1], 0, MOST);
    size_t label_length;
    const char* label = ph_text(ctx, argv[2], &label_length);
    tls_engine* engine = label == NULL ? NULL : tls_engine_of(ctx, argv[0]);
    uint8_t* context = NULL;
    size_t context_length = 0;
    bool has_context = !JS_IsUndefined(argv[3]);
    uint8_t* out = engine == NULL ? NULL : malloc(length + 1);
    if (out == NULL || (has_context && ph_bytes(ctx, argv[3], &context, &context_length) != 0)) {
        JS_FreeCString(ctx, label);
        free(out);
        return JS_HasException(ctx) ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    }
    ERR_clear_error();
    int done = SSL_export_keying_material(engine->ssl, out, length, label, label_length, context,
                                          context_length, has_context);
    JSValue made = done == 1 ? ph_buffer_copy(engine->env, out, length)
                             : tls_throw(ctx, "SSL_export_keying_material failed");
    OPENSSL_cleanse(out, length);
    free(out);
    JS_FreeCString(ctx, label);
    return made;
}

static const char* signature_word(int nid) {
    switch (nid) {
    case EVP_PKEY_RSA:
        return "RSA";
    case EVP_PKEY_RSA_PSS:
        return "RSA-PSS";
    case EVP_PKEY_DSA:
        return "DSA";
    case EVP_PKEY_EC:
        return "ECDSA";
    case NID_ED25519:
        return "Ed25519";
    case NID_ED448:
        return "Ed448";
    default:
        return OBJ_nid2sn(nid);
    }
}

/* sharedSignatures(engine): ["RSA-PSS+SHA256", ...] */
static JSValue shared_signatures(JSContext* ctx, tls_engine* engine, JSValueConst* argv) {
    (void)argv;
    JSValue list = JS_NewArray(ctx);
    int count = SSL_get_shared_sigalgs(engine->ssl, 0, NULL, NULL, NULL, NULL, NULL);
    for (int i = 0; i < count; i++) {
        int sign;
        int hash;
        char text[128];
        SSL_get_shared_sigalgs(engine->ssl, i, &sign, &hash, NULL, NULL, NULL);
        const char* hash_word = hash == NID_undef ? NULL : OBJ_nid2sn(hash);
        snprintf(text, sizeof(text), "%s%s%s", signature_word(sign), hash_word == NULL ? "" : "+",
                 hash_word == NULL ? "" : hash_word);
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, JS_NewString(ctx, text));
    }
    return list;
}

enum {
    SESSION,
    TICKET,
    VERIFY_ERROR,
    PEER_CERTIFICATES,
    CERTIFICATE,
    EPHEMERAL_KEY,
    SHARED_SIGNATURES
};

static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    static tls_method* const methods[] = {[SESSION] = session,
                                          [TICKET] = ticket,
                                          [VERIFY_ERROR] = verify_error,
                                          [PEER_CERTIFICATES] = peer_certificates,
                                          [CERTIFICATE] = certificate,
                                          [EPHEMERAL_KEY] = ephemeral_key,
                                          [SHARED_SIGNATURES] = shared_signatures};
    (void)self;
    (void)argc;
    return tls_call(ctx, argv, methods[magic]);
}

void tls_export_state(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("protocol", 1, get, PROTOCOL),
        JS_CFUNC_MAGIC_DEF("cipher", 1, get, CIPHER),
        JS_CFUNC_MAGIC_DEF("isReused", 1, get, REUSED),
        JS_CFUNC_MAGIC_DEF("servername", 1, get, SERVERNAME),
        JS_CFUNC_MAGIC_DEF("alpn", 1, get, ALPN),
        JS_CFUNC_MAGIC_DEF("isServer", 1, get, IS_SERVER),
        JS_CFUNC_MAGIC_DEF("session", 1, call, SESSION),
        JS_CFUNC_MAGIC_DEF("ticket", 2, call, TICKET),
        JS_CFUNC_MAGIC_DEF("verifyError", 1, call, VERIFY_ERROR),
        JS_CFUNC_MAGIC_DEF("peerCertificates", 2, call, PEER_CERTIFICATES),
        JS_CFUNC_MAGIC_DEF("certificate", 1, call, CERTIFICATE),
        JS_CFUNC_MAGIC_DEF("finished", 1, finished, OURS),
        JS_CFUNC_MAGIC_DEF("peerFinished", 1, finished, THEIRS),
        JS_CFUNC_MAGIC_DEF("ephemeralKey", 1, call, EPHEMERAL_KEY),
        JS_CFUNC_DEF("exportKeys", 4, export_keys),
        JS_CFUNC_MAGIC_DEF("sharedSignatures", 1, call, SHARED_SIGNATURES),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
