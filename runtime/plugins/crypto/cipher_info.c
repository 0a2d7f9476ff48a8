/* Which ciphers there are. */
#include "plugins/crypto/cipher.h"

#include <limits.h>
#include <openssl/err.h>
#include <openssl/objects.h>
#include <pthread.h>

#include "plugins/crypto/tables.h"

/* Those that were asked for, as in digest.c. */
static struct {
    char name[32];
    const EVP_CIPHER* cipher;
} known[48];
static int known_count;
static pthread_mutex_t known_lock = PTHREAD_MUTEX_INITIALIZER;

static const EVP_CIPHER* fetch(const char* name) {
    ERR_set_mark();
    const EVP_CIPHER* cipher = EVP_CIPHER_fetch(NULL, name, NULL);
    const EVP_CIPHER* named = cipher == NULL ? EVP_get_cipherbyname(name) : NULL;
    if (named != NULL)
        cipher = EVP_CIPHER_fetch(NULL, EVP_CIPHER_get0_name(named), NULL);
    ERR_pop_to_mark();
    return cipher == NULL ? named : cipher;
}

const EVP_CIPHER* cr_cipher(const char* name) {
    const EVP_CIPHER* cipher = NULL;
    pthread_mutex_lock(&known_lock);
    for (int i = 0; i < known_count && cipher == NULL; i++)
        if (strcmp(known[i].name, name) == 0)
            cipher = known[i].cipher;
    if (cipher == NULL) {
        cipher = fetch(name);
        if (cipher != NULL && EVP_CIPHER_get0_provider(cipher) != NULL &&
            strlen(name) < sizeof(known[0].name) && known_count < (int)PH_COUNT(known)) {
            strcpy(known[known_count].name, name);
            known[known_count++].cipher = cipher;
        }
    }
    pthread_mutex_unlock(&known_lock);
    return cipher;
}

bool cr_is_authenticated(const EVP_CIPHER* cipher) {
    int mode = EVP_CIPHER_get_mode(cipher);
    return mode == EVP_CIPH_GCM_MODE || mode == EVP_CIPH_CCM_MODE || mode == EVP_CIPH_OCB_MODE ||
           EVP_CIPHER_get_nid(cipher) == NID_chacha20_poly1305;
}

bool cr_is_gcm_tag_length(size_t length) {
    return length == 4 || length == 8 || (length >= 12 && length <= 16);
}

static const char* mode_name(int mode) {
    static const char* const names[] = {"stream", "ecb", "cbc", "cfb", "ofb", "ctr", "gcm", "ccm"};
    if (mode >= 0 && mode < (int)PH_COUNT(names))
        return names[mode];
    return mode == EVP_CIPH_XTS_MODE    ? "xts"
           : mode == EVP_CIPH_WRAP_MODE ? "wrap"
           : mode == EVP_CIPH_OCB_MODE  ? "ocb"
                                        : NULL;
}

/* Whether the cipher takes keys and nonces of these lengths; *iv is the length that it will have.
 */
static bool takes(const EVP_CIPHER* cipher, int key, int* iv) {
    bool fine = true;
    EVP_CIPHER_CTX* trial = EVP_CIPHER_CTX_new();
    if (trial == NULL || EVP_CipherInit_ex(trial, cipher, NULL, NULL, NULL, 1) != 1) {
        EVP_CIPHER_CTX_free(trial);
        return false;
    }
    if (key >= 0)
        fine = EVP_CIPHER_CTX_set_key_length(trial, key) == 1;
    if (fine && *iv >= 0) {
        int mode = EVP_CIPHER_get_mode(cipher);
        if (!cr_is_authenticated(cipher))
            fine = *iv == EVP_CIPHER_get_iv_length(cipher);
        else if (mode == EVP_CIPH_CCM_MODE)
            fine = *iv >= 7 && *iv <= 13;
        else
            fine = EVP_CIPHER_CTX_ctrl(trial, EVP_CTRL_AEAD_SET_IVLEN, *iv, NULL) == 1;
    }
    EVP_CIPHER_CTX_free(trial);
    return fine;
}

static void lower(char* text) {
    for (; *text != '\0'; text++)
        if (*text >= 'A' && *text <= 'Z')
            *text = (char)(*text - 'A' + 'a');
}

static JSValue describe(JSContext* ctx, const EVP_CIPHER* cipher, int key, int iv) {
    char name[64];
    int mode = EVP_CIPHER_get_mode(cipher);
    int nid = EVP_CIPHER_get_nid(cipher);
    const char* shown = nid == NID_undef ? EVP_CIPHER_get0_name(cipher) : OBJ_nid2sn(nid);
    snprintf(name, sizeof(name), "%s", shown);
    lower(name);
    JSValue info = JS_NewObject(ctx);
    if (mode_name(mode) != NULL)
        ph_set(ctx, info, "mode", JS_NewString(ctx, mode_name(mode)));
    ph_set(ctx, info, "name", JS_NewString(ctx, name));
    ph_set(ctx, info, "nid", JS_NewInt32(ctx, nid));
    if (mode != EVP_CIPH_STREAM_CIPHER)
        ph_set(ctx, info, "blockSize", JS_NewInt32(ctx, EVP_CIPHER_get_block_size(cipher)));
    if (EVP_CIPHER_get_iv_length(cipher) != 0)
        ph_set(ctx, info, "ivLength",
               JS_NewInt32(ctx, iv >= 0 ? iv : EVP_CIPHER_get_iv_length(cipher)));
    ph_set(ctx, info, "keyLength",
           JS_NewInt32(ctx, key >= 0 ? key : EVP_CIPHER_get_key_length(cipher)));
    return info;
}

/* cipherInfo(name or number, keyLength?, ivLength?): undefined if there is no such cipher */
static CR_FUNCTION(cipher_info) {
    CR_UNUSED_ARGUMENTS;
    const EVP_CIPHER* cipher = NULL;
    int key = ph_int(ctx, argv[1], -1);
    int iv = ph_int(ctx, argv[2], -1);
    if (JS_IsNumber(argv[0])) {
        const char* name = OBJ_nid2sn(ph_int(ctx, argv[0], 0));
        cipher = name == NULL ? NULL : cr_cipher(name);
    } else {
        const char* name = JS_ToCString(ctx, argv[0]);
        if (name == NULL)
            return JS_EXCEPTION;
        cipher = cr_cipher(name);
        JS_FreeCString(ctx, name);
    }
    bool fine = cipher != NULL && ((key < 0 && iv < 0) || takes(cipher, key, &iv));
    cr_errors_clear();
    return fine ? describe(ctx, cipher, key, iv) : JS_UNDEFINED;
}

/* bytesToKey(cipher name, password): {key, iv or null, mode}; undefined if there is no such cipher
 */
static CR_FUNCTION(bytes_to_key) {
    CR_UNUSED_ARGUMENTS;
    uint8_t key[EVP_MAX_KEY_LENGTH];
    uint8_t iv[EVP_MAX_IV_LENGTH];
    cr_bytes password;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    const EVP_CIPHER* cipher = cr_cipher(name);
    JS_FreeCString(ctx, name);
    if (cipher == NULL)
        return JS_UNDEFINED;
    if (!cr_bytes_copy(ctx, &password, argv[1]))
        return JS_EXCEPTION;
    int length = password.length > INT_MAX ? 0
                                           : EVP_BytesToKey(cipher, EVP_md5(), NULL, password.data,
                                                            (int)password.length, 1, key, iv);
    cr_bytes_free(&password);
    if (length <= 0)
        return cr_throw(ctx, "Failed to derive the key");
    JSValue made = JS_NewObject(ctx);
    int iv_length = EVP_CIPHER_get_iv_length(cipher);
    const char* mode = mode_name(EVP_CIPHER_get_mode(cipher));
    ph_env* env = ph_env_of(ctx);
    ph_set(ctx, made, "key", ph_buffer_copy(env, key, (size_t)length));
    ph_set(ctx, made, "iv", iv_length > 0 ? ph_buffer_copy(env, iv, (size_t)iv_length) : JS_NULL);
    ph_set(ctx, made, "mode", JS_NewString(ctx, mode == NULL ? "" : mode));
    OPENSSL_cleanse(key, sizeof(key));
    return made;
}

typedef struct {
    JSContext* ctx;
    JSValue list;
    uint32_t count;
} name_list;

static void add_name(const EVP_CIPHER* cipher, const char* from, const char* to, void* list) {
    char name[64];
    name_list* names = list;
    if (cipher == NULL && to != NULL)
        cipher = EVP_get_cipherbyname(to);
    if (cipher == NULL || from == NULL)
        return;
    EVP_CIPHER* fetched = EVP_CIPHER_fetch(NULL, EVP_CIPHER_get0_name(cipher), NULL);
    if (fetched == NULL)
        return;
    EVP_CIPHER_free(fetched);
    snprintf(name, sizeof(name), "%s", from);
    JS_SetPropertyUint32(names->ctx, names->list, names->count++, JS_NewString(names->ctx, name));
}

static CR_FUNCTION(cipher_names) {
    CR_UNUSED_ARGUMENTS;
    (void)argv;
    name_list names = {ctx, JS_NewArray(ctx), 0};
    EVP_CIPHER_do_all_sorted(add_name, &names);
    cr_errors_clear();
    return names.list;
}

const JSCFunctionListEntry cr_cipher_info_functions[] = {
    JS_CFUNC_DEF("cipherInfo", 3, cipher_info),
    JS_CFUNC_DEF("bytesToKey", 2, bytes_to_key),
    JS_CFUNC_DEF("cipherNames", 0, cipher_names),
};
const int cr_cipher_info_function_count = PH_COUNT(cr_cipher_info_functions);
