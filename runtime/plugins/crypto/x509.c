/* Certificates. */
#include <limits.h>
#include <openssl/asn1.h>
#include <openssl/bio.h>
#include <openssl/ec.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <openssl/pem.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/names.h"
#include "plugins/crypto/tables.h"

static void free_certificate(void* content) {
    X509_free(content);
}
static const ph_box_kind certificate_kind = {"certificate", free_certificate};

static X509* certificate_of(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &certificate_kind);
}

/* parseCertificate(bytes): PEM or DER */
static CR_FUNCTION(parse_certificate) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes data;
    cr_errors_clear();
    if (!cr_bytes_copy(ctx, &data, argv[0]))
        return JS_EXCEPTION;
    BIO* bio = data.length > INT_MAX ? NULL : BIO_new_mem_buf(data.data, (int)data.length);
    X509* certificate = bio == NULL ? NULL : PEM_read_bio_X509_AUX(bio, NULL, NULL, "");
    BIO_free(bio);
    if (certificate == NULL) {
        const unsigned char* at = data.data;
        certificate = d2i_X509(NULL, &at, (long)data.length);
    }
    cr_bytes_free(&data);
    if (certificate == NULL)
        return cr_throw(ctx, "Unable to parse X.509 certificate");
    cr_errors_clear();
    return ph_box(ctx, &certificate_kind, certificate);
}

static void set_printed(JSContext* ctx, JSValueConst info, const char* field, BIO* bio_owned) {
    ph_set(ctx, info, field, cr_bio_text(ctx, bio_owned));
}

static void set_names(JSContext* ctx, JSValueConst info, X509* certificate) {
    const X509_NAME* subject = X509_get_subject_name(certificate);
    const X509_NAME* issuer = X509_get_issuer_name(certificate);
    BIO* bio = BIO_new(BIO_s_mem());
    cr_print_name(bio, subject);
    set_printed(ctx, info, "subject", bio);
    bio = BIO_new(BIO_s_mem());
    cr_print_name(bio, issuer);
    set_printed(ctx, info, "issuer", bio);
    ph_set(ctx, info, "subjectEntries", cr_name_entries(ctx, subject));
    ph_set(ctx, info, "issuerEntries", cr_name_entries(ctx, issuer));
}

static void set_times(JSContext* ctx, JSValueConst info, X509* certificate) {
    BIO* bio = BIO_new(BIO_s_mem());
    ASN1_TIME_print(bio, X509_get0_notBefore(certificate));
    set_printed(ctx, info, "validFrom", bio);
    bio = BIO_new(BIO_s_mem());
    ASN1_TIME_print(bio, X509_get0_notAfter(certificate));
    set_printed(ctx, info, "validTo", bio);
}

static void set_alternatives(JSContext* ctx, JSValueConst info, X509* certificate) {
    GENERAL_NAMES* names = X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
    if (names == NULL)
        return;
    BIO* bio = BIO_new(BIO_s_mem());
    for (int i = 0; i < sk_GENERAL_NAME_num(names); i++) {
        if (i > 0)
            BIO_puts(bio, ", ");
        cr_print_general_name(bio, sk_GENERAL_NAME_value(names, i));
    }
    set_printed(ctx, info, "subjectAltName", bio);
    sk_GENERAL_NAME_pop_free(names, GENERAL_NAME_free);
}

static void set_access(JSContext* ctx, JSValueConst info, X509* certificate) {
    AUTHORITY_INFO_ACCESS* list = X509_get_ext_d2i(certificate, NID_info_access, NULL, NULL);
    if (list == NULL)
        return;
    BIO* bio = BIO_new(BIO_s_mem());
    for (int i = 0; i < sk_ACCESS_DESCRIPTION_num(list); i++) {
        ACCESS_DESCRIPTION* one = sk_ACCESS_DESCRIPTION_value(list, i);
        char method[80];
        if (i > 0)
            BIO_puts(bio, "\n");
        OBJ_obj2txt(method, sizeof(method), one->method, 0);
        BIO_printf(bio, "%s - ", method);
        cr_print_general_name(bio, one->location);
    }
    set_printed(ctx, info, "infoAccess", bio);
    sk_ACCESS_DESCRIPTION_pop_free(list, ACCESS_DESCRIPTION_free);
}

static void set_usage(JSContext* ctx, JSValueConst info, X509* certificate) {
    EXTENDED_KEY_USAGE* usage = X509_get_ext_d2i(certificate, NID_ext_key_usage, NULL, NULL);
    if (usage == NULL)
        return;
    JSValue list = JS_NewArray(ctx);
    for (int i = 0; i < sk_ASN1_OBJECT_num(usage); i++) {
        char oid[256];
        OBJ_obj2txt(oid, sizeof(oid), sk_ASN1_OBJECT_value(usage, i), 1);
        JS_SetPropertyUint32(ctx, list, (uint32_t)i, JS_NewString(ctx, oid));
    }
    ph_set(ctx, info, "keyUsage", list);
    sk_ASN1_OBJECT_pop_free(usage, ASN1_OBJECT_free);
}

static void set_numbers(JSContext* ctx, JSValueConst info, X509* certificate) {
    BIGNUM* number = ASN1_INTEGER_to_BN(X509_get0_serialNumber(certificate), NULL);
    char* serial = number == NULL ? NULL : BN_bn2hex(number);
    if (serial != NULL)
        ph_set(ctx, info, "serialNumber", JS_NewString(ctx, serial));
    OPENSSL_free(serial);
    BN_free(number);
    ph_set(ctx, info, "ca", JS_NewBool(ctx, X509_check_ca(certificate) == 1));
    EVP_PKEY* pkey = X509_get0_pubkey(certificate);
    if (pkey != NULL && EVP_PKEY_get_base_id(pkey) == EVP_PKEY_EC) {
        const char* nist = EC_curve_nid2nist(cr_key_curve(pkey));
        ph_set(ctx, info, "bits", JS_NewInt32(ctx, EVP_PKEY_get_bits(pkey)));
        if (nist != NULL)
            ph_set(ctx, info, "nistCurve", JS_NewString(ctx, nist));
    }
}

/* certificateInfo(certificate) */
static CR_FUNCTION(certificate_info) {
    CR_UNUSED_ARGUMENTS;
    X509* certificate = certificate_of(ctx, argv[0]);
    if (certificate == NULL)
        return JS_EXCEPTION;
    JSValue info = JS_NewObject(ctx);
    set_names(ctx, info, certificate);
    set_times(ctx, info, certificate);
    set_alternatives(ctx, info, certificate);
    set_access(ctx, info, certificate);
    set_usage(ctx, info, certificate);
    set_numbers(ctx, info, certificate);
    cr_errors_clear();
    return info;
}

static CR_FUNCTION(certificate_raw) {
    CR_UNUSED_ARGUMENTS;
    unsigned char* der = NULL;
    X509* certificate = certificate_of(ctx, argv[0]);
    if (certificate == NULL)
        return JS_EXCEPTION;
    int length = i2d_X509(certificate, &der);
    if (length < 0)
        return cr_throw(ctx, "Failed to encode the certificate");
    JSValue raw = ph_buffer_copy(ph_env_of(ctx), der, (size_t)length);
    OPENSSL_free(der);
    return raw;
}

static CR_FUNCTION(certificate_pem) {
    CR_UNUSED_ARGUMENTS;
    X509* certificate = certificate_of(ctx, argv[0]);
    BIO* bio = certificate == NULL ? NULL : BIO_new(BIO_s_mem());
    if (bio == NULL)
        return certificate == NULL ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    PEM_write_bio_X509(bio, certificate);
    return cr_bio_text(ctx, bio);
}

static CR_FUNCTION(certificate_key) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    X509* certificate = certificate_of(ctx, argv[0]);
    if (certificate == NULL)
        return JS_EXCEPTION;
    EVP_PKEY* pkey = X509_get_pubkey(certificate);
    return pkey == NULL ? cr_throw(ctx, "Failed to get the public key")
                        : cr_key_box(ctx, CR_PUBLIC, pkey);
}

/* checkCertificate(certificate, kind, name, flags): the name that it has, or undefined */
static CR_FUNCTION(check_certificate) {
    CR_UNUSED_ARGUMENTS;
    int kind = ph_int(ctx, argv[1], 0);
    unsigned flags = (unsigned)ph_int(ctx, argv[3], 0);
    size_t length;
    char* found = NULL;
    int result;
    const char* name = JS_ToCStringLen(ctx, &length, argv[2]);
    X509* certificate = name == NULL ? NULL : certificate_of(ctx, argv[0]);
    if (certificate == NULL) {
        JS_FreeCString(ctx, name);
        return JS_EXCEPTION;
    }
    if (kind == 0)
        result = X509_check_host(certificate, name, length, flags, &found);
    else if (kind == 1)
        result = X509_check_email(certificate, name, length, flags);
    else
        result = X509_check_ip_asc(certificate, name, flags);
    JSValue answer = JS_UNDEFINED;
    if (result == 1)
        answer = JS_NewString(ctx, found != NULL ? found : name);
    else if (result < 0)
        answer =
            cr_throw_code(ctx, result == -2 ? CR_TYPE_ERROR : CR_ERROR,
                          result == -2 ? "ERR_INVALID_ARG_VALUE" : "ERR_CRYPTO_OPERATION_FAILED",
                          result != -2 ? "Operation failed"
                          : kind == 2  ? "Invalid IP"
                                       : "Invalid name");
    OPENSSL_free(found);
    JS_FreeCString(ctx, name);
    cr_errors_clear();
    return answer;
}

/* isIssuedBy(certificate, issuer) */
static CR_FUNCTION(is_issued_by) {
    CR_UNUSED_ARGUMENTS;
    X509* certificate = certificate_of(ctx, argv[0]);
    X509* issuer = certificate == NULL ? NULL : certificate_of(ctx, argv[1]);
    if (issuer == NULL)
        return JS_EXCEPTION;
    bool is_issued = X509_check_issued(issuer, certificate) == X509_V_OK;
    cr_errors_clear();
    return JS_NewBool(ctx, is_issued);
}

/* hasKey(certificate, private key), isSignedBy(certificate, public key) */
static JSValue check_key(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int is_signature) {
    CR_UNUSED_ARGUMENTS;
    X509* certificate = certificate_of(ctx, argv[0]);
    EVP_PKEY* pkey = certificate == NULL ? NULL : cr_pkey_of(ctx, argv[1]);
    if (pkey == NULL)
        return JS_EXCEPTION;
    bool fits = is_signature ? X509_verify(certificate, pkey) > 0
                             : X509_check_private_key(certificate, pkey) == 1;
    cr_errors_clear();
    return JS_NewBool(ctx, fits);
}

const JSCFunctionListEntry cr_x509_functions[] = {
    JS_CFUNC_DEF("parseCertificate", 1, parse_certificate),
    JS_CFUNC_DEF("certificateInfo", 1, certificate_info),
    JS_CFUNC_DEF("certificateRaw", 1, certificate_raw),
    JS_CFUNC_DEF("certificatePem", 1, certificate_pem),
    JS_CFUNC_DEF("certificateKey", 1, certificate_key),
    JS_CFUNC_DEF("checkCertificate", 4, check_certificate),
    JS_CFUNC_DEF("isIssuedBy", 2, is_issued_by),
    JS_CFUNC_MAGIC_DEF("hasKey", 2, check_key, 0),
    JS_CFUNC_MAGIC_DEF("isSignedBy", 2, check_key, 1),
};
const int cr_x509_function_count = PH_COUNT(cr_x509_functions);
