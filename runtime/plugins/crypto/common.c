#include "plugins/crypto/common.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <stdio.h>

bool cr_bytes_new(JSContext* ctx, cr_bytes* bytes, size_t length) {
    bytes->data = malloc(length + 1);
    bytes->length = bytes->data == NULL ? 0 : length;
    if (bytes->data == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return false;
    }
    bytes->data[length] = '\0';
    return true;
}

bool cr_bytes_copy(JSContext* ctx, cr_bytes* bytes, JSValueConst value) {
    uint8_t* from;
    size_t length;
    *bytes = (cr_bytes){NULL, 0};
    if (JS_IsUndefined(value) || JS_IsNull(value))
        return cr_bytes_new(ctx, bytes, 0);
    if (JS_IsString(value)) {
        const char* text = ph_text(ctx, value, &length);
        bool made = text != NULL && cr_bytes_new(ctx, bytes, length);
        if (made)
            memcpy(bytes->data, text, length);
        JS_FreeCString(ctx, text);
        return made;
    }
    if (ph_bytes(ctx, value, &from, &length) != 0 || !cr_bytes_new(ctx, bytes, length))
        return false;
    memcpy(bytes->data, from, length);
    return true;
}

void cr_bytes_free(cr_bytes* bytes) {
    if (bytes->data != NULL)
        OPENSSL_cleanse(bytes->data, bytes->length);
    free(bytes->data);
    *bytes = (cr_bytes){NULL, 0};
}

JSValue cr_bytes_give(JSContext* ctx, cr_bytes* bytes) {
    uint8_t* data = bytes->data;
    size_t length = bytes->length;
    *bytes = (cr_bytes){NULL, 0};
    return ph_buffer(ph_env_of(ctx), data, length);
}

const char* cr_text(JSContext* ctx, JSValueConst value) {
    if (JS_IsUndefined(value) || JS_IsNull(value)) {
        JSValue empty = JS_NewString(ctx, "");
        const char* text = JS_ToCString(ctx, empty);
        JS_FreeValue(ctx, empty);
        return text;
    }
    return JS_ToCString(ctx, value);
}

/* The names of libraries in codes; others have none there. */
static const char* library_name(unsigned long code) {
    static const struct {
        int library;
        const char* name;
    } names[] = {{ERR_LIB_SYS, "SYS_"},       {ERR_LIB_BN, "BN_"},         {ERR_LIB_RSA, "RSA_"},
                 {ERR_LIB_DH, "DH_"},         {ERR_LIB_EVP, "EVP_"},       {ERR_LIB_BUF, "BUF_"},
                 {ERR_LIB_OBJ, "OBJ_"},       {ERR_LIB_PEM, "PEM_"},       {ERR_LIB_DSA, "DSA_"},
                 {ERR_LIB_X509, "X509_"},     {ERR_LIB_ASN1, "ASN1_"},     {ERR_LIB_CONF, "CONF_"},
                 {ERR_LIB_CRYPTO, "CRYPTO_"}, {ERR_LIB_EC, "EC_"},         {ERR_LIB_BIO, "BIO_"},
                 {ERR_LIB_PKCS7, "PKCS7_"},   {ERR_LIB_X509V3, "X509V3_"}, {ERR_LIB_RAND, "RAND_"},
                 {ERR_LIB_DSO, "DSO_"},       {ERR_LIB_ENGINE, "ENGINE_"}, {ERR_LIB_OCSP, "OCSP_"},
                 {ERR_LIB_UI, "UI_"},         {ERR_LIB_COMP, "COMP_"},     {ERR_LIB_CMS, "CMS_"},
                 {ERR_LIB_TS, "TS_"},         {ERR_LIB_HMAC, "HMAC_"},     {ERR_LIB_CT, "CT_"},
                 {ERR_LIB_ASYNC, "ASYNC_"},   {ERR_LIB_KDF, "KDF_"},       {ERR_LIB_SM2, "SM2_"},
                 {ERR_LIB_PKCS12, "PKCS12_"}};
    for (size_t i = 0; i < PH_COUNT(names); i++)
        if (names[i].library == ERR_GET_LIB(code))
            return names[i].name;
    return "";
}

void cr_errors_take(cr_errors* errors) {
    unsigned long code;
    errors->count = 0;
    while ((code = ERR_get_error()) != 0)
        if (errors->count < (int)PH_COUNT(errors->codes))
            errors->codes[errors->count++] = code;
}

void cr_errors_clear(void) {
    if (ERR_peek_error() != 0)
        ERR_clear_error();
}

static void describe(JSContext* ctx, JSValueConst error, unsigned long code) {
    char text[256];
    const char* library = ERR_lib_error_string(code);
    const char* reason = ERR_reason_error_string(code);
    if (library != NULL)
        ph_set(ctx, error, "library", JS_NewString(ctx, library));
    if (reason == NULL)
        return;
    ph_set(ctx, error, "reason", JS_NewString(ctx, reason));
    snprintf(text, sizeof(text), "ERR_OSSL_%s%s", library_name(code), reason);
    for (char* at = text; *at != '\0'; at++) {
        if (*at == ' ')
            *at = '_';
        else if (*at >= 'a' && *at <= 'z')
            *at = (char)(*at - 'a' + 'A');
    }
    ph_set(ctx, error, "code", JS_NewString(ctx, text));
}

JSValue cr_error(JSContext* ctx, const cr_errors* errors, const char* otherwise) {
    char text[256];
    if (errors->count == 0)
        return JS_NewPlainError(ctx, "%s", otherwise);
    ERR_error_string_n(errors->codes[0], text, sizeof(text));
    JSValue error = JS_NewPlainError(ctx, "%s", text);
    if (JS_IsException(error))
        return error;
    if (errors->count > 1) {
        JSValue stack = JS_NewArray(ctx);
        for (int i = errors->count - 1; i > 0; i--) {
            ERR_error_string_n(errors->codes[i], text, sizeof(text));
            JS_SetPropertyUint32(ctx, stack, (uint32_t)(errors->count - 1 - i),
                                 JS_NewString(ctx, text));
        }
        ph_set(ctx, error, "opensslErrorStack", stack);
    }
    describe(ctx, error, errors->codes[0]);
    return error;
}

JSValue cr_throw(JSContext* ctx, const char* otherwise) {
    cr_errors errors;
    cr_errors_take(&errors);
    return JS_Throw(ctx, cr_error(ctx, &errors, otherwise));
}

JSValue cr_throw_code(JSContext* ctx, cr_error_kind kind, const char* code, const char* message) {
    JSValue error = kind == CR_TYPE_ERROR    ? JS_NewTypeError(ctx, "%s", message)
                    : kind == CR_RANGE_ERROR ? JS_NewRangeError(ctx, "%s", message)
                                             : JS_NewPlainError(ctx, "%s", message);
    ph_set(ctx, error, "code", JS_NewString(ctx, code));
    cr_errors_clear();
    return JS_Throw(ctx, error);
}
