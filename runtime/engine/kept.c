#include "engine/kept.h"

#include <stdlib.h>

enum { FIRST_CAPACITY = 16 };

/* A set of objects; open addressing, never more than half full. */
typedef struct {
    JSValue* slots; /* undefined where there is none */
    size_t count;
    size_t capacity; /* a power of two */
} set;

struct ph_kept {
    JSValue construct; /* the engine's own */
    JSValue deref;
    set objects;
};

/* False if it is there already. */
static bool insert(set* objects, JSValue value) {
    uintptr_t key = (uintptr_t)JS_VALUE_GET_PTR(value);
    size_t at = (size_t)((key >> 4) * 0x9E3779B1u) & (objects->capacity - 1);
    for (; !JS_IsUndefined(objects->slots[at]); at = (at + 1) & (objects->capacity - 1))
        if ((uintptr_t)JS_VALUE_GET_PTR(objects->slots[at]) == key)
            return false;
    objects->slots[at] = value;
    objects->count++;
    return true;
}

static bool grow(set* objects) {
    size_t capacity = objects->capacity == 0 ? FIRST_CAPACITY : objects->capacity * 2;
    set bigger = {malloc(capacity * sizeof(JSValue)), 0, capacity};
    if (bigger.slots == NULL)
        return false;
    for (size_t i = 0; i < capacity; i++)
        bigger.slots[i] = JS_UNDEFINED;
    for (size_t i = 0; i < objects->capacity; i++)
        if (!JS_IsUndefined(objects->slots[i]))
            insert(&bigger, objects->slots[i]);
    free(objects->slots);
    *objects = bigger;
    return true;
}

/* Without memory for it, it is as in the engine. */
static void keep(ph_env* env, JSValueConst value) {
    set* objects = &env->kept->objects;
    if (!JS_VALUE_HAS_REF_COUNT(value) || env->stopping)
        return;
    if ((objects->count * 2 < objects->capacity || grow(objects)) && insert(objects, value))
        JS_DupValue(env->ctx, value);
}

void ph_kept_clear(ph_env* env) {
    set objects = env->kept->objects;
    if (objects.count == 0)
        return;
    env->kept->objects = (set){0}; /* what is freed may lead to others that are kept */
    for (size_t i = 0; i < objects.capacity; i++)
        JS_FreeValue(env->ctx, objects.slots[i]);
    free(objects.slots);
}

static JSValue construct(JSContext* ctx, JSValueConst target, int argc, JSValueConst* argv) {
    ph_env* env = ph_env_of(ctx);
    JSValue made = JS_CallConstructor2(ctx, env->kept->construct, target, argc, argv);
    if (!JS_IsException(made))
        keep(env, argv[0]);
    return made;
}

static JSValue deref(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    JSValue found = JS_Call(ctx, env->kept->deref, self, 0, NULL);
    keep(env, found);
    return found;
}

void ph_kept_init(ph_env* env) {
    JSContext* ctx = env->ctx;
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue original = JS_GetPropertyStr(ctx, global, "WeakRef");
    JSValue prototype = JS_GetPropertyStr(ctx, original, "prototype");
    env->kept = calloc(1, sizeof(*env->kept));
    env->kept->construct = original;
    env->kept->deref = JS_GetPropertyStr(ctx, prototype, "deref");
    JSValue ours = JS_NewCFunction2(ctx, construct, "WeakRef", 1, JS_CFUNC_constructor, 0);
    JS_SetConstructor(ctx, ours, prototype);
    JS_DefinePropertyValueStr(ctx, prototype, "constructor", JS_DupValue(ctx, ours),
                              JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    JS_DefinePropertyValueStr(ctx, prototype, "deref", JS_NewCFunction(ctx, deref, "deref", 0),
                              JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    JS_DefinePropertyValueStr(ctx, global, "WeakRef", ours,
                              JS_PROP_CONFIGURABLE | JS_PROP_WRITABLE);
    JS_FreeValue(ctx, prototype);
    JS_FreeValue(ctx, global);
}

void ph_kept_free(ph_env* env) {
    ph_kept_clear(env);
    JS_FreeValue(env->ctx, env->kept->construct);
    JS_FreeValue(env->ctx, env->kept->deref);
    free(env->kept);
}
