#include "bindings/hash.h"

#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/box.h"
#include "bindings/bytes.h"
#include "bindings/key_derivation.h"

#ifdef PHASOR_LIBMD
#define FUNCTION(name, field, library)                                                     \
    static void name##_init(ph_hash_state* state) {                                        \
        library##Init(&state->field);                                                      \
    }                                                                                      \
    static void name##_update(ph_hash_state* state, const uint8_t* bytes, size_t length) { \
        library##Update(&state->field, bytes, length);                                     \
    }                                                                                      \
    static void name##_final(ph_hash_state* state, uint8_t* digest) {                      \
        library##Final(digest, &state->field);                                             \
    }

FUNCTION(md5, md5, MD5)
FUNCTION(rmd160, rmd160, RMD160)
FUNCTION(sha1, sha1, SHA1)
FUNCTION(sha256, sha2, SHA256)
FUNCTION(sha384, sha2, SHA384)
FUNCTION(sha512, sha2, SHA512)

// SHA-224 is SHA-256 with another start and a shorter end (FIPS 180-4, 5.3.2).
static void sha224_init(ph_hash_state* state) {
    static const uint32_t start[8] = {0xc1059ed8, 0x367cd507, 0x3070dd17, 0xf70e5939,
                                      0xffc00b31, 0x68581511, 0x64f98fa7, 0xbefa4fa4};
    SHA256Init(&state->sha2);
    memcpy(state->sha2.state.st32, start, sizeof(start));
}

static void sha224_final(ph_hash_state* state, uint8_t* digest) {
    uint8_t whole[SHA256_DIGEST_LENGTH];
    SHA256Final(whole, &state->sha2);
    memcpy(digest, whole, 28);
}

const ph_hash ph_hashes[] = {
    {"md5", 16, 64, md5_init, md5_update, md5_final},
    {"rmd160", 20, 64, rmd160_init, rmd160_update, rmd160_final},
    {"sha1", 20, 64, sha1_init, sha1_update, sha1_final},
    {"sha224", 28, 64, sha224_init, sha256_update, sha224_final},
    {"sha256", 32, 64, sha256_init, sha256_update, sha256_final},
    {"sha384", 48, 128, sha384_init, sha384_update, sha384_final},
    {"sha512", 64, 128, sha512_init, sha512_update, sha512_final},
    {NULL, 0, 0, NULL, NULL, NULL},
};
#else
const ph_hash ph_hashes[] = {{NULL, 0, 0, NULL, NULL, NULL}};
#endif

const ph_hash* ph_hash_find(const char* name) {
    for (const ph_hash* hash = ph_hashes; hash->name != NULL; hash++)
        if (strcmp(hash->name, name) == 0)
            return hash;
    return NULL;
}

void ph_hmac_init(ph_hmac* hmac, const ph_hash* hash, const uint8_t* key, size_t length) {
    uint8_t block[PH_HASH_MAX_BLOCK] = {0};
    if (length > hash->block) {
        hash->init(&hmac->inner);
        hash->update(&hmac->inner, key, length);
        hash->final(&hmac->inner, block);
    } else if (length > 0) {
        memcpy(block, key, length);
    }
    hmac->hash = hash;
    for (size_t i = 0; i < hash->block; i++)
        block[i] ^= 0x36;
    hash->init(&hmac->inner);
    hash->update(&hmac->inner, block, hash->block);
    for (size_t i = 0; i < hash->block; i++)
        block[i] ^= 0x36 ^ 0x5c;
    hash->init(&hmac->outer);
    hash->update(&hmac->outer, block, hash->block);
}

void ph_hmac_final(const ph_hmac* hmac, ph_hash_state* inner, uint8_t* digest) {
    const ph_hash* hash = hmac->hash;
    ph_hash_state outer = hmac->outer;
    hash->final(inner, digest);
    hash->update(&outer, digest, hash->length);
    hash->final(&outer, digest);
}

typedef struct {
    const ph_hash* hash;
    ph_hmac hmac; // of a keyed hash
    bool is_hmac;
    ph_hash_state state;
} running;

static const ph_box_kind running_kind = {"hash", free};

static running* running_of(JSContext* ctx, JSValueConst value) {
    return ph_box_content(ctx, value, &running_kind);
}

// create(name, key): the state of a hash, or of a keyed one; undefined for an unknown name
static JSValue create(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const ph_hash* hash = ph_hash_find(name);
    JS_FreeCString(ctx, name);
    if (hash == NULL)
        return JS_UNDEFINED;
    uint8_t* key;
    size_t length;
    bool is_hmac = !JS_IsUndefined(argv[1]);
    if (is_hmac && ph_bytes(ctx, argv[1], &key, &length) != 0)
        return JS_EXCEPTION;
    running* out = calloc(1, sizeof(*out));
    if (out == NULL)
        return JS_ThrowOutOfMemory(ctx);
    out->hash = hash;
    out->is_hmac = is_hmac;
    if (is_hmac) {
        ph_hmac_init(&out->hmac, hash, key, length);
        out->state = out->hmac.inner;
    } else {
        hash->init(&out->state);
    }
    return ph_box(ctx, &running_kind, out);
}

// copy(state): another state that goes on from here
static JSValue copy(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    running* run = running_of(ctx, argv[0]);
    if (run == NULL)
        return JS_EXCEPTION;
    running* out = malloc(sizeof(*out));
    if (out == NULL)
        return JS_ThrowOutOfMemory(ctx);
    *out = *run;
    return ph_box(ctx, &running_kind, out);
}

// update(state, bytes)
static JSValue update(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    running* run = running_of(ctx, argv[0]);
    uint8_t* bytes;
    size_t length;
    if (run == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    run->hash->update(&run->state, bytes, length);
    return JS_UNDEFINED;
}

// digest(state): a Buffer
static JSValue digest(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    running* run = running_of(ctx, argv[0]);
    if (run == NULL)
        return JS_EXCEPTION;
    uint8_t* bytes = malloc(PH_HASH_MAX_LENGTH);
    if (bytes == NULL)
        return JS_ThrowOutOfMemory(ctx);
    if (run->is_hmac)
        ph_hmac_final(&run->hmac, &run->state, bytes);
    else
        run->hash->final(&run->state, bytes);
    return ph_buffer(ph_env_of(ctx), bytes, run->hash->length);
}

JSValue ph_hash_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("create", 2, create),    JS_CFUNC_DEF("copy", 1, copy),
        JS_CFUNC_DEF("update", 2, update),    JS_CFUNC_DEF("digest", 1, digest),
        JS_CFUNC_DEF("pbkdf2", 6, ph_pbkdf2), JS_CFUNC_DEF("scrypt", 7, ph_scrypt),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    JSValue names = JS_NewArray(ctx);
    uint32_t count = 0;
    for (const ph_hash* hash = ph_hashes; hash->name != NULL; hash++)
        JS_SetPropertyUint32(ctx, names, count++, JS_NewString(ctx, hash->name));
    ph_set(ctx, binding, "names", names);
    return binding;
}
