/* References: strong while they are counted, else weak. */
#include <stdlib.h>

#include "plugins/napi/napi.h"

/* False if the value can't be held weakly: what is no object, or a symbol of Symbol.for. */
static bool hang_on(napi_ref ref, JSValueConst value) {
    if (!JS_IsObject(value) && !JS_IsSymbol(value))
        return false;
    napi_extra* extra = napi_extra_of(ref->env->world, value, true);
    if (extra == NULL) {
        JS_FreeValue(ref->env->ctx, JS_GetException(ref->env->ctx));
        return false;
    }
    ref->next = extra->refs;
    ref->link = &extra->refs;
    if (ref->next != NULL)
        ref->next->link = &ref->next;
    extra->refs = ref;
    return true;
}

/* What can be held neither weakly nor, like symbols of Symbol.for, without end, goes with its
 * count. */
static void let_go(napi_ref ref) {
    if (ref->count > 0 || ref->is_strong || ref->link != NULL || ref->is_gone)
        return;
    ref->is_gone = true;
    ref->value = JS_UNDEFINED;
}

napi_status napi_ref_new(napi_env env, JSValueConst value, uint32_t count, napi_ref* result) {
    napi_ref ref = calloc(1, sizeof(*ref));
    NAPI_NEED(env, ref != NULL, napi_generic_failure);
    ref->env = env;
    ref->value = value;
    ref->count = count;
    ref->is_strong = !hang_on(ref, value) && JS_IsSymbol(value);
    if (count > 0 || ref->is_strong)
        JS_DupValue(env->ctx, value);
    let_go(ref);
    ref->env_next = env->refs;
    ref->env_link = &env->refs;
    if (ref->env_next != NULL)
        ref->env_next->env_link = &ref->env_next;
    env->refs = ref;
    *result = ref;
    return napi_succeed(env);
}

void napi_ref_free(napi_ref ref) {
    if (ref->link != NULL) {
        *ref->link = ref->next;
        if (ref->next != NULL)
            ref->next->link = ref->link;
    }
    *ref->env_link = ref->env_next;
    if (ref->env_next != NULL)
        ref->env_next->env_link = ref->env_link;
    bool is_counted = ref->count > 0 || ref->is_strong;
    JSContext* ctx = ref->env->ctx;
    JSValue value = ref->value;
    free(ref);
    if (is_counted)
        JS_FreeValue(ctx, value);
}

NAPI napi_create_reference(napi_env env, napi_value value, uint32_t count, napi_ref* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    JSValueConst given = napi_js(value);
    bool any_value = env->version == NAPI_EXPERIMENTAL_VERSION;
    NAPI_NEED(env, any_value || JS_IsObject(given) || JS_IsSymbol(given), napi_invalid_arg);
    return napi_ref_new(env, given, count, result);
}

NAPI napi_delete_reference(napi_env env, napi_ref ref) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, ref);
    napi_ref_free(ref);
    return napi_succeed(env);
}

NAPI napi_reference_ref(napi_env env, napi_ref ref, uint32_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, ref);
    /* What is gone can't be brought back: its count stays 0. */
    if (!ref->is_gone && ref->count++ == 0 && !ref->is_strong)
        JS_DupValue(env->ctx, ref->value);
    if (result != NULL)
        *result = ref->count;
    return napi_succeed(env);
}

NAPI napi_reference_unref(napi_env env, napi_ref ref, uint32_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, ref);
    NAPI_NEED(env, ref->count > 0, napi_generic_failure);
    uint32_t left = --ref->count;
    if (left == 0 && !ref->is_strong) {
        JSValue value = ref->value;
        let_go(ref);
        JS_FreeValue(env->ctx, value);
    }
    if (result != NULL)
        *result = left;
    return napi_succeed(env);
}

NAPI napi_get_reference_value(napi_env env, napi_ref ref, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, ref);
    NAPI_NEED_ARG(env, result);
    *result = NULL;
    if (ref->is_gone)
        return napi_succeed(env);
    return napi_give(env, JS_DupValue(env->ctx, ref->value), result);
}
