/* Errors of OpenSSL with Node's properties: library, reason, code. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/tls/tls.h"

/* The part of a code that names the library; none for those that have no name in Node's codes. */
static const char* library_word(unsigned long error) {
    switch (ERR_GET_LIB(error)) {
    case ERR_LIB_SSL:
        return "SSL_";
    case ERR_LIB_PEM:
        return "OSSL_PEM_";
    case ERR_LIB_X509:
        return "OSSL_X509_";
    case ERR_LIB_X509V3:
        return "OSSL_X509V3_";
    case ERR_LIB_EVP:
        return "OSSL_EVP_";
    case ERR_LIB_ASN1:
        return "OSSL_ASN1_";
    case ERR_LIB_PKCS12:
        return "OSSL_PKCS12_";
    case ERR_LIB_RSA:
        return "OSSL_RSA_";
    case ERR_LIB_DH:
        return "OSSL_DH_";
    case ERR_LIB_DSA:
        return "OSSL_DSA_";
    case ERR_LIB_EC:
        return "OSSL_EC_";
    case ERR_LIB_BN:
        return "OSSL_BN_";
    case ERR_LIB_BIO:
        return "OSSL_BIO_";
    case ERR_LIB_CRYPTO:
        return "OSSL_CRYPTO_";
    default:
        return "OSSL_";
    }
}

static void set_code(JSContext* ctx, JSValueConst made, unsigned long error, const char* reason) {
    char code[160];
    size_t used = (size_t)snprintf(code, sizeof(code), "ERR_%s", library_word(error));
    for (const char* c = reason; *c != '\0' && used < sizeof(code) - 1; c++)
        code[used++] = *c == ' ' ? '_' : (char)toupper((unsigned char)*c);
    code[used] = '\0';
    ph_set(ctx, made, "code", JS_NewStringLen(ctx, code, used));
}

static int append_line(const char* text, size_t length, void* opaque) {
    BIO_write(opaque, text, (int)length);
    return 1;
}

/* All lines of the queue, each with thread and place; the queue is empty after that. */
static JSValue place_message(JSContext* ctx) {
    BIO* lines = BIO_new(BIO_s_mem());
    if (lines == NULL)
        return JS_NewString(ctx, "out of memory");
    ERR_print_errors_cb(append_line, lines);
    char* text;
    long length = BIO_get_mem_data(lines, &text);
    JSValue made = JS_NewStringLen(ctx, text, length > 0 ? (size_t)length : 0);
    BIO_free(lines);
    return made;
}

static void set_stack(JSContext* ctx, JSValueConst made) {
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    unsigned long error;
    char text[256];
    /* The first of the queue is the last of the list. */
    while ((error = ERR_get_error()) != 0 && count < 64) {
        ERR_error_string_n(error, text, sizeof(text));
        JS_SetPropertyUint32(ctx, list, count++, JS_NewString(ctx, text));
    }
    if (count > 0)
        ph_set(ctx, made, "opensslErrorStack", JS_DupValue(ctx, list));
    JS_FreeValue(ctx, list);
}

JSValue tls_error(JSContext* ctx, bool with_place, const char* otherwise) {
    unsigned long error = with_place ? ERR_peek_error() : ERR_peek_last_error();
    if (error == 0)
        return JS_NewPlainError(ctx, "%s", otherwise);
    char text[256];
    ERR_error_string_n(error, text, sizeof(text));
    JSValue made = JS_NewPlainError(ctx, "%s", text);
    const char* library = ERR_lib_error_string(error);
    const char* reason = ERR_reason_error_string(error);
    if (with_place) {
        JS_DefinePropertyValueStr(ctx, made, "message", place_message(ctx),
                                  JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    } else if (ERR_peek_error() != error) {
        set_stack(ctx, made);
    }
    ERR_clear_error();
    if (library != NULL)
        ph_set(ctx, made, "library", JS_NewString(ctx, library));
    if (reason != NULL) {
        ph_set(ctx, made, "reason", JS_NewString(ctx, reason));
        set_code(ctx, made, error, reason);
    }
    return made;
}

JSValue tls_throw(JSContext* ctx, const char* otherwise) {
    return JS_Throw(ctx, tls_error(ctx, false, otherwise));
}

uint8_t* tls_copy(const void* bytes, size_t length) {
    uint8_t* copy = malloc(length + 1);
    if (copy == NULL)
        return NULL;
    memcpy(copy, bytes, length);
    copy[length] = 0;
    return copy;
}
