/* What is known of a cipher. */
#ifndef PH_CRYPTO_CIPHER_H
#define PH_CRYPTO_CIPHER_H

#include "plugins/crypto/common.h"

/* A cipher by one of its names; NULL if there is none. Errors in the queue stay as they were. */
const EVP_CIPHER* cr_cipher(const char* name);
/* Whether it tells if somebody has changed the text. */
bool cr_is_authenticated(const EVP_CIPHER* cipher);
bool cr_is_gcm_tag_length(size_t length);

#endif
