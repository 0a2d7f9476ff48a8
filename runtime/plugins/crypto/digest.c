/* Hashes and keyed hashes, piece by piece or at once. */
#include <openssl/err.h>
#include <openssl/hmac.h>
#include <pthread.h>

#include "plugins/crypto/common.h"
#include "plugins/crypto/tables.h"

/* Digests that were asked for, by the name used. Asking the library each time costs more than the
 * hash of a short text; what is found stays for the life of the process. */
static struct {
    char name[32];
    const EVP_MD* digest;
} known[48];
static int known_count;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

static const EVP_MD* fetch(const char* name) {
    const EVP_MD* digest = EVP_MD_fetch(NULL, name, NULL);
    if (digest != NULL)
        return digest;
    const EVP_MD* named = EVP_get_digestbyname(name);
    if (named == NULL)
        return NULL;
    ERR_set_mark();
    digest = EVP_MD_fetch(NULL, EVP_MD_get0_name(named), NULL);
    ERR_pop_to_mark();
    return digest == NULL ? named : digest;
}

const EVP_MD* cr_digest(const char* name) {
    const EVP_MD* digest = NULL;
    if (strcasecmp(name, "dss1") == 0) /* what SHA-1 was called in signatures */
        name = "sha1";
    pthread_mutex_lock(&known_lock);
    for (int i = 0; i < known_count && digest == NULL; i++)
        if (strcmp(known[i].name, name) == 0)
            digest = known[i].digest;
    if (digest == NULL) {
        digest = fetch(name);
        bool fits = strlen(name) < sizeof(known[0].name) && known_count < (int)PH_COUNT(known);
        if (digest != NULL && EVP_MD_get0_provider(digest) != NULL) {
            cr_errors_clear();
            if (fits) {
                memcpy(known[known_count].name, name, strlen(name) + 1);
                known[known_count++].digest = digest;
            }
        }
    }
    pthread_mutex_unlock(&known_lock);
    return digest;
}

bool cr_digest_of(JSContext* ctx, JSValueConst value, const EVP_MD** digest) {
    *digest = NULL;
    if (JS_IsUndefined(value) || JS_IsNull(value))
        return true;
    const char* name = JS_ToCString(ctx, value);
    if (name == NULL)
        return false;
    *digest = cr_digest(name);
    if (*digest == NULL) {
        char message[200];
        snprintf(message, sizeof(message), "Invalid digest: %s", name);
        cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_DIGEST", message);
    }
    JS_FreeCString(ctx, name);
    return *digest != NULL;
}

typedef struct {
    EVP_MD_CTX* md;
    EVP_MAC_CTX* mac;
    size_t length; /* of the result */
    bool is_done;
} hash;

static void free_hash(void* content) {
    hash* made = content;
    EVP_MD_CTX_free(made->md);
    EVP_MAC_CTX_free(made->mac);
    free(made);
}

static const ph_box_kind hash_kind = {"hash", free_hash};

static hash* new_hash(JSContext* ctx) {
    hash* made = calloc(1, sizeof(*made));
    if (made == NULL)
        JS_ThrowOutOfMemory(ctx);
    return made;
}

static hash* open_hash(JSContext* ctx, JSValueConst value) {
    hash* found = ph_box_content(ctx, value, &hash_kind);
    if (found == NULL || !found->is_done)
        return found;
    cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_HASH_FINALIZED", "Digest already called");
    return NULL;
}

/* Since OpenSSL 3.4 functions of any length have none of their own; programs know these. */
static size_t own_length(const EVP_MD* digest) {
    int length = EVP_MD_get_size(digest);
    if (length > 0)
        return (size_t)length;
    return EVP_MD_is_a(digest, "SHAKE128") ? 16 : EVP_MD_is_a(digest, "SHAKE256") ? 32 : 0;
}

/* The length that was asked for; false if the digest has one of its own that differs. */
static bool choose_length(JSContext* ctx, hash* made, const EVP_MD* digest, JSValueConst wanted) {
    made->length = own_length(digest);
    if (!JS_IsNumber(wanted))
        return true;
    size_t length = ph_index(ctx, wanted, 0, INT32_MAX);
    if (length == made->length)
        return true;
    made->length = length;
    return (EVP_MD_get_flags(digest) & EVP_MD_FLAG_XOF) != 0;
}

static JSValue refuse_length(JSContext* ctx) {
    ERR_raise(ERR_LIB_EVP, EVP_R_NOT_XOF_OR_INVALID_LENGTH);
    return cr_throw(ctx, "Unsupported state or unable to hash");
}

/* createHash(name, length?): undefined if there is no such digest */
static CR_FUNCTION(create_hash) {
    CR_UNUSED_ARGUMENTS;
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_MD* digest = cr_digest(name);
    JS_FreeCString(ctx, name);
    if (digest == NULL) {
        cr_errors_clear();
        return JS_UNDEFINED;
    }
    hash* made = new_hash(ctx);
    if (made == NULL)
        return JS_EXCEPTION;
    made->md = EVP_MD_CTX_new();
    if (made->md == NULL || EVP_DigestInit_ex(made->md, digest, NULL) != 1) {
        free_hash(made);
        return cr_throw(ctx, "Digest method not supported");
    }
    if (!choose_length(ctx, made, digest, argv[1])) {
        free_hash(made);
        return refuse_length(ctx);
    }
    return ph_box(ctx, &hash_kind, made);
}

/* copyHash(hash, length?) */
static CR_FUNCTION(copy_hash) {
    CR_UNUSED_ARGUMENTS;
    hash* from = open_hash(ctx, argv[0]);
    if (from == NULL)
        return JS_EXCEPTION;
    hash* made = from->md == NULL ? NULL : new_hash(ctx);
    if (made == NULL)
        return from->md == NULL ? JS_ThrowTypeError(ctx, "not a hash") : JS_EXCEPTION;
    made->md = EVP_MD_CTX_new();
    if (made->md == NULL || EVP_MD_CTX_copy_ex(made->md, from->md) != 1) {
        free_hash(made);
        return cr_throw(ctx, "Digest copy error");
    }
    if (!choose_length(ctx, made, EVP_MD_CTX_get0_md(made->md), argv[1])) {
        free_hash(made);
        return refuse_length(ctx);
    }
    return ph_box(ctx, &hash_kind, made);
}

static bool start_hmac(hash* made, const EVP_MD* digest, const uint8_t* key, size_t length) {
    EVP_MAC* mac = EVP_MAC_fetch(NULL, "HMAC", NULL);
    if (mac == NULL)
        return false;
    made->mac = EVP_MAC_CTX_new(mac);
    EVP_MAC_free(mac);
    char* name = (char*)EVP_MD_get0_name(digest);
    OSSL_PARAM params[] = {OSSL_PARAM_utf8_string("digest", name, strlen(name)), OSSL_PARAM_END};
    made->length = (size_t)EVP_MD_get_size(digest);
    return made->mac != NULL && EVP_MAC_init(made->mac, key, length, params) == 1;
}

/* createHmac(name, key) */
static CR_FUNCTION(create_hmac) {
    CR_UNUSED_ARGUMENTS;
    const EVP_MD* digest;
    cr_bytes key;
    cr_errors_clear();
    if (!cr_digest_of(ctx, argv[0], &digest) || !cr_bytes_copy(ctx, &key, argv[1]))
        return JS_EXCEPTION;
    hash* made = digest == NULL ? NULL : new_hash(ctx);
    if (made == NULL) {
        cr_bytes_free(&key);
        return digest == NULL ? JS_ThrowTypeError(ctx, "no digest") : JS_EXCEPTION;
    }
    bool started = start_hmac(made, digest, key.data, key.length);
    cr_bytes_free(&key);
    if (!started) {
        free_hash(made);
        return cr_throw(ctx, "Hmac failed");
    }
    return ph_box(ctx, &hash_kind, made);
}

static bool add(hash* made, const void* bytes, size_t length) {
    return made->mac != NULL ? EVP_MAC_update(made->mac, bytes, length) == 1
                             : EVP_DigestUpdate(made->md, bytes, length) == 1;
}

/* update(hash, bytes or text) */
static CR_FUNCTION(update) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    bool added = false;
    hash* made = open_hash(ctx, argv[0]);
    if (made == NULL)
        return JS_EXCEPTION;
    if (JS_IsString(argv[1])) {
        const char* text = ph_text(ctx, argv[1], &length);
        if (text == NULL)
            return JS_EXCEPTION;
        added = add(made, text, length);
        JS_FreeCString(ctx, text);
    } else {
        if (ph_bytes(ctx, argv[1], &bytes, &length) != 0)
            return JS_EXCEPTION;
        added = add(made, bytes, length);
    }
    if (!added)
        cr_errors_clear();
    return JS_NewBool(ctx, added);
}

static bool finish(hash* made, uint8_t* result) {
    size_t length = made->length;
    made->is_done = true;
    if (made->mac != NULL)
        return EVP_MAC_final(made->mac, result, &length, length) == 1;
    if (length == 0)
        return true;
    if (length == (size_t)EVP_MD_CTX_get_size(made->md))
        return EVP_DigestFinal_ex(made->md, result, NULL) == 1;
    return EVP_DigestFinalXOF(made->md, result, length) == 1;
}

static CR_FUNCTION(digest) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes result;
    hash* made = open_hash(ctx, argv[0]);
    if (made == NULL || !cr_bytes_new(ctx, &result, made->length))
        return JS_EXCEPTION;
    if (finish(made, result.data))
        return cr_bytes_give(ctx, &result);
    cr_bytes_free(&result);
    return cr_throw(ctx, "Unsupported state");
}

static bool digest_all(const EVP_MD* digest, const uint8_t* bytes, size_t size, uint8_t* result) {
    if (EVP_MD_get_size(digest) > 0)
        return EVP_Digest(bytes, size, result, NULL, digest, NULL) == 1;
    EVP_MD_CTX* context = EVP_MD_CTX_new();
    bool made = context != NULL && EVP_DigestInit_ex(context, digest, NULL) == 1 &&
                EVP_DigestUpdate(context, bytes, size) == 1 &&
                EVP_DigestFinalXOF(context, result, own_length(digest)) == 1;
    EVP_MD_CTX_free(context);
    return made;
}

/* hash(name, bytes or text): undefined if there is no such digest */
static CR_FUNCTION(hash_once) {
    CR_UNUSED_ARGUMENTS;
    uint8_t result[EVP_MAX_MD_SIZE];
    uint8_t* bytes;
    size_t size;
    const char* text = NULL;
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_MD* digest = cr_digest(name);
    JS_FreeCString(ctx, name);
    if (digest == NULL)
        return JS_UNDEFINED;
    if (JS_IsString(argv[1])) {
        text = ph_text(ctx, argv[1], &size);
        bytes = (uint8_t*)text;
        if (text == NULL)
            return JS_EXCEPTION;
    } else if (ph_bytes(ctx, argv[1], &bytes, &size) != 0) {
        return JS_EXCEPTION;
    }
    bool made = digest_all(digest, bytes, size, result);
    JS_FreeCString(ctx, text);
    return made ? ph_buffer_copy(ph_env_of(ctx), result, own_length(digest))
                : cr_throw(ctx, "Digest method not supported");
}

typedef struct {
    cr_job job;
    const EVP_MD* digest;
    cr_bytes data;
    cr_bytes result;
} digest_job;

static bool run_digest(cr_job* job) {
    digest_job* d = (digest_job*)job;
    return EVP_Digest(d->data.data, d->data.length, d->result.data, NULL, d->digest, NULL) == 1;
}

static JSValue give_digest(JSContext* ctx, cr_job* job) {
    return cr_bytes_give(ctx, &((digest_job*)job)->result);
}

static void free_digest(cr_job* job) {
    cr_bytes_free(&((digest_job*)job)->data);
    cr_bytes_free(&((digest_job*)job)->result);
}

/* hashLater(name, bytes, callback) */
static CR_FUNCTION(hash_later) {
    CR_UNUSED_ARGUMENTS;
    const EVP_MD* digest;
    if (!cr_digest_of(ctx, argv[0], &digest))
        return JS_EXCEPTION;
    digest_job* d = digest == NULL ? NULL : cr_job_new(ctx, sizeof(*d));
    if (d == NULL)
        return digest == NULL ? JS_ThrowTypeError(ctx, "no digest") : JS_EXCEPTION;
    d->digest = digest;
    d->job.run = run_digest;
    d->job.result = give_digest;
    d->job.release = free_digest;
    if (!cr_bytes_copy(ctx, &d->data, argv[1]) ||
        !cr_bytes_new(ctx, &d->result, (size_t)EVP_MD_get_size(digest)))
        return cr_job_drop(&d->job);
    return cr_job_start(ctx, &d->job, "HASHREQUEST", argv[2]);
}

typedef struct {
    JSContext* ctx;
    JSValue list;
    uint32_t count;
} name_list;

static void add_name(const EVP_MD* digest, const char* from, const char* to, void* list) {
    name_list* names = list;
    if (digest == NULL && to != NULL)
        digest = EVP_get_digestbyname(to);
    if (digest == NULL || from == NULL)
        return;
    EVP_MD* fetched = EVP_MD_fetch(NULL, EVP_MD_get0_name(digest), NULL);
    if (fetched == NULL)
        return;
    EVP_MD_free(fetched);
    JS_SetPropertyUint32(names->ctx, names->list, names->count++, JS_NewString(names->ctx, from));
}

static CR_FUNCTION(hash_names) {
    CR_UNUSED_ARGUMENTS;
    (void)argv;
    name_list names = {ctx, JS_NewArray(ctx), 0};
    EVP_MD_do_all_sorted(add_name, &names);
    cr_errors_clear();
    return names.list;
}

const JSCFunctionListEntry cr_hash_functions[] = {
    JS_CFUNC_DEF("createHash", 2, create_hash), JS_CFUNC_DEF("copyHash", 2, copy_hash),
    JS_CFUNC_DEF("createHmac", 2, create_hmac), JS_CFUNC_DEF("update", 2, update),
    JS_CFUNC_DEF("digest", 1, digest),          JS_CFUNC_DEF("hash", 2, hash_once),
    JS_CFUNC_DEF("hashLater", 3, hash_later),   JS_CFUNC_DEF("hashNames", 0, hash_names),
};
const int cr_hash_function_count = PH_COUNT(cr_hash_functions);
