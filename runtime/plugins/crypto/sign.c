/* Signatures: of a digest that was collected piece by piece, or of a whole message. */
#include <openssl/core_names.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

typedef struct {
    int padding; /* -1: the key's default */
    int salt;    /* CR_NO_SALT: none given */
    bool is_p1363;
} options;
enum { NO_SALT = INT32_MIN };

static options read_options(JSContext* ctx, JSValueConst* argv) {
    return (options){ph_int(ctx, argv[0], -1), ph_int(ctx, argv[1], NO_SALT),
                     ph_flag(ctx, argv[2])};
}

static bool set_padding(EVP_PKEY_CTX* signer, EVP_PKEY* pkey, options chosen) {
    if (!cr_is_rsa(pkey))
        return true;
    int padding = chosen.padding;
    if (padding < 0)
        padding = EVP_PKEY_get_base_id(pkey) == EVP_PKEY_RSA_PSS ? RSA_PKCS1_PSS_PADDING
                                                                 : RSA_PKCS1_PADDING;
    if (EVP_PKEY_CTX_set_rsa_padding(signer, padding) <= 0)
        return false;
    return padding != RSA_PKCS1_PSS_PADDING || chosen.salt == NO_SALT ||
           EVP_PKEY_CTX_set_rsa_pss_saltlen(signer, chosen.salt) > 0;
}

/* How many bytes each of the two numbers of a signature has; 0 if it is not made of two. */
static size_t number_width(EVP_PKEY* pkey) {
    BIGNUM* order = NULL;
    int type = EVP_PKEY_get_base_id(pkey);
    if (type == EVP_PKEY_EC)
        return ((size_t)EVP_PKEY_get_bits(pkey) + 7) / 8;
    if (type != EVP_PKEY_DSA || EVP_PKEY_get_bn_param(pkey, OSSL_PKEY_PARAM_FFC_Q, &order) != 1)
        return 0;
    size_t width = (size_t)BN_num_bytes(order);
    BN_free(order);
    return width;
}

/* From ASN.1 to two numbers beside each other. Both kinds of keys have the same form. What is none
 * stays as it is. */
static bool to_p1363(EVP_PKEY* pkey, cr_bytes* signature) {
    size_t width = number_width(pkey);
    const uint8_t* at = signature->data;
    if (width == 0)
        return true;
    ECDSA_SIG* both = d2i_ECDSA_SIG(NULL, &at, (long)signature->length);
    if (both == NULL)
        return false;
    uint8_t* flat = malloc(width * 2 + 1);
    bool made = flat != NULL &&
                BN_bn2binpad(ECDSA_SIG_get0_r(both), flat, (int)width) == (int)width &&
                BN_bn2binpad(ECDSA_SIG_get0_s(both), flat + width, (int)width) == (int)width;
    ECDSA_SIG_free(both);
    if (!made) {
        free(flat);
        return false;
    }
    free(signature->data);
    *signature = (cr_bytes){flat, width * 2};
    return true;
}

static bool from_p1363(EVP_PKEY* pkey, cr_bytes* signature) {
    size_t width = number_width(pkey);
    if (width == 0)
        return true;
    if (signature->length != width * 2)
        return false;
    ECDSA_SIG* both = ECDSA_SIG_new();
    BIGNUM* r = BN_bin2bn(signature->data, (int)width, NULL);
    BIGNUM* s = BN_bin2bn(signature->data + width, (int)width, NULL);
    uint8_t* der = NULL;
    int length = -1;
    if (both != NULL && r != NULL && s != NULL && ECDSA_SIG_set0(both, r, s) == 1)
        length = i2d_ECDSA_SIG(both, &der);
    ECDSA_SIG_free(both);
    uint8_t* copy = length > 0 ? malloc((size_t)length + 1) : NULL;
    if (copy != NULL) {
        memcpy(copy, der, (size_t)length);
        free(signature->data);
        *signature = (cr_bytes){copy, (size_t)length};
    }
    OPENSSL_free(der);
    return copy != NULL;
}

/* A digest under way: what createSign and createVerify collect. */
static void free_digest(void* content) {
    EVP_MD_CTX_free(content);
}
static const ph_box_kind digest_kind = {"signature", free_digest};

/* createSignature(digest name): undefined if there is no such digest */
static CR_FUNCTION(create_signature) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_MD* digest = cr_digest(name);
    JS_FreeCString(ctx, name);
    EVP_MD_CTX* made = digest == NULL ? NULL : EVP_MD_CTX_new();
    if (made == NULL) {
        cr_errors_clear();
        return JS_UNDEFINED;
    }
    if (EVP_DigestInit_ex(made, digest, NULL) != 1) {
        EVP_MD_CTX_free(made);
        return cr_throw(ctx, "Digest method not supported");
    }
    return ph_box(ctx, &digest_kind, made);
}

/* addToSignature(signature, bytes) */
static CR_FUNCTION(add_to_signature) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    EVP_MD_CTX* made = ph_box_content(ctx, argv[0], &digest_kind);
    if (made == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    return JS_NewBool(ctx, EVP_DigestUpdate(made, bytes, length) == 1);
}

static EVP_PKEY_CTX* new_signer(EVP_PKEY* pkey, EVP_MD_CTX* collected, options chosen,
                                int (*start)(EVP_PKEY_CTX*)) {
    EVP_PKEY_CTX* signer = EVP_PKEY_CTX_new(pkey, NULL);
    if (signer != NULL && start(signer) > 0 && set_padding(signer, pkey, chosen) &&
        EVP_PKEY_CTX_set_signature_md(signer, EVP_MD_CTX_get0_md(collected)) > 0)
        return signer;
    EVP_PKEY_CTX_free(signer);
    return NULL;
}

/* signCollected(signature, key, padding, salt, isP1363) */
static CR_FUNCTION(sign_collected) {
    CR_UNUSED_ARGUMENTS;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size;
    cr_bytes result = {NULL, 0};
    cr_errors_clear();
    options chosen = read_options(ctx, argv + 2);
    EVP_MD_CTX* collected = ph_box_content(ctx, argv[0], &digest_kind);
    EVP_PKEY* pkey = collected == NULL ? NULL : cr_pkey_of(ctx, argv[1]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    if (EVP_DigestFinal_ex(collected, digest, &size) != 1)
        return cr_throw(ctx, "Not initialised");
    EVP_PKEY_CTX* signer = new_signer(pkey, collected, chosen, EVP_PKEY_sign_init);
    bool made = signer != NULL && EVP_PKEY_sign(signer, NULL, &result.length, digest, size) > 0 &&
                cr_bytes_new(ctx, &result, result.length) &&
                EVP_PKEY_sign(signer, result.data, &result.length, digest, size) > 0 &&
                (!chosen.is_p1363 || to_p1363(pkey, &result));
    EVP_PKEY_CTX_free(signer);
    if (made)
        return cr_bytes_give(ctx, &result);
    free(result.data);
    return cr_throw(ctx, "PrivateKey signing failed");
}

/* verifyCollected(signature, key, padding, salt, isP1363, bytes) */
static CR_FUNCTION(verify_collected) {
    CR_UNUSED_ARGUMENTS;
    uint8_t digest[EVP_MAX_MD_SIZE];
    unsigned size;
    cr_bytes signature;
    cr_errors_clear();
    options chosen = read_options(ctx, argv + 2);
    EVP_MD_CTX* collected = ph_box_content(ctx, argv[0], &digest_kind);
    EVP_PKEY* pkey = collected == NULL ? NULL : cr_pkey_of(ctx, argv[1]);
    if (pkey == NULL || !cr_bytes_copy(ctx, &signature, argv[5]))
        return JS_EXCEPTION;
    if (EVP_DigestFinal_ex(collected, digest, &size) != 1) {
        cr_bytes_free(&signature);
        return cr_throw(ctx, "Not initialised");
    }
    EVP_PKEY_CTX* signer = new_signer(pkey, collected, chosen, EVP_PKEY_verify_init);
    bool is_right = false;
    if (signer != NULL && (!chosen.is_p1363 || from_p1363(pkey, &signature)))
        is_right = EVP_PKEY_verify(signer, signature.data, signature.length, digest, size) == 1;
    EVP_PKEY_CTX_free(signer);
    cr_bytes_free(&signature);
    if (signer == NULL)
        return cr_throw(ctx, "PublicKey verification failed");
    cr_errors_clear();
    return JS_NewBool(ctx, is_right);
}

typedef struct {
    cr_job job;
    EVP_PKEY* pkey;
    const EVP_MD* digest;
    options options;
    cr_bytes data;
    cr_bytes signature;
    bool is_right;
} sign_job;

static bool run_sign(cr_job* job) {
    sign_job* s = (sign_job*)job;
    EVP_PKEY_CTX* signer;
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    size_t length = 0;
    bool made = context != NULL &&
                EVP_DigestSignInit(context, &signer, s->digest, NULL, s->pkey) == 1 &&
                set_padding(signer, s->pkey, s->options) &&
                EVP_DigestSign(context, NULL, &length, s->data.data, s->data.length) == 1;
    s->signature.data = made ? malloc(length + 1) : NULL;
    made = s->signature.data != NULL &&
           EVP_DigestSign(context, s->signature.data, &length, s->data.data, s->data.length) == 1;
    s->signature.length = length;
    EVP_MD_CTX_free(context);
    return made && (!s->options.is_p1363 || to_p1363(s->pkey, &s->signature));
}

static bool run_verify(cr_job* job) {
    sign_job* s = (sign_job*)job;
    EVP_PKEY_CTX* signer;
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    bool ready = context != NULL &&
                 EVP_DigestVerifyInit(context, &signer, s->digest, NULL, s->pkey) == 1 &&
                 set_padding(signer, s->pkey, s->options);
    if (ready && (!s->options.is_p1363 || from_p1363(s->pkey, &s->signature)))
        s->is_right = EVP_DigestVerify(context, s->signature.data, s->signature.length,
                                       s->data.data, s->data.length) == 1;
    EVP_MD_CTX_free(context);
    return ready;
}

static JSValue give_signature(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((sign_job*)job)->signature);
}

static JSValue give_verdict(JSContext* ctx, cr_job* job) {
    return JS_NewBool(ctx, ((sign_job*)job)->is_right);
}

static void free_job(cr_job* job) {
    sign_job* s = (sign_job*)job;
    EVP_PKEY_free(s->pkey);
    cr_bytes_free(&s->data);
    cr_bytes_free(&s->signature);
}

/* (digest?, bytes, key, padding, salt, isP1363, ...) */
static sign_job* new_job(JSContext* ctx, JSValueConst* argv) {
    sign_job* s = cr_job_new(ctx, sizeof(*s));
    if (s == NULL)
        return NULL;
    s->job.release = free_job;
    s->options = read_options(ctx, argv + 3);
    if (cr_digest_of(ctx, argv[0], &s->digest) && cr_bytes_copy(ctx, &s->data, argv[1]))
        s->pkey = cr_pkey_of(ctx, argv[2]);
    if (s->pkey != NULL && EVP_PKEY_up_ref(s->pkey) == 1)
        return s;
    cr_job_drop(&s->job);
    return NULL;
}

/* sign(digest?, bytes, key, padding, salt, isP1363, callback?) */
static CR_FUNCTION(sign) {
    CR_UNUSED_ARGUMENTS;
    sign_job* s = new_job(ctx, argv);
    if (s == NULL)
        return JS_EXCEPTION;
    s->job.run = run_sign;
    s->job.result = give_signature;
    s->job.failure = "PrivateKey signing failed";
    return cr_job_start(ctx, &s->job, "SIGNREQUEST", argv[6]);
}

/* verify(digest?, bytes, key, padding, salt, isP1363, signature, callback?) */
static CR_FUNCTION(verify) {
    CR_UNUSED_ARGUMENTS;
    sign_job* s = new_job(ctx, argv);
    if (s == NULL)
        return JS_EXCEPTION;
    s->job.run = run_verify;
    s->job.result = give_verdict;
    s->job.failure = "PublicKey verification failed";
    if (!cr_bytes_copy(ctx, &s->signature, argv[6]))
        return cr_job_drop(&s->job);
    return cr_job_start(ctx, &s->job, "VERIFYREQUEST", argv[7]);
}

const JSCFunctionListEntry cr_sign_functions[] = {
    JS_CFUNC_DEF("createSignature", 1, create_signature),
    JS_CFUNC_DEF("addToSignature", 2, add_to_signature),
    JS_CFUNC_DEF("signCollected", 5, sign_collected),
    JS_CFUNC_DEF("verifyCollected", 6, verify_collected),
    JS_CFUNC_DEF("sign", 7, sign),
    JS_CFUNC_DEF("verify", 8, verify),
};
const int cr_sign_function_count = PH_COUNT(cr_sign_functions);
