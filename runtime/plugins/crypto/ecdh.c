/* Diffie-Hellman on elliptic curves, and points in other forms. */
#define OPENSSL_SUPPRESS_DEPRECATED /* a key whose halves are set one by one has the older \
                                       functions */
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

static void free_ecdh(void* content) {
    EC_KEY_free(content);
}
static const ph_box_kind ecdh_kind = {"ECDH", free_ecdh};

static EC_KEY* ecdh_of(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &ecdh_kind);
}

static JSValue refuse(JSContext* ctx, const char* message) {
    return cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_OPERATION_FAILED", message);
}

static int curve_of(JSContext* ctx, JSValueConst value) {
    const char* name = JS_ToCString(ctx, value);
    if (name == NULL)
        return -1;
    int curve = OBJ_sn2nid(name);
    JS_FreeCString(ctx, name);
    return curve;
}

static JSValue refuse_curve(JSContext* ctx) {
    return cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_CURVE", "Invalid EC curve name");
}

static CR_FUNCTION(create_ecdh) {
    CR_UNUSED_ARGUMENTS;
    int curve = curve_of(ctx, argv[0]);
    if (curve < 0)
        return JS_EXCEPTION;
    EC_KEY* key = curve == NID_undef ? NULL : EC_KEY_new_by_curve_name(curve);
    return key == NULL ? refuse_curve(ctx) : ph_box(ctx, &ecdh_kind, key);
}

static CR_FUNCTION(ecdh_generate) {
    CR_UNUSED_ARGUMENTS;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL)
        return JS_EXCEPTION;
    return EC_KEY_generate_key(key) == 1 ? JS_UNDEFINED : refuse(ctx, "Failed to generate key");
}

static EC_POINT* read_point(const EC_GROUP* group, const uint8_t* bytes, size_t length) {
    EC_POINT* point = EC_POINT_new(group);
    if (point != NULL && EC_POINT_oct2point(group, point, bytes, length, NULL) == 1)
        return point;
    EC_POINT_free(point);
    cr_errors_clear();
    return NULL;
}

static JSValue give_point(JSContext* ctx, const EC_GROUP* group, const EC_POINT* point, int form) {
    cr_bytes bytes;
    size_t length = EC_POINT_point2oct(group, point, (point_conversion_form_t)form, NULL, 0, NULL);
    if (length == 0)
        return refuse(ctx, "Failed to get public key length");
    if (!cr_bytes_new(ctx, &bytes, length))
        return JS_EXCEPTION;
    EC_POINT_point2oct(group, point, (point_conversion_form_t)form, bytes.data, length, NULL);
    return cr_bytes_give(ctx, &bytes);
}

/* 2, 4 and 6 are the forms that there are. */
static int form_of(JSContext* ctx, JSValueConst value) {
    int form = ph_int(ctx, value, POINT_CONVERSION_UNCOMPRESSED);
    return form == 2 || form == 6 ? form : POINT_CONVERSION_UNCOMPRESSED;
}

/* ecdhCompute(ecdh, other's public key): undefined if that is no point of the curve */
static CR_FUNCTION(ecdh_compute) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes result;
    uint8_t* bytes;
    size_t length;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    bool is_pair = EC_KEY_check_key(key) == 1;
    cr_errors_clear();
    if (!is_pair)
        return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYPAIR", "Invalid key pair");
    const EC_GROUP* group = EC_KEY_get0_group(key);
    EC_POINT* other = read_point(group, bytes, length);
    if (other == NULL)
        return JS_UNDEFINED;
    size_t size = ((size_t)EC_GROUP_get_degree(group) + 7) / 8;
    if (!cr_bytes_new(ctx, &result, size)) {
        EC_POINT_free(other);
        return JS_EXCEPTION;
    }
    int made = ECDH_compute_key(result.data, size, other, key, NULL);
    EC_POINT_free(other);
    if (made > 0)
        return cr_bytes_give(ctx, &result);
    cr_bytes_free(&result);
    return refuse(ctx, "Failed to compute ECDH key");
}

/* ecdhPublic(ecdh, form) */
static CR_FUNCTION(ecdh_public) {
    CR_UNUSED_ARGUMENTS;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL)
        return JS_EXCEPTION;
    const EC_POINT* point = EC_KEY_get0_public_key(key);
    if (point == NULL)
        return refuse(ctx, "Failed to get ECDH public key");
    return give_point(ctx, EC_KEY_get0_group(key), point, form_of(ctx, argv[1]));
}

static CR_FUNCTION(ecdh_private) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes bytes;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL)
        return JS_EXCEPTION;
    const BIGNUM* number = EC_KEY_get0_private_key(key);
    if (number == NULL)
        return refuse(ctx, "Failed to get ECDH private key");
    if (!cr_bytes_new(ctx, &bytes, (size_t)BN_num_bytes(number)))
        return JS_EXCEPTION;
    BN_bn2bin(number, bytes.data);
    return cr_bytes_give(ctx, &bytes);
}

static bool is_in_range(const EC_GROUP* group, const BIGNUM* number) {
    const BIGNUM* order = EC_GROUP_get0_order(group);
    return order != NULL && !BN_is_zero(number) && BN_cmp(number, order) < 0;
}

static bool set_private(EC_KEY* key, const BIGNUM* number) {
    const EC_GROUP* group = EC_KEY_get0_group(key);
    EC_POINT* point = EC_POINT_new(group);
    bool set = point != NULL && EC_KEY_set_private_key(key, number) == 1 &&
               EC_POINT_mul(group, point, number, NULL, NULL, NULL) == 1 &&
               EC_KEY_set_public_key(key, point) == 1;
    EC_POINT_free(point);
    return set;
}

/* ecdhSetPrivate(ecdh, bytes) */
static CR_FUNCTION(ecdh_set_private) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    BIGNUM* number = length > 4096 ? NULL : BN_bin2bn(bytes, (int)length, NULL);
    bool fits = number != NULL && is_in_range(EC_KEY_get0_group(key), number);
    bool is_set = fits && set_private(key, number);
    BN_clear_free(number);
    cr_errors_clear();
    if (!fits)
        return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYTYPE",
                             "Private key is not valid for specified curve.");
    return is_set ? JS_UNDEFINED : refuse(ctx, "Failed to convert BN to a private key");
}

/* ecdhSetPublic(ecdh, bytes) */
static CR_FUNCTION(ecdh_set_public) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    EC_KEY* key = ecdh_of(ctx, argv[0]);
    if (key == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    EC_POINT* point = read_point(EC_KEY_get0_group(key), bytes, length);
    if (point == NULL)
        return refuse(ctx, "Failed to convert Buffer to EC_POINT");
    bool is_set = EC_KEY_set_public_key(key, point) == 1;
    EC_POINT_free(point);
    return is_set ? JS_UNDEFINED : refuse(ctx, "Failed to set EC_POINT as the public key");
}

/* convertPoint(bytes, curve, form) */
static CR_FUNCTION(convert_point) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    int curve = curve_of(ctx, argv[1]);
    int form = form_of(ctx, argv[2]);
    if (curve < 0 || ph_bytes(ctx, argv[0], &bytes, &length) != 0)
        return JS_EXCEPTION;
    EC_GROUP* group = curve == NID_undef ? NULL : EC_GROUP_new_by_curve_name(curve);
    if (group == NULL)
        return refuse_curve(ctx);
    EC_POINT* point = read_point(group, bytes, length);
    JSValue result = point == NULL ? refuse(ctx, "Failed to convert Buffer to EC_POINT")
                                   : give_point(ctx, group, point, form);
    EC_POINT_free(point);
    EC_GROUP_free(group);
    return result;
}

static CR_FUNCTION(curve_names) {
    CR_UNUSED_ARGUMENTS;
    (void)argv;
    size_t count = EC_get_builtin_curves(NULL, 0);
    EC_builtin_curve* curves = calloc(count + 1, sizeof(*curves));
    if (curves == NULL)
        return JS_ThrowOutOfMemory(ctx);
    count = EC_get_builtin_curves(curves, count);
    JSValue names = JS_NewArray(ctx);
    for (size_t i = 0; i < count; i++)
        JS_SetPropertyUint32(ctx, names, (uint32_t)i, JS_NewString(ctx, OBJ_nid2sn(curves[i].nid)));
    free(curves);
    return names;
}

const JSCFunctionListEntry cr_ecdh_functions[] = {
    JS_CFUNC_DEF("createEcdh", 1, create_ecdh),
    JS_CFUNC_DEF("ecdhGenerate", 1, ecdh_generate),
    JS_CFUNC_DEF("ecdhCompute", 2, ecdh_compute),
    JS_CFUNC_DEF("ecdhPublic", 2, ecdh_public),
    JS_CFUNC_DEF("ecdhPrivate", 1, ecdh_private),
    JS_CFUNC_DEF("ecdhSetPrivate", 2, ecdh_set_private),
    JS_CFUNC_DEF("ecdhSetPublic", 2, ecdh_set_public),
    JS_CFUNC_DEF("convertPoint", 3, convert_point),
    JS_CFUNC_DEF("curveNames", 0, curve_names),
};
const int cr_ecdh_function_count = PH_COUNT(cr_ecdh_functions);
