/* Finalizers of objects that are gone. They may call JavaScript, so they run in the loop's check or
 * poll phase and not where the object went. Those of addons for the experimental version may not,
 * because Node runs them in the middle of a collection: they have to post another one for that.
 * They run at the engine's collections, too, of which a lookout tells: an object that only they
 * free. */
#include <stdlib.h>

#include "plugins/napi/napi.h"

napi_attachment* napi_attachment_new(napi_env env, void* data, napi_finalize finalize, void* hint) {
    napi_attachment* made = calloc(1, sizeof(*made));
    if (made == NULL)
        return NULL;
    made->env = env;
    made->data = data;
    made->finalize = finalize;
    made->hint = hint;
    made->env_next = env->attachments;
    made->env_link = &env->attachments;
    if (made->env_next != NULL)
        made->env_next->env_link = &made->env_next;
    env->attachments = made;
    return made;
}

static void leave_env(napi_attachment* attachment) {
    if (attachment->env_link == NULL)
        return;
    *attachment->env_link = attachment->env_next;
    if (attachment->env_next != NULL)
        attachment->env_next->env_link = attachment->env_link;
    attachment->env_link = NULL;
}

void napi_attachment_leave(napi_attachment* attachment) {
    if (attachment->link == NULL)
        return;
    *attachment->link = attachment->next;
    if (attachment->next != NULL)
        attachment->next->link = attachment->link;
    attachment->link = NULL;
}

void napi_attachment_free(napi_attachment* attachment) {
    leave_env(attachment);
    napi_attachment_leave(attachment);
    free(attachment);
}

static void push(napi_world* world, napi_attachment* attachment) {
    attachment->next = NULL;
    attachment->link = NULL;
    bool was_empty = world->due == NULL;
    *world->due_end = attachment;
    world->due_end = &attachment->next;
    /* The loop does not end before they have run. */
    if (was_empty && world->wake != NULL) {
        uv_ref((uv_handle_t*)world->wake);
        uv_async_send(world->wake);
    }
}

static bool is_basic(const napi_attachment* attachment) {
    return attachment->env->version == NAPI_EXPERIMENTAL_VERSION && !attachment->is_posted;
}

static void call(napi_env env, void* task) {
    napi_attachment* done = task;
    env->world->in_finalizer = is_basic(done);
    done->finalize(env, done->data, done->hint);
    env->world->in_finalizer = false;
}

void napi_attachment_finish(napi_attachment* attachment) {
    leave_env(attachment);
    if (attachment->finalize != NULL)
        napi_run_in(attachment->env, JS_UNDEFINED, NAPI_UNCAUGHT, call, attachment);
    free(attachment);
}

void napi_attachment_due(napi_attachment* attachment) {
    napi_env env = attachment->env;
    napi_attachment_leave(attachment);
    /* Nothing of the addon is left to be told after its end. */
    if (env->world->has_ended) {
        leave_env(attachment);
        free(attachment);
        return;
    }
    push(env->world, attachment);
}

static napi_attachment* take(napi_world* world) {
    napi_attachment* first = world->due;
    if (first != NULL) {
        world->due = first->next;
        if (world->due == NULL)
            world->due_end = &world->due;
    }
    return first;
}

void napi_due_run(napi_world* world) {
    napi_attachment* next;
    while ((next = take(world)) != NULL)
        napi_attachment_finish(next);
    if (world->wake != NULL)
        uv_unref((uv_handle_t*)world->wake);
}

/* In the middle of a collection: those that may run there. */
static void run_basic(napi_world* world) {
    napi_attachment* all = world->due;
    world->due = NULL;
    world->due_end = &world->due;
    while (all != NULL) {
        napi_attachment* next = all;
        all = next->next;
        next->next = NULL;
        if (!is_basic(next)) {
            *world->due_end = next;
            world->due_end = &next->next;
            continue;
        }
        leave_env(next);
        world->in_finalizer = true;
        if (next->finalize != NULL)
            next->finalize(next->env, next->data, next->hint);
        world->in_finalizer = false;
        free(next);
    }
}

static void on_lookout_gone(JSRuntime* rt, JSValueConst value) {
    (void)rt;
    napi_world* world = JS_GetOpaque(value, JS_GetClassID(value));
    if (world == NULL || world->has_ended)
        return;
    world->has_lookout = false;
    run_basic(world);
}

void napi_look_out(napi_world* world) {
    JSValue lookout = JS_NewObjectProtoClass(world->ctx, JS_NULL, world->lookout_class);
    if (JS_IsException(lookout))
        return;
    JS_SetOpaque(lookout, world);
    ph_set(world->ctx, lookout, "self", JS_DupValue(world->ctx, lookout));
    JS_FreeValue(world->ctx, lookout);
    world->has_lookout = true;
}

static void on_check(uv_check_t* check) {
    napi_due_run(check->data);
}

static void on_wake(uv_async_t* wake) {
    napi_due_run(wake->data);
}

bool napi_due_init(napi_world* world) {
    static const JSClassDef lookout = {.class_name = "Lookout", .finalizer = on_lookout_gone};
    JS_NewClassID(world->env->rt, &world->lookout_class);
    if (JS_NewClass(world->env->rt, world->lookout_class, &lookout) != 0)
        return false;
    world->due_end = &world->due;
    world->wake = calloc(1, sizeof(*world->wake));
    world->check = calloc(1, sizeof(*world->check));
    if (world->wake == NULL || world->check == NULL)
        return false;
    uv_async_init(world->env->loop, world->wake, on_wake);
    uv_check_init(world->env->loop, world->check);
    world->wake->data = world->check->data = world;
    uv_check_start(world->check, on_check);
    uv_unref((uv_handle_t*)world->wake);
    uv_unref((uv_handle_t*)world->check);
    return true;
}

NAPI node_api_post_finalizer(napi_env env, napi_finalize finalize, void* data, void* hint) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, finalize);
    napi_attachment* made = napi_attachment_new(env, data, finalize, hint);
    NAPI_NEED(env, made != NULL, napi_generic_failure);
    made->is_posted = true;
    push(env->world, made);
    return napi_succeed(env);
}
