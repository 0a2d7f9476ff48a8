/* Bigints. The engine has no numbers of many words in its interface: those go through text. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugins/napi/napi.h"

enum {
    DIGITS_OF_A_WORD = 16,
    MOST_WORDS = 1 << 24, /* V8's limit: 2^30 bits */
};

NAPI napi_create_bigint_int64(napi_env env, int64_t value, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_NewBigInt64(env->ctx, value), result);
}

NAPI napi_create_bigint_uint64(napi_env env, uint64_t value, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_NewBigUint64(env->ctx, value), result);
}

static JSValue parse(napi_env env, const char* digits) {
    JSContext* ctx = env->ctx;
    JSValue text = JS_NewString(ctx, digits);
    JSValue number = JS_Call(ctx, env->world->intrinsics[NAPI_BIGINT], JS_UNDEFINED, 1, &text);
    JS_FreeValue(ctx, text);
    return number;
}

static JSValue negate(napi_env env, JSValue number_owned) {
    JSContext* ctx = env->ctx;
    size_t length;
    const char* digits = JS_ToCStringLen(ctx, &length, number_owned);
    char* text = digits == NULL ? NULL : malloc(length + 2);
    JSValue negative = JS_EXCEPTION;
    if (text != NULL) {
        text[0] = '-';
        memcpy(text + 1, digits, length + 1);
        negative = parse(env, text);
        free(text);
    }
    JS_FreeCString(ctx, digits);
    JS_FreeValue(ctx, number_owned);
    return negative;
}

NAPI napi_create_bigint_words(napi_env env, int sign, size_t count, const uint64_t* words,
                              napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, words);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, count <= INT32_MAX, napi_invalid_arg);
    if (count > MOST_WORDS) {
        JS_ThrowRangeError(env->ctx, "Maximum BigInt size exceeded");
        return napi_caught(env);
    }
    char* text = malloc(count * DIGITS_OF_A_WORD + sizeof("0x0"));
    NAPI_NEED(env, text != NULL, napi_generic_failure);
    memcpy(text, "0x0", sizeof("0x0"));
    for (size_t i = 0; i < count; i++)
        sprintf(text + 3 + i * DIGITS_OF_A_WORD, "%016" PRIx64, words[count - 1 - i]);
    JSValue number = parse(env, text);
    free(text);
    if (sign != 0 && !JS_IsException(number))
        number = negate(env, number);
    return napi_give(env, number, result);
}

static napi_status check(napi_env env, napi_value value, const void* result, const void* lossless) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED_ARG(env, lossless);
    NAPI_NEED(env, JS_IsBigInt(napi_js(value)), napi_bigint_expected);
    return napi_succeed(env);
}

/* The number itself if it is the same again when it is made from what was read of it. */
static bool is_same(napi_env env, napi_value value, JSValue again_owned) {
    bool same = JS_IsStrictEqual(env->ctx, napi_js(value), again_owned);
    JS_FreeValue(env->ctx, again_owned);
    return same;
}

NAPI napi_get_value_bigint_int64(napi_env env, napi_value value, int64_t* result, bool* lossless) {
    napi_status status = check(env, value, result, lossless);
    if (status != napi_ok)
        return status;
    JS_ToBigInt64(env->ctx, result, napi_js(value));
    *lossless = is_same(env, value, JS_NewBigInt64(env->ctx, *result));
    return napi_ok;
}

NAPI napi_get_value_bigint_uint64(napi_env env, napi_value value, uint64_t* result,
                                  bool* lossless) {
    napi_status status = check(env, value, result, lossless);
    if (status != napi_ok)
        return status;
    JS_ToBigUint64(env->ctx, result, napi_js(value));
    *lossless = is_same(env, value, JS_NewBigUint64(env->ctx, *result));
    return napi_ok;
}

static uint64_t read_word(const char* digits, size_t length, size_t index) {
    char part[DIGITS_OF_A_WORD + 1];
    size_t end = length - index * DIGITS_OF_A_WORD;
    size_t start = end > DIGITS_OF_A_WORD ? end - DIGITS_OF_A_WORD : 0;
    memcpy(part, digits + start, end - start);
    part[end - start] = '\0';
    return strtoull(part, NULL, 16);
}

/* Fills as many words as there is room for, and says how many there are. */
static void read_words(const char* digits, int* sign, size_t* count, uint64_t* words) {
    bool is_negative = digits[0] == '-';
    digits += is_negative ? 1 : 0;
    bool is_zero = strcmp(digits, "0") == 0;
    size_t length = is_zero ? 0 : strlen(digits);
    size_t all = (length + DIGITS_OF_A_WORD - 1) / DIGITS_OF_A_WORD;
    if (sign != NULL)
        *sign = is_negative ? 1 : 0;
    for (size_t i = 0; words != NULL && i < all && i < *count; i++)
        words[i] = read_word(digits, length, i);
    *count = all;
}

NAPI napi_get_value_bigint_words(napi_env env, napi_value value, int* sign, size_t* count,
                                 uint64_t* words) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, count);
    NAPI_NEED(env, JS_IsBigInt(napi_js(value)), napi_bigint_expected);
    NAPI_NEED(env, (sign == NULL) == (words == NULL), napi_invalid_arg);
    JSContext* ctx = env->ctx;
    JSValueConst base = JS_NewInt32(ctx, 16);
    JSValue text =
        JS_Call(ctx, env->world->intrinsics[NAPI_BIGINT_TO_STRING], napi_js(value), 1, &base);
    const char* digits = JS_IsException(text) ? NULL : JS_ToCString(ctx, text);
    JS_FreeValue(ctx, text);
    if (digits == NULL)
        return napi_caught(env);
    read_words(digits, sign, count, words);
    JS_FreeCString(ctx, digits);
    return napi_succeed(env);
}
