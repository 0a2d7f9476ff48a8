/* Names inside certificates, as text that can't be taken for something else. */
#ifndef PH_CRYPTO_NAMES_H
#define PH_CRYPTO_NAMES_H

#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include "plugins/crypto/common.h"

/* Several lines: "C=US\nO=..." */
void cr_print_name(BIO* bio, const X509_NAME* name);
/* "DNS:example.com": text that has quotes, commas or control characters is in quotes, with escapes.
 */
void cr_print_general_name(BIO* bio, const GENERAL_NAME* name);
/* [[name, value]...] */
JSValue cr_name_entries(JSContext* ctx, const X509_NAME* name);

#endif
