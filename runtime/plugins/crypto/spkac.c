/* Signed public keys and challenges, as browsers' <keygen> made them. */
#include <limits.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

static NETSCAPE_SPKI* read_spkac(JSContext* ctx, JSValueConst value, bool* has_thrown) {
    cr_bytes text;
    *has_thrown = !cr_bytes_copy(ctx, &text, value);
    if (*has_thrown)
        return NULL;
    /* A length of 0 would mean text that ends with a zero. */
    size_t length = text.length;
    while (length > 0 && strchr("\n\r\t ", text.data[length - 1]) != NULL)
        length--;
    NETSCAPE_SPKI* spkac = length == 0 || length > INT_MAX
                               ? NULL
                               : NETSCAPE_SPKI_b64_decode((char*)text.data, (int)length);
    cr_bytes_free(&text);
    cr_errors_clear();
    return spkac;
}

static CR_FUNCTION(verify_spkac) {
    CR_UNUSED_ARGUMENTS;
    bool has_thrown;
    NETSCAPE_SPKI* spkac = read_spkac(ctx, argv[0], &has_thrown);
    if (spkac == NULL)
        return has_thrown ? JS_EXCEPTION : JS_FALSE;
    EVP_PKEY* pkey = NETSCAPE_SPKI_get_pubkey(spkac);
    bool is_right = pkey != NULL && NETSCAPE_SPKI_verify(spkac, pkey) > 0;
    EVP_PKEY_free(pkey);
    NETSCAPE_SPKI_free(spkac);
    cr_errors_clear();
    return JS_NewBool(ctx, is_right);
}

/* The public key as a Buffer of PEM; undefined if there is none */
static CR_FUNCTION(spkac_key) {
    CR_UNUSED_ARGUMENTS;
    bool has_thrown;
    NETSCAPE_SPKI* spkac = read_spkac(ctx, argv[0], &has_thrown);
    if (spkac == NULL)
        return has_thrown ? JS_EXCEPTION : JS_UNDEFINED;
    EVP_PKEY* pkey = NETSCAPE_SPKI_get_pubkey(spkac);
    BIO* bio = pkey == NULL ? NULL : BIO_new(BIO_s_mem());
    bool written = bio != NULL && PEM_write_bio_PUBKEY(bio, pkey) == 1;
    EVP_PKEY_free(pkey);
    NETSCAPE_SPKI_free(spkac);
    cr_errors_clear();
    if (written)
        return cr_bio_bytes(ctx, bio);
    BIO_free_all(bio);
    return JS_UNDEFINED;
}

static CR_FUNCTION(spkac_challenge) {
    CR_UNUSED_ARGUMENTS;
    bool has_thrown;
    NETSCAPE_SPKI* spkac = read_spkac(ctx, argv[0], &has_thrown);
    if (spkac == NULL)
        return has_thrown ? JS_EXCEPTION : JS_UNDEFINED;
    unsigned char* text = NULL;
    int length = ASN1_STRING_to_UTF8(&text, spkac->spkac->challenge);
    JSValue challenge =
        length < 0 ? JS_UNDEFINED : ph_buffer_copy(ph_env_of(ctx), text, (size_t)length);
    OPENSSL_free(text);
    NETSCAPE_SPKI_free(spkac);
    cr_errors_clear();
    return challenge;
}

const JSCFunctionListEntry cr_spkac_functions[] = {
    JS_CFUNC_DEF("verifySpkac", 1, verify_spkac),
    JS_CFUNC_DEF("spkacKey", 1, spkac_key),
    JS_CFUNC_DEF("spkacChallenge", 1, spkac_challenge),
};
const int cr_spkac_function_count = PH_COUNT(cr_spkac_functions);
