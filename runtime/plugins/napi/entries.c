/* Entries into JavaScript that begin in an addon: callback scopes, async contexts, make_callback.
 */
#include <stdlib.h>

#include "engine/gate.h"
#include "engine/hooked.h"
#include "plugins/napi/napi.h"

/* What an entry changes, and puts back. */
typedef struct {
    JSValue before; /* the async context around it */
    bool is_hooked;
} entry;

static void enter(ph_env* env, JSValueConst context, entry* made) {
    made->before = env->async_context;
    env->async_context = ph_work_context(env, context);
    made->is_hooked = ph_is_hooked(env) && ph_is_work(env, context);
    ph_gate_enter(env);
    if (made->is_hooked)
        ph_work_enter(env, context);
}

/* Back in the context around it, with an exception too: the gate or the addon deals with that. */
static void leave_context(ph_env* env, const entry* made) {
    if (made->is_hooked && ph_is_hooked(env))
        ph_work_leave(env);
    JS_FreeValue(env->ctx, env->async_context);
    env->async_context = made->before;
}

static void warn(napi_env env) {
    static const char* const text =
        "Uncaught N-API callback exception detected, please run node with option "
        "--force-node-api-uncaught-exceptions-policy=true to handle those exceptions properly.";
    JSContext* ctx = env->ctx;
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue process = JS_GetPropertyStr(ctx, global, "process");
    JSValue function = JS_GetPropertyStr(ctx, process, "emitWarning");
    JSValue args[] = {JS_NewString(ctx, text), JS_NewString(ctx, "DeprecationWarning"),
                      JS_NewString(ctx, "DEP0168")};
    JSValue done = JS_Call(ctx, function, process, 3, args);
    if (JS_IsException(done))
        JS_FreeValue(ctx, JS_GetException(ctx));
    JS_FreeValue(ctx, done);
    for (size_t i = 0; i < PH_COUNT(args); i++)
        JS_FreeValue(ctx, args[i]);
    JS_FreeValue(ctx, function);
    JS_FreeValue(ctx, process);
    JS_FreeValue(ctx, global);
}

/* What the addon has left pending: an exception, or nothing after it was told of. */
static JSValue outcome(napi_env env, napi_policy policy) {
    if (!napi_has_pending(env))
        return JS_UNDEFINED;
    JSValue error = env->pending;
    env->pending = JS_UNINITIALIZED;
    bool warns = policy == NAPI_WARNS && env->version != NAPI_EXPERIMENTAL_VERSION &&
                 !env->world->is_strict && !env->world->env->stopping;
    if (!warns)
        return JS_Throw(env->ctx, error);
    JS_FreeValue(env->ctx, error);
    warn(env);
    return JS_UNDEFINED;
}

void napi_run_in(napi_env env, JSValueConst context, napi_policy policy, napi_native* run,
                 void* task) {
    napi_world* world = env->world;
    size_t mark = world->used;
    size_t scopes = world->open_scopes;
    entry made;
    enter(world->env, context, &made);
    world->open_scopes = scopes + 1;
    napi_succeed(env);
    run(env, task);
    world->open_scopes = scopes;
    napi_release_handles(world, mark);
    JSValue result = outcome(env, policy);
    leave_context(world->env, &made);
    ph_gate_leave(world->env, result);
}

napi_status napi_work_new(napi_env env, napi_value resource, napi_value name, JSValue* work) {
    JSContext* ctx = env->ctx;
    NAPI_NEED_ARG(env, name);
    JSValue object = resource == NULL ? JS_NewObject(ctx) : JS_ToObject(ctx, napi_js(resource));
    if (JS_IsException(object))
        return napi_caught_as(env, napi_object_expected);
    const char* type = JS_ToCString(ctx, napi_js(name));
    if (type == NULL) {
        JS_FreeValue(ctx, object);
        return napi_caught_as(env, napi_string_expected);
    }
    *work = ph_work(env->world->env, type, object);
    JS_FreeCString(ctx, type);
    JS_FreeValue(ctx, object);
    return napi_succeed(env);
}

struct napi_async_context__ {
    JSValue context;
    napi_ref resource; /* the addon's own, which it does not keep alive; or NULL */
};

/* The piece of work has its resource while it runs: another object if that is gone. Gives the work,
 * because the addon may destroy the context meanwhile; undefined if there is nothing to lend. */
static JSValue lend_resource(napi_env env, napi_async_context context) {
    JSContext* ctx = env->ctx;
    if (context == NULL || context->resource == NULL)
        return JS_UNDEFINED;
    JSValue resource =
        context->resource->is_gone ? JS_NewObject(ctx) : JS_DupValue(ctx, context->resource->value);
    ph_set(ctx, context->context, "resource", resource);
    return JS_DupValue(ctx, context->context);
}

static void take_resource(JSContext* ctx, JSValue work_owned) {
    if (JS_IsObject(work_owned))
        ph_set(ctx, work_owned, "resource", JS_UNDEFINED);
    JS_FreeValue(ctx, work_owned);
}

NAPI napi_async_init(napi_env env, napi_value resource, napi_value name,
                     napi_async_context* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, name);
    NAPI_NEED_ARG(env, result);
    napi_async_context made = calloc(1, sizeof(*made));
    NAPI_NEED(env, made != NULL, napi_generic_failure);
    napi_status status = napi_work_new(env, resource, name, &made->context);
    if (status == napi_ok && resource != NULL && JS_IsObject(napi_js(resource)) &&
        ph_is_work(env->world->env, made->context)) {
        status = napi_ref_new(env, napi_js(resource), 0, &made->resource);
        take_resource(env->ctx, JS_DupValue(env->ctx, made->context));
    }
    if (status == napi_ok)
        *result = made;
    else
        free(made);
    return status;
}

NAPI napi_async_destroy(napi_env env, napi_async_context context) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, context);
    if (context->resource != NULL)
        napi_ref_free(context->resource);
    ph_work_gone(env->world->env, context->context);
    JS_FreeValue(env->ctx, context->context);
    free(context);
    return napi_succeed(env);
}

static JSValueConst context_of(napi_async_context context) {
    return context == NULL ? (JSValueConst)JS_UNDEFINED : context->context;
}

NAPI napi_make_callback(napi_env env, napi_async_context context, napi_value self,
                        napi_value callee, size_t argc, const napi_value* argv,
                        napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, self);
    NAPI_NEED(env, argc == 0 || argv != NULL, napi_invalid_arg);
    JSValue target;
    napi_status status = napi_to_object(env, self, napi_object_expected, &target);
    if (status != napi_ok)
        return status;
    JS_FreeValue(env->ctx, target);
    NAPI_NEED_ARG(env, callee);
    NAPI_NEED(env, JS_IsFunction(env->ctx, napi_js(callee)), napi_invalid_arg);
    ph_env* world = env->world->env;
    entry made;
    JSValue work = lend_resource(env, context);
    enter(world, context_of(context), &made);
    status = napi_call_function(env, self, callee, argc, argv, result);
    leave_context(world, &made);
    take_resource(env->ctx, work);
    /* What it threw is the addon's now, and what was queued waits for what runs next. */
    if (status == napi_ok)
        ph_gate_leave(world, JS_UNDEFINED);
    else
        world->gate.depth--;
    return status;
}

struct napi_callback_scope__ {
    entry made;
    JSValue work; /* to which a resource is lent */
};

NAPI napi_open_callback_scope(napi_env env, napi_value resource, napi_async_context context,
                              napi_callback_scope* result) {
    (void)resource; /* Node ignores it, too: the context has its own */
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED_ARG(env, context);
    napi_callback_scope scope = calloc(1, sizeof(*scope));
    NAPI_NEED(env, scope != NULL, napi_generic_failure);
    scope->work = lend_resource(env, context);
    enter(env->world->env, context_of(context), &scope->made);
    env->world->scopes++;
    *result = scope;
    return napi_succeed(env);
}

NAPI napi_close_callback_scope(napi_env env, napi_callback_scope scope) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, scope);
    NAPI_NEED(env, env->world->scopes > 0, napi_callback_scope_mismatch);
    env->world->scopes--;
    leave_context(env->world->env, &scope->made);
    take_resource(env->ctx, scope->work);
    free(scope);
    ph_gate_leave(env->world->env, JS_UNDEFINED);
    return napi_succeed(env);
}
