/* Keys from PEM and DER. */
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

/* The passphrase that was given; never a question at the terminal. */
static int give_passphrase(char* room, int size, int is_writing, void* data) {
    const cr_bytes* passphrase = data;
    (void)is_writing;
    if (passphrase == NULL || size < 0 || passphrase->length > (size_t)size)
        return -1;
    memcpy(room, passphrase->data, passphrase->length);
    return (int)passphrase->length;
}

static bool is_encrypted(const uint8_t* der, long length) {
    X509_SIG* found = d2i_X509_SIG(NULL, &der, length);
    X509_SIG_free(found);
    cr_errors_clear();
    return found != NULL;
}

static EVP_PKEY* parse_pkcs8(const cr_bytes* data, const cr_bytes* passphrase) {
    const uint8_t* at = data->data;
    BIO* bio = BIO_new_mem_buf(data->data, (int)data->length);
    EVP_PKEY* pkey = NULL;
    if (is_encrypted(at, (long)data->length)) {
        pkey = d2i_PKCS8PrivateKey_bio(bio, NULL, give_passphrase, (void*)passphrase);
    } else {
        PKCS8_PRIV_KEY_INFO* info = d2i_PKCS8_PRIV_KEY_INFO(NULL, &at, (long)data->length);
        if (info != NULL)
            pkey = EVP_PKCS82PKEY(info);
        PKCS8_PRIV_KEY_INFO_free(info);
    }
    BIO_free(bio);
    return pkey;
}

static EVP_PKEY* parse_private(const cr_bytes* data, bool is_pem, const char* type,
                               const cr_bytes* passphrase) {
    if (is_pem) {
        BIO* bio = BIO_new_mem_buf(data->data, (int)data->length);
        EVP_PKEY* pkey = PEM_read_bio_PrivateKey(bio, NULL, give_passphrase, (void*)passphrase);
        BIO_free(bio);
        return pkey;
    }
    const uint8_t* at = data->data;
    if (strcmp(type, "pkcs1") == 0)
        return d2i_PrivateKey(EVP_PKEY_RSA, NULL, &at, (long)data->length);
    if (strcmp(type, "sec1") == 0)
        return d2i_PrivateKey(EVP_PKEY_EC, NULL, &at, (long)data->length);
    return parse_pkcs8(data, passphrase);
}

static EVP_PKEY* from_spki(const uint8_t* der, long length) {
    return d2i_PUBKEY(NULL, &der, length);
}

static EVP_PKEY* from_pkcs1(const uint8_t* der, long length) {
    return d2i_PublicKey(EVP_PKEY_RSA, NULL, &der, length);
}

static EVP_PKEY* from_certificate(const uint8_t* der, long length) {
    X509* certificate = d2i_X509(NULL, &der, length);
    EVP_PKEY* pkey = certificate == NULL ? NULL : X509_get_pubkey(certificate);
    X509_free(certificate);
    return pkey;
}

/* *is_there: the text has a public key in it, whether it could be read or not. */
static EVP_PKEY* parse_public_pem(const cr_bytes* data, bool* is_there) {
    static const struct {
        const char* name;
        EVP_PKEY* (*read)(const uint8_t* der, long length);
    } kinds[] = {{"PUBLIC KEY", from_spki},
                 {"RSA PUBLIC KEY", from_pkcs1},
                 {"CERTIFICATE", from_certificate}};
    EVP_PKEY* pkey = NULL;
    *is_there = false;
    for (size_t i = 0; i < PH_COUNT(kinds) && !*is_there; i++) {
        unsigned char* der = NULL;
        long length;
        BIO* bio = BIO_new_mem_buf(data->data, (int)data->length);
        *is_there =
            PEM_bytes_read_bio(&der, &length, NULL, kinds[i].name, bio, give_passphrase, NULL) == 1;
        BIO_free(bio);
        cr_errors_clear();
        if (*is_there)
            pkey = kinds[i].read(der, length);
        OPENSSL_free(der);
    }
    return pkey;
}

/* RSAPrivateKey begins with a version, which is 0 or 1; RSAPublicKey with a long number. */
static bool is_rsa_private(const cr_bytes* data) {
    const uint8_t* at = data->data;
    long length;
    int tag;
    int class;
    int flags = ASN1_get_object(&at, &length, &tag, &class, (long)data->length);
    cr_errors_clear();
    return (flags & 0x80) == 0 && tag == V_ASN1_SEQUENCE && length > 3 && at[0] == V_ASN1_INTEGER &&
           at[1] == 1 && at[2] <= 1;
}

static EVP_PKEY* parse_public(const cr_bytes* data, bool is_pem, const char* type,
                              const cr_bytes* passphrase) {
    bool is_there;
    if (is_pem) {
        EVP_PKEY* pkey = parse_public_pem(data, &is_there);
        return is_there ? pkey : parse_private(data, true, type, passphrase);
    }
    if (strcmp(type, "spki") == 0)
        return from_spki(data->data, (long)data->length);
    if (strcmp(type, "pkcs1") == 0 && !is_rsa_private(data))
        return from_pkcs1(data->data, (long)data->length);
    return parse_private(data, false, type, passphrase);
}

/* parseKey(isPrivate, bytes, isPem, type, passphrase?) */
static CR_FUNCTION(parse_key) {
    CR_UNUSED_ARGUMENTS;
    bool is_private = ph_flag(ctx, argv[0]);
    bool is_pem = ph_flag(ctx, argv[2]);
    bool has_passphrase = !JS_IsUndefined(argv[4]) && !JS_IsNull(argv[4]);
    cr_bytes data;
    cr_bytes passphrase;
    cr_errors_clear();
    const char* type = cr_text(ctx, argv[3]);
    if (type == NULL)
        return JS_EXCEPTION;
    if (!cr_bytes_copy(ctx, &passphrase, argv[4])) {
        JS_FreeCString(ctx, type);
        return JS_EXCEPTION;
    }
    JSValue made = JS_EXCEPTION;
    if (cr_bytes_copy(ctx, &data, argv[1]) && data.length > INT_MAX) {
        JS_ThrowRangeError(ctx, "the key is too long");
    } else if (data.data != NULL) {
        EVP_PKEY* pkey = (is_private ? parse_private : parse_public)(
            &data, is_pem, type, has_passphrase ? &passphrase : NULL);
        if (pkey != NULL)
            cr_errors_clear();
        unsigned long first = ERR_peek_error();
        if (pkey != NULL)
            made = cr_key_box(ctx, is_private ? CR_PRIVATE : CR_PUBLIC, pkey);
        else if (!has_passphrase && ERR_GET_LIB(first) == ERR_LIB_PEM &&
                 ERR_GET_REASON(first) == PEM_R_BAD_PASSWORD_READ)
            cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_MISSING_PASSPHRASE",
                          "Passphrase required for encrypted key");
        else
            cr_throw(ctx,
                     is_private ? "Failed to read private key" : "Failed to read asymmetric key");
    }
    cr_bytes_free(&data);
    cr_bytes_free(&passphrase);
    JS_FreeCString(ctx, type);
    return made;
}

const JSCFunctionListEntry cr_key_parse_functions[] = {
    JS_CFUNC_DEF("parseKey", 5, parse_key),
};
const int cr_key_parse_function_count = PH_COUNT(cr_key_parse_functions);
