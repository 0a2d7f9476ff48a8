// Keys from passwords: PBKDF2 (RFC 8018) and scrypt (RFC 7914), at once or on the thread pool.
#ifndef PH_RUNTIME_KEY_DERIVATION_H
#define PH_RUNTIME_KEY_DERIVATION_H

#include "engine/engine.h"

// pbkdf2(name, password, salt, iterations, length, callback?)
JSValue ph_pbkdf2(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);
// scrypt(password, salt, N, r, p, length, callback?)
JSValue ph_scrypt(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

#endif
