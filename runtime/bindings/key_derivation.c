#include "bindings/key_derivation.h"

#include <stdlib.h>
#include <string.h>

#include "bindings/hash.h"
#include "bindings/request.h"

typedef struct {
    uv_work_t work;
    ph_pending pending;
    const ph_hash* hash;
    uint8_t* password; // copies: JavaScript may change the originals meanwhile
    size_t password_length;
    uint8_t* salt;
    size_t salt_length;
    uint32_t iterations; // of PBKDF2; 0: scrypt
    uint32_t cost;
    uint32_t block_size;
    uint32_t parallel;
    uint8_t* key;
    size_t key_length;
    bool failed;
} derivation;

static void pbkdf2(const derivation* d, const uint8_t* salt, size_t salt_length,
                   uint32_t iterations, uint8_t* key, size_t key_length) {
    const ph_hash* hash = d->hash;
    ph_hmac hmac;
    ph_hmac_init(&hmac, hash, d->password, d->password_length);
    for (uint32_t block = 1; key_length > 0; block++) {
        uint8_t number[4] = {(uint8_t)(block >> 24), (uint8_t)(block >> 16), (uint8_t)(block >> 8),
                             (uint8_t)block};
        uint8_t last[PH_HASH_MAX_LENGTH];
        uint8_t sum[PH_HASH_MAX_LENGTH];
        ph_hash_state state = hmac.inner;
        hash->update(&state, salt, salt_length);
        hash->update(&state, number, sizeof(number));
        ph_hmac_final(&hmac, &state, last);
        memcpy(sum, last, hash->length);
        for (uint32_t i = 1; i < iterations; i++) {
            state = hmac.inner;
            hash->update(&state, last, hash->length);
            ph_hmac_final(&hmac, &state, last);
            for (size_t j = 0; j < hash->length; j++)
                sum[j] ^= last[j];
        }
        size_t take = key_length < hash->length ? key_length : hash->length;
        memcpy(key, sum, take);
        key += take;
        key_length -= take;
    }
}

static uint32_t rotate(uint32_t value, int by) {
    return value << by | value >> (32 - by);
}

static void quarter(uint32_t* x, int a, int b, int c, int d) {
    x[b] ^= rotate(x[a] + x[d], 7);
    x[c] ^= rotate(x[b] + x[a], 9);
    x[d] ^= rotate(x[c] + x[b], 13);
    x[a] ^= rotate(x[d] + x[c], 18);
}

static void salsa20_8(uint32_t block[16]) {
    uint32_t x[16];
    memcpy(x, block, sizeof(x));
    for (int i = 0; i < 4; i++) {
        quarter(x, 0, 4, 8, 12);
        quarter(x, 5, 9, 13, 1);
        quarter(x, 10, 14, 2, 6);
        quarter(x, 15, 3, 7, 11);
        quarter(x, 0, 1, 2, 3);
        quarter(x, 5, 6, 7, 4);
        quarter(x, 10, 11, 8, 9);
        quarter(x, 15, 12, 13, 14);
    }
    for (int i = 0; i < 16; i++)
        block[i] += x[i];
}

// scryptBlockMix: 2r blocks of 16 words; the result goes to out, even ones first.
static void block_mix(const uint32_t* in, uint32_t* out, size_t r) {
    uint32_t x[16];
    memcpy(x, in + (2 * r - 1) * 16, sizeof(x));
    for (size_t i = 0; i < 2 * r; i++) {
        for (size_t j = 0; j < 16; j++)
            x[j] ^= in[i * 16 + j];
        salsa20_8(x);
        memcpy(out + (i / 2 + (i % 2) * r) * 16, x, sizeof(x));
    }
}

// scryptROMix on one part; space holds cost + 1 parts. Words are little-endian, as the machine's.
static void rom_mix(uint32_t* part, uint32_t* space, size_t r, size_t cost) {
    size_t words = 32 * r;
    uint32_t* other = space + cost * words;
    for (size_t i = 0; i < cost; i++) {
        memcpy(space + i * words, part, words * 4);
        block_mix(space + i * words, part, r);
    }
    for (size_t i = 0; i < cost; i++) {
        size_t at = part[(2 * r - 1) * 16] & (cost - 1);
        for (size_t j = 0; j < words; j++)
            other[j] = part[j] ^ space[at * words + j];
        block_mix(other, part, r);
    }
}

static void scrypt(derivation* d) {
    size_t part = (size_t)128 * d->block_size;
    uint8_t* parts = malloc(part * d->parallel);
    uint32_t* space = malloc(part * ((size_t)d->cost + 1));
    d->failed = parts == NULL || space == NULL;
    if (!d->failed) {
        pbkdf2(d, d->salt, d->salt_length, 1, parts, part * d->parallel);
        for (size_t i = 0; i < d->parallel; i++)
            rom_mix((uint32_t*)(parts + i * part), space, d->block_size, d->cost);
        pbkdf2(d, parts, part * d->parallel, 1, d->key, d->key_length);
    }
    free(parts);
    free(space);
}

static void derive(derivation* d) {
    if (d->iterations > 0)
        pbkdf2(d, d->salt, d->salt_length, d->iterations, d->key, d->key_length);
    else
        scrypt(d);
}

static void free_derivation(derivation* d) {
    free(d->password);
    free(d->salt);
    free(d->key);
    free(d);
}

static JSValue take_key(ph_env* env, derivation* d) {
    uint8_t* key = d->key;
    d->key = NULL;
    return ph_buffer(env, key, d->key_length);
}

static void on_pool(uv_work_t* work) {
    derive(work->data);
}

static void on_derived(uv_work_t* work, int status) {
    derivation* d = work->data;
    ph_env* env = d->pending.env;
    if (env->stopping || status != 0) {
        ph_pending_drop(&d->pending);
    } else if (d->failed) {
        JSValue args[] = {ph_error(env->ctx, UV_ENOMEM, "scrypt", NULL, NULL)};
        ph_pending_finish(&d->pending, 1, args);
    } else {
        JSValue args[] = {JS_NULL, take_key(env, d)};
        ph_pending_finish(&d->pending, 2, args);
    }
    free_derivation(d);
}

static uint8_t* copy_bytes(JSContext* ctx, JSValueConst value, size_t* length) {
    uint8_t* bytes;
    if (ph_bytes(ctx, value, &bytes, length) != 0)
        return NULL;
    uint8_t* copy = malloc(*length + 1);
    if (copy == NULL)
        JS_ThrowOutOfMemory(ctx);
    else if (*length > 0)
        memcpy(copy, bytes, *length);
    return copy;
}

static derivation* new_derivation(JSContext* ctx, JSValueConst password, JSValueConst salt,
                                  JSValueConst length) {
    derivation* d = calloc(1, sizeof(*d));
    if (d == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    d->key_length = ph_index(ctx, length, 0, INT32_MAX);
    d->key = malloc(d->key_length + 1);
    if (d->key == NULL)
        JS_ThrowOutOfMemory(ctx);
    else
        d->password = copy_bytes(ctx, password, &d->password_length);
    if (d->password != NULL)
        d->salt = copy_bytes(ctx, salt, &d->salt_length);
    if (d->salt != NULL)
        return d;
    free_derivation(d);
    return NULL;
}

static JSValue start(JSContext* ctx, derivation* d, JSValueConst callback) {
    ph_env* env = ph_env_of(ctx);
    if (JS_IsFunction(ctx, callback)) {
        d->work.data = d;
        ph_pending_begin(ctx, &d->pending, callback, JS_UNDEFINED);
        uv_queue_work(env->loop, &d->work, on_pool, on_derived);
        return JS_UNDEFINED;
    }
    derive(d);
    JSValue key = d->failed ? JS_ThrowOutOfMemory(ctx) : take_key(env, d);
    free_derivation(d);
    return key;
}

JSValue ph_pbkdf2(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const ph_hash* hash = ph_hash_find(name);
    JS_FreeCString(ctx, name);
    if (hash == NULL)
        return JS_ThrowTypeError(ctx, "no such hash function");
    derivation* d = new_derivation(ctx, argv[1], argv[2], argv[4]);
    if (d == NULL)
        return JS_EXCEPTION;
    d->hash = hash;
    int32_t iterations = ph_int(ctx, argv[3], 1);
    d->iterations = iterations < 1 ? 1 : (uint32_t)iterations;
    return start(ctx, d, argv[5]);
}

JSValue ph_scrypt(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    const ph_hash* hash = ph_hash_find("sha256");
    if (hash == NULL)
        return JS_ThrowTypeError(ctx, "no such hash function");
    // Products of them fit. Costs above the largest become one that is no power of two.
    enum { MOST_COST = (1 << 28) + 1, MOST = 1 << 20 };
    size_t cost = ph_index(ctx, argv[2], 2, MOST_COST);
    size_t block_size = ph_index(ctx, argv[3], 1, MOST);
    size_t parallel = ph_index(ctx, argv[4], 1, MOST);
    if (cost < 2 || (cost & (cost - 1)) != 0 || block_size == 0 || parallel == 0)
        return JS_ThrowRangeError(ctx, "Invalid scrypt params");
    derivation* d = new_derivation(ctx, argv[0], argv[1], argv[5]);
    if (d == NULL)
        return JS_EXCEPTION;
    d->hash = hash;
    d->cost = (uint32_t)cost;
    d->block_size = (uint32_t)block_size;
    d->parallel = (uint32_t)parallel;
    return start(ctx, d, argv[6]);
}
