/* Prime numbers, and what is left: comparing in constant time, the library's own settings. */
#define OPENSSL_SUPPRESS_DEPRECATED /* the number of rounds is chosen by the caller */
#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/provider.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

typedef struct {
    cr_job job;
    int bits;
    int checks;
    bool is_safe;
    bool is_prime;
    BIGNUM* add;
    BIGNUM* rest;
    BIGNUM* number;
} prime_job;

static bool run_generate(cr_job* job) {
    prime_job* p = (prime_job*)job;
    p->number = BN_secure_new();
    return p->number != NULL &&
           BN_generate_prime_ex(p->number, p->bits, p->is_safe, p->add, p->rest, NULL) == 1;
}

static bool run_check(cr_job* job) {
    prime_job* p = (prime_job*)job;
    BN_CTX* context = BN_CTX_new();
    int result = context == NULL ? -1 : BN_is_prime_ex(p->number, p->checks, context, NULL);
    p->is_prime = result == 1;
    BN_CTX_free(context);
    return result >= 0;
}

static JSValue give_prime(JSContext* ctx, cr_job* job) {
    prime_job* p = (prime_job*)job;
    cr_bytes bytes;
    size_t length = ((size_t)p->bits + 7) / 8;
    if (length < (size_t)BN_num_bytes(p->number))
        length = (size_t)BN_num_bytes(p->number);
    if (!cr_bytes_new(ctx, &bytes, length))
        return JS_EXCEPTION;
    BN_bn2binpad(p->number, bytes.data, (int)length);
    return cr_bytes_give(ctx, &bytes);
}

static JSValue give_verdict(JSContext* ctx, cr_job* job) {
    return JS_NewBool(ctx, ((prime_job*)job)->is_prime);
}

static void free_job(cr_job* job) {
    prime_job* p = (prime_job*)job;
    BN_clear_free(p->add);
    BN_clear_free(p->rest);
    BN_clear_free(p->number);
}

static bool read_number(JSContext* ctx, JSValueConst value, BIGNUM** number) {
    uint8_t* bytes;
    size_t length;
    if (JS_IsUndefined(value))
        return true;
    if (ph_bytes(ctx, value, &bytes, &length) != 0)
        return false;
    *number = length > INT_MAX ? NULL : BN_bin2bn(bytes, (int)length, NULL);
    if (*number == NULL)
        JS_ThrowOutOfMemory(ctx);
    return *number != NULL;
}

static JSValue refuse(JSContext* ctx, prime_job* p, const char* why) {
    cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_OUT_OF_RANGE", why);
    return cr_job_drop(&p->job);
}

/* generatePrime(bits, isSafe, add?, rem?, callback?) */
static CR_FUNCTION(generate_prime) {
    CR_UNUSED_ARGUMENTS;
    prime_job* p = cr_job_new(ctx, sizeof(*p));
    if (p == NULL)
        return JS_EXCEPTION;
    p->job.run = run_generate;
    p->job.result = give_prime;
    p->job.release = free_job;
    p->bits = (int)ph_index(ctx, argv[0], 0, INT_MAX);
    p->is_safe = ph_flag(ctx, argv[1]);
    if (!read_number(ctx, argv[2], &p->add) || !read_number(ctx, argv[3], &p->rest))
        return cr_job_drop(&p->job);
    /* What the library would search for ever. */
    if (p->add != NULL && BN_num_bits(p->add) > p->bits)
        return refuse(ctx, p, "invalid options.add");
    if (p->add != NULL && p->rest != NULL && BN_cmp(p->add, p->rest) <= 0)
        return refuse(ctx, p, "invalid options.rem");
    return cr_job_start(ctx, &p->job, "RANDOMPRIMEREQUEST", argv[4]);
}

/* checkPrime(bytes, checks, callback?) */
static CR_FUNCTION(check_prime) {
    CR_UNUSED_ARGUMENTS;
    prime_job* p = cr_job_new(ctx, sizeof(*p));
    if (p == NULL)
        return JS_EXCEPTION;
    p->job.run = run_check;
    p->job.result = give_verdict;
    p->job.release = free_job;
    p->checks = (int)ph_index(ctx, argv[1], 0, INT_MAX);
    if (JS_IsUndefined(argv[0]) || !read_number(ctx, argv[0], &p->number)) {
        if (JS_IsUndefined(argv[0]))
            JS_ThrowTypeError(ctx, "no number");
        return cr_job_drop(&p->job);
    }
    return cr_job_start(ctx, &p->job, "CHECKPRIMEREQUEST", argv[2]);
}

/* equalBytes(one, other): in a time that tells nothing; they must have the same length */
static CR_FUNCTION(equal_bytes) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* one;
    uint8_t* other;
    size_t length;
    size_t size;
    if (ph_bytes(ctx, argv[0], &one, &length) != 0 || ph_bytes(ctx, argv[1], &other, &size) != 0)
        return JS_EXCEPTION;
    return JS_NewBool(ctx, length == size && CRYPTO_memcmp(one, other, length) == 0);
}

static CR_FUNCTION(secure_heap) {
    CR_UNUSED_ARGUMENTS;
    (void)argv;
    if (CRYPTO_secure_malloc_initialized() != 1)
        return JS_UNDEFINED;
    return JS_NewInt64(ctx, (int64_t)CRYPTO_secure_used());
}

/* secureHeapStart(bytes, least) */
static CR_FUNCTION(secure_heap_start) {
    CR_UNUSED_ARGUMENTS;
    size_t size = ph_index(ctx, argv[0], 0, 1 << 30);
    size_t least = ph_index(ctx, argv[1], 2, 1 << 30);
    /* The library ends the process otherwise. */
    if (size < 64 || (size & (size - 1)) != 0 || least < 2 || least > size / 2 ||
        (least & (least - 1)) != 0)
        return JS_ThrowRangeError(ctx, "sizes of the secure heap are powers of two");
    return JS_NewBool(ctx, CRYPTO_secure_malloc_init(size, least) > 0);
}

/* loadProvider(name): algorithms of another provider beside the usual ones */
static CR_FUNCTION(load_provider) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    bool isolated = strcmp(name, "legacy") == 0;
    bool loaded = OSSL_PROVIDER_load(NULL, name) != NULL &&
                  (!isolated || OSSL_PROVIDER_load(NULL, "default") != NULL);
    JS_FreeCString(ctx, name);
    return loaded ? JS_UNDEFINED : cr_throw(ctx, "the provider can't be loaded");
}

static CR_FUNCTION(get_fips) {
    CR_UNUSED_ARGUMENTS;
    (void)argv;
    return JS_NewInt32(ctx, EVP_default_properties_is_fips_enabled(NULL));
}

/* setFips(on): as long as no digest or cipher has been looked up, what follows is FIPS' own */
static CR_FUNCTION(set_fips) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    if (EVP_default_properties_enable_fips(NULL, ph_flag(ctx, argv[0])) != 1)
        return cr_throw(ctx, "FIPS mode can't be set");
    return JS_UNDEFINED;
}

const JSCFunctionListEntry cr_prime_functions[] = {
    JS_CFUNC_DEF("generatePrime", 5, generate_prime),
    JS_CFUNC_DEF("checkPrime", 3, check_prime),
    JS_CFUNC_DEF("equalBytes", 2, equal_bytes),
    JS_CFUNC_DEF("secureHeap", 0, secure_heap),
    JS_CFUNC_DEF("secureHeapStart", 2, secure_heap_start),
    JS_CFUNC_DEF("loadProvider", 1, load_provider),
    JS_CFUNC_DEF("getFips", 0, get_fips),
    JS_CFUNC_DEF("setFips", 1, set_fips),
};
const int cr_prime_function_count = PH_COUNT(cr_prime_functions);
