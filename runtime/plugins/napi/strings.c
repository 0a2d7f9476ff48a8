/* Strings and symbols. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/napi/napi.h"

/* NULL is allowed for an empty string alone. */
static bool is_valid(const void* text, size_t length) {
    return (text != NULL || length == 0) && (length == NAPI_AUTO_LENGTH || length <= INT_MAX);
}

JSValue napi_text(napi_env env, const char* text, size_t length) {
    if (text == NULL)
        return JS_NewStringLen(env->ctx, "", 0);
    return JS_NewStringLen(env->ctx, text, length == NAPI_AUTO_LENGTH ? strlen(text) : length);
}

NAPI napi_create_string_utf8(napi_env env, const char* text, size_t length, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_valid(text, length), napi_invalid_arg);
    return napi_give(env, napi_text(env, text, length), result);
}

NAPI napi_create_string_utf16(napi_env env, const uint16_t* text, size_t length,
                              napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_valid(text, length), napi_invalid_arg);
    if (length == NAPI_AUTO_LENGTH)
        for (length = 0; text[length] != 0; length++)
            ;
    if (length == 0)
        return napi_give(env, JS_NewStringLen(env->ctx, "", 0), result);
    return napi_give(env, JS_NewStringUTF16(env->ctx, text, length), result);
}

static JSValue from_latin1(JSContext* ctx, const char* text, size_t length) {
    if (length == 0)
        return JS_NewStringLen(ctx, "", 0);
    uint16_t* wide = malloc(length * sizeof(*wide));
    if (wide == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (size_t i = 0; i < length; i++)
        wide[i] = (uint8_t)text[i];
    JSValue string = JS_NewStringUTF16(ctx, wide, length);
    free(wide);
    return string;
}

NAPI napi_create_string_latin1(napi_env env, const char* text, size_t length, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_valid(text, length), napi_invalid_arg);
    if (length == NAPI_AUTO_LENGTH)
        length = strlen(text);
    return napi_give(env, from_latin1(env->ctx, text, length), result);
}

NAPI node_api_create_property_key_latin1(napi_env env, const char* text, size_t length,
                                         napi_value* result) {
    return napi_create_string_latin1(env, text, length, result);
}

NAPI node_api_create_property_key_utf8(napi_env env, const char* text, size_t length,
                                       napi_value* result) {
    return napi_create_string_utf8(env, text, length, result);
}

NAPI node_api_create_property_key_utf16(napi_env env, const uint16_t* text, size_t length,
                                        napi_value* result) {
    return napi_create_string_utf16(env, text, length, result);
}

/* The engine keeps text in its own memory: what is "external" is copied, and given back at once. */
static napi_status copied_external(napi_env env, napi_status status, void* text,
                                   napi_finalize finalize, void* hint, bool* copied) {
    if (status != napi_ok)
        return status;
    if (copied != NULL)
        *copied = true;
    if (finalize != NULL)
        finalize(env, text, hint);
    return napi_succeed(env);
}

NAPI node_api_create_external_string_latin1(napi_env env, char* text, size_t length,
                                            napi_finalize finalize, void* hint, napi_value* result,
                                            bool* copied) {
    return copied_external(env, napi_create_string_latin1(env, text, length, result), text,
                           finalize, hint, copied);
}

NAPI node_api_create_external_string_utf16(napi_env env, uint16_t* text, size_t length,
                                           napi_finalize finalize, void* hint, napi_value* result,
                                           bool* copied) {
    return copied_external(env, napi_create_string_utf16(env, text, length, result), text, finalize,
                           hint, copied);
}

static napi_status check_get(napi_env env, napi_value value, const void* buffer,
                             const size_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED(env, JS_IsString(napi_js(value)), napi_string_expected);
    NAPI_NEED(env, buffer != NULL || result != NULL, napi_invalid_arg);
    return napi_ok;
}

/* Whole characters alone are written. */
static size_t cut_utf8(const char* text, size_t length, size_t room) {
    if (length <= room)
        return length;
    while (room > 0 && ((uint8_t)text[room] & 0xC0) == 0x80)
        room--;
    return room;
}

NAPI napi_get_value_string_utf8(napi_env env, napi_value value, char* buffer, size_t size,
                                size_t* result) {
    napi_status status = check_get(env, value, buffer, result);
    if (status != napi_ok)
        return status;
    size_t length;
    const char* text = ph_text(env->ctx, napi_js(value), &length);
    if (text == NULL)
        return napi_caught(env);
    size_t written = length;
    if (buffer != NULL) {
        written = size == 0 ? 0 : cut_utf8(text, length, size - 1);
        memcpy(buffer, text, written);
        if (size > 0)
            buffer[written] = '\0';
    }
    JS_FreeCString(env->ctx, text);
    if (result != NULL)
        *result = written;
    return napi_succeed(env);
}

/* Both below: units of the string, as many as there is room for and a final 0. */
static size_t room_for(size_t length, size_t size) {
    if (size == 0)
        return 0;
    return length < size ? length : size - 1;
}

NAPI napi_get_value_string_latin1(napi_env env, napi_value value, char* buffer, size_t size,
                                  size_t* result) {
    napi_status status = check_get(env, value, buffer, result);
    if (status != napi_ok)
        return status;
    size_t length;
    const uint16_t* text = JS_ToCStringLenUTF16(env->ctx, &length, napi_js(value));
    if (text == NULL)
        return napi_caught(env);
    if (buffer != NULL) {
        length = room_for(length, size);
        for (size_t i = 0; i < length; i++)
            buffer[i] = (char)text[i];
        if (size > 0)
            buffer[length] = '\0';
    }
    JS_FreeCStringUTF16(env->ctx, text);
    if (result != NULL)
        *result = length;
    return napi_succeed(env);
}

NAPI napi_get_value_string_utf16(napi_env env, napi_value value, uint16_t* buffer, size_t size,
                                 size_t* result) {
    napi_status status = check_get(env, value, buffer, result);
    if (status != napi_ok)
        return status;
    size_t length;
    const uint16_t* text = JS_ToCStringLenUTF16(env->ctx, &length, napi_js(value));
    if (text == NULL)
        return napi_caught(env);
    if (buffer != NULL) {
        length = room_for(length, size);
        memcpy(buffer, text, length * sizeof(*text));
        if (size > 0)
            buffer[length] = 0;
    }
    JS_FreeCStringUTF16(env->ctx, text);
    if (result != NULL)
        *result = length;
    return napi_succeed(env);
}

static JSValue call_symbol(JSContext* ctx, const char* method, int argc, JSValueConst* argv) {
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue symbol = JS_GetPropertyStr(ctx, global, "Symbol");
    JSValue function =
        method == NULL ? JS_DupValue(ctx, symbol) : JS_GetPropertyStr(ctx, symbol, method);
    JSValue made = JS_Call(ctx, function, symbol, argc, argv);
    JS_FreeValue(ctx, function);
    JS_FreeValue(ctx, symbol);
    JS_FreeValue(ctx, global);
    return made;
}

NAPI napi_create_symbol(napi_env env, napi_value description, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, description == NULL || JS_IsString(napi_js(description)), napi_string_expected);
    JSValueConst text = description == NULL ? (JSValueConst)JS_UNDEFINED : napi_js(description);
    return napi_give(env, call_symbol(env->ctx, NULL, description == NULL ? 0 : 1, &text), result);
}

NAPI node_api_symbol_for(napi_env env, const char* description, size_t length, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_valid(description, length), napi_invalid_arg);
    JSValue text = napi_text(env, description, length);
    if (JS_IsException(text))
        return napi_caught(env);
    JSValue symbol = call_symbol(env->ctx, "for", 1, &text);
    JS_FreeValue(env->ctx, text);
    return napi_give(env, symbol, result);
}
