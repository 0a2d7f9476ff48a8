// Cryptography on OpenSSL 3: one binding, made of the tables of all files here.
#include "engine/plugins.h"

#include <openssl/crypto.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

PH_PLUGIN int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    // The library is not taken down at the end of the process: the pool's threads end after that,
    // and may be inside of it until then.
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
#define ADD(name) \
    JS_SetPropertyFunctionList(ctx, exports, cr_##name##_functions, cr_##name##_function_count);
    CR_TABLES(ADD)
#undef ADD
    ph_set(ctx, exports, "version", JS_NewString(ctx, OpenSSL_version(OPENSSL_VERSION_STRING)));
    return 0;
}
