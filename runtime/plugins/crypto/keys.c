/* What keys are, and what they tell of themselves. */
#include "plugins/crypto/keys.h"

#include <openssl/bio.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include "plugins/crypto/tables.h"

static void free_key(void* content) {
    cr_key* key = content;
    EVP_PKEY_free(key->pkey);
    cr_bytes_free(&key->secret);
    free(key);
}

static const ph_box_kind key_kind = {"key", free_key};

JSValue cr_key_box(JSContext* ctx, cr_key_kind kind, EVP_PKEY* pkey_owned) {
    cr_key* key = calloc(1, sizeof(*key));
    if (key == NULL) {
        EVP_PKEY_free(pkey_owned);
        return JS_ThrowOutOfMemory(ctx);
    }
    key->kind = kind;
    key->pkey = pkey_owned;
    return ph_box(ctx, &key_kind, key);
}

JSValue cr_secret_box(JSContext* ctx, cr_bytes* bytes_owned) {
    cr_key* key = calloc(1, sizeof(*key));
    if (key == NULL) {
        cr_bytes_free(bytes_owned);
        return JS_ThrowOutOfMemory(ctx);
    }
    key->secret = *bytes_owned;
    *bytes_owned = (cr_bytes){NULL, 0};
    return ph_box(ctx, &key_kind, key);
}

cr_key* cr_key_of(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &key_kind);
}

EVP_PKEY* cr_pkey_of(JSContext* ctx, JSValueConst value) {
    cr_key* key = cr_key_of(ctx, value);
    if (key != NULL && key->pkey != NULL)
        return key->pkey;
    if (key != NULL)
        JS_ThrowTypeError(ctx, "not an asymmetric key");
    return NULL;
}

cr_key* cr_secret_of(JSContext* ctx, JSValueConst value) {
    cr_key* key = cr_key_of(ctx, value);
    if (key != NULL && key->pkey == NULL)
        return key;
    if (key != NULL)
        JS_ThrowTypeError(ctx, "not a secret key");
    return NULL;
}

bool cr_is_rsa(EVP_PKEY* pkey) {
    int type = EVP_PKEY_get_base_id(pkey);
    return type == EVP_PKEY_RSA || type == EVP_PKEY_RSA_PSS;
}

int cr_key_curve(EVP_PKEY* pkey) {
    char name[80];
    size_t length;
    if (EVP_PKEY_get_group_name(pkey, name, sizeof(name), &length) != 1)
        return NID_undef;
    int curve = OBJ_txt2nid(name);
    return curve != NID_undef ? curve : EC_curve_nist2nid(name);
}

JSValue cr_bio_bytes(JSContext* ctx, BIO* bio_owned) {
    char* data;
    long length = BIO_get_mem_data(bio_owned, &data);
    JSValue result = ph_buffer_copy(ph_env_of(ctx), data, length > 0 ? (size_t)length : 0);
    BIO_free_all(bio_owned);
    return result;
}

JSValue cr_bio_text(JSContext* ctx, BIO* bio_owned) {
    char* data;
    long length = BIO_get_mem_data(bio_owned, &data);
    JSValue result = JS_NewStringLen(ctx, data, length > 0 ? (size_t)length : 0);
    BIO_free_all(bio_owned);
    return result;
}

JSValue cr_key_number(JSContext* ctx, EVP_PKEY* pkey, const char* name, size_t width) {
    BIGNUM* number = NULL;
    cr_bytes bytes;
    ERR_set_mark();
    if (EVP_PKEY_get_bn_param(pkey, name, &number) != 1) {
        ERR_pop_to_mark();
        return JS_UNDEFINED;
    }
    size_t length = (size_t)BN_num_bytes(number);
    if (length < width)
        length = width;
    bool made = cr_bytes_new(ctx, &bytes, length);
    if (made)
        BN_bn2binpad(number, bytes.data, (int)length);
    BN_clear_free(number);
    return made ? cr_bytes_give(ctx, &bytes) : JS_EXCEPTION;
}

static const char* type_name(EVP_PKEY* pkey) {
    switch (EVP_PKEY_get_base_id(pkey)) {
    case EVP_PKEY_RSA:
        return "rsa";
    case EVP_PKEY_RSA_PSS:
        return "rsa-pss";
    case EVP_PKEY_DSA:
        return "dsa";
    case EVP_PKEY_DH:
    case EVP_PKEY_DHX:
        return "dh";
    case EVP_PKEY_EC:
        return "ec";
    case EVP_PKEY_ED25519:
        return "ed25519";
    case EVP_PKEY_ED448:
        return "ed448";
    case EVP_PKEY_X25519:
        return "x25519";
    case EVP_PKEY_X448:
        return "x448";
    default:
        return NULL;
    }
}

static CR_FUNCTION(is_key) {
    CR_UNUSED_ARGUMENTS;
    bool is_one = JS_IsObject(argv[0]) && cr_key_of(ctx, argv[0]) != NULL;
    if (!is_one)
        JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_NewBool(ctx, is_one);
}

static CR_FUNCTION(secret_key) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes bytes;
    return cr_bytes_copy(ctx, &bytes, argv[0]) ? cr_secret_box(ctx, &bytes) : JS_EXCEPTION;
}

static CR_FUNCTION(secret_bytes) {
    CR_UNUSED_ARGUMENTS;
    cr_key* key = cr_secret_of(ctx, argv[0]);
    return key == NULL ? JS_EXCEPTION
                       : ph_buffer_copy(ph_env_of(ctx), key->secret.data, key->secret.length);
}

static CR_FUNCTION(secret_size) {
    CR_UNUSED_ARGUMENTS;
    cr_key* key = cr_secret_of(ctx, argv[0]);
    return key == NULL ? JS_EXCEPTION : JS_NewInt64(ctx, (int64_t)key->secret.length);
}

static CR_FUNCTION(key_type) {
    CR_UNUSED_ARGUMENTS;
    EVP_PKEY* pkey = cr_pkey_of(ctx, argv[0]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    const char* name = type_name(pkey);
    return name == NULL ? JS_UNDEFINED : JS_NewString(ctx, name);
}

/* checkKey(key): whether its numbers fit together */
static CR_FUNCTION(check_key) {
    CR_UNUSED_ARGUMENTS;
    cr_key* key = cr_key_of(ctx, argv[0]);
    EVP_PKEY* pkey = key == NULL ? NULL : cr_pkey_of(ctx, argv[0]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    EVP_PKEY_CTX* checker = EVP_PKEY_CTX_new(pkey, NULL);
    bool fits = checker != NULL && (key->kind == CR_PRIVATE ? EVP_PKEY_check(checker)
                                                            : EVP_PKEY_public_check(checker)) == 1;
    EVP_PKEY_CTX_free(checker);
    cr_errors_clear();
    return JS_NewBool(ctx, fits);
}

/* The public half of a private key, as a key of its own. */
static CR_FUNCTION(public_of) {
    CR_UNUSED_ARGUMENTS;
    EVP_PKEY* pkey = cr_pkey_of(ctx, argv[0]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    EVP_PKEY_up_ref(pkey);
    return cr_key_box(ctx, CR_PUBLIC, pkey);
}

static CR_FUNCTION(equal_keys) {
    CR_UNUSED_ARGUMENTS;
    cr_key* one = cr_key_of(ctx, argv[0]);
    cr_key* other = one == NULL ? NULL : cr_key_of(ctx, argv[1]);
    if (other == NULL)
        return JS_EXCEPTION;
    if (one->kind != other->kind)
        return JS_FALSE;
    if (one->pkey != NULL) {
        bool same = EVP_PKEY_eq(one->pkey, other->pkey) == 1;
        cr_errors_clear();
        return JS_NewBool(ctx, same);
    }
    return JS_NewBool(
        ctx, one->secret.length == other->secret.length &&
                 CRYPTO_memcmp(one->secret.data, other->secret.data, one->secret.length) == 0);
}

static void set_digest(JSContext* ctx, JSValueConst object, const char* field, EVP_PKEY* pkey,
                       const char* param) {
    char name[64] = "SHA1"; /* the standard's default, which keys do not spell out */
    size_t length;
    EVP_PKEY_get_utf8_string_param(pkey, param, name, sizeof(name), &length);
    const EVP_MD* digest = cr_digest(name);
    const char* known = digest == NULL ? NULL : OBJ_nid2ln(EVP_MD_get_type(digest));
    ph_set(ctx, object, field, JS_NewString(ctx, known == NULL ? name : known));
}

static void set_rsa_details(JSContext* ctx, JSValueConst object, EVP_PKEY* pkey) {
    int salt;
    ph_set(ctx, object, "modulusLength", JS_NewInt32(ctx, EVP_PKEY_get_bits(pkey)));
    ph_set(ctx, object, "publicExponent", cr_key_number(ctx, pkey, OSSL_PKEY_PARAM_RSA_E, 0));
    if (EVP_PKEY_get_base_id(pkey) != EVP_PKEY_RSA_PSS ||
        EVP_PKEY_get_int_param(pkey, OSSL_PKEY_PARAM_RSA_PSS_SALTLEN, &salt) != 1)
        return;
    set_digest(ctx, object, "hashAlgorithm", pkey, OSSL_PKEY_PARAM_RSA_DIGEST);
    set_digest(ctx, object, "mgf1HashAlgorithm", pkey, OSSL_PKEY_PARAM_RSA_MGF1_DIGEST);
    ph_set(ctx, object, "saltLength", JS_NewInt32(ctx, salt));
}

/* keyDetails(key): what Node calls asymmetricKeyDetails, the exponent as bytes */
static CR_FUNCTION(key_details) {
    CR_UNUSED_ARGUMENTS;
    EVP_PKEY* pkey = cr_pkey_of(ctx, argv[0]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    JSValue details = JS_NewObject(ctx);
    ERR_set_mark();
    if (cr_is_rsa(pkey)) {
        set_rsa_details(ctx, details, pkey);
    } else if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_DSA) {
        BIGNUM* order = NULL;
        ph_set(ctx, details, "modulusLength", JS_NewInt32(ctx, EVP_PKEY_get_bits(pkey)));
        if (EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_FFC_Q, &order) == 1)
            ph_set(ctx, details, "divisorLength", JS_NewInt32(ctx, BN_num_bits(order)));
        BN_free(order);
    } else if (EVP_PKEY_get_base_id(pkey) == EVP_PKEY_EC) {
        int curve = cr_key_curve(pkey);
        if (curve != NID_undef)
            ph_set(ctx, details, "namedCurve", JS_NewString(ctx, OBJ_nid2sn(curve)));
    }
    ERR_pop_to_mark();
    return details;
}

const JSCFunctionListEntry cr_key_functions[] = {
    JS_CFUNC_DEF("secretKey", 1, secret_key),   JS_CFUNC_DEF("secretBytes", 1, secret_bytes),
    JS_CFUNC_DEF("secretSize", 1, secret_size), JS_CFUNC_DEF("keyType", 1, key_type),
    JS_CFUNC_DEF("publicOf", 1, public_of),     JS_CFUNC_DEF("equalKeys", 2, equal_keys),
    JS_CFUNC_DEF("keyDetails", 1, key_details), JS_CFUNC_DEF("isKey", 1, is_key),
    JS_CFUNC_DEF("checkKey", 1, check_key),
};
const int cr_key_function_count = PH_COUNT(cr_key_functions);
