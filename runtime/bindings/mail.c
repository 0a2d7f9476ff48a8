#include "bindings/mail.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "engine/patched.h"

/* Shared memory lies behind the count of those that hold it. It begins where every element may:
 * what is not aligned is not atomic, and many processors refuse to try. */
typedef struct {
    atomic_int holders;
    _Alignas(max_align_t) uint8_t bytes[];
} shared_block;

static shared_block* block_of(void* bytes) {
    return (shared_block*)((uint8_t*)bytes - offsetof(shared_block, bytes));
}

static void* shared_alloc(void* opaque, size_t size) {
    (void)opaque;
    shared_block* block = calloc(1, sizeof(*block) + size);
    if (block == NULL)
        return NULL;
    atomic_init(&block->holders, 1);
    return block->bytes;
}

static void shared_free(void* opaque, void* bytes) {
    (void)opaque;
    if (atomic_fetch_sub(&block_of(bytes)->holders, 1) == 1)
        free(block_of(bytes));
}

static void shared_dup(void* opaque, void* bytes) {
    (void)opaque;
    atomic_fetch_add(&block_of(bytes)->holders, 1);
}

void ph_mail_share_memory(ph_env* env) {
    static const JSSharedArrayBufferFunctions functions = {
        .sab_alloc = shared_alloc, .sab_free = shared_free, .sab_dup = shared_dup};
    JS_SetSharedArrayBufferFunctions(env->rt, &functions);
}

void ph_mail_free(ph_mail* mail) {
    for (size_t i = 0; i < mail->shared.len; i++)
        shared_free(NULL, mail->shared.tab[i]);
    for (size_t i = 0; i < mail->moved_count; i++)
        free(mail->moved[i].block);
    free(mail->moved);
    free(mail->shared.tab);
    free(mail);
}

static ph_mail* new_mail(int kind, const void* bytes, size_t length, const JSSABTab* shared) {
    ph_mail* mail = malloc(sizeof(*mail) + length);
    if (mail == NULL)
        return NULL;
    *mail = (ph_mail){.length = length, .kind = kind};
    if (length > 0)
        memcpy(mail->bytes, bytes, length);
    if (shared == NULL || shared->len == 0)
        return mail;
    mail->shared.tab = malloc(shared->len * sizeof(*shared->tab));
    if (mail->shared.tab == NULL) {
        free(mail);
        return NULL;
    }
    for (; mail->shared.len < shared->len; mail->shared.len++) {
        void* memory = shared->tab[mail->shared.len];
        shared_dup(NULL, memory);
        mail->shared.tab[mail->shared.len] = memory;
    }
    return mail;
}

ph_mail* ph_mail_gone(void) {
    return new_mail(PH_MAIL_GONE, NULL, 0, NULL);
}

ph_mail* ph_mail_plain(JSContext* ctx, JSValueConst value) {
    ph_message message;
    if (js_message_write == NULL)
        return NULL;
    message.form = PH_MESSAGE_CLONE;
    message.buffer_proto = JS_UNDEFINED;
    if (!js_message_write(ctx, value, &message))
        return NULL;
    ph_mail* mail = new_mail(PH_MAIL_PLAIN, message.bytes, message.length, NULL);
    js_message_release(ctx, &message);
    return mail;
}

bool ph_mail_can_move(void) {
    return js_take_block != NULL;
}

/* Memory of this world leaves it, or comes to it. */
static void count(JSContext* ctx, void* block, bool comes) {
    size_t size = malloc_usable_size(block);
    ph_env_of(ctx)->life.allocated += comes ? size : -size;
}

/* What can't be taken is copied first: as long as something can fail, nothing is detached. */
static bool copy_some(JSContext* ctx, ph_mail* mail, const JSValue* buffers, size_t length) {
    mail->moved = calloc(length, sizeof(*mail->moved));
    if (mail->moved == NULL)
        return false;
    mail->moved_count = length;
    for (size_t i = 0; i < length; i++) {
        ph_moved* one = &mail->moved[i];
        if (js_has_block(buffers[i]))
            continue;
        one->block = js_copy_block(ctx, buffers[i], &one->length);
        if (one->block == NULL)
            return false;
        count(ctx, one->block, false);
    }
    return true;
}

static void take_all(JSContext* ctx, ph_mail* mail, const JSValue* buffers) {
    for (size_t i = 0; i < mail->moved_count; i++) {
        ph_moved* one = &mail->moved[i];
        if (one->block != NULL) {
            JS_DetachArrayBuffer(ctx, buffers[i]);
            continue;
        }
        one->block = js_take_block(ctx, buffers[i], &one->length);
        count(ctx, one->block, false);
    }
}

/* 0, or -1 and an exception; the list is an array of ArrayBuffers, each of them once. */
static int move_in(JSContext* ctx, ph_mail* mail, JSValueConst list) {
    int64_t length = 0;
    if (!JS_IsObject(list) || js_take_block == NULL)
        return 0;
    if (JS_GetLength(ctx, list, &length) != 0)
        return -1;
    if (length <= 0)
        return 0;
    JSValue* buffers = js_calloc(ctx, (size_t)length, sizeof(*buffers));
    if (buffers == NULL)
        return -1;
    bool failed = false;
    for (int64_t i = 0; i < length && !failed; i++) {
        buffers[i] = JS_GetPropertyInt64(ctx, list, i);
        failed = !JS_IsArrayBuffer(buffers[i]);
    }
    if (failed)
        JS_ThrowTypeError(ctx, "not an ArrayBuffer");
    else if (!copy_some(ctx, mail, buffers, (size_t)length))
        failed = JS_IsException(JS_ThrowOutOfMemory(ctx));
    else
        take_all(ctx, mail, buffers);
    for (int64_t i = 0; i < length; i++)
        JS_FreeValue(ctx, buffers[i]);
    js_free(ctx, buffers);
    return failed ? -1 : 0;
}

static int give_all(JSContext* ctx, ph_mail* mail, JSValueConst value) {
    JSValue list = JS_NewArray(ctx);
    bool failed = JS_IsException(list);
    for (size_t i = 0; i < mail->moved_count && !failed; i++) {
        ph_moved* one = &mail->moved[i];
        JSValue buffer = js_give_block(ctx, one->block, one->length);
        if (!JS_IsException(buffer)) {
            count(ctx, one->block, true);
            one->block = NULL;
        }
        failed = JS_IsException(buffer) ||
                 JS_DefinePropertyValueUint32(ctx, list, (uint32_t)i, buffer, JS_PROP_C_W_E) < 0;
    }
    if (!failed)
        return JS_DefinePropertyValueStr(ctx, value, "b", list, JS_PROP_C_W_E) < 0 ? -1 : 0;
    JS_FreeValue(ctx, list);
    return -1;
}

ph_mail* ph_mail_packed(JSContext* ctx, JSValueConst value, JSValueConst buffers) {
    size_t length;
    JSSABTab shared = {NULL, 0};
    uint8_t* bytes =
        JS_WriteObject2(ctx, &length, value, JS_WRITE_OBJ_REFERENCE | JS_WRITE_OBJ_SAB, &shared);
    if (bytes == NULL)
        return NULL;
    /* The engine's memory belongs to this thread; the message goes to another. */
    ph_mail* mail = new_mail(PH_MAIL_PACKED, bytes, length, &shared);
    js_free(ctx, shared.tab);
    js_free(ctx, bytes);
    if (mail == NULL) {
        JS_ThrowOutOfMemory(ctx);
    } else if (move_in(ctx, mail, buffers) != 0) {
        ph_mail_free(mail);
        mail = NULL;
    }
    return mail;
}

ph_mail* ph_mail_copy(const ph_mail* mail) {
    return new_mail(mail->kind, mail->bytes, mail->length, &mail->shared);
}

static JSValue read_plain(JSContext* ctx, const ph_mail* mail) {
    ph_message_source source = {.form = PH_MESSAGE_CLONE,
                                .buffer_proto = JS_UNDEFINED,
                                .buffer = JS_UNDEFINED,
                                .bytes = mail->bytes,
                                .length = mail->length};
    JSValue value = js_message_read(ctx, &source);
    /* Ours are right: there is no memory. */
    return JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED ? JS_ThrowOutOfMemory(ctx) : value;
}

JSValue ph_mail_read(JSContext* ctx, ph_mail* mail) {
    if (mail->kind == PH_MAIL_PLAIN)
        return read_plain(ctx, mail);
    JSValue value =
        JS_ReadObject(ctx, mail->bytes, mail->length, JS_READ_OBJ_REFERENCE | JS_READ_OBJ_SAB);
    if (mail->moved_count == 0 || !JS_IsObject(value) || give_all(ctx, mail, value) == 0)
        return value;
    JS_FreeValue(ctx, value);
    return JS_EXCEPTION;
}
