/* Encryption and decryption with RSA keys, and the secret that two keys share. */
#include <openssl/dh.h>
#include <openssl/err.h>
#include <openssl/rsa.h>

#include "plugins/crypto/keys.h"
#include "plugins/crypto/tables.h"

typedef struct {
    cr_job job;
    EVP_PKEY* pkey;
    int operation; /* an index of operations */
    int padding;
    const EVP_MD* digest;
    cr_bytes label;
    cr_bytes data;
    cr_bytes result;
} rsa_job;

enum { DECRYPT = 1 }; /* the last is the same without a look at what its time tells */
static const struct {
    int (*start)(EVP_PKEY_CTX*);
    int (*run)(EVP_PKEY_CTX*, unsigned char*, size_t*, const unsigned char*, size_t);
} operations[] = {{EVP_PKEY_encrypt_init, EVP_PKEY_encrypt},
                  {EVP_PKEY_decrypt_init, EVP_PKEY_decrypt},
                  {EVP_PKEY_sign_init, EVP_PKEY_sign},
                  {EVP_PKEY_verify_recover_init, EVP_PKEY_verify_recover},
                  {EVP_PKEY_decrypt_init, EVP_PKEY_decrypt}};

static bool set_options(rsa_job* r, EVP_PKEY_CTX* worker) {
    if (EVP_PKEY_CTX_set_rsa_padding(worker, r->padding) <= 0)
        return false;
    /* Without answers that look right for every text (implicit rejection), the time that it takes
     * tells what was encrypted. */
    if (r->padding == RSA_PKCS1_PADDING && r->operation == DECRYPT &&
        EVP_PKEY_CTX_ctrl_str(worker, "rsa_pkcs1_implicit_rejection", "1") <= 0) {
        r->job.failure =
            "RSA_PKCS1_PADDING is no longer supported for private decryption, this can be reverted "
            "with --security-revert=CVE-2023-46809";
        r->job.failure_code = "ERR_INVALID_ARG_VALUE";
        cr_errors_clear();
        return false;
    }
    if (r->padding != RSA_PKCS1_OAEP_PADDING)
        return true;
    if (r->digest != NULL && EVP_PKEY_CTX_set_rsa_oaep_md(worker, r->digest) <= 0)
        return false;
    if (r->label.length == 0)
        return true;
    void* label = OPENSSL_memdup(r->label.data, r->label.length); /* passes to the context */
    if (label != NULL && EVP_PKEY_CTX_set0_rsa_oaep_label(worker, label, (int)r->label.length) > 0)
        return true;
    OPENSSL_free(label);
    return false;
}

static bool run_rsa(cr_job* job) {
    rsa_job* r = (rsa_job*)job;
    size_t length = 0;
    EVP_PKEY_CTX* worker = EVP_PKEY_CTX_new(r->pkey, NULL);
    bool made =
        worker != NULL && operations[r->operation].start(worker) > 0 && set_options(r, worker) &&
        operations[r->operation].run(worker, NULL, &length, r->data.data, r->data.length) > 0;
    if (made)
        r->result.data = malloc(length + 1);
    made = r->result.data != NULL && operations[r->operation].run(worker, r->result.data, &length,
                                                                  r->data.data, r->data.length) > 0;
    r->result.length = made ? length : 0;
    EVP_PKEY_CTX_free(worker);
    return made;
}

static JSValue give_result(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((rsa_job*)job)->result);
}

static void free_job(cr_job* job) {
    rsa_job* r = (rsa_job*)job;
    EVP_PKEY_free(r->pkey);
    cr_bytes_free(&r->label);
    cr_bytes_free(&r->data);
    cr_bytes_free(&r->result);
}

/* rsa(operation, key, padding, digest?, label?, bytes, callback?): 0 encrypts, 1 decrypts, 2 signs
 * without a digest, 3 recovers what was signed so, 4 decrypts even where time tells about the text
 */
static CR_FUNCTION(rsa) {
    CR_UNUSED_ARGUMENTS;
    rsa_job* r = cr_job_new(ctx, sizeof(*r));
    if (r == NULL)
        return JS_EXCEPTION;
    r->job.run = run_rsa;
    r->job.result = give_result;
    r->job.release = free_job;
    r->operation = (int)ph_index(ctx, argv[0], 0, PH_COUNT(operations) - 1);
    r->padding = ph_int(ctx, argv[2], RSA_PKCS1_OAEP_PADDING);
    if (!JS_IsUndefined(argv[3])) {
        const char* name = cr_text(ctx, argv[3]);
        cr_errors_clear();
        r->digest = name == NULL ? NULL : cr_digest(name);
        JS_FreeCString(ctx, name);
        if (r->digest == NULL) {
            cr_throw_code(ctx, CR_ERROR, "ERR_OSSL_EVP_INVALID_DIGEST", "Invalid digest used");
            return cr_job_drop(&r->job);
        }
    }
    if (cr_bytes_copy(ctx, &r->label, argv[4]) && cr_bytes_copy(ctx, &r->data, argv[5]))
        r->pkey = cr_pkey_of(ctx, argv[1]);
    if (r->pkey == NULL)
        return cr_job_drop(&r->job);
    EVP_PKEY_up_ref(r->pkey);
    if (r->label.length > INT32_MAX) {
        JS_ThrowRangeError(ctx, "the label is too long");
        return cr_job_drop(&r->job);
    }
    return cr_job_start(ctx, &r->job, "CIPHERREQUEST", argv[6]);
}

typedef struct {
    cr_job job;
    EVP_PKEY* own;
    EVP_PKEY* other;
    cr_bytes result;
} derive_job;

static bool run_derive(cr_job* job) {
    derive_job* d = (derive_job*)job;
    size_t length = 0;
    EVP_PKEY_CTX* worker = EVP_PKEY_CTX_new(d->own, NULL);
    bool made = worker != NULL && EVP_PKEY_derive_init(worker) == 1;
    /* Shared secrets of DH keys are as long as their prime, zeros in front included. */
    if (made && EVP_PKEY_get_base_id(d->own) == EVP_PKEY_DH)
        made = EVP_PKEY_CTX_set_dh_pad(worker, 1) > 0;
    made = made && EVP_PKEY_derive_set_peer(worker, d->other) == 1 &&
           EVP_PKEY_derive(worker, NULL, &length) == 1;
    if (made)
        d->result.data = malloc(length + 1);
    made = d->result.data != NULL && EVP_PKEY_derive(worker, d->result.data, &length) == 1;
    d->result.length = made ? length : 0;
    EVP_PKEY_CTX_free(worker);
    return made;
}

static JSValue give_secret(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((derive_job*)job)->result);
}

static void free_derive(cr_job* job) {
    derive_job* d = (derive_job*)job;
    EVP_PKEY_free(d->own);
    EVP_PKEY_free(d->other);
    cr_bytes_free(&d->result);
}

/* derive(privateKey, publicKey, callback?) */
static CR_FUNCTION(derive) {
    CR_UNUSED_ARGUMENTS;
    EVP_PKEY* own = cr_pkey_of(ctx, argv[0]);
    EVP_PKEY* other = own == NULL ? NULL : cr_pkey_of(ctx, argv[1]);
    derive_job* d = other == NULL ? NULL : cr_job_new(ctx, sizeof(*d));
    if (d == NULL)
        return JS_EXCEPTION;
    EVP_PKEY_up_ref(own);
    EVP_PKEY_up_ref(other);
    d->own = own;
    d->other = other;
    d->job.run = run_derive;
    d->job.result = give_secret;
    d->job.release = free_derive;
    d->job.failure = "diffieHellman failed";
    return cr_job_start(ctx, &d->job, "DERIVEBITSREQUEST", argv[2]);
}

const JSCFunctionListEntry cr_rsa_functions[] = {
    JS_CFUNC_DEF("rsa", 7, rsa),
    JS_CFUNC_DEF("derive", 3, derive),
};
const int cr_rsa_function_count = PH_COUNT(cr_rsa_functions);
