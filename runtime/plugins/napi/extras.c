/* What addons attach to objects: wraps, finalizers, type tags, weak references. An object's extra
 * is the value of a WeakMap, so it works with every object, frozen ones and proxies too, and goes
 * when the object goes. */
#include <stdlib.h>
#include <string.h>

#include "plugins/napi/napi.h"

static void forget_refs(napi_extra* extra) {
    while (extra->refs != NULL) {
        napi_ref ref = extra->refs;
        extra->refs = ref->next;
        ref->link = NULL;
        ref->next = NULL;
        ref->is_gone = true;
        ref->value = JS_UNDEFINED;
    }
}

/* The object is gone. */
static void on_extra_gone(JSRuntime* rt, JSValueConst value) {
    (void)rt;
    napi_extra* extra = JS_GetOpaque(value, JS_GetClassID(value));
    if (extra == NULL)
        return;
    forget_refs(extra);
    while (extra->attachments != NULL)
        napi_attachment_due(extra->attachments);
    free(extra);
}

typedef struct {
    void* data;
} external;

static void on_external_gone(JSRuntime* rt, JSValueConst value) {
    (void)rt;
    free(JS_GetOpaque(value, JS_GetClassID(value)));
}

bool napi_extras_init(napi_world* world) {
    static const JSClassDef extra_class = {.class_name = "Extra", .finalizer = on_extra_gone};
    static const JSClassDef external_class = {.class_name = "External",
                                              .finalizer = on_external_gone};
    JSRuntime* rt = world->env->rt;
    JS_NewClassID(rt, &world->extra_class);
    JS_NewClassID(rt, &world->external_class);
    return JS_NewClass(rt, world->extra_class, &extra_class) == 0 &&
           JS_NewClass(rt, world->external_class, &external_class) == 0;
}

static napi_extra* make_extra(napi_world* world, JSValueConst object) {
    JSContext* ctx = world->ctx;
    napi_extra* extra = calloc(1, sizeof(*extra));
    JSValue holder = JS_NewObjectProtoClass(ctx, JS_NULL, world->extra_class);
    if (extra == NULL || JS_IsException(holder)) {
        free(extra);
        JS_FreeValue(ctx, holder);
        return NULL;
    }
    extra->world = world;
    JS_SetOpaque(holder, extra);
    JSValueConst args[] = {object, holder};
    JSValue done = JS_Call(ctx, world->intrinsics[NAPI_WEAK_SET], world->extras, 2, args);
    bool failed = JS_IsException(done);
    JS_FreeValue(ctx, done);
    JS_FreeValue(ctx, holder);
    return failed ? NULL : extra;
}

napi_extra* napi_extra_of(napi_world* world, JSValueConst object, bool makes) {
    JSContext* ctx = world->ctx;
    JSValue holder = JS_Call(ctx, world->intrinsics[NAPI_WEAK_GET], world->extras, 1, &object);
    /* The map keeps it. */
    napi_extra* extra = JS_GetOpaque(holder, world->extra_class);
    JS_FreeValue(ctx, holder);
    return extra == NULL && makes ? make_extra(world, object) : extra;
}

napi_attachment* napi_attach(napi_env env, JSValueConst object, void* data, napi_finalize finalize,
                             void* hint) {
    napi_extra* extra = napi_extra_of(env->world, object, true);
    napi_attachment* made = extra == NULL ? NULL : napi_attachment_new(env, data, finalize, hint);
    if (made == NULL)
        return NULL;
    if (env->version == NAPI_EXPERIMENTAL_VERSION && !env->world->has_lookout)
        napi_look_out(env->world);
    made->next = extra->attachments;
    made->link = &extra->attachments;
    if (made->next != NULL)
        made->next->link = &made->next;
    extra->attachments = made;
    return made;
}

static napi_attachment* wrap_of(napi_env env, JSValueConst object) {
    napi_extra* extra = napi_extra_of(env->world, object, false);
    napi_attachment* next = extra == NULL ? NULL : extra->attachments;
    while (next != NULL && !next->is_wrap)
        next = next->next;
    return next;
}

NAPI napi_wrap(napi_env env, napi_value object, void* data, napi_finalize finalize, void* hint,
               napi_ref* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, object);
    NAPI_NEED(env, JS_IsObject(napi_js(object)), napi_invalid_arg);
    NAPI_NEED(env, wrap_of(env, napi_js(object)) == NULL, napi_invalid_arg);
    napi_attachment* made = napi_attach(env, napi_js(object), data, finalize, hint);
    if (made == NULL)
        return napi_fail(env, napi_generic_failure);
    made->is_wrap = true;
    return result == NULL ? napi_succeed(env) : napi_ref_new(env, napi_js(object), 0, result);
}

static napi_status find_wrap(napi_env env, napi_value object, napi_attachment** found) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, object);
    NAPI_NEED(env, JS_IsObject(napi_js(object)), napi_invalid_arg);
    *found = wrap_of(env, napi_js(object));
    NAPI_NEED(env, *found != NULL, napi_invalid_arg);
    return napi_succeed(env);
}

NAPI napi_unwrap(napi_env env, napi_value object, void** result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    napi_attachment* found;
    napi_status status = find_wrap(env, object, &found);
    if (status == napi_ok)
        *result = found->data;
    return status;
}

NAPI napi_remove_wrap(napi_env env, napi_value object, void** result) {
    NAPI_NEED_ENV(env);
    napi_attachment* found;
    napi_status status = find_wrap(env, object, &found);
    if (status != napi_ok)
        return status;
    if (result != NULL)
        *result = found->data;
    napi_attachment_free(found);
    return napi_ok;
}

NAPI napi_add_finalizer(napi_env env, napi_value object, void* data, napi_finalize finalize,
                        void* hint, napi_ref* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, object);
    NAPI_NEED_ARG(env, finalize);
    NAPI_NEED(env, JS_IsObject(napi_js(object)), napi_invalid_arg);
    if (napi_attach(env, napi_js(object), data, finalize, hint) == NULL)
        return napi_fail(env, napi_generic_failure);
    return result == NULL ? napi_succeed(env) : napi_ref_new(env, napi_js(object), 0, result);
}

JSValue napi_external_new(napi_world* world, void* data) {
    external* content = malloc(sizeof(*content));
    JSValue made = JS_NewObjectProtoClass(world->ctx, JS_NULL, world->external_class);
    if (content == NULL || JS_IsException(made)) {
        free(content);
        return made;
    }
    content->data = data;
    JS_SetOpaque(made, content);
    JS_PreventExtensions(world->ctx, made);
    return made;
}

bool napi_is_external(napi_world* world, JSValueConst value) {
    return JS_GetClassID(value) == world->external_class;
}

void* napi_external_data(napi_world* world, JSValueConst value) {
    const external* content = JS_GetOpaque(value, world->external_class);
    return content == NULL ? NULL : content->data;
}

NAPI napi_create_external(napi_env env, void* data, napi_finalize finalize, void* hint,
                          napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    JSValue made = napi_external_new(env->world, data);
    if (!JS_IsException(made) && finalize != NULL &&
        napi_attach(env, made, data, finalize, hint) == NULL) {
        JS_FreeValue(env->ctx, made);
        return napi_fail(env, napi_generic_failure);
    }
    return napi_give(env, made, result);
}

NAPI napi_get_value_external(napi_env env, napi_value value, void** result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, napi_is_external(env->world, napi_js(value)), napi_invalid_arg);
    *result = napi_external_data(env->world, napi_js(value));
    return napi_succeed(env);
}

NAPI napi_type_tag_object(napi_env env, napi_value object, const napi_type_tag* tag) {
    NAPI_BEGIN(env);
    JSValue target;
    napi_status status = napi_to_object(env, object, napi_pending_exception, &target);
    if (status != napi_ok)
        return status;
    napi_extra* extra = napi_extra_of(env->world, target, true);
    JS_FreeValue(env->ctx, target);
    /* The object of a primitive is gone already, and its tag with it. */
    if (!JS_IsObject(napi_js(object)))
        return napi_succeed(env);
    NAPI_NEED_ARG(env, tag);
    NAPI_NEED(env, extra != NULL, napi_generic_failure);
    NAPI_NEED(env, !extra->has_tag, napi_invalid_arg);
    extra->has_tag = true;
    extra->tag = *tag;
    return napi_succeed(env);
}

NAPI napi_check_object_type_tag(napi_env env, napi_value object, const napi_type_tag* tag,
                                bool* result) {
    NAPI_BEGIN(env);
    JSValue target;
    napi_status status = napi_to_object(env, object, napi_pending_exception, &target);
    if (status != napi_ok)
        return status;
    JS_FreeValue(env->ctx, target);
    NAPI_NEED_ARG(env, tag);
    NAPI_NEED_ARG(env, result);
    napi_extra* extra = napi_extra_of(env->world, napi_js(object), false);
    *result = extra != NULL && extra->has_tag && extra->tag.lower == tag->lower &&
              extra->tag.upper == tag->upper;
    return napi_succeed(env);
}
