/* How calls end: statuses, exceptions that wait, errors. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "plugins/napi/napi.h"

napi_status napi_fail(napi_env env, napi_status status) {
    env->last_error.error_code = status;
    return status;
}

napi_status napi_caught_as(napi_env env, napi_status status) {
    JSValue error = JS_GetException(env->ctx);
    if (napi_has_pending(env))
        JS_FreeValue(env->ctx, env->pending);
    env->pending = error;
    return napi_fail(env, status);
}

napi_status napi_caught(napi_env env) {
    return napi_caught_as(env, napi_pending_exception);
}

/* Ends the process if the engine is freeing objects: nothing may be made then. */
static void check_place(napi_env env) {
    if (env->world->in_finalizer)
        napi_fatal_error(NULL, 0,
                         "Finalizer is calling a function that may affect GC state.\n"
                         "The finalizers are run directly from GC and must not affect GC state.\n"
                         "Use `node_api_post_finalizer` from inside of the finalizer to work "
                         "around this issue.\n"
                         "It schedules the call as a new task in the event loop.",
                         NAPI_AUTO_LENGTH);
}

napi_status napi_give(napi_env env, JSValue value_owned, napi_value* result) {
    check_place(env);
    if (JS_IsException(value_owned))
        return napi_caught(env);
    *result = napi_handle(env->world, value_owned);
    NAPI_NEED(env, *result != NULL, napi_generic_failure);
    return napi_succeed(env);
}

napi_status napi_may_run(napi_env env) {
    check_place(env);
    if (napi_has_pending(env))
        return napi_fail(env, napi_pending_exception);
    if (env->world->env->stopping)
        return napi_fail(env, env->version == NAPI_EXPERIMENTAL_VERSION ? napi_cannot_run_js
                                                                        : napi_pending_exception);
    return napi_ok;
}

NAPI napi_get_last_error_info(napi_env env, const napi_extended_error_info** result) {
    static const char* const words[NAPI_STATUS_COUNT] = {
        [napi_ok] = NULL,
        [napi_invalid_arg] = "Invalid argument",
        [napi_object_expected] = "An object was expected",
        [napi_string_expected] = "A string was expected",
        [napi_name_expected] = "A string or symbol was expected",
        [napi_function_expected] = "A function was expected",
        [napi_number_expected] = "A number was expected",
        [napi_boolean_expected] = "A boolean was expected",
        [napi_array_expected] = "An array was expected",
        [napi_generic_failure] = "Unknown failure",
        [napi_pending_exception] = "An exception is pending",
        [napi_cancelled] = "The async work item was cancelled",
        [napi_escape_called_twice] = "napi_escape_handle already called on scope",
        [napi_handle_scope_mismatch] = "Invalid handle scope usage",
        [napi_callback_scope_mismatch] = "Invalid callback scope usage",
        [napi_queue_full] = "Thread-safe function queue is full",
        [napi_closing] = "Thread-safe function handle is closing",
        [napi_bigint_expected] = "A bigint was expected",
        [napi_date_expected] = "A date was expected",
        [napi_arraybuffer_expected] = "An arraybuffer was expected",
        [napi_detachable_arraybuffer_expected] = "A detachable arraybuffer was expected",
        [napi_would_deadlock] = "Main thread would deadlock",
        [napi_no_external_buffers_allowed] = "External buffers are not allowed",
        [napi_cannot_run_js] = "Cannot run JavaScript",
    };
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    env->last_error.error_message = words[env->last_error.error_code];
    *result = &env->last_error;
    return napi_ok;
}

NAPI napi_is_exception_pending(napi_env env, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = napi_has_pending(env);
    return napi_succeed(env);
}

NAPI napi_get_and_clear_last_exception(napi_env env, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    JSValue error = napi_has_pending(env) ? env->pending : JS_UNDEFINED;
    env->pending = JS_UNINITIALIZED;
    return napi_give(env, error, result);
}

NAPI napi_throw(napi_env env, napi_value error) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, error);
    env->pending = JS_DupValue(env->ctx, napi_js(error));
    return napi_succeed(env);
}

/* An error of a type, with its code where there is one. */
static JSValue make_error(napi_env env, napi_intrinsic type, JSValueConst code,
                          JSValueConst message) {
    JSContext* ctx = env->ctx;
    JSValue error = JS_CallConstructor(ctx, env->world->intrinsics[type], 1, &message);
    if (!JS_IsException(error) && !JS_IsUndefined(code))
        ph_set(ctx, error, "code", JS_DupValue(ctx, code));
    return error;
}

napi_status napi_throw_coded(napi_env env, napi_intrinsic type, const char* code,
                             const char* message) {
    NAPI_BEGIN(env);
    JSContext* ctx = env->ctx;
    JSValue code_value = code == NULL ? JS_UNDEFINED : JS_NewString(ctx, code);
    JSValue text = message == NULL ? JS_UNDEFINED : JS_NewString(ctx, message);
    JSValue error = make_error(env, type, code_value, text);
    JS_FreeValue(ctx, code_value);
    JS_FreeValue(ctx, text);
    if (JS_IsException(error))
        return napi_caught(env);
    env->pending = error;
    return napi_succeed(env);
}

NAPI napi_throw_error(napi_env env, const char* code, const char* message) {
    return napi_throw_coded(env, NAPI_ERROR, code, message);
}

NAPI napi_throw_type_error(napi_env env, const char* code, const char* message) {
    return napi_throw_coded(env, NAPI_TYPE_ERROR, code, message);
}

NAPI napi_throw_range_error(napi_env env, const char* code, const char* message) {
    return napi_throw_coded(env, NAPI_RANGE_ERROR, code, message);
}

NAPI node_api_throw_syntax_error(napi_env env, const char* code, const char* message) {
    return napi_throw_coded(env, NAPI_SYNTAX_ERROR, code, message);
}

static napi_status create_error(napi_env env, napi_intrinsic type, napi_value code,
                                napi_value message, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, message);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsString(napi_js(message)), napi_string_expected);
    JSValueConst code_value = code == NULL ? (JSValueConst)JS_UNDEFINED : napi_js(code);
    NAPI_NEED(env, code == NULL || JS_IsString(code_value), napi_string_expected);
    return napi_give(env, make_error(env, type, code_value, napi_js(message)), result);
}

NAPI napi_create_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
    return create_error(env, NAPI_ERROR, code, message, result);
}

NAPI napi_create_type_error(napi_env env, napi_value code, napi_value message, napi_value* result) {
    return create_error(env, NAPI_TYPE_ERROR, code, message, result);
}

NAPI napi_create_range_error(napi_env env, napi_value code, napi_value message,
                             napi_value* result) {
    return create_error(env, NAPI_RANGE_ERROR, code, message, result);
}

NAPI node_api_create_syntax_error(napi_env env, napi_value code, napi_value message,
                                  napi_value* result) {
    return create_error(env, NAPI_SYNTAX_ERROR, code, message, result);
}

NAPI napi_is_error(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsError(napi_js(value));
    return napi_succeed(env);
}

__attribute__((visibility("default"), noreturn)) void napi_fatal_error(const char* location,
                                                                       size_t location_length,
                                                                       const char* message,
                                                                       size_t message_length) {
    if (location_length == NAPI_AUTO_LENGTH && location != NULL)
        location_length = strlen(location);
    if (message_length == NAPI_AUTO_LENGTH && message != NULL)
        message_length = strlen(message);
    if (location == NULL)
        location_length = 0;
    if (message == NULL)
        message_length = 0;
    fprintf(stderr, "FATAL ERROR: %.*s %.*s\n", (int)location_length, location, (int)message_length,
            message);
    fflush(stderr);
    abort();
}

NAPI napi_fatal_exception(napi_env env, napi_value error) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, error);
    JS_Throw(env->ctx, JS_DupValue(env->ctx, napi_js(error)));
    ph_gate_exception(env->world->env);
    return napi_succeed(env);
}
