/* The end of a world: cleanup hooks, finalizers of all that is left, the addons' data. */
#include <stdlib.h>

#include "plugins/napi/napi.h"

/* A hook. Of an asynchronous one, the addon says when it is done. */
struct napi_cleanup {
    napi_env env;
    napi_cleanup *next, **link;
    napi_cleanup_hook run;
    void* arg;
};

napi_cleanup* napi_cleanup_add(napi_env env, napi_cleanup_hook hook, void* arg) {
    napi_cleanup* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->env = env;
    made->run = hook;
    made->arg = arg;
    /* One list for all addons of the world: the newest hook runs first. */
    napi_cleanup** head = &env->world->cleanups;
    made->next = *head;
    made->link = head;
    if (made->next != NULL)
        made->next->link = &made->next;
    *head = made;
    return made;
}

void napi_cleanup_remove(napi_cleanup* cleanup) {
    if (cleanup == NULL)
        return;
    *cleanup->link = cleanup->next;
    if (cleanup->next != NULL)
        cleanup->next->link = cleanup->link;
    free(cleanup);
}

static napi_cleanup* find(napi_env env, napi_cleanup_hook hook, const void* arg) {
    napi_cleanup* next = env->world->cleanups;
    while (next != NULL && (next->run != hook || next->arg != arg))
        next = next->next;
    return next;
}

NAPI napi_add_env_cleanup_hook(napi_env env, napi_cleanup_hook hook, void* arg) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, hook);
    /* The same pair twice is an error of the addon, of which Node dies. */
    NAPI_NEED(env, find(env, hook, arg) == NULL, napi_invalid_arg);
    NAPI_NEED(env, napi_cleanup_add(env, hook, arg) != NULL, napi_generic_failure);
    return napi_ok;
}

NAPI napi_remove_env_cleanup_hook(napi_env env, napi_cleanup_hook hook, void* arg) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, hook);
    napi_cleanup_remove(find(env, hook, arg));
    return napi_ok;
}

struct napi_async_cleanup_hook_handle__ {
    napi_env env;
    napi_async_cleanup_hook hook;
    void* arg;
    napi_cleanup* cleanup; /* NULL once the hook runs */
};

static void start_async(void* arg) {
    napi_async_cleanup_hook_handle handle = arg;
    handle->cleanup = NULL;
    handle->env->world->async_cleanup++;
    handle->hook(handle, handle->arg);
}

NAPI napi_add_async_cleanup_hook(napi_env env, napi_async_cleanup_hook hook, void* arg,
                                 napi_async_cleanup_hook_handle* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, hook);
    napi_async_cleanup_hook_handle handle = calloc(1, sizeof(*handle));
    NAPI_NEED(env, handle != NULL, napi_generic_failure);
    handle->env = env;
    handle->hook = hook;
    handle->arg = arg;
    handle->cleanup = napi_cleanup_add(env, start_async, handle);
    if (result != NULL)
        *result = handle;
    return napi_succeed(env);
}

NAPI napi_remove_async_cleanup_hook(napi_async_cleanup_hook_handle handle) {
    if (handle == NULL)
        return napi_invalid_arg;
    if (handle->cleanup != NULL)
        napi_cleanup_remove(handle->cleanup);
    else
        handle->env->world->async_cleanup--;
    free(handle);
    return napi_ok;
}

static void run_hooks(napi_world* world) {
    while (world->cleanups != NULL) {
        napi_cleanup* next = world->cleanups;
        napi_cleanup_hook run = next->run;
        void* arg = next->arg;
        napi_cleanup_remove(next);
        run(arg);
    }
}

static bool is_busy(const napi_world* world) {
    if (world->async_cleanup > 0 || world->works > 0)
        return true;
    for (napi_env env = world->envs; env != NULL; env = env->next)
        if (env->closings > 0)
            return true;
    return false;
}

static void call_instance_finalizer(napi_env env, void* task) {
    (void)task;
    env->instance_finalize(env, env->instance_data, env->instance_hint);
}

/* Finalizers of objects that are still there. Each may delete references and wraps. */
static void finalize_all(napi_env env) {
    while (env->attachments != NULL) {
        napi_attachment* next = env->attachments;
        napi_attachment_leave(next);
        napi_attachment_finish(next);
    }
    if (env->instance_finalize != NULL)
        napi_run_in(env, JS_UNDEFINED, NAPI_UNCAUGHT, call_instance_finalizer, NULL);
    env->instance_finalize = NULL;
    while (env->refs != NULL)
        napi_ref_free(env->refs);
}

void napi_world_end(napi_world* world) {
    if (world->is_ending)
        return;
    world->is_ending = true;
    world->env->stopping = true;
    run_hooks(world);
    while (is_busy(world)) {
        uv_run(world->env->loop, UV_RUN_ONCE);
        run_hooks(world);
    }
    napi_due_run(world);
    for (napi_env env = world->envs; env != NULL; env = env->next)
        finalize_all(env);
    napi_due_run(world);
    world->has_ended = true;
}
