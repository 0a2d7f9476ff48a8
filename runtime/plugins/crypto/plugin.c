// Cryptography on OpenSSL 3.
#include "engine/plugins.h"

#include <openssl/crypto.h>

PH_PLUGIN int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    ph_set(ctx, exports, "version", JS_NewString(ctx, OpenSSL_version(OPENSSL_VERSION_STRING)));
    return 0;
}
