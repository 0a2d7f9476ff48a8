/* Diffie-Hellman with numbers of one's own or of the well-known groups. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the functions that give Node's errors are the older ones */
#include <openssl/dh.h>
#include <openssl/err.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

static void free_dh(void* content) {
    DH_free(content);
}
static const ph_box_kind dh_kind = {"DiffieHellman", free_dh};

static DH* dh_of(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &dh_kind);
}

enum { MOST_BYTES = 1 << 20 };

static BIGNUM* number_of(JSContext* ctx, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    BIGNUM* number = NULL;
    if (ph_bytes(ctx, value, &bytes, &length) != 0)
        return NULL;
    if (length <= MOST_BYTES)
        number = BN_bin2bn(bytes, (int)length, NULL);
    if (number == NULL)
        JS_ThrowRangeError(ctx, "the number is too long");
    return number;
}

static JSValue give_number(JSContext* ctx, const BIGNUM* number, size_t width) {
    cr_bytes bytes;
    size_t length = (size_t)BN_num_bytes(number);
    if (length < width)
        length = width;
    if (!cr_bytes_new(ctx, &bytes, length))
        return JS_EXCEPTION;
    BN_bn2binpad(number, bytes.data, (int)length);
    return cr_bytes_give(ctx, &bytes);
}

static JSValue refuse(JSContext* ctx, int reason) {
    cr_errors_clear();
    ERR_raise(ERR_LIB_DH, reason);
    return cr_throw(ctx, "Initialization failed");
}

static JSValue box_numbers(JSContext* ctx, BIGNUM* prime_owned, BIGNUM* generator_owned) {
    DH* dh = DH_new();
    if (dh != NULL && DH_set0_pqg(dh, prime_owned, NULL, generator_owned) == 1)
        return ph_box(ctx, &dh_kind, dh);
    DH_free(dh);
    BN_free(prime_owned);
    BN_free(generator_owned);
    return cr_throw(ctx, "Initialization failed");
}

/* createDh(bits, generator): a new prime */
static CR_FUNCTION(create_dh) {
    CR_UNUSED_ARGUMENTS;
    int bits = ph_int(ctx, argv[0], 0);
    int generator = ph_int(ctx, argv[1], 2);
    cr_errors_clear();
    if (bits < 2)
        return refuse(ctx, DH_R_MODULUS_TOO_SMALL);
    if (generator < 2)
        return refuse(ctx, DH_R_BAD_GENERATOR);
    DH* dh = DH_new();
    if (dh != NULL && DH_generate_parameters_ex(dh, bits, generator, NULL) == 1)
        return ph_box(ctx, &dh_kind, dh);
    DH_free(dh);
    return cr_throw(ctx, "Initialization failed");
}

/* createDhFrom(prime, generator): the generator as a number or as bytes */
static CR_FUNCTION(create_dh_from) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    BIGNUM* generator = NULL;
    if (JS_IsNumber(argv[1])) {
        int number = ph_int(ctx, argv[1], 2);
        if (number < 2)
            return refuse(ctx, DH_R_BAD_GENERATOR);
        generator = BN_new();
        BN_set_word(generator, (BN_ULONG)number);
    } else {
        generator = number_of(ctx, argv[1]);
        if (generator == NULL)
            return JS_EXCEPTION;
        if (BN_is_zero(generator) || BN_is_one(generator)) {
            BN_free(generator);
            return refuse(ctx, DH_R_BAD_GENERATOR);
        }
    }
    BIGNUM* prime = number_of(ctx, argv[0]);
    if (prime == NULL) {
        BN_free(generator);
        return JS_EXCEPTION;
    }
    return box_numbers(ctx, prime, generator);
}

/* dhGroup(name): undefined if there is no such group */
static CR_FUNCTION(dh_group) {
    CR_UNUSED_ARGUMENTS;
    static const struct {
        const char* name;
        BIGNUM* (*prime)(BIGNUM*);
    } groups[] = {{"modp1", BN_get_rfc2409_prime_768},   {"modp2", BN_get_rfc2409_prime_1024},
                  {"modp5", BN_get_rfc3526_prime_1536},  {"modp14", BN_get_rfc3526_prime_2048},
                  {"modp15", BN_get_rfc3526_prime_3072}, {"modp16", BN_get_rfc3526_prime_4096},
                  {"modp17", BN_get_rfc3526_prime_6144}, {"modp18", BN_get_rfc3526_prime_8192}};
    const char* name = JS_ToCString(ctx, argv[0]);
    BIGNUM* prime = NULL;
    if (name == NULL)
        return JS_EXCEPTION;
    for (size_t i = 0; i < PH_COUNT(groups) && prime == NULL; i++)
        if (strcasecmp(groups[i].name, name) == 0)
            prime = groups[i].prime(NULL);
    JS_FreeCString(ctx, name);
    if (prime == NULL)
        return JS_UNDEFINED;
    BIGNUM* generator = BN_new();
    BN_set_word(generator, 2);
    return box_numbers(ctx, prime, generator);
}

static CR_FUNCTION(dh_generate) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    DH* dh = dh_of(ctx, argv[0]);
    if (dh == NULL)
        return JS_EXCEPTION;
    if (DH_generate_key(dh) != 1)
        return cr_throw(ctx, "Key generation failed");
    return give_number(ctx, DH_get0_pub_key(dh), (size_t)DH_size(dh));
}

static JSValue refuse_other(JSContext* ctx, int wrong) {
    if ((wrong & DH_CHECK_PUBKEY_TOO_SMALL) != 0)
        return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYLEN",
                             "Supplied key is too small");
    if ((wrong & DH_CHECK_PUBKEY_TOO_LARGE) != 0)
        return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYLEN",
                             "Supplied key is too large");
    return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYTYPE",
                         "Unspecified validation error");
}

/* dhCompute(dh, other's public key) */
static CR_FUNCTION(dh_compute) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes result;
    int wrong = 0;
    cr_errors_clear();
    DH* dh = dh_of(ctx, argv[0]);
    BIGNUM* other = dh == NULL ? NULL : number_of(ctx, argv[1]);
    if (other == NULL)
        return JS_EXCEPTION;
    if (!cr_bytes_new(ctx, &result, (size_t)DH_size(dh))) {
        BN_free(other);
        return JS_EXCEPTION;
    }
    int length = DH_compute_key_padded(result.data, other, dh);
    if (length >= 0) {
        BN_free(other);
        return cr_bytes_give(ctx, &result);
    }
    cr_bytes_free(&result);
    cr_errors_clear();
    int checked = DH_check_pub_key(dh, other, &wrong);
    BN_free(other);
    return refuse_other(ctx, checked == 1 ? wrong : 0);
}

/* dhNumber(dh, which): prime, generator, publicKey, privateKey; undefined if it is not there */
static CR_FUNCTION(dh_number) {
    CR_UNUSED_ARGUMENTS;
    DH* dh = dh_of(ctx, argv[0]);
    if (dh == NULL)
        return JS_EXCEPTION;
    const BIGNUM* numbers[] = {DH_get0_p(dh), DH_get0_g(dh), DH_get0_pub_key(dh),
                               DH_get0_priv_key(dh)};
    const BIGNUM* number = numbers[ph_index(ctx, argv[1], 0, 3)];
    return number == NULL ? JS_UNDEFINED : give_number(ctx, number, 0);
}

/* dhSet(dh, isPrivate, bytes) */
static CR_FUNCTION(dh_set) {
    CR_UNUSED_ARGUMENTS;
    bool is_private = ph_flag(ctx, argv[1]);
    DH* dh = dh_of(ctx, argv[0]);
    BIGNUM* number = dh == NULL ? NULL : number_of(ctx, argv[2]);
    if (number == NULL)
        return JS_EXCEPTION;
    if (DH_set0_key(dh, is_private ? NULL : number, is_private ? number : NULL) == 1)
        return JS_UNDEFINED;
    BN_free(number);
    return cr_throw(ctx, "the key can't be set");
}

static CR_FUNCTION(dh_check) {
    CR_UNUSED_ARGUMENTS;
    int wrong = 0;
    DH* dh = dh_of(ctx, argv[0]);
    if (dh == NULL)
        return JS_EXCEPTION;
    cr_errors_clear();
    if (DH_check(dh, &wrong) != 1)
        return cr_throw(ctx, "Checking DH parameters failed");
    return JS_NewInt32(ctx, wrong);
}

const JSCFunctionListEntry cr_dh_functions[] = {
    JS_CFUNC_DEF("createDh", 2, create_dh),   JS_CFUNC_DEF("createDhFrom", 2, create_dh_from),
    JS_CFUNC_DEF("dhGroup", 1, dh_group),     JS_CFUNC_DEF("dhGenerate", 1, dh_generate),
    JS_CFUNC_DEF("dhCompute", 2, dh_compute), JS_CFUNC_DEF("dhNumber", 2, dh_number),
    JS_CFUNC_DEF("dhSet", 3, dh_set),         JS_CFUNC_DEF("dhCheck", 1, dh_check),
};
const int cr_dh_function_count = PH_COUNT(cr_dh_functions);
