/* Small conversions between C and JavaScript values. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/engine.h"

JSValue ph_exports(JSContext* ctx, const JSCFunctionListEntry* table, int count) {
    JSValue object = JS_NewObject(ctx);
    JS_SetPropertyFunctionList(ctx, object, table, count);
    return object;
}

void ph_set(JSContext* ctx, JSValueConst object, const char* name, JSValue value_owned) {
    JS_SetPropertyStr(ctx, object, name, value_owned);
}

bool ph_flag(JSContext* ctx, JSValueConst value) {
    return JS_ToBool(ctx, value) > 0;
}

/* The engine gives a lone surrogate as three bytes that are no UTF-8. Text with any character above
 * ASCII is a copy that may be changed. */
const char* ph_text(JSContext* ctx, JSValueConst value, size_t* length) {
    static const uint8_t replacement[] = {0xEF, 0xBF, 0xBD}; /* U+FFFD */
    const char* text = JS_ToCStringLen(ctx, length, value);
    char* at = text == NULL ? NULL : memchr(text, 0xED, *length);
    while (at != NULL) {
        size_t left = *length - (size_t)(at - text);
        if (left >= sizeof(replacement) && (uint8_t)at[1] >= 0xA0)
            memcpy(at, replacement, sizeof(replacement));
        at = memchr(at + 1, 0xED, left - 1);
    }
    return text;
}

int32_t ph_int(JSContext* ctx, JSValueConst value, int32_t otherwise) {
    int32_t number;
    if (!JS_IsNumber(value) || JS_ToInt32(ctx, &number, value) != 0)
        return otherwise;
    return number;
}

double ph_number(JSContext* ctx, JSValueConst value, double otherwise) {
    double number;
    int64_t integer;
    if (JS_IsBigInt(value))
        return JS_ToBigInt64(ctx, &integer, value) == 0 ? (double)integer : otherwise;
    if (!JS_IsNumber(value) || JS_ToFloat64(ctx, &number, value) != 0)
        return otherwise;
    return number;
}

/* "ENOENT: no such file or directory, open 'a' -> 'b'", with the properties that Node gives. */
JSValue ph_error(JSContext* ctx, int error, const char* syscall, const char* path,
                 const char* dest) {
    char code[64];
    char text[256];
    uv_err_name_r(error, code, sizeof(code));
    uv_strerror_r(error, text, sizeof(text));
    size_t size = strlen(code) + strlen(text) + strlen(syscall) + 32;
    size += (path == NULL ? 0 : strlen(path)) + (dest == NULL ? 0 : strlen(dest));
    char* message = malloc(size);
    if (message == NULL)
        return JS_ThrowOutOfMemory(ctx);
    int used = snprintf(message, size, "%s: %s, %s", code, text, syscall);
    if (path != NULL)
        used += snprintf(message + used, size - (size_t)used, " '%s'", path);
    if (dest != NULL)
        snprintf(message + used, size - (size_t)used, " -> '%s'", dest);
    JSValue made = JS_NewPlainError(ctx, "%s", message);
    /* The engine cuts long messages; the property gets the whole text. */
    if (strlen(message) > 200)
        JS_DefinePropertyValueStr(ctx, made, "message", JS_NewString(ctx, message),
                                  JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    free(message);
    ph_set(ctx, made, "errno", JS_NewInt32(ctx, error));
    ph_set(ctx, made, "code", JS_NewString(ctx, code));
    ph_set(ctx, made, "syscall", JS_NewString(ctx, syscall));
    if (path != NULL)
        ph_set(ctx, made, "path", JS_NewString(ctx, path));
    if (dest != NULL)
        ph_set(ctx, made, "dest", JS_NewString(ctx, dest));
    return made;
}

JSValue ph_throw(JSContext* ctx, int error, const char* syscall, const char* path,
                 const char* dest) {
    return JS_Throw(ctx, ph_error(ctx, error, syscall, path, dest));
}

static void* resize_bytes(JSRuntime* rt, void* opaque, void* bytes, size_t size) {
    (void)rt;
    (void)opaque;
    if (size == 0) {
        free(bytes);
        return NULL;
    }
    return realloc(bytes, size);
}

JSValue ph_buffer(ph_env* env, void* bytes_owned, size_t length) {
    JSContext* ctx = env->ctx;
    if (JS_IsUndefined(env->bytes.prototype)) {
        JSValue loaded = ph_hook_call(env, PH_HOOK_BUFFER, 0, NULL);
        if (JS_IsException(loaded)) {
            free(bytes_owned);
            return loaded;
        }
        JS_FreeValue(ctx, loaded);
    }
    /* An array that gets another prototype afterwards has a shape of its own: a slow one. */
    JSValue plain = JS_GetClassProto(ctx, env->bytes.class_id);
    JS_SetClassProto(ctx, env->bytes.class_id, JS_DupValue(ctx, env->bytes.prototype));
    JSValue array = JS_NewUint8Array(ctx, bytes_owned, length, resize_bytes, NULL, false);
    JS_SetClassProto(ctx, env->bytes.class_id, plain);
    return array;
}

JSValue ph_buffer_copy(ph_env* env, const void* bytes, size_t length) {
    void* copy = malloc(length + 1);
    if (copy == NULL)
        return JS_ThrowOutOfMemory(env->ctx);
    memcpy(copy, bytes, length);
    return ph_buffer(env, copy, length);
}
