/* Keys from passwords and from other keys. */
#include <limits.h>
#include <openssl/err.h>
#include <openssl/kdf.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

typedef struct {
    cr_job job;
    const EVP_MD* digest;
    cr_bytes password;
    cr_bytes salt;
    cr_bytes info;
    cr_bytes key;
    int iterations;
    uint64_t cost;
    uint64_t block_size;
    uint64_t parallel;
    uint64_t most_memory;
} kdf_job;

static bool run_pbkdf2(cr_job* job) {
    kdf_job* k = (kdf_job*)job;
    return k->key.length == 0 || PKCS5_PBKDF2_HMAC((char*)k->password.data, (int)k->password.length,
                                                   k->salt.data, (int)k->salt.length, k->iterations,
                                                   k->digest, (int)k->key.length, k->key.data) == 1;
}

static bool run_scrypt(cr_job* job) {
    kdf_job* k = (kdf_job*)job;
    return k->key.length == 0 ||
           EVP_PBE_scrypt((char*)k->password.data, k->password.length, k->salt.data, k->salt.length,
                          k->cost, k->block_size, k->parallel, k->most_memory, k->key.data,
                          k->key.length) == 1;
}

static bool run_hkdf(cr_job* job) {
    kdf_job* k = (kdf_job*)job;
    size_t length = k->key.length;
    if (length == 0)
        return true;
    EVP_PKEY_CTX* worker = EVP_PKEY_CTX_new_id(EVP_PKEY_HKDF, NULL);
    bool made =
        worker != NULL && EVP_PKEY_derive_init(worker) == 1 &&
        EVP_PKEY_CTX_set_hkdf_md(worker, k->digest) == 1 &&
        EVP_PKEY_CTX_set1_hkdf_salt(worker, k->salt.data, (int)k->salt.length) == 1 &&
        EVP_PKEY_CTX_set1_hkdf_key(worker, k->password.data, (int)k->password.length) == 1 &&
        EVP_PKEY_CTX_add1_hkdf_info(worker, k->info.data, (int)k->info.length) == 1 &&
        EVP_PKEY_derive(worker, k->key.data, &length) == 1;
    EVP_PKEY_CTX_free(worker);
    return made;
}

static JSValue give_key(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((kdf_job*)job)->key);
}

static void free_job(cr_job* job) {
    kdf_job* k = (kdf_job*)job;
    cr_bytes_free(&k->password);
    cr_bytes_free(&k->salt);
    cr_bytes_free(&k->info);
    cr_bytes_free(&k->key);
}

static kdf_job* new_job(JSContext* ctx, JSValueConst password, JSValueConst salt,
                        JSValueConst length) {
    kdf_job* k = cr_job_new(ctx, sizeof(*k));
    if (k == NULL)
        return NULL;
    k->job.result = give_key;
    k->job.release = free_job;
    k->job.failure = "Deriving bits failed";
    k->job.failure_code = "ERR_CRYPTO_OPERATION_FAILED";
    bool fine = cr_bytes_copy(ctx, &k->password, password) && cr_bytes_copy(ctx, &k->salt, salt) &&
                cr_bytes_new(ctx, &k->key, ph_index(ctx, length, 0, INT_MAX));
    if (fine && (k->password.length > INT_MAX || k->salt.length > INT_MAX)) {
        JS_ThrowRangeError(ctx, "too many bytes");
        fine = false;
    }
    if (fine)
        return k;
    cr_job_drop(&k->job);
    return NULL;
}

/* pbkdf2(digest, password, salt, iterations, length, callback?) */
static CR_FUNCTION(pbkdf2) {
    CR_UNUSED_ARGUMENTS;
    kdf_job* k = new_job(ctx, argv[1], argv[2], argv[4]);
    if (k == NULL)
        return JS_EXCEPTION;
    k->iterations = (int)ph_index(ctx, argv[3], 1, INT_MAX);
    k->job.run = run_pbkdf2;
    k->job.failure = "PBKDF2 failed";
    if (!cr_digest_of(ctx, argv[0], &k->digest))
        return cr_job_drop(&k->job);
    if (k->digest == NULL || k->iterations < 1) {
        JS_ThrowTypeError(ctx, "no digest, or no iterations");
        return cr_job_drop(&k->job);
    }
    return cr_job_start(ctx, &k->job, "PBKDF2REQUEST", argv[5]);
}

/* hkdf(digest, key, salt, info, length, callback?) */
static CR_FUNCTION(hkdf) {
    CR_UNUSED_ARGUMENTS;
    kdf_job* k = new_job(ctx, argv[1], argv[2], argv[4]);
    if (k == NULL)
        return JS_EXCEPTION;
    k->job.run = run_hkdf;
    k->job.failure = "HKDF failed";
    if (!cr_bytes_copy(ctx, &k->info, argv[3]) || !cr_digest_of(ctx, argv[0], &k->digest))
        return cr_job_drop(&k->job);
    if (k->digest == NULL || k->info.length > INT_MAX) {
        JS_ThrowTypeError(ctx, "no digest");
        return cr_job_drop(&k->job);
    }
    if (k->key.length > (size_t)EVP_MD_get_size(k->digest) * 255) {
        cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
        return cr_job_drop(&k->job);
    }
    return cr_job_start(ctx, &k->job, "DERIVEBITSREQUEST", argv[5]);
}

static JSValue refuse_scrypt(JSContext* ctx) {
    char reason[200];
    char message[256] = "Invalid scrypt params";
    unsigned long code = ERR_peek_last_error();
    if (code != 0) {
        ERR_error_string_n(code, reason, sizeof(reason));
        snprintf(message, sizeof(message), "Invalid scrypt params: %s", reason);
    }
    return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_SCRYPT_PARAMS", message);
}

/* scrypt(password, salt, N, r, p, maxmem, length, callback?) */
static CR_FUNCTION(scrypt) {
    CR_UNUSED_ARGUMENTS;
    enum { MOST = 0x7FFFFFFF };
    const uint64_t most_exact = UINT64_C(1) << 53; /* among numbers */
    cr_errors_clear();
    uint64_t cost = ph_index(ctx, argv[2], 0, UINT32_MAX);
    uint64_t block_size = ph_index(ctx, argv[3], 0, MOST);
    uint64_t parallel = ph_index(ctx, argv[4], 0, MOST);
    uint64_t most_memory =
        ph_index(ctx, argv[5], 0, (size_t)(most_exact < SIZE_MAX ? most_exact : SIZE_MAX));
    if (EVP_PBE_scrypt(NULL, 0, NULL, 0, cost, block_size, parallel, most_memory, NULL, 0) != 1)
        return refuse_scrypt(ctx);
    kdf_job* k = new_job(ctx, argv[0], argv[1], argv[6]);
    if (k == NULL)
        return JS_EXCEPTION;
    k->job.run = run_scrypt;
    k->job.failure = "Scrypt failed";
    k->cost = cost;
    k->block_size = block_size;
    k->parallel = parallel;
    k->most_memory = most_memory;
    return cr_job_start(ctx, &k->job, "SCRYPTREQUEST", argv[7]);
}

const JSCFunctionListEntry cr_kdf_functions[] = {
    JS_CFUNC_DEF("pbkdf2", 6, pbkdf2),
    JS_CFUNC_DEF("hkdf", 6, hkdf),
    JS_CFUNC_DEF("scrypt", 8, scrypt),
};
const int cr_kdf_function_count = PH_COUNT(cr_kdf_functions);
