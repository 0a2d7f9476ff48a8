/* Keys from their numbers: JWK, points, raw bytes. */
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/param_build.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

static EVP_PKEY* build(const char* algorithm, OSSL_PARAM_BLD* parts, bool is_private) {
    EVP_PKEY* pkey = NULL;
    EVP_PKEY_CTX* maker = EVP_PKEY_CTX_new_from_name(NULL, algorithm, NULL);
    OSSL_PARAM* params = OSSL_PARAM_BLD_to_param(parts);
    int selection = is_private ? EVP_PKEY_KEYPAIR : EVP_PKEY_PUBLIC_KEY;
    if (maker == NULL || params == NULL || EVP_PKEY_fromdata_init(maker) != 1 ||
        EVP_PKEY_fromdata(maker, &pkey, selection, params) != 1)
        pkey = NULL;
    OSSL_PARAM_free(params);
    EVP_PKEY_CTX_free(maker);
    return pkey;
}

static BIGNUM* number_of(JSContext* ctx, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    if (ph_bytes(ctx, value, &bytes, &length) != 0)
        return NULL;
    if (length > 1 << 20) {
        JS_ThrowRangeError(ctx, "the number is too long");
        return NULL;
    }
    BIGNUM* number = BN_bin2bn(bytes, (int)length, NULL);
    if (number == NULL)
        JS_ThrowOutOfMemory(ctx);
    return number;
}

/* keyFromRsa(n, e, d?, p, q, dp, dq, qi) */
static CR_FUNCTION(key_from_rsa) {
    CR_UNUSED_ARGUMENTS;
    static const char* const names[] = {
        OSSL_PKEY_PARAM_RSA_N,         OSSL_PKEY_PARAM_RSA_E,
        OSSL_PKEY_PARAM_RSA_D,         OSSL_PKEY_PARAM_RSA_FACTOR1,
        OSSL_PKEY_PARAM_RSA_FACTOR2,   OSSL_PKEY_PARAM_RSA_EXPONENT1,
        OSSL_PKEY_PARAM_RSA_EXPONENT2, OSSL_PKEY_PARAM_RSA_COEFFICIENT1};
    BIGNUM* numbers[PH_COUNT(names)] = {NULL};
    bool is_private = !JS_IsUndefined(argv[2]);
    size_t count = is_private ? PH_COUNT(names) : 2;
    OSSL_PARAM_BLD* parts = OSSL_PARAM_BLD_new();
    EVP_PKEY* pkey = NULL;
    size_t done = 0;
    cr_errors_clear();
    for (; done < count; done++) {
        numbers[done] = number_of(ctx, argv[done]);
        if (numbers[done] == NULL || OSSL_PARAM_BLD_push_BN(parts, names[done], numbers[done]) != 1)
            break;
    }
    bool failed = done < count;
    if (!failed)
        pkey = build("RSA", parts, is_private);
    OSSL_PARAM_BLD_free(parts);
    for (size_t i = 0; i < PH_COUNT(names); i++)
        BN_clear_free(numbers[i]);
    cr_errors_clear();
    if (pkey != NULL)
        return cr_key_box(ctx, is_private ? CR_PRIVATE : CR_PUBLIC, pkey);
    return failed ? JS_EXCEPTION : JS_UNDEFINED;
}

static EVP_PKEY* build_ec(int curve, const cr_bytes* point, BIGNUM* secret) {
    OSSL_PARAM_BLD* parts = OSSL_PARAM_BLD_new();
    EVP_PKEY* pkey = NULL;
    if (parts != NULL &&
        OSSL_PARAM_BLD_push_utf8_string(parts, OSSL_PKEY_PARAM_GROUP_NAME, OBJ_nid2sn(curve), 0) &&
        OSSL_PARAM_BLD_push_octet_string(parts, OSSL_PKEY_PARAM_PUB_KEY, point->data,
                                         point->length) &&
        (secret == NULL || OSSL_PARAM_BLD_push_BN(parts, OSSL_PKEY_PARAM_PRIV_KEY, secret)))
        pkey = build("EC", parts, secret != NULL);
    OSSL_PARAM_BLD_free(parts);
    return pkey;
}

/* Points are in their long form inside keys. */
static bool lengthen(int curve, cr_bytes* point) {
    uint8_t room[512];
    size_t length = 0;
    EC_GROUP* group = EC_GROUP_new_by_curve_name(curve);
    EC_POINT* at = group == NULL ? NULL : EC_POINT_new(group);
    if (at != NULL && EC_POINT_oct2point(group, at, point->data, point->length, NULL) == 1 &&
        !EC_POINT_is_at_infinity(group, at))
        length =
            EC_POINT_point2oct(group, at, POINT_CONVERSION_UNCOMPRESSED, room, sizeof(room), NULL);
    EC_POINT_free(at);
    EC_GROUP_free(group);
    uint8_t* longer = length == 0 ? NULL : realloc(point->data, length + 1);
    if (longer == NULL)
        return false;
    memcpy(longer, room, length);
    *point = (cr_bytes){longer, length};
    return true;
}

/* keyFromPoint(curve, point, d?): undefined if it is none of the curve's */
static CR_FUNCTION(key_from_point) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes point;
    BIGNUM* secret = NULL;
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    int curve = OBJ_sn2nid(name);
    JS_FreeCString(ctx, name);
    bool is_private = !JS_IsUndefined(argv[2]);
    if (is_private && (secret = number_of(ctx, argv[2])) == NULL)
        return JS_EXCEPTION;
    if (!cr_bytes_copy(ctx, &point, argv[1])) {
        BN_clear_free(secret);
        return JS_EXCEPTION;
    }
    EVP_PKEY* pkey = NULL;
    if (curve != NID_undef && lengthen(curve, &point))
        pkey = build_ec(curve, &point, secret);
    BN_clear_free(secret);
    cr_bytes_free(&point);
    cr_errors_clear();
    return pkey == NULL ? JS_UNDEFINED : cr_key_box(ctx, is_private ? CR_PRIVATE : CR_PUBLIC, pkey);
}

/* keyFromRaw(type, isPrivate, bytes): Ed25519 and its kin; undefined if they are none */
static CR_FUNCTION(key_from_raw) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes bytes;
    bool is_private = ph_flag(ctx, argv[1]);
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    if (!cr_bytes_copy(ctx, &bytes, argv[2])) {
        JS_FreeCString(ctx, name);
        return JS_EXCEPTION;
    }
    EVP_PKEY* pkey =
        is_private ? EVP_PKEY_new_raw_private_key_ex(NULL, name, NULL, bytes.data, bytes.length)
                   : EVP_PKEY_new_raw_public_key_ex(NULL, name, NULL, bytes.data, bytes.length);
    JS_FreeCString(ctx, name);
    cr_bytes_free(&bytes);
    cr_errors_clear();
    return pkey == NULL ? JS_UNDEFINED : cr_key_box(ctx, is_private ? CR_PRIVATE : CR_PUBLIC, pkey);
}

const JSCFunctionListEntry cr_key_import_functions[] = {
    JS_CFUNC_DEF("keyFromRsa", 8, key_from_rsa),
    JS_CFUNC_DEF("keyFromPoint", 3, key_from_point),
    JS_CFUNC_DEF("keyFromRaw", 3, key_from_raw),
};
const int cr_key_import_function_count = PH_COUNT(cr_key_import_functions);
