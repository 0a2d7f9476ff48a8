/* Keys as JavaScript holds them: boxes. */
#ifndef PH_CRYPTO_KEYS_H
#define PH_CRYPTO_KEYS_H

#include "plugins/crypto/common.h"

typedef enum { CR_SECRET, CR_PUBLIC, CR_PRIVATE } cr_key_kind;

typedef struct {
    cr_key_kind kind;
    EVP_PKEY* pkey; /* of public and private keys */
    cr_bytes secret;
} cr_key;

/* A box with the key, which passes to it. */
JSValue cr_key_box(JSContext* ctx, cr_key_kind kind, EVP_PKEY* pkey_owned);
JSValue cr_secret_box(JSContext* ctx, cr_bytes* bytes_owned);
/* NULL and an exception if the value is none, or not of the kind that is needed. */
cr_key* cr_key_of(JSContext* ctx, JSValueConst value);
EVP_PKEY* cr_pkey_of(JSContext* ctx, JSValueConst value);
cr_key* cr_secret_of(JSContext* ctx, JSValueConst value);

/* A number of a key, as the bytes of it (at least `width` of them); undefined if it has none. */
JSValue cr_key_number(JSContext* ctx, EVP_PKEY* pkey, const char* name, size_t width);
/* The NID of the curve of an EC key. */
int cr_key_curve(EVP_PKEY* pkey);
bool cr_is_rsa(EVP_PKEY* pkey);

/* The bytes of a BIO's memory, as text or as a Buffer. */
JSValue cr_bio_text(JSContext* ctx, BIO* bio_owned);
JSValue cr_bio_bytes(JSContext* ctx, BIO* bio_owned);

#endif
