/* The functions that each file gives to the binding. */
#ifndef PH_CRYPTO_TABLES_H
#define PH_CRYPTO_TABLES_H

#include <quickjs.h>

#define CR_TABLES(table)                                                                      \
    table(hash) table(key) table(key_parse) table(key_export) table(key_import) table(keygen) \
        table(sign) table(cipher) table(cipher_info) table(cipher_job) table(rsa) table(dh)   \
            table(ecdh) table(kdf) table(prime) table(x509) table(spkac)

#define CR_DECLARE(name)                                       \
    extern const JSCFunctionListEntry cr_##name##_functions[]; \
    extern const int cr_##name##_function_count;
CR_TABLES(CR_DECLARE)
#undef CR_DECLARE

#endif
