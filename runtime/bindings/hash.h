// Hash functions, from libmd. Without that library there are none.
#ifndef PH_RUNTIME_HASH_H
#define PH_RUNTIME_HASH_H

#include <stddef.h>
#include <stdint.h>

#ifdef PHASOR_LIBMD
#include <md5.h>
#include <rmd160.h>
#include <sha1.h>
#include <sha2.h>

typedef union {
    MD5_CTX md5;
    RMD160_CTX rmd160;
    SHA1_CTX sha1;
    SHA2_CTX sha2;
} ph_hash_state;
#else
typedef struct {
    char nothing;
} ph_hash_state;
#endif

enum { PH_HASH_MAX_LENGTH = 64, PH_HASH_MAX_BLOCK = 128 };

typedef struct {
    const char* name;
    size_t length; // of the digest
    size_t block;  // bytes that the function takes at a time
    void (*init)(ph_hash_state* state);
    void (*update)(ph_hash_state* state, const uint8_t* bytes, size_t length);
    void (*final)(ph_hash_state* state, uint8_t* digest);
} ph_hash;

extern const ph_hash ph_hashes[]; // ends with a NULL name

// NULL if there is no such function.
const ph_hash* ph_hash_find(const char* name);

typedef struct {
    const ph_hash* hash;
    ph_hash_state inner; // after the key's first block
    ph_hash_state outer;
} ph_hmac;

void ph_hmac_init(ph_hmac* hmac, const ph_hash* hash, const uint8_t* key, size_t length);
// The code of what went into *inner, a copy of hmac->inner.
void ph_hmac_final(const ph_hmac* hmac, ph_hash_state* inner, uint8_t* digest);

#endif
