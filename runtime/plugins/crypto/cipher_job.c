/* A whole text at once, on the pool: what WebCrypto asks for. */
#include <limits.h>
#include <openssl/err.h>

#include "plugins/crypto/cipher.h"
#include "plugins/crypto/tables.h"

typedef struct {
    cr_job job;
    const EVP_CIPHER* kind;
    bool encrypts;
    int tag_length; /* 0: none */
    cr_bytes key;
    cr_bytes iv;
    cr_bytes aad;
    cr_bytes data; /* behind it is the tag */
    cr_bytes result;
} cipher_job;

static bool begin(cipher_job* c, EVP_CIPHER_CTX* context) {
    int made;
    if (EVP_CIPHER_get_mode(c->kind) == EVP_CIPH_WRAP_MODE)
        EVP_CIPHER_CTX_set_flags(context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (EVP_CipherInit_ex(context, c->kind, NULL, NULL, NULL, c->encrypts) != 1 ||
        EVP_CIPHER_CTX_set_key_length(context, (int)c->key.length) != 1)
        return false;
    if (cr_is_authenticated(c->kind) &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_IVLEN, (int)c->iv.length, NULL) != 1)
        return false;
    if (EVP_CipherInit_ex(context, NULL, NULL, c->key.data, c->iv.length == 0 ? NULL : c->iv.data,
                          c->encrypts) != 1)
        return false;
    if (c->tag_length > 0 && !c->encrypts &&
        EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, c->tag_length,
                            c->data.data + c->data.length - c->tag_length) != 1)
        return false;
    return c->aad.length == 0 || !cr_is_authenticated(c->kind) ||
           EVP_CipherUpdate(context, NULL, &made, c->aad.data, (int)c->aad.length) == 1;
}

static bool run_cipher(cr_job* job) {
    cipher_job* c = (cipher_job*)job;
    EVP_CIPHER_CTX* context = EVP_CIPHER_CTX_new();
    size_t length = c->data.length - (c->encrypts ? 0 : (size_t)c->tag_length);
    int made = 0;
    int rest = 0;
    bool fine = context != NULL && begin(c, context) &&
                EVP_CipherUpdate(context, c->result.data, &made, c->data.data, (int)length) == 1 &&
                EVP_CipherFinal_ex(context, c->result.data + made, &rest) == 1;
    c->result.length = fine ? (size_t)made + (size_t)rest : 0;
    if (fine && c->encrypts && c->tag_length > 0) {
        fine = EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, c->tag_length,
                                   c->result.data + c->result.length) == 1;
        c->result.length += (size_t)c->tag_length;
    }
    EVP_CIPHER_CTX_free(context);
    return fine;
}

static JSValue give_result(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((cipher_job*)job)->result);
}

static void free_job(cr_job* job) {
    cipher_job* c = (cipher_job*)job;
    cr_bytes_free(&c->key);
    cr_bytes_free(&c->iv);
    cr_bytes_free(&c->aad);
    cr_bytes_free(&c->data);
    cr_bytes_free(&c->result);
}

/* cipherOnce(encrypts, name, key, iv, aad, tagLength, bytes, callback?) */
static CR_FUNCTION(cipher_once) {
    CR_UNUSED_ARGUMENTS;
    const char* name = JS_ToCString(ctx, argv[1]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_CIPHER* kind = cr_cipher(name);
    JS_FreeCString(ctx, name);
    if (kind == NULL)
        return cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    cipher_job* c = cr_job_new(ctx, sizeof(*c));
    if (c == NULL)
        return JS_EXCEPTION;
    c->kind = kind;
    c->encrypts = ph_flag(ctx, argv[0]);
    c->tag_length = cr_is_authenticated(kind) ? (int)ph_index(ctx, argv[5], 16, 16) : 0;
    c->job.run = run_cipher;
    c->job.result = give_result;
    c->job.release = free_job;
    if (!cr_bytes_copy(ctx, &c->key, argv[2]) || !cr_bytes_copy(ctx, &c->iv, argv[3]) ||
        !cr_bytes_copy(ctx, &c->aad, argv[4]) || !cr_bytes_copy(ctx, &c->data, argv[6]))
        return cr_job_drop(&c->job);
    enum { MOST = INT_MAX - 64 };
    bool has_iv = EVP_CIPHER_get_iv_length(kind) == 0 || cr_is_authenticated(kind) ||
                  (EVP_CIPHER_get_mode(kind) == EVP_CIPH_WRAP_MODE && c->iv.length == 0) ||
                  c->iv.length == (size_t)EVP_CIPHER_get_iv_length(kind);
    if (c->key.length > MOST || c->iv.length > MOST || c->aad.length > MOST ||
        c->data.length > MOST || !has_iv ||
        (!c->encrypts && c->data.length < (size_t)c->tag_length)) {
        JS_ThrowRangeError(ctx, "lengths that no cipher takes");
        return cr_job_drop(&c->job);
    }
    if (!cr_bytes_new(ctx, &c->result, c->data.length + 2ul * EVP_MAX_BLOCK_LENGTH))
        return cr_job_drop(&c->job);
    return cr_job_start(ctx, &c->job, "CIPHERREQUEST", argv[7]);
}

const JSCFunctionListEntry cr_cipher_job_functions[] = {
    JS_CFUNC_DEF("cipherOnce", 8, cipher_once),
};
const int cr_cipher_job_function_count = PH_COUNT(cr_cipher_job_functions);
