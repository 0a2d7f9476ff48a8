/* Encryption and decryption with secret keys, piece by piece. */
#include "plugins/crypto/cipher.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <stdio.h>

#include "plugins/crypto/tables.h"

enum { MOST_TAG = 16, NO_LENGTH = -1 };

typedef struct {
    EVP_CIPHER_CTX* context; /* NULL when it is done */
    int mode;
    bool encrypts;
    bool is_authenticated;
    bool has_failed;    /* CCM: the first piece has told that the text was changed */
    bool has_tag;       /* decryption: it was given, or encryption: it was made */
    bool is_tag_passed; /* to the library */
    int tag_length;
    int most; /* bytes of a message in CCM mode */
    uint8_t tag[MOST_TAG];
} cipher;

static void free_cipher(void* content) {
    EVP_CIPHER_CTX_free(((cipher*)content)->context);
    free(content);
}

static const ph_box_kind cipher_kind = {"cipher", free_cipher};

static bool refuse_tag(JSContext* ctx, size_t length) {
    char message[80];
    snprintf(message, sizeof(message), "Invalid authentication tag length: %zu", length);
    cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_AUTH_TAG", message);
    return false;
}

static bool refuse_iv(JSContext* ctx) {
    cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_IV", "Invalid initialization vector");
    return false;
}

static bool set_lengths(JSContext* ctx, cipher* made, const EVP_CIPHER* kind, const char* name,
                        size_t iv_length, int tag_length) {
    if (EVP_CIPHER_CTX_ctrl(made->context, EVP_CTRL_AEAD_SET_IVLEN, (int)iv_length, NULL) != 1)
        return refuse_iv(ctx);
    made->tag_length = tag_length;
    if (made->mode == EVP_CIPH_GCM_MODE) {
        if (tag_length != NO_LENGTH && !cr_is_gcm_tag_length((size_t)tag_length))
            return refuse_tag(ctx, (size_t)tag_length);
        return true;
    }
    if (tag_length == NO_LENGTH) {
        if (EVP_CIPHER_get_nid(kind) != NID_chacha20_poly1305) {
            char message[80];
            snprintf(message, sizeof(message), "authTagLength required for %s", name);
            cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_CRYPTO_INVALID_AUTH_TAG", message);
            return false;
        }
        made->tag_length = MOST_TAG;
    }
    if (made->tag_length > MOST_TAG ||
        EVP_CIPHER_CTX_ctrl(made->context, EVP_CTRL_AEAD_SET_TAG, made->tag_length, NULL) != 1)
        return refuse_tag(ctx, (size_t)made->tag_length);
    made->most = iv_length == 12 ? 16777215 : iv_length == 13 ? 65535 : INT_MAX;
    return true;
}

static bool check_iv(JSContext* ctx, const EVP_CIPHER* kind, bool has_iv, size_t length) {
    int expected = EVP_CIPHER_get_iv_length(kind);
    if (!has_iv && expected != 0)
        return refuse_iv(ctx);
    if (!cr_is_authenticated(kind) && has_iv && length != (size_t)expected)
        return refuse_iv(ctx);
    if (EVP_CIPHER_get_nid(kind) == NID_chacha20_poly1305 && length > 12)
        return refuse_iv(ctx);
    return length <= INT_MAX || refuse_iv(ctx);
}

static bool start(JSContext* ctx, cipher* made, const EVP_CIPHER* kind, const char* name,
                  const cr_bytes* key, const cr_bytes* iv, bool has_iv, int tag_length) {
    made->mode = EVP_CIPHER_get_mode(kind);
    made->is_authenticated = cr_is_authenticated(kind);
    made->most = INT_MAX;
    made->context = EVP_CIPHER_CTX_new();
    if (made->context == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return false;
    }
    if (made->mode == EVP_CIPH_WRAP_MODE)
        EVP_CIPHER_CTX_set_flags(made->context, EVP_CIPHER_CTX_FLAG_WRAP_ALLOW);
    if (EVP_CipherInit_ex(made->context, kind, NULL, NULL, NULL, made->encrypts) != 1) {
        cr_throw(ctx, "Failed to initialize cipher");
        return false;
    }
    if (made->is_authenticated && !set_lengths(ctx, made, kind, name, iv->length, tag_length))
        return false;
    if (key->length > INT_MAX ||
        EVP_CIPHER_CTX_set_key_length(made->context, (int)key->length) != 1) {
        cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_KEYLEN", "Invalid key length");
        return false;
    }
    if (EVP_CipherInit_ex(made->context, NULL, NULL, key->data, has_iv ? iv->data : NULL,
                          made->encrypts) == 1)
        return true;
    cr_throw(ctx, "Failed to initialize cipher");
    return false;
}

/* createCipher(encrypts, name, key, iv or null, tagLength?) */
static CR_FUNCTION(create_cipher) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes key = {NULL, 0};
    cr_bytes iv = {NULL, 0};
    bool has_iv = !JS_IsNull(argv[3]);
    cr_errors_clear();
    const char* name = JS_ToCString(ctx, argv[1]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_CIPHER* kind = cr_cipher(name);
    cipher* made = kind == NULL ? NULL : calloc(1, sizeof(*made));
    if (kind == NULL)
        cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_UNKNOWN_CIPHER", "Unknown cipher");
    else if (made == NULL)
        JS_ThrowOutOfMemory(ctx);
    bool fine = made != NULL && cr_bytes_copy(ctx, &key, argv[2]) &&
                cr_bytes_copy(ctx, &iv, argv[3]) && check_iv(ctx, kind, has_iv, iv.length);
    if (fine) {
        made->encrypts = ph_flag(ctx, argv[0]);
        fine = start(ctx, made, kind, name, &key, &iv, has_iv, ph_int(ctx, argv[4], NO_LENGTH));
    }
    JS_FreeCString(ctx, name);
    cr_bytes_free(&key);
    cr_bytes_free(&iv);
    if (fine)
        return ph_box(ctx, &cipher_kind, made);
    if (made != NULL)
        free_cipher(made);
    return JS_EXCEPTION;
}

/* When decryption starts the library must know the tag in some modes, and may in all. */
static bool pass_tag(cipher* at) {
    if (at->encrypts || !at->has_tag || at->is_tag_passed)
        return true;
    at->is_tag_passed = true;
    return EVP_CIPHER_CTX_ctrl(at->context, EVP_CTRL_AEAD_SET_TAG, at->tag_length, at->tag) == 1;
}

static JSValue refuse_length(JSContext* ctx) {
    return cr_throw_code(ctx, CR_RANGE_ERROR, "ERR_CRYPTO_INVALID_MESSAGELEN",
                         "Invalid message length");
}

/* The length of what a piece of text becomes, at most. */
static bool room_for(cipher* at, const uint8_t* bytes, size_t length, size_t* room) {
    size_t block = (size_t)EVP_CIPHER_CTX_get_block_size(at->context);
    if (length > INT_MAX - 2 * block)
        return false;
    *room = length + block;
    int made = 0;
    if (at->encrypts && at->mode == EVP_CIPH_WRAP_MODE) {
        if (EVP_CipherUpdate(at->context, NULL, &made, bytes, (int)length) != 1)
            return false;
        *room = (size_t)made;
    }
    return true;
}

/* update(cipher, bytes): undefined if nothing can be added */
static CR_FUNCTION(update) {
    CR_UNUSED_ARGUMENTS;
    cr_bytes result;
    uint8_t* bytes;
    size_t length;
    size_t room;
    cr_errors_clear();
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    if (at == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (at->context == NULL)
        return cr_throw(ctx, "Trying to add data in unsupported state");
    if (at->mode == EVP_CIPH_CCM_MODE && length > (size_t)at->most)
        return refuse_length(ctx);
    if (at->is_authenticated && !pass_tag(at))
        return cr_throw(ctx, "Trying to add data in unsupported state");
    if (!room_for(at, bytes, length, &room) || !cr_bytes_new(ctx, &result, room))
        return cr_throw(ctx, "Trying to add data in unsupported state");
    int made = 0;
    bool fine = EVP_CipherUpdate(at->context, result.data, &made, bytes, (int)length) == 1;
    if (!fine && !at->encrypts && at->mode == EVP_CIPH_CCM_MODE) {
        /* Told at the end only. */
        at->has_failed = fine = true;
        made = 0;
        cr_errors_clear();
    }
    if (!fine) {
        cr_bytes_free(&result);
        return cr_throw(ctx, "Trying to add data in unsupported state");
    }
    result.length = (size_t)made;
    return cr_bytes_give(ctx, &result);
}

static bool finish(cipher* at, uint8_t* room, int* length) {
    *length = 0;
    if (at->is_authenticated && !pass_tag(at))
        return false;
    if (!at->encrypts && at->mode == EVP_CIPH_CCM_MODE)
        return !at->has_failed && at->has_tag;
    if (!at->encrypts && at->is_authenticated && !at->has_tag)
        return false;
    if (EVP_CipherFinal_ex(at->context, room, length) != 1)
        return false;
    if (!at->encrypts || !at->is_authenticated)
        return true;
    if (at->tag_length == NO_LENGTH)
        at->tag_length = MOST_TAG;
    at->has_tag =
        EVP_CIPHER_CTX_ctrl(at->context, EVP_CTRL_AEAD_GET_TAG, at->tag_length, at->tag) == 1;
    return at->has_tag;
}

static CR_FUNCTION(final) {
    CR_UNUSED_ARGUMENTS;
    uint8_t room[EVP_MAX_BLOCK_LENGTH];
    int length;
    cr_errors_clear();
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    if (at == NULL)
        return JS_EXCEPTION;
    if (at->context == NULL)
        return cr_throw_code(ctx, CR_ERROR, "ERR_CRYPTO_INVALID_STATE", "Invalid state");
    bool fine = finish(at, room, &length);
    EVP_CIPHER_CTX_free(at->context);
    at->context = NULL;
    if (fine)
        return ph_buffer_copy(ph_env_of(ctx), room, (size_t)length);
    return cr_throw(ctx, at->is_authenticated ? "Unsupported state or unable to authenticate data"
                                              : "Unsupported state");
}

/* setAuthTag(cipher, bytes): false if it is too late or not for this cipher */
static CR_FUNCTION(set_auth_tag) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    if (at == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (at->context == NULL || !at->is_authenticated || at->encrypts || at->has_tag)
        return JS_FALSE;
    bool fits = at->mode == EVP_CIPH_GCM_MODE && at->tag_length == NO_LENGTH
                    ? cr_is_gcm_tag_length(length)
                    : length == (size_t)at->tag_length;
    if (!fits || length > MOST_TAG) {
        refuse_tag(ctx, length);
        return JS_EXCEPTION;
    }
    memcpy(at->tag, bytes, length);
    at->tag_length = (int)length;
    at->has_tag = true;
    return JS_TRUE;
}

static CR_FUNCTION(get_auth_tag) {
    CR_UNUSED_ARGUMENTS;
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    if (at == NULL)
        return JS_EXCEPTION;
    if (at->context != NULL || !at->encrypts || !at->has_tag)
        return JS_UNDEFINED;
    return ph_buffer_copy(ph_env_of(ctx), at->tag, (size_t)at->tag_length);
}

/* setAad(cipher, bytes, plaintextLength): false if it is too late or not for this cipher */
static CR_FUNCTION(set_aad) {
    CR_UNUSED_ARGUMENTS;
    uint8_t* bytes;
    size_t length;
    int made;
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    int total = ph_int(ctx, argv[2], NO_LENGTH);
    if (at == NULL || ph_bytes(ctx, argv[1], &bytes, &length) != 0)
        return JS_EXCEPTION;
    if (at->context == NULL || !at->is_authenticated || length > INT_MAX)
        return JS_FALSE;
    if (at->mode == EVP_CIPH_CCM_MODE) {
        if (total < 0)
            return cr_throw_code(ctx, CR_TYPE_ERROR, "ERR_MISSING_ARGS",
                                 "options.plaintextLength required for CCM mode with AAD");
        if (total > at->most)
            return refuse_length(ctx);
        if (!pass_tag(at))
            return JS_FALSE;
        if (EVP_CipherUpdate(at->context, NULL, &made, NULL, total) != 1) {
            cr_errors_clear();
            return JS_FALSE;
        }
    }
    bool added = EVP_CipherUpdate(at->context, NULL, &made, bytes, (int)length) == 1;
    cr_errors_clear();
    return JS_NewBool(ctx, added);
}

static CR_FUNCTION(set_auto_padding) {
    CR_UNUSED_ARGUMENTS;
    cipher* at = ph_box_content(ctx, argv[0], &cipher_kind);
    if (at == NULL)
        return JS_EXCEPTION;
    return JS_NewBool(ctx, at->context != NULL &&
                               EVP_CIPHER_CTX_set_padding(at->context, ph_flag(ctx, argv[1])) == 1);
}

const JSCFunctionListEntry cr_cipher_functions[] = {
    JS_CFUNC_DEF("createCipher", 5, create_cipher),
    JS_CFUNC_DEF("cipherUpdate", 2, update),
    JS_CFUNC_DEF("cipherFinal", 1, final),
    JS_CFUNC_DEF("setAuthTag", 2, set_auth_tag),
    JS_CFUNC_DEF("getAuthTag", 1, get_auth_tag),
    JS_CFUNC_DEF("setAad", 3, set_aad),
    JS_CFUNC_DEF("setAutoPadding", 2, set_auto_padding),
};
const int cr_cipher_function_count = PH_COUNT(cr_cipher_functions);
