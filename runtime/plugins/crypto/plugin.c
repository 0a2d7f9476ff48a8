/* Cryptography on OpenSSL 3: one binding, made of the tables of all files here. */
#define OPENSSL_SUPPRESS_DEPRECATED /* there is no shorter way to say where random bytes come from \
                                     */
#include "engine/plugins.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <phasor.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

static int fill(unsigned char* bytes, int length) {
    return length >= 0 && uv_random(NULL, NULL, bytes, (size_t)length, 0, NULL) == 0;
}

static int is_ready(void) {
    return 1;
}

PH_PLUGIN int phasor_plugin(JSContext* ctx, JSValueConst exports) {
    /* In a simulated world all that is random comes from its seed. */
    static const RAND_METHOD of_the_world = {.bytes = fill, .pseudorand = fill, .status = is_ready};
    /* The library is not taken down at the end of the process: the pool's threads end after that,
     * and may be inside of it until then. */
    OPENSSL_init_crypto(OPENSSL_INIT_NO_ATEXIT, NULL);
    if (phasor_sim_active())
        RAND_set_rand_method(&of_the_world);
#define ADD(name) \
    JS_SetPropertyFunctionList(ctx, exports, cr_##name##_functions, cr_##name##_function_count);
    CR_TABLES(ADD)
#undef ADD
    ph_set(ctx, exports, "version", JS_NewString(ctx, OpenSSL_version(OPENSSL_VERSION_STRING)));
    return 0;
}
