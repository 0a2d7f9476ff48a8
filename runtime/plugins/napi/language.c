/* Promises, scripts, versions and the addon's own data. */
#include <stdlib.h>
#include <string.h>

#include "plugins/napi/napi.h"

struct napi_deferred__ {
    JSValue functions[2]; /* resolve, reject */
};

NAPI napi_create_promise(napi_env env, napi_deferred* deferred, napi_value* promise) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, deferred);
    NAPI_NEED_ARG(env, promise);
    napi_deferred made = calloc(1, sizeof(*made));
    NAPI_NEED(env, made != NULL, napi_generic_failure);
    JSValue value = JS_NewPromiseCapability(env->ctx, made->functions);
    if (JS_IsException(value))
        free(made);
    else
        *deferred = made;
    return napi_give(env, value, promise);
}

static napi_status settle(napi_env env, napi_deferred deferred, napi_value value, int which) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, deferred);
    JSValueConst with = napi_js(value);
    JSValue done = JS_Call(env->ctx, deferred->functions[which], JS_UNDEFINED, 1, &with);
    JS_FreeValue(env->ctx, deferred->functions[0]);
    JS_FreeValue(env->ctx, deferred->functions[1]);
    free(deferred);
    if (JS_IsException(done))
        return napi_caught(env);
    JS_FreeValue(env->ctx, done);
    return napi_succeed(env);
}

NAPI napi_resolve_deferred(napi_env env, napi_deferred deferred, napi_value value) {
    return settle(env, deferred, value, 0);
}

NAPI napi_reject_deferred(napi_env env, napi_deferred deferred, napi_value value) {
    return settle(env, deferred, value, 1);
}

NAPI napi_is_promise(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsPromise(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_run_script(napi_env env, napi_value script, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, script);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsString(napi_js(script)), napi_string_expected);
    size_t length;
    const char* text = JS_ToCStringLen(env->ctx, &length, napi_js(script));
    if (text == NULL)
        return napi_caught(env);
    JSValue value = JS_Eval(env->ctx, text, length, "<anonymous>", JS_EVAL_TYPE_GLOBAL);
    JS_FreeCString(env->ctx, text);
    if (JS_IsException(value))
        return napi_caught_as(env, napi_generic_failure);
    return napi_give(env, value, result);
}

NAPI napi_get_version(napi_env env, uint32_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = NAPI_LATEST_VERSION;
    return napi_succeed(env);
}

NAPI napi_get_node_version(napi_env env, const napi_node_version** result) {
    /* Of the Node whose interface the runtime has: process.version. */
    static const napi_node_version version = {20, 20, 2, "node"};
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = &version;
    return napi_succeed(env);
}

NAPI napi_get_uv_event_loop(napi_env env, uv_loop_t** result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = env->world->env->loop;
    return napi_succeed(env);
}

NAPI node_api_get_module_file_name(napi_env env, const char** result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = env->file;
    return napi_succeed(env);
}

NAPI napi_adjust_external_memory(napi_env env, int64_t change, int64_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    env->world->external_memory += change;
    *result = env->world->external_memory;
    return napi_succeed(env);
}

NAPI napi_set_instance_data(napi_env env, void* data, napi_finalize finalize, void* hint) {
    NAPI_NEED_ENV(env);
    env->instance_data = data;
    env->instance_finalize = finalize;
    env->instance_hint = hint;
    return napi_succeed(env);
}

NAPI napi_get_instance_data(napi_env env, void** data) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, data);
    *data = env->instance_data;
    return napi_succeed(env);
}
