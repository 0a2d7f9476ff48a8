/* Secure contexts: what many connections share. */
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

static int extra_index = -1;
static X509_STORE* roots; /* of the system; shared by all threads */
static pthread_mutex_t roots_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t index_once = PTHREAD_ONCE_INIT;

static void free_extra(void* parent, void* value, CRYPTO_EX_DATA* data, int index, long argl,
                       void* argp) {
    (void)parent;
    (void)data;
    (void)index;
    (void)argl;
    (void)argp;
    tls_extra* extra = value;
    if (extra == NULL)
        return;
    X509_free(extra->certificate);
    X509_free(extra->issuer);
    OPENSSL_cleanse(extra->ticket_keys, sizeof(extra->ticket_keys));
    free(extra);
}

static void make_index(void) {
    extra_index = SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, free_extra);
}

tls_extra* tls_extra_of(const SSL_CTX* ssl) {
    return SSL_CTX_get_ex_data(ssl, extra_index);
}

static void free_context(void* content) {
    SSL_CTX_free(content);
}

const ph_box_kind tls_context_kind = {"secure context", free_context};

SSL_CTX* tls_context(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &tls_context_kind);
}

X509_STORE* tls_new_roots(void) {
    X509_STORE* store = X509_STORE_new();
    if (store == NULL)
        return NULL;
    X509_STORE_set_default_paths(store);
    const char* more = getenv("NODE_EXTRA_CA_CERTS");
    if (more != NULL && *more != '\0')
        X509_STORE_load_file(store, more);
    ERR_clear_error();
    return store;
}

/* One for all: certificates are read when they are first needed, and kept. */
X509_STORE* tls_roots(void) {
    pthread_mutex_lock(&roots_lock);
    if (roots == NULL)
        roots = tls_new_roots();
    if (roots != NULL)
        X509_STORE_up_ref(roots);
    pthread_mutex_unlock(&roots_lock);
    return roots;
}

/* AES-128-CBC and HMAC-SHA256 with the keys that programs can read and set. */
static int on_ticket_key(SSL* ssl, unsigned char* name, unsigned char* iv, EVP_CIPHER_CTX* cipher,
                         EVP_MAC_CTX* mac, int encrypts) {
    const tls_extra* extra = tls_extra_of(SSL_get_SSL_CTX(ssl));
    const uint8_t* keys = extra->ticket_keys;
    if (encrypts) {
        memcpy(name, keys, 16);
        if (RAND_bytes(iv, 16) != 1 ||
            EVP_EncryptInit_ex(cipher, EVP_aes_128_cbc(), NULL, keys + 32, iv) != 1)
            return -1;
    } else {
        if (CRYPTO_memcmp(name, keys, 16) != 0)
            return 0;
        if (EVP_DecryptInit_ex(cipher, EVP_aes_128_cbc(), NULL, keys + 32, iv) != 1)
            return -1;
    }
    OSSL_PARAM params[] = {
        OSSL_PARAM_construct_octet_string(OSSL_MAC_PARAM_KEY, (void*)(keys + 16), 16),
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, (char*)"sha256", 0),
        OSSL_PARAM_construct_end()};
    return EVP_MAC_CTX_set_params(mac, params) == 1 ? 1 : -1;
}

static bool prepare(SSL_CTX* ssl, int lowest, int highest) {
    tls_extra* extra = calloc(1, sizeof(*extra));
    if (extra == NULL || SSL_CTX_set_ex_data(ssl, extra_index, extra) != 1) {
        free(extra);
        return false;
    }
    SSL_CTX_set_session_cache_mode(ssl, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_SERVER |
                                            SSL_SESS_CACHE_NO_INTERNAL |
                                            SSL_SESS_CACHE_NO_AUTO_CLEAR);
    SSL_CTX_set_mode(ssl, SSL_MODE_RELEASE_BUFFERS | SSL_MODE_AUTO_RETRY);
    SSL_CTX_clear_mode(ssl, SSL_MODE_NO_AUTO_CHAIN);
    SSL_CTX_set_options(ssl, SSL_OP_NO_SSLv2 | SSL_OP_NO_SSLv3 | SSL_OP_NO_COMPRESSION |
                                 SSL_OP_NO_RENEGOTIATION | SSL_OP_SINGLE_ECDH_USE);
    SSL_CTX_set_dh_auto(ssl, 0);
    tls_callbacks_init(ssl);
    return RAND_bytes(extra->ticket_keys, sizeof(extra->ticket_keys)) == 1 &&
           SSL_CTX_set_tlsext_ticket_key_evp_cb(ssl, on_ticket_key) == 1 &&
           SSL_CTX_set_min_proto_version(ssl, lowest) == 1 &&
           SSL_CTX_set_max_proto_version(ssl, highest) == 1;
}

/* newContext(lowest version, highest version): numbers of the protocol */
static JSValue new_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    pthread_once(&index_once, make_index);
    ERR_clear_error();
    SSL_CTX* ssl = SSL_CTX_new(TLS_method());
    if (ssl == NULL || !prepare(ssl, ph_int(ctx, argv[0], 0), ph_int(ctx, argv[1], 0))) {
        SSL_CTX_free(ssl);
        return tls_throw(ctx, "a secure context can't be made");
    }
    return ph_box(ctx, &tls_context_kind, ssl);
}

enum { CIPHERS, SUITES, SIGNATURES, CURVES, SESSION_ID };

static int apply_text(SSL_CTX* ssl, int what, const char* text, size_t length) {
    switch (what) {
    case CIPHERS:
        /* A list without a match leaves the ciphers of TLS 1.3, which are apart. */
        return SSL_CTX_set_cipher_list(ssl, text);
    case SUITES:
        return SSL_CTX_set_ciphersuites(ssl, text);
    case SIGNATURES:
        return SSL_CTX_set1_sigalgs_list(ssl, text);
    case CURVES:
        return strcmp(text, "auto") == 0 ? 1 : SSL_CTX_set1_curves_list(ssl, text);
    default:
        return SSL_CTX_set_session_id_context(ssl, (const uint8_t*)text, (unsigned)length);
    }
}

/* setCiphers(context, text) and the like */
static JSValue set_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int magic) {
    (void)self;
    (void)argc;
    size_t length;
    const char* text = ph_text(ctx, argv[1], &length);
    if (text == NULL)
        return JS_EXCEPTION;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    int status = -1;
    ERR_clear_error();
    if (ssl != NULL)
        status = apply_text(ssl, magic, text, length < INT32_MAX ? length : 0);
    JS_FreeCString(ctx, text);
    if (ssl == NULL)
        return JS_EXCEPTION;
    return status == 1 ? JS_UNDEFINED : tls_throw(ctx, "the setting is refused");
}

enum { OPTIONS, NO_OPTIONS, SESSION_TIMEOUT, PARTIAL_CHAINS };

static JSValue set_number(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic) {
    (void)self;
    (void)argc;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    if (ssl == NULL)
        return JS_EXCEPTION;
    uint64_t value = ph_index(ctx, argv[1], 0, UINT32_MAX);
    if (magic == OPTIONS) {
        /* Renegotiation stays off, and old protocols stay out, whatever a program asks for. */
        SSL_CTX_set_options(ssl, value);
    } else if (magic == NO_OPTIONS) {
        SSL_CTX_clear_options(ssl, value & ~(uint64_t)SSL_OP_NO_RENEGOTIATION);
    } else if (magic == SESSION_TIMEOUT) {
        SSL_CTX_set_timeout(ssl, (long)(value > INT32_MAX ? INT32_MAX : value));
    } else {
        X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(ssl), X509_V_FLAG_PARTIAL_CHAIN);
    }
    return JS_UNDEFINED;
}

/* ticketKeys(context), ticketKeys(context, bytes) */
static JSValue ticket_keys(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    SSL_CTX* ssl = tls_context(ctx, argv[0]);
    if (ssl == NULL)
        return JS_EXCEPTION;
    tls_extra* extra = tls_extra_of(ssl);
    if (argc < 2 || JS_IsUndefined(argv[1]))
        return ph_buffer_copy(ph_env_of(ctx), extra->ticket_keys, TLS_TICKET_KEYS);
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (length != TLS_TICKET_KEYS)
        return JS_ThrowTypeError(ctx, "ticket keys have %d bytes", TLS_TICKET_KEYS);
    memcpy(extra->ticket_keys, bytes, length);
    return JS_UNDEFINED;
}

/* All of version 1.3: only the first three are offered unless a program asks. */
#define SUITES_OF_1_3                                                             \
    "TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_128_GCM_SHA256:" \
    "TLS_AES_128_CCM_SHA256:TLS_AES_128_CCM_8_SHA256"

/* ciphers(): the names of those that this library takes without being told to */
static JSValue ciphers(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSValue list = JS_NewArray(ctx);
    SSL_CTX* ssl = SSL_CTX_new(TLS_method());
    SSL* one = ssl == NULL ? NULL : SSL_new(ssl);
    if (one != NULL && SSL_set_ciphersuites(one, SUITES_OF_1_3) == 1) {
        STACK_OF(SSL_CIPHER)* all = SSL_get_ciphers(one);
        for (int i = 0; i < sk_SSL_CIPHER_num(all); i++)
            JS_SetPropertyUint32(
                ctx, list, (uint32_t)i,
                JS_NewString(ctx, SSL_CIPHER_get_name(sk_SSL_CIPHER_value(all, i))));
    }
    SSL_free(one);
    SSL_CTX_free(ssl);
    ERR_clear_error();
    return list;
}

void tls_export_context(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("newContext", 2, new_context),
        JS_CFUNC_MAGIC_DEF("setCiphers", 2, set_text, CIPHERS),
        JS_CFUNC_MAGIC_DEF("setSuites", 2, set_text, SUITES),
        JS_CFUNC_MAGIC_DEF("setSignatures", 2, set_text, SIGNATURES),
        JS_CFUNC_MAGIC_DEF("setCurves", 2, set_text, CURVES),
        JS_CFUNC_MAGIC_DEF("setSessionId", 2, set_text, SESSION_ID),
        JS_CFUNC_MAGIC_DEF("setOptions", 2, set_number, OPTIONS),
        JS_CFUNC_MAGIC_DEF("clearOptions", 2, set_number, NO_OPTIONS),
        JS_CFUNC_MAGIC_DEF("setSessionTimeout", 2, set_number, SESSION_TIMEOUT),
        JS_CFUNC_MAGIC_DEF("allowPartialChains", 2, set_number, PARTIAL_CHAINS),
        JS_CFUNC_DEF("ticketKeys", 2, ticket_keys),
        JS_CFUNC_DEF("ciphers", 0, ciphers),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
