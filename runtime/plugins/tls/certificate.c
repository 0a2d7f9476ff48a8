/* A certificate as the object that getPeerCertificate gives. */
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/x509v3.h>
#include <string.h>

#include "plugins/crypto/names.h"
#include "plugins/tls/tls.h"

static JSValue memory_text(JSContext* ctx, BIO* memory) {
    char* text;
    long length = BIO_get_mem_data(memory, &text);
    return JS_NewStringLen(ctx, text, length > 0 ? (size_t)length : 0);
}

/* Adds a value to a name; a name that comes again has a list. */
static void add_value(JSContext* ctx, JSValueConst object, const char* name, JSValue value_owned) {
    JSAtom atom = JS_NewAtom(ctx, name);
    JSValue before = JS_GetProperty(ctx, object, atom);
    if (JS_IsUndefined(before)) {
        JS_DefinePropertyValue(ctx, object, atom, value_owned, JS_PROP_C_W_E);
    } else if (JS_IsArray(before)) {
        int64_t length = 0;
        JS_GetLength(ctx, before, &length);
        JS_SetPropertyInt64(ctx, before, length, value_owned);
    } else {
        JSValue both[] = {JS_DupValue(ctx, before), value_owned};
        JS_DefinePropertyValue(ctx, object, atom, JS_NewArrayFrom(ctx, 2, both), JS_PROP_C_W_E);
    }
    JS_FreeValue(ctx, before);
    JS_FreeAtom(ctx, atom);
}

static JSValue name_value(JSContext* ctx, const X509_NAME* name) {
    JSValue made = JS_NewObjectProto(ctx, JS_NULL);
    for (int i = 0; i < X509_NAME_entry_count(name); i++) {
        const X509_NAME_ENTRY* entry = X509_NAME_get_entry(name, i);
        const ASN1_OBJECT* object = X509_NAME_ENTRY_get_object(entry);
        char key[128];
        int nid = OBJ_obj2nid(object);
        if (nid != NID_undef)
            snprintf(key, sizeof(key), "%s", OBJ_nid2sn(nid));
        else
            OBJ_obj2txt(key, sizeof(key), object, 1);
        unsigned char* text = NULL;
        int length = ASN1_STRING_to_UTF8(&text, X509_NAME_ENTRY_get_data(entry));
        if (length < 0)
            continue;
        add_value(ctx, made, key, JS_NewStringLen(ctx, (const char*)text, (size_t)length));
        OPENSSL_free(text);
    }
    ERR_clear_error();
    return made;
}

static void set_names(JSContext* ctx, JSValueConst made, X509* one) {
    GENERAL_NAMES* names = X509_get_ext_d2i(one, NID_subject_alt_name, NULL, NULL);
    BIO* out = names == NULL ? NULL : BIO_new(BIO_s_mem());
    if (out != NULL) {
        for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
            if (i > 0)
                BIO_puts(out, ", ");
            cr_print_general_name(out, sk_GENERAL_NAME_value(names, i));
        }
        ph_set(ctx, made, "subjectaltname", memory_text(ctx, out));
    }
    BIO_free(out);
    GENERAL_NAMES_free(names);
}

/* A name without the quotes that it has where it could be taken for two. */
static JSValue unquoted(JSContext* ctx, const char* text) {
    JSValue value = JS_UNDEFINED;
    if (*text == '"')
        value = JS_ParseJSON(ctx, text, strlen(text), "<certificate>");
    if (JS_IsString(value))
        return value;
    JS_FreeValue(ctx, value);
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_NewString(ctx, text);
}

/* "OCSP - URI": [addresses] */
static void set_access(JSContext* ctx, JSValueConst made, X509* one) {
    AUTHORITY_INFO_ACCESS* list = X509_get_ext_d2i(one, NID_info_access, NULL, NULL);
    if (list == NULL)
        return;
    JSValue all = JS_NewObjectProto(ctx, JS_NULL);
    for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(list); i++) {
        const ACCESS_DESCRIPTION* entry = sk_ACCESS_DESCRIPTION_value(list, i);
        BIO* out = BIO_new(BIO_s_mem());
        if (out == NULL)
            break;
        char key[160];
        OBJ_obj2txt(key, 128, entry->method, 0);
        cr_print_general_name(out, entry->location);
        char* text;
        long length = BIO_get_mem_data(out, &text);
        char* colon = memchr(text, ':', length > 0 ? (size_t)length : 0);
        if (colon != NULL && colon - text < 20) {
            size_t used = strlen(key);
            snprintf(key + used, sizeof(key) - used, " - %.*s", (int)(colon - text), text);
            JSAtom atom = JS_NewAtom(ctx, key);
            JSValue values = JS_GetProperty(ctx, all, atom);
            if (JS_IsUndefined(values)) {
                values = JS_NewArray(ctx);
                JS_SetProperty(ctx, all, atom, JS_DupValue(ctx, values));
            }
            int64_t count = 0;
            JS_GetLength(ctx, values, &count);
            BIO_write(out, "", 1);
            length = BIO_get_mem_data(out, &text);
            JS_SetPropertyInt64(ctx, values, count, unquoted(ctx, strchr(text, ':') + 1));
            JS_FreeValue(ctx, values);
            JS_FreeAtom(ctx, atom);
        }
        BIO_free(out);
    }
    ph_set(ctx, made, "infoAccess", all);
    AUTHORITY_INFO_ACCESS_free(list);
}

static JSValue number_text(JSContext* ctx, const BIGNUM* number, const char* before) {
    char* digits = number == NULL ? NULL : BN_bn2hex(number);
    if (digits == NULL)
        return JS_UNDEFINED;
    BIO* out = BIO_new(BIO_s_mem());
    const char* shown = digits;
    while (*before != '\0' && *shown == '0' && shown[1] != '\0')
        shown++;
    if (out != NULL)
        BIO_printf(out, "%s%s", before, shown);
    JSValue made = out == NULL ? JS_UNDEFINED : memory_text(ctx, out);
    BIO_free(out);
    OPENSSL_free(digits);
    return made;
}

static void set_rsa(ph_env* env, JSValueConst made, EVP_PKEY* key) {
    JSContext* ctx = env->ctx;
    BIGNUM* modulus = NULL;
    BIGNUM* exponent = NULL;
    EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_N, &modulus);
    EVP_PKEY_get_bn_param(key, OSSL_PKEY_PARAM_RSA_E, &exponent);
    ph_set(ctx, made, "modulus", number_text(ctx, modulus, ""));
    ph_set(ctx, made, "bits", JS_NewInt32(ctx, EVP_PKEY_get_bits(key)));
    ph_set(ctx, made, "exponent", number_text(ctx, exponent, "0x"));
    BN_free(modulus);
    BN_free(exponent);
    unsigned char* bytes = NULL;
    int length = i2d_PUBKEY(key, &bytes);
    if (length > 0)
        ph_set(ctx, made, "pubkey", ph_buffer_copy(env, bytes, (size_t)length));
    OPENSSL_free(bytes);
}

static void set_curve(ph_env* env, JSValueConst made, EVP_PKEY* key) {
    JSContext* ctx = env->ctx;
    uint8_t point[512];
    char name[64];
    size_t length;
    ph_set(ctx, made, "bits", JS_NewInt32(ctx, EVP_PKEY_get_bits(key)));
    if (EVP_PKEY_get_octet_string_param(key, OSSL_PKEY_PARAM_PUB_KEY, point, sizeof(point),
                                        &length) == 1)
        ph_set(ctx, made, "pubkey", ph_buffer_copy(env, point, length));
    if (EVP_PKEY_get_group_name(key, name, sizeof(name), &length) != 1)
        return;
    ph_set(ctx, made, "asn1Curve", JS_NewString(ctx, name));
    const char* nist = EC_curve_nid2nist(OBJ_sn2nid(name));
    if (nist != NULL)
        ph_set(ctx, made, "nistCurve", JS_NewString(ctx, nist));
}

static JSValue time_value(JSContext* ctx, const ASN1_TIME* time) {
    BIO* out = BIO_new(BIO_s_mem());
    if (out == NULL)
        return JS_UNDEFINED;
    ASN1_TIME_print(out, time);
    JSValue made = memory_text(ctx, out);
    BIO_free(out);
    return made;
}

static JSValue fingerprint(JSContext* ctx, const X509* one, const EVP_MD* hash) {
    uint8_t bytes[EVP_MAX_MD_SIZE];
    char text[EVP_MAX_MD_SIZE * 3 + 1];
    unsigned length;
    if (X509_digest(one, hash, bytes, &length) != 1)
        return JS_UNDEFINED;
    for (unsigned i = 0; i < length; i++)
        snprintf(text + i * 3, 4, "%02X:", bytes[i]);
    return JS_NewStringLen(ctx, text, length * 3 - 1);
}

static void set_usage(JSContext* ctx, JSValueConst made, X509* one) {
    EXTENDED_KEY_USAGE* list = X509_get_ext_d2i(one, NID_ext_key_usage, NULL, NULL);
    if (list == NULL)
        return;
    JSValue all = JS_NewArray(ctx);
    for (int i = 0; i < sk_ASN1_OBJECT_num(list); i++) {
        char text[128];
        OBJ_obj2txt(text, sizeof(text), sk_ASN1_OBJECT_value(list, i), 1);
        JS_SetPropertyUint32(ctx, all, (uint32_t)i, JS_NewString(ctx, text));
    }
    ph_set(ctx, made, "ext_key_usage", all);
    EXTENDED_KEY_USAGE_free(list);
}

JSValue tls_certificate_value(ph_env* env, X509* one) {
    JSContext* ctx = env->ctx;
    JSValue made = JS_NewObject(ctx);
    ph_set(ctx, made, "subject", name_value(ctx, X509_get_subject_name(one)));
    ph_set(ctx, made, "issuer", name_value(ctx, X509_get_issuer_name(one)));
    set_names(ctx, made, one);
    set_access(ctx, made, one);
    ph_set(ctx, made, "ca", JS_NewBool(ctx, X509_check_ca(one) == 1));
    EVP_PKEY* key = X509_get0_pubkey(one);
    int kind = key == NULL ? EVP_PKEY_NONE : EVP_PKEY_get_base_id(key);
    if (kind == EVP_PKEY_RSA || kind == EVP_PKEY_RSA_PSS)
        set_rsa(env, made, key);
    else if (kind == EVP_PKEY_EC)
        set_curve(env, made, key);
    ph_set(ctx, made, "valid_from", time_value(ctx, X509_get0_notBefore(one)));
    ph_set(ctx, made, "valid_to", time_value(ctx, X509_get0_notAfter(one)));
    ph_set(ctx, made, "fingerprint", fingerprint(ctx, one, EVP_sha1()));
    ph_set(ctx, made, "fingerprint256", fingerprint(ctx, one, EVP_sha256()));
    ph_set(ctx, made, "fingerprint512", fingerprint(ctx, one, EVP_sha512()));
    set_usage(ctx, made, one);
    BIGNUM* serial = ASN1_INTEGER_to_BN(X509_get0_serialNumber(one), NULL);
    ph_set(ctx, made, "serialNumber", number_text(ctx, serial, ""));
    BN_free(serial);
    unsigned char* bytes = NULL;
    int length = i2d_X509(one, &bytes);
    if (length > 0)
        ph_set(ctx, made, "raw", ph_buffer_copy(env, bytes, (size_t)length));
    OPENSSL_free(bytes);
    ERR_clear_error();
    return made;
}
