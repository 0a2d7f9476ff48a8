/* Handles: a stack of values that only grows until the scope they were made in is closed. Slots
 * never move: an addon holds pointers to them. */
#include <stdlib.h>

#include "plugins/napi/napi.h"

static JSValue* slot_at(napi_world* world, size_t index) {
    return &world->chunks[index / SLOTS_OF_A_CHUNK][index % SLOTS_OF_A_CHUNK];
}

static bool grow(napi_world* world) {
    JSValue** chunks = realloc(world->chunks, (world->chunk_count + 1) * sizeof(*chunks));
    if (chunks == NULL)
        return false;
    world->chunks = chunks;
    chunks[world->chunk_count] = malloc(SLOTS_OF_A_CHUNK * sizeof(JSValue));
    if (chunks[world->chunk_count] == NULL)
        return false;
    world->chunk_count++;
    return true;
}

napi_value napi_handle(napi_world* world, JSValue value_owned) {
    if (world->used == world->chunk_count * SLOTS_OF_A_CHUNK && !grow(world)) {
        JS_FreeValue(world->ctx, value_owned);
        return NULL;
    }
    JSValue* slot = slot_at(world, world->used++);
    *slot = value_owned;
    return (napi_value)slot;
}

void napi_release_handles(napi_world* world, size_t mark) {
    while (world->used > mark) {
        /* The slot is given up first: what is freed may make handles. */
        JSValue value = *slot_at(world, --world->used);
        JS_FreeValue(world->ctx, value);
    }
}

/* A scope is the number of slots that were used when it was opened; 0 is no pointer. */
NAPI napi_open_handle_scope(napi_env env, napi_handle_scope* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    *result = (napi_handle_scope)(env->world->used + 1);
    env->world->open_scopes++;
    return napi_succeed(env);
}

NAPI napi_close_handle_scope(napi_env env, napi_handle_scope scope) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, scope);
    NAPI_NEED(env, env->world->open_scopes > 0, napi_handle_scope_mismatch);
    env->world->open_scopes--;
    napi_release_handles(env->world, (size_t)scope - 1);
    return napi_succeed(env);
}

struct napi_escapable_handle_scope__ {
    size_t mark;
    napi_value place; /* in the scope around it, for what escapes */
    bool has_escaped;
};

NAPI napi_open_escapable_handle_scope(napi_env env, napi_escapable_handle_scope* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    napi_escapable_handle_scope scope = calloc(1, sizeof(*scope));
    NAPI_NEED(env, scope != NULL, napi_generic_failure);
    scope->place = napi_handle(env->world, JS_UNDEFINED);
    scope->mark = env->world->used;
    env->world->open_scopes++;
    *result = scope;
    return napi_succeed(env);
}

NAPI napi_close_escapable_handle_scope(napi_env env, napi_escapable_handle_scope scope) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, scope);
    NAPI_NEED(env, env->world->open_scopes > 0, napi_handle_scope_mismatch);
    env->world->open_scopes--;
    napi_release_handles(env->world, scope->mark);
    free(scope);
    return napi_succeed(env);
}

NAPI napi_escape_handle(napi_env env, napi_escapable_handle_scope scope, napi_value escapee,
                        napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, scope);
    NAPI_NEED_ARG(env, escapee);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, !scope->has_escaped, napi_escape_called_twice);
    scope->has_escaped = true;
    *(JSValue*)scope->place = JS_DupValue(env->ctx, napi_js(escapee));
    *result = scope->place;
    return napi_succeed(env);
}
