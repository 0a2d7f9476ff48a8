/* What a secure context proves itself with, and whom it believes: keys, certificates, lists. */
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "plugins/tls/tls.h"

typedef struct {
    const char* text; /* NULL: there is none */
    size_t length;
} passphrase;

static int on_passphrase(char* buffer, int size, int writes, void* opaque) {
    (void)writes;
    const passphrase* given = opaque;
    if (given->text == NULL)
        return 0;
    if (size < 0 || given->length > (size_t)size)
        return -1;
    memcpy(buffer, given->text, given->length);
    return (int)given->length;
}

static int no_passphrase(char* buffer, int size, int writes, void* opaque) {
    (void)buffer;
    (void)size;
    (void)writes;
    (void)opaque;
    return 0;
}

/* PEM or DER in memory, as text or bytes. NULL and an exception if it is neither. */
static BIO* open_bytes(JSContext* ctx, JSValueConst value) {
    BIO* made = NULL;
    ERR_clear_error();
    if (JS_IsString(value)) {
        size_t length;
        const char* text = ph_text(ctx, value, &length);
        if (text == NULL)
            return NULL;
        made = BIO_new(BIO_s_mem());
        if (made != NULL && length <= INT32_MAX && length > 0)
            BIO_write(made, text, (int)length);
        JS_FreeCString(ctx, text);
    } else {
        uint8_t* bytes;
        size_t length;
        if (ph_bytes(ctx, value, &bytes, &length) != 0)
            return NULL;
        made = BIO_new(BIO_s_mem());
        if (made != NULL && length <= INT32_MAX && length > 0)
            BIO_write(made, bytes, (int)length);
    }
    if (made == NULL)
        JS_ThrowOutOfMemory(ctx);
    return made;
}

/* setKey(context, pem, passphrase) */
static JSValue set_key(JSContext* ctx, SSL_CTX* ssl, BIO* bytes, JSValueConst* argv) {
    passphrase given = {NULL, 0};
    if (!JS_IsUndefined(argv[2]) && !JS_IsNull(argv[2])) {
        given.text = ph_text(ctx, argv[2], &given.length);
        if (given.text == NULL)
            return JS_EXCEPTION;
    }
    EVP_PKEY* key = PEM_read_bio_PrivateKey(bytes, NULL, on_passphrase, &given);
    bool done = key != NULL && SSL_CTX_use_PrivateKey(ssl, key) == 1;
    EVP_PKEY_free(key);
    JS_FreeCString(ctx, given.text);
    return done ? JS_UNDEFINED : tls_throw(ctx, "the key can't be used");
}

/* The certificate of the one that signed another, among those of a list or of a store. */
static X509* find_issuer(SSL_CTX* ssl, X509* certificate, STACK_OF(X509) * list) {
    for (int i = 0; i < sk_X509_num(list); i++) {
        X509* one = sk_X509_value(list, i);
        if (X509_check_issued(one, certificate) == X509_V_OK) {
            X509_up_ref(one);
            return one;
        }
    }
    X509_STORE_CTX* search = X509_STORE_CTX_new();
    X509* found = NULL;
    if (search != NULL && X509_STORE_CTX_init(search, SSL_CTX_get_cert_store(ssl), NULL, NULL) == 1)
        X509_STORE_CTX_get1_issuer(&found, search, certificate);
    X509_STORE_CTX_free(search);
    ERR_clear_error();
    return found;
}

/* The certificate itself first, then those that lead to a root. */
static bool use_chain(SSL_CTX* ssl, X509* certificate, STACK_OF(X509) * chain) {
    if (SSL_CTX_use_certificate(ssl, certificate) != 1)
        return false;
    SSL_CTX_clear_chain_certs(ssl);
    for (int i = 0; i < sk_X509_num(chain); i++)
        if (SSL_CTX_add1_chain_cert(ssl, sk_X509_value(chain, i)) != 1)
            return false;
    tls_extra* extra = tls_extra_of(ssl);
    X509_free(extra->certificate);
    X509_free(extra->issuer);
    X509_up_ref(certificate);
    extra->certificate = certificate;
    extra->issuer = find_issuer(ssl, certificate, chain);
    return true;
}

static bool at_end(void) {
    unsigned long error = ERR_peek_last_error();
    bool is = ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
    if (is)
        ERR_clear_error();
    return is;
}

/* setCertificate(context, pem) */
static JSValue set_certificate(JSContext* ctx, SSL_CTX* ssl, BIO* bytes, JSValueConst* argv) {
    (void)argv;
    STACK_OF(X509)* chain = sk_X509_new_null();
    X509* certificate = PEM_read_bio_X509_AUX(bytes, NULL, no_passphrase, NULL);
    bool done = chain != NULL && certificate != NULL;
    X509* next = NULL;
    while (done && (next = PEM_read_bio_X509(bytes, NULL, no_passphrase, NULL)) != NULL)
        if (sk_X509_push(chain, next) == 0) {
            X509_free(next);
            done = false;
        }
    done = done && at_end() && use_chain(ssl, certificate, chain);
    X509_free(certificate);
    sk_X509_pop_free(chain, X509_free);
    return done ? JS_UNDEFINED : tls_throw(ctx, "the certificate can't be used");
}

/* The store of this context alone: from then on the roots of the system are not asked, unless they
 * were wanted before. */
static X509_STORE* own_store(SSL_CTX* ssl) {
    tls_extra* extra = tls_extra_of(ssl);
    if (extra->shares_roots) {
        X509_STORE* store = tls_new_roots();
        if (store == NULL)
            return NULL;
        SSL_CTX_set_cert_store(ssl, store);
        extra->shares_roots = false;
    }
    return SSL_CTX_get_cert_store(ssl);
}

/* addCA(context, pem): all certificates of the text */
static JSValue add_ca(JSContext* ctx, SSL_CTX* ssl, BIO* bytes, JSValueConst* argv) {
    (void)argv;
    X509_STORE* store = own_store(ssl);
    X509* one;
    while (store != NULL && (one = PEM_read_bio_X509_AUX(bytes, NULL, no_passphrase, NULL))) {
        X509_STORE_add_cert(store, one);
        SSL_CTX_add_client_CA(ssl, one);
        X509_free(one);
    }
    ERR_clear_error();
    return store == NULL ? JS_ThrowOutOfMemory(ctx) : JS_UNDEFINED;
}

/* addCrl(context, pem) */
static JSValue add_crl(JSContext* ctx, SSL_CTX* ssl, BIO* bytes, JSValueConst* argv) {
    (void)argv;
    X509_CRL* list = PEM_read_bio_X509_CRL(bytes, NULL, no_passphrase, NULL);
    X509_STORE* store = own_store(ssl);
    if (list == NULL)
        return tls_throw(ctx, "Failed to parse CRL");
    if (store != NULL) {
        X509_STORE_add_crl(store, list);
        X509_STORE_set_flags(store, X509_V_FLAG_CRL_CHECK | X509_V_FLAG_CRL_CHECK_ALL);
    }
    X509_CRL_free(list);
    ERR_clear_error();
    return store == NULL ? JS_ThrowOutOfMemory(ctx) : JS_UNDEFINED;
}

/* useRoots(context): those of the system and of NODE_EXTRA_CA_CERTS */
static JSValue use_roots(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    if (ssl == NULL)
        return JS_EXCEPTION;
    X509_STORE* store = tls_roots();
    if (store == NULL)
        return JS_ThrowOutOfMemory(ctx);
    SSL_CTX_set_cert_store(ssl, store);
    tls_extra_of(ssl)->shares_roots = true;
    return JS_UNDEFINED;
}

static bool use_bundle(SSL_CTX* ssl, EVP_PKEY* key, X509* certificate, STACK_OF(X509) * more) {
    if (!use_chain(ssl, certificate, more) || SSL_CTX_use_PrivateKey(ssl, key) != 1)
        return false;
    X509_STORE* store = own_store(ssl);
    for (int i = 0; store != NULL && i < sk_X509_num(more); i++) {
        X509_STORE_add_cert(store, sk_X509_value(more, i));
        SSL_CTX_add_client_CA(ssl, sk_X509_value(more, i));
    }
    ERR_clear_error();
    return store != NULL;
}

/* setBundle(context, pfx, passphrase) */
static JSValue set_bundle(JSContext* ctx, SSL_CTX* ssl, BIO* bytes, JSValueConst* argv) {
    const char* pass = NULL;
    size_t length;
    if (!JS_IsUndefined(argv[2]) && !JS_IsNull(argv[2])) {
        pass = ph_text(ctx, argv[2], &length);
        if (pass == NULL)
            return JS_EXCEPTION;
    }
    EVP_PKEY* key = NULL;
    X509* certificate = NULL;
    STACK_OF(X509)* more = NULL;
    PKCS12* bundle = d2i_PKCS12_bio(bytes, NULL);
    bool done = bundle != NULL && PKCS12_parse(bundle, pass, &key, &certificate, &more) == 1;
    const char* fault = done && key == NULL           ? "Unable to load private key from PFX data"
                        : done && certificate == NULL ? "Unable to load certificate from PFX data"
                                                      : "Unable to load PFX certificate";
    done = done && key != NULL && certificate != NULL && use_bundle(ssl, key, certificate, more);
    EVP_PKEY_free(key);
    X509_free(certificate);
    sk_X509_pop_free(more, X509_free);
    PKCS12_free(bundle);
    JS_FreeCString(ctx, pass);
    return done ? JS_UNDEFINED : tls_throw(ctx, fault);
}

/* setDh(context, pem): undefined, or the number of bits if they are too few; setDh(context): any */
static JSValue set_dh(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enum { LEAST = 1024 };
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    if (ssl == NULL)
        return JS_EXCEPTION;
    if (JS_IsUndefined(argv[1])) {
        SSL_CTX_set_dh_auto(ssl, 1);
        return JS_UNDEFINED;
    }
    BIO* bytes = open_bytes(ctx, argv[1]);
    if (bytes == NULL)
        return JS_EXCEPTION;
    EVP_PKEY* parameters = PEM_read_bio_Parameters(bytes, NULL);
    BIO_free(bytes);
    if (parameters == NULL)
        return tls_throw(ctx, "the parameters can't be read");
    int bits = EVP_PKEY_get_bits(parameters);
    if (bits < LEAST || SSL_CTX_set0_tmp_dh_pkey(ssl, parameters) != 1) {
        EVP_PKEY_free(parameters);
        return bits < LEAST ? JS_NewInt32(ctx, bits) : tls_throw(ctx, "the parameters are refused");
    }
    return JS_UNDEFINED;
}

enum { OWN, ISSUER };

/* ownCertificate(context), ownIssuer(context): DER, or null */
static JSValue own_certificate(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                               int magic) {
    (void)self;
    (void)argc;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    if (ssl == NULL)
        return JS_EXCEPTION;
    const tls_extra* extra = tls_extra_of(ssl);
    X509* found = magic == OWN ? extra->certificate : extra->issuer;
    unsigned char* bytes = NULL;
    int length = found == NULL ? -1 : i2d_X509(found, &bytes);
    if (length < 0)
        return JS_NULL;
    JSValue made = ph_buffer_copy(ph_env_of(ctx), bytes, (size_t)length);
    OPENSSL_free(bytes);
    return made;
}

/* loadExtra(file): undefined, or why the certificates can't be read */
static JSValue load_extra(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* file = JS_ToCString(ctx, argv[0]);
    if (file == NULL)
        return JS_EXCEPTION;
    ERR_clear_error();
    X509_STORE* store = X509_STORE_new();
    bool done = store != NULL && X509_STORE_load_file(store, file) == 1;
    X509_STORE_free(store);
    JS_FreeCString(ctx, file);
    if (done)
        return JS_UNDEFINED;
    /* The first error says more than the last. */
    char text[256];
    ERR_error_string_n(ERR_get_error(), text, sizeof(text));
    ERR_clear_error();
    return JS_NewPlainError(ctx, "%s", text);
}

enum { SET_KEY, SET_CERTIFICATE, ADD_CA, ADD_CRL, SET_BUNDLE };

/* The functions that take a context and PEM or DER. */
static JSValue call(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    static JSValue (*const methods[])(JSContext*, SSL_CTX*, BIO*,
                                      JSValueConst*) = {[SET_KEY] = set_key,
                                                        [SET_CERTIFICATE] = set_certificate,
                                                        [ADD_CA] = add_ca,
                                                        [ADD_CRL] = add_crl,
                                                        [SET_BUNDLE] = set_bundle};
    (void)self;
    (void)argc;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    BIO* bytes = ssl == NULL ? NULL : open_bytes(ctx, argv[1]);
    if (bytes == NULL)
        return JS_EXCEPTION;
    JSValue result = methods[magic](ctx, ssl, bytes, argv);
    BIO_free(bytes);
    return result;
}

void tls_export_keys(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("setKey", 3, call, SET_KEY),
        JS_CFUNC_MAGIC_DEF("setCertificate", 2, call, SET_CERTIFICATE),
        JS_CFUNC_MAGIC_DEF("addCA", 2, call, ADD_CA),
        JS_CFUNC_MAGIC_DEF("addCrl", 2, call, ADD_CRL),
        JS_CFUNC_DEF("useRoots", 1, use_roots),
        JS_CFUNC_MAGIC_DEF("setBundle", 3, call, SET_BUNDLE),
        JS_CFUNC_DEF("setDh", 2, set_dh),
        JS_CFUNC_DEF("loadExtra", 1, load_extra),
        JS_CFUNC_MAGIC_DEF("ownCertificate", 1, own_certificate, OWN),
        JS_CFUNC_MAGIC_DEF("ownIssuer", 1, own_certificate, ISSUER),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
