#include "bindings/box.h"

#include <stdlib.h>

#include "bindings/world.h"

typedef struct {
    const ph_box_kind* kind;
    void* content;
} box;

static void finalize(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    box* made = JS_GetOpaque(value, ph_world_of(env)->box_class);
    if (made == NULL)
        return;
    made->kind->release(made->content);
    free(made);
}

void ph_box_class_init(ph_env* env) {
    static const JSClassDef definition = {.class_name = "Box", .finalizer = finalize};
    JS_NewClassID(env->rt, &ph_world_of(env)->box_class);
    JS_NewClass(env->rt, ph_world_of(env)->box_class, &definition);
}

JSValue ph_box(JSContext* ctx, const ph_box_kind* kind, void* content_owned) {
    box* made = malloc(sizeof(*made));
    JSValue object =
        made == NULL ? JS_ThrowOutOfMemory(ctx)
                     : JS_NewObjectProtoClass(ctx, JS_NULL, ph_world_of(ph_env_of(ctx))->box_class);
    if (made == NULL || JS_IsException(object)) {
        free(made);
        kind->release(content_owned);
        return object;
    }
    *made = (box){kind, content_owned};
    JS_SetOpaque(object, made);
    return object;
}

void* ph_box_content(JSContext* ctx, JSValueConst value, const ph_box_kind* kind) {
    box* found = JS_GetOpaque(value, ph_world_of(ph_env_of(ctx))->box_class);
    if (found != NULL && found->kind == kind)
        return found->content;
    JS_ThrowTypeError(ctx, "not a %s", kind->name);
    return NULL;
}
