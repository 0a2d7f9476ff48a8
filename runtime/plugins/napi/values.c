/* Primitive values, and the questions that are asked of all values. */
#include <math.h>

#include "plugins/napi/napi.h"

static napi_status give(napi_env env, JSValue value_owned, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, value_owned, result);
}

NAPI napi_get_undefined(napi_env env, napi_value* result) {
    return give(env, JS_UNDEFINED, result);
}

NAPI napi_get_null(napi_env env, napi_value* result) {
    return give(env, JS_NULL, result);
}

NAPI napi_get_global(napi_env env, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_GetGlobalObject(env->ctx), result);
}

NAPI napi_get_boolean(napi_env env, bool value, napi_value* result) {
    return give(env, value ? JS_TRUE : JS_FALSE, result);
}

NAPI napi_create_double(napi_env env, double value, napi_value* result) {
    NAPI_NEED_ENV(env);
    return give(env, JS_NewNumber(env->ctx, value), result);
}

NAPI napi_create_int32(napi_env env, int32_t value, napi_value* result) {
    NAPI_NEED_ENV(env);
    return give(env, JS_NewInt32(env->ctx, value), result);
}

NAPI napi_create_uint32(napi_env env, uint32_t value, napi_value* result) {
    NAPI_NEED_ENV(env);
    return give(env, JS_NewUint32(env->ctx, value), result);
}

NAPI napi_create_int64(napi_env env, int64_t value, napi_value* result) {
    NAPI_NEED_ENV(env);
    return give(env, JS_NewInt64(env->ctx, value), result);
}

static napi_valuetype type_of(napi_env env, JSValueConst value) {
    if (JS_IsNumber(value))
        return napi_number;
    if (JS_IsBigInt(value))
        return napi_bigint;
    if (JS_IsString(value))
        return napi_string;
    if (JS_IsBool(value))
        return napi_boolean;
    if (JS_IsSymbol(value))
        return napi_symbol;
    if (JS_IsNull(value))
        return napi_null;
    if (JS_IsFunction(env->ctx, value))
        return napi_function;
    if (napi_is_external(env->world, value))
        return napi_external;
    return JS_IsObject(value) ? napi_object : napi_undefined;
}

NAPI napi_typeof(napi_env env, napi_value value, napi_valuetype* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = type_of(env, napi_js(value));
    return napi_succeed(env);
}

static napi_status get_number(napi_env env, napi_value value, const void* result, double* number) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsNumber(napi_js(value)), napi_number_expected);
    JS_ToFloat64(env->ctx, number, napi_js(value));
    return napi_succeed(env);
}

NAPI napi_get_value_double(napi_env env, napi_value value, double* result) {
    double number;
    napi_status status = get_number(env, value, result, &number);
    if (status == napi_ok)
        *result = number;
    return status;
}

/* What is not finite is 0; others keep their lowest 32 bits. */
NAPI napi_get_value_int32(napi_env env, napi_value value, int32_t* result) {
    double number;
    napi_status status = get_number(env, value, result, &number);
    if (status == napi_ok)
        JS_ToInt32(env->ctx, result, napi_js(value));
    return status;
}

NAPI napi_get_value_uint32(napi_env env, napi_value value, uint32_t* result) {
    double number;
    napi_status status = get_number(env, value, result, &number);
    if (status == napi_ok)
        JS_ToUint32(env->ctx, result, napi_js(value));
    return status;
}

/* What is not finite is 0; what is too large is the nearest number. */
NAPI napi_get_value_int64(napi_env env, napi_value value, int64_t* result) {
    double number;
    napi_status status = get_number(env, value, result, &number);
    if (status != napi_ok)
        return status;
    if (!isfinite(number))
        *result = 0;
    else if (number >= 0x1p63)
        *result = INT64_MAX;
    else if (number <= -0x1p63)
        *result = INT64_MIN;
    else
        *result = (int64_t)number;
    return status;
}

NAPI napi_get_value_bool(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsBool(napi_js(value)), napi_boolean_expected);
    *result = JS_VALUE_GET_BOOL(napi_js(value)) != 0;
    return napi_succeed(env);
}

NAPI napi_coerce_to_bool(napi_env env, napi_value value, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_ToBoolean(env->ctx, napi_js(value)), result);
}

/* A conversion that failed says what it wanted; what it threw waits. */
static napi_status give_converted(napi_env env, JSValue value_owned, napi_status expected,
                                  napi_value* result) {
    if (JS_IsException(value_owned))
        return napi_caught_as(env, expected);
    return napi_give(env, value_owned, result);
}

NAPI napi_coerce_to_number(napi_env env, napi_value value, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    /* A bigint is refused here, though JavaScript's Number() takes it. */
    return give_converted(env, JS_ToNumber(env->ctx, napi_js(value)), napi_number_expected, result);
}

NAPI napi_coerce_to_object(napi_env env, napi_value value, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    JSValue object;
    napi_status status = napi_to_object(env, value, napi_object_expected, &object);
    return status == napi_ok ? napi_give(env, object, result) : status;
}

NAPI napi_coerce_to_string(napi_env env, napi_value value, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    return give_converted(env, JS_ToString(env->ctx, napi_js(value)), napi_string_expected, result);
}

NAPI napi_strict_equals(napi_env env, napi_value left, napi_value right, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, left);
    NAPI_NEED_ARG(env, right);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsStrictEqual(env->ctx, napi_js(left), napi_js(right));
    return napi_succeed(env);
}

NAPI napi_create_date(napi_env env, double time, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_NewDate(env->ctx, time), result);
}

NAPI napi_is_date(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsDate(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_get_date_value(napi_env env, napi_value value, double* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsDate(napi_js(value)), napi_date_expected);
    JSValue time =
        JS_Call(env->ctx, env->world->intrinsics[NAPI_DATE_VALUE], napi_js(value), 0, NULL);
    if (JS_IsException(time))
        return napi_caught(env);
    JS_ToFloat64(env->ctx, result, time);
    JS_FreeValue(env->ctx, time);
    return napi_succeed(env);
}
