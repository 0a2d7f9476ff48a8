/* Keys as PEM, DER, and the parts of a JWK. */
#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

static bool write_der(BIO* bio, const char* label, uint8_t* der, int length) {
    if (length <= 0)
        return false;
    bool written = label != NULL ? PEM_write_bio(bio, label, "", der, length) > 0
                                 : BIO_write(bio, der, length) == length;
    OPENSSL_clear_free(der, (size_t)length);
    return written;
}

static bool write_public(BIO* bio, EVP_PKEY* pkey, bool is_pem, const char* type) {
    uint8_t* der = NULL;
    bool is_pkcs1 = strcmp(type, "pkcs1") == 0;
    int length = is_pkcs1 ? i2d_PublicKey(pkey, &der) : i2d_PUBKEY(pkey, &der);
    return write_der(bio, !is_pem ? NULL : is_pkcs1 ? "RSA PUBLIC KEY" : "PUBLIC KEY", der, length);
}

static bool write_private(BIO* bio, EVP_PKEY* pkey, bool is_pem, const char* type,
                          const EVP_CIPHER* cipher, const cr_bytes* passphrase) {
    /* A passphrase that is NULL would be asked for at the terminal. */
    char* phrase = (char*)passphrase->data;
    int length = (int)passphrase->length;
    if (strcmp(type, "pkcs8") == 0)
        return is_pem ? PEM_write_bio_PKCS8PrivateKey(bio, pkey, cipher, phrase, length, NULL,
                                                      NULL) == 1
                      : i2d_PKCS8PrivateKey_bio(bio, pkey, cipher, phrase, length, NULL, NULL) == 1;
    if (is_pem)
        return PEM_write_bio_PrivateKey_traditional(bio, pkey, cipher, (uint8_t*)phrase, length,
                                                    NULL, NULL) == 1;
    uint8_t* der = NULL;
    int size = i2d_PrivateKey(pkey, &der);
    return write_der(bio, NULL, der, size);
}

static bool find_cipher(JSContext* ctx, JSValueConst value, const EVP_CIPHER** cipher) {
    *cipher = NULL;
    if (JS_IsUndefined(value) || JS_IsNull(value))
        return true;
    const char* name = JS_ToCString(ctx, value);
    if (name == NULL)
        return false;
    *cipher = EVP_get_cipherbyname(name);
    JS_FreeCString(ctx, name);
    if (*cipher == NULL)
        cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    return *cipher != NULL;
}

/* exportKey(key, isPem, type, cipher?, passphrase?): text if PEM is asked for, else a Buffer */
static CR_FUNCTION(export_key) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes passphrase;
    const EVP_CIPHER* cipher;
    bool is_pem = ph_flag(ctx, argv[1]);
    cr_errors_clear();
    if (!find_cipher(ctx, argv[3], &cipher))
        return JS_EXCEPTION;
    const char* type = cr_text(ctx, argv[2]);
    if (type == NULL || !cr_bytes_copy(ctx, &passphrase, argv[4])) {
        JS_FreeCString(ctx, type);
        return JS_EXCEPTION;
    }
    /* Only now: what came before may have run JavaScript. */
    cr_key* key = cr_key_of(ctx, argv[0]);
    EVP_PKEY* pkey = key == NULL ? NULL : cr_pkey_of(ctx, argv[0]);
    BIO* bio = pkey == NULL ? NULL : BIO_new(BIO_s_secmem());
    bool written = false;
    if (bio != NULL)
        written = key->kind == CR_PUBLIC
                      ? write_public(bio, pkey, is_pem, type)
                      : write_private(bio, pkey, is_pem, type, cipher, &passphrase);
    cr_bytes_free(&passphrase);
    JS_FreeCString(ctx, type);
    if (written)
        return is_pem ? cr_bio_text(ctx, bio) : cr_bio_bytes(ctx, bio);
    BIO_free_all(bio);
    return pkey == NULL ? JS_EXCEPTION : cr_throw(ctx, "Failed to encode key");
}

static JSValue raw_part(JSContext* ctx, EVP_PKEY* pkey,
                        int (*get)(const EVP_PKEY*, unsigned char*, size_t*)) {
    size_t length = 0;
    cr_bytes bytes;
    if (get(pkey, NULL, &length) != 1) {
        cr_errors_clear();
        return JS_UNDEFINED;
    }
    if (!cr_bytes_new(ctx, &bytes, length))
        return JS_EXCEPTION;
    get(pkey, bytes.data, &length);
    return cr_bytes_give(ctx, &bytes);
}

static void set_ec_parts(JSContext* ctx, JSValueConst parts, EVP_PKEY* pkey, bool is_private) {
    size_t width = ((size_t)EVP_PKEY_get_bits(pkey) + 7) / 8;
    int curve = cr_key_curve(pkey);
    ph_set(ctx, parts, "curve", JS_NewString(ctx, OBJ_nid2sn(curve)));
    ph_set(ctx, parts, "x", cr_key_number(ctx, pkey, OSSL_PKEY_PARAM_EC_PUB_X, width));
    ph_set(ctx, parts, "y", cr_key_number(ctx, pkey, OSSL_PKEY_PARAM_EC_PUB_Y, width));
    if (is_private)
        ph_set(ctx, parts, "d", cr_key_number(ctx, pkey, OSSL_PKEY_PARAM_PRIV_KEY, width));
}

static void set_rsa_parts(JSContext* ctx, JSValueConst parts, EVP_PKEY* pkey, bool is_private) {
    static const struct {
        const char* name;
        const char* param;
    } numbers[] = {{"n", OSSL_PKEY_PARAM_RSA_N},          {"e", OSSL_PKEY_PARAM_RSA_E},
                   {"d", OSSL_PKEY_PARAM_RSA_D},          {"p", OSSL_PKEY_PARAM_RSA_FACTOR1},
                   {"q", OSSL_PKEY_PARAM_RSA_FACTOR2},    {"dp", OSSL_PKEY_PARAM_RSA_EXPONENT1},
                   {"dq", OSSL_PKEY_PARAM_RSA_EXPONENT2}, {"qi", OSSL_PKEY_PARAM_RSA_COEFFICIENT1}};
    for (size_t i = 0; i < (is_private ? PH_COUNT(numbers) : 2); i++)
        ph_set(ctx, parts, numbers[i].name, cr_key_number(ctx, pkey, numbers[i].param, 0));
}

/* keyParts(key): the numbers of a key as bytes, under the names that a JWK has for them */
static CR_FUNCTION(key_parts) {
    CR_UNUSED_ARGUMENTS;
    cr_key* key = cr_key_of(ctx, argv[0]);
    EVP_PKEY* pkey = key == NULL ? NULL : cr_pkey_of(ctx, argv[0]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    bool is_private = key->kind == CR_PRIVATE;
    JSValue parts = JS_NewObject(ctx);
    if (cr_is_rsa(pkey)) {
        set_rsa_parts(ctx, parts, pkey, is_private);
    } else if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_EC) {
        set_ec_parts(ctx, parts, pkey, is_private);
    } else {
        ph_set(ctx, parts, "x", raw_part(ctx, pkey, EVP_PKEY_get_raw_public_key));
        if (is_private)
            ph_set(ctx, parts, "d", raw_part(ctx, pkey, EVP_PKEY_get_raw_private_key));
    }
    return parts;
}

const JSCFunctionListEntry cr_key_export_functions[] = {
    JS_CFUNC_DEF("exportKey", 5, export_key),
    JS_CFUNC_DEF("keyParts", 1, key_parts),
};
const int cr_key_export_function_count = PH_COUNT(cr_key_export_functions);
