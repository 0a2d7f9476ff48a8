/* New keys. */
#include <openssl/core_names.h>
#include <openssl/dh.h>
#include <openssl/dsa.h>
#include <openssl/ec.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>
#include <openssl/rand.h>
#include <openssl/rsa.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

typedef enum { RSA_KEY, PSS_KEY, DSA_KEY, EC_KEY_KIND, DH_KEY, RAW_KEY } algorithm;

typedef struct {
    cr_job job;
    algorithm algorithm;
    int bits;
    uint32_t exponent; /* or the generator */
    int divisor_bits;
    int salt;
    int curve;
    bool is_explicit; /* the curve's numbers instead of its name */
    const EVP_MD* digest;
    const EVP_MD* mgf1_digest;
    char name[32];
    BIGNUM* prime;
    EVP_PKEY* pkey;
} key_job;

static bool set_rsa(key_job* k, EVP_PKEY_CTX* maker) {
    if (k->salt < 0 && k->digest != NULL)
        k->salt = EVP_MD_get_size(k->digest);
    BIGNUM* exponent = BN_new();
    bool fine = exponent != NULL && BN_set_word(exponent, k->exponent) == 1 &&
                EVP_PKEY_CTX_set_rsa_keygen_bits(maker, k->bits) == 1 &&
                EVP_PKEY_CTX_set1_rsa_keygen_pubexp(maker, exponent) == 1;
    BN_free(exponent);
    if (!fine || k->algorithm != PSS_KEY)
        return fine;
    return (k->digest == NULL || EVP_PKEY_CTX_set_rsa_pss_keygen_md(maker, k->digest) == 1) &&
           (k->mgf1_digest == NULL ||
            EVP_PKEY_CTX_set_rsa_pss_keygen_mgf1_md(maker, k->mgf1_digest) == 1) &&
           (k->salt < 0 || EVP_PKEY_CTX_set_rsa_pss_keygen_saltlen(maker, k->salt) == 1);
}

static EVP_PKEY* generate_parameters(key_job* k) {
    EVP_PKEY* parameters = NULL;
    EVP_PKEY_CTX* maker =
        EVP_PKEY_CTX_new_id(k->algorithm == DSA_KEY ? EVP_PKEY_DSA : EVP_PKEY_DH, NULL);
    bool fine = maker != NULL && EVP_PKEY_paramgen_init(maker) == 1;
    if (fine && k->algorithm == DSA_KEY)
        fine = EVP_PKEY_CTX_set_dsa_paramgen_bits(maker, k->bits) == 1 &&
               (k->divisor_bits < 0 ||
                EVP_PKEY_CTX_set_dsa_paramgen_q_bits(maker, k->divisor_bits) == 1);
    else if (fine)
        fine = EVP_PKEY_CTX_set_dh_paramgen_prime_len(maker, k->bits) == 1 &&
               EVP_PKEY_CTX_set_dh_paramgen_generator(maker, (int)k->exponent) == 1;
    if (!fine || EVP_PKEY_paramgen(maker, &parameters) != 1)
        parameters = NULL;
    EVP_PKEY_CTX_free(maker);
    return parameters;
}

static EVP_PKEY* given_parameters(key_job* k) {
    EVP_PKEY* parameters = NULL;
    OSSL_PARAM_BLD* parts = OSSL_PARAM_BLD_new();
    BIGNUM* generator = BN_new();
    EVP_PKEY_CTX* maker = EVP_PKEY_CTX_new_from_name(NULL, "DH", NULL);
    if (parts != NULL && generator != NULL && maker != NULL &&
        BN_set_word(generator, k->exponent) == 1 &&
        OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_FFC_P, k->prime) == 1 &&
        OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_FFC_G, generator) == 1) {
        OSSL_PARAM* params = OSSL_PARAM_BLD_to_param(parts);
        if (EVP_PKEY_fromdata_init(maker) != 1 ||
            EVP_PKEY_fromdata(maker, &parameters, EVP_PKEY_KEY_PARAMETERS, params) != 1)
            parameters = NULL;
        OSSL_PARAM_free(params);
    }
    EVP_PKEY_CTX_free(maker);
    BN_free(generator);
    OSSL_PARAM_BLD_free(parts);
    return parameters;
}

static EVP_PKEY_CTX* new_maker(key_job* k) {
    static const char* const names[] = {"RSA", "RSA-PSS", NULL, "EC", NULL};
    if (k->algorithm == RAW_KEY)
        return EVP_PKEY_CTX_new_from_name(NULL, k->name, NULL);
    if (names[k->algorithm] != NULL)
        return EVP_PKEY_CTX_new_from_name(NULL, names[k->algorithm], NULL);
    EVP_PKEY* parameters = k->prime != NULL ? given_parameters(k) : generate_parameters(k);
    EVP_PKEY_CTX* maker = parameters == NULL ? NULL : EVP_PKEY_CTX_new(parameters, NULL);
    EVP_PKEY_free(parameters);
    return maker;
}

static bool generate(cr_job* job) {
    key_job* k = (key_job*)job;
    EVP_PKEY_CTX* maker = new_maker(k);
    bool fine = maker != NULL && EVP_PKEY_keygen_init(maker) == 1;
    if (fine && (k->algorithm == RSA_KEY || k->algorithm == PSS_KEY))
        fine = set_rsa(k, maker);
    if (fine && k->algorithm == EC_KEY_KIND)
        fine = EVP_PKEY_CTX_set_ec_paramgen_curve_nid(maker, k->curve) == 1 &&
               EVP_PKEY_CTX_set_ec_param_enc(maker, k->is_explicit ? OPENSSL_EC_EXPLICIT_CURVE
                                                                   : OPENSSL_EC_NAMED_CURVE) == 1;
    fine = fine && EVP_PKEY_keygen(maker, &k->pkey) == 1;
    EVP_PKEY_CTX_free(maker);
    return fine;
}

static JSValue give_key(JSContext* ctx, cr_job* job) {
    key_job* k = (key_job*)job;
    EVP_PKEY* pkey = k->pkey;
    k->pkey = NULL;
    return cr_key_box(ctx, CR_PRIVATE, pkey);
}

static void free_job(cr_job* job) {
    EVP_PKEY_free(((key_job*)job)->pkey);
    BN_free(((key_job*)job)->prime);
}

static key_job* new_job(JSContext* ctx, algorithm algorithm) {
    key_job* k = cr_job_new(ctx, sizeof(*k));
    if (k == NULL)
        return NULL;
    k->job.run = generate;
    k->job.result = give_key;
    k->job.release = free_job;
    k->job.failure = "Key generation job failed";
    k->job.failure_code = "ERR_CRYPTO_OPERATION_FAILED";
    k->algorithm = algorithm;
    return k;
}

/* generateRsa(isPss, bits, exponent, digest?, mgf1Digest?, salt, callback?) */
static CR_FUNCTION(generate_rsa) {
    CR_UNUSED_ARGUMENTS;
    key_job* k = new_job(ctx, ph_flag(ctx, argv[0]) ? PSS_KEY : RSA_KEY);
    if (k == NULL)
        return JS_EXCEPTION;
    k->bits = (int)ph_index(ctx, argv[1], 0, INT32_MAX);
    k->exponent = (uint32_t)ph_index(ctx, argv[2], 65537, UINT32_MAX);
    k->salt = ph_int(ctx, argv[5], -1);
    if (!cr_digest_of(ctx, argv[3], &k->digest) || !cr_digest_of(ctx, argv[4], &k->mgf1_digest))
        return cr_job_drop(&k->job);
    return cr_job_start(ctx, &k->job, "KEYPAIRGENREQUEST", argv[6]);
}

/* generateDsa(bits, divisorBits, callback?) */
static CR_FUNCTION(generate_dsa) {
    CR_UNUSED_ARGUMENTS;
    key_job* k = new_job(ctx, DSA_KEY);
    if (k == NULL)
        return JS_EXCEPTION;
    k->bits = (int)ph_index(ctx, argv[0], 0, INT32_MAX);
    k->divisor_bits = ph_int(ctx, argv[1], -1);
    return cr_job_start(ctx, &k->job, "KEYPAIRGENREQUEST", argv[2]);
}

/* generateEc(curve, isExplicit, callback?) */
static CR_FUNCTION(generate_ec) {
    CR_UNUSED_ARGUMENTS;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    int curve = EC_curve_nist2nid(name);
    if (curve == NID_undef)
        curve = OBJ_sn2nid(name);
    JS_FreeCString(ctx, name);
    EC_GROUP* group = curve == NID_undef ? NULL : EC_GROUP_new_by_curve_name(curve);
    EC_GROUP_free(group);
    if (group == NULL)
        return cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_CURVE",
                             "Invalid EC curve name");
    key_job* k = new_job(ctx, EC_KEY_KIND);
    if (k == NULL)
        return JS_EXCEPTION;
    k->curve = curve;
    k->is_explicit = ph_flag(ctx, argv[1]);
    return cr_job_start(ctx, &k->job, "KEYPAIRGENREQUEST", argv[2]);
}

/* generateDh(prime bytes or bits, generator, callback?) */
static CR_FUNCTION(generate_dh) {
    CR_UNUSED_ARGUMENTS;
    key_job* k = new_job(ctx, DH_KEY);
    if (k == NULL)
        return JS_EXCEPTION;
    k->exponent = (uint32_t)ph_index(ctx, argv[1], 2, UINT32_MAX);
    if (JS_IsNumber(argv[0])) {
        k->bits = (int)ph_index(ctx, argv[0], 0, INT32_MAX);
    } else {
        uint8_t* bytes;
        size_t length;
        if (ph_bytes(ctx, argv[0], &bytes, &length) != 0)
            return cr_job_drop(&k->job);
        k->prime = BN_bin2bn(bytes, length > 1 << 20 ? 0 : (int)length, NULL);
    }
    return cr_job_start(ctx, &k->job, "KEYPAIRGENREQUEST", argv[2]);
}

/* generateRaw(type, callback?): Ed25519 and its kin */
static CR_FUNCTION(generate_raw) {
    CR_UNUSED_ARGUMENTS;
    const char* name = JS_ToCString(ctx, argv[0]);
    key_job* k = name == NULL ? NULL : new_job(ctx, RAW_KEY);
    if (k != NULL)
        strncpy(k->name, name, sizeof(k->name) - 1);
    JS_FreeCString(ctx, name);
    return k == NULL ? JS_EXCEPTION : cr_job_start(ctx, &k->job, "KEYPAIRGENREQUEST", argv[1]);
}

typedef struct {
    cr_job job;
    cr_bytes bytes;
} secret_job;

static bool generate_bytes(cr_job* job) {
    cr_bytes* bytes = &((secret_job*)job)->bytes;
    return RAND_priv_bytes(bytes->data, (int)bytes->length) == 1;
}

static JSValue give_secret(JSContext* ctx, cr_job* job) {
    return cr_secret_box(ctx, &((secret_job*)job)->bytes);
}

static void free_secret(cr_job* job) {
    cr_bytes_free(&((secret_job*)job)->bytes);
}

/* generateSecret(length, callback?) */
static CR_FUNCTION(generate_secret) {
    CR_UNUSED_ARGUMENTS;
    secret_job* s = cr_job_new(ctx, sizeof(*s));
    if (s == NULL)
        return JS_EXCEPTION;
    s->job.run = generate_bytes;
    s->job.result = give_secret;
    s->job.release = free_secret;
    if (!cr_bytes_new(ctx, &s->bytes, ph_index(ctx, argv[0], 0, INT32_MAX)))
        return cr_job_drop(&s->job);
    return cr_job_start(ctx, &s->job, "KEYGENREQUEST", argv[1]);
}

const JSCFunctionListEntry cr_keygen_functions[] = {
    JS_CFUNC_DEF("generateRsa", 7, generate_rsa),
    JS_CFUNC_DEF("generateDsa", 3, generate_dsa),
    JS_CFUNC_DEF("generateEc", 3, generate_ec),
    JS_CFUNC_DEF("generateDh", 3, generate_dh),
    JS_CFUNC_DEF("generateRaw", 2, generate_raw),
    JS_CFUNC_DEF("generateSecret", 2, generate_secret),
};
const int cr_keygen_function_count = PH_COUNT(cr_keygen_functions);
