/* The world of addons: made when a ph_env first loads one. */
#include <stdlib.h>
#include <string.h>

#include "plugins/napi/napi.h"

napi_world* napi_world_of(ph_env* env) {
    return env->parts[PH_PART_NAPI];
}

napi_env napi_env_new(napi_world* world, const char* file, int32_t version) {
    napi_env env = calloc(1, sizeof(*env));
    if (env == NULL)
        return NULL;
    env->world = world;
    env->ctx = world->ctx;
    env->pending = JS_UNINITIALIZED;
    env->version = version;
    env->file = strdup(file);
    env->next = world->envs;
    world->envs = env;
    return env;
}

typedef struct {
    const char* type;
    const char* name; /* of its prototype; NULL: the type itself */
    bool is_accessor;
} place;

static JSValue look_up(JSContext* ctx, JSValueConst global, const place* where) {
    JSValue type = JS_GetPropertyStr(ctx, global, where->type);
    if (where->name == NULL)
        return type;
    JSValue prototype = JS_GetPropertyStr(ctx, type, "prototype");
    JS_FreeValue(ctx, type);
    JSValue found;
    if (where->is_accessor) {
        JSAtom key = JS_NewAtom(ctx, where->name);
        JSPropertyDescriptor accessor = {.getter = JS_UNDEFINED, .setter = JS_UNDEFINED};
        if (JS_GetOwnProperty(ctx, &accessor, prototype, key) > 0) {
            JS_FreeValue(ctx, accessor.value);
            JS_FreeValue(ctx, accessor.setter);
        }
        found = accessor.getter;
        JS_FreeAtom(ctx, key);
    } else {
        found = JS_GetPropertyStr(ctx, prototype, where->name);
    }
    JS_FreeValue(ctx, prototype);
    return found;
}

static void take_intrinsics(napi_world* world) {
    static const place places[NAPI_INTRINSIC_COUNT] = {
        [NAPI_WEAK_GET] = {"WeakMap", "get", false},
        [NAPI_WEAK_SET] = {"WeakMap", "set", false},
        [NAPI_BIGINT] = {"BigInt", NULL, false},
        [NAPI_BIGINT_TO_STRING] = {"BigInt", "toString", false},
        [NAPI_DATE_VALUE] = {"Date", "valueOf", false},
        [NAPI_DATA_VIEW] = {"DataView", NULL, false},
        [NAPI_VIEW_BUFFER] = {"DataView", "buffer", true},
        [NAPI_VIEW_OFFSET] = {"DataView", "byteOffset", true},
        [NAPI_VIEW_LENGTH] = {"DataView", "byteLength", true},
        [NAPI_ERROR] = {"Error", NULL, false},
        [NAPI_TYPE_ERROR] = {"TypeError", NULL, false},
        [NAPI_RANGE_ERROR] = {"RangeError", NULL, false},
        [NAPI_SYNTAX_ERROR] = {"SyntaxError", NULL, false},
    };
    JSContext* ctx = world->ctx;
    JSValue global = JS_GetGlobalObject(ctx);
    for (size_t i = 0; i < NAPI_INTRINSIC_COUNT; i++)
        world->intrinsics[i] = look_up(ctx, global, &places[i]);
    JSValue weak_map = JS_GetPropertyStr(ctx, global, "WeakMap");
    world->extras = JS_CallConstructor(ctx, weak_map, 0, NULL);
    JS_FreeValue(ctx, weak_map);
    JS_FreeValue(ctx, global);
    JSValue buffer = JS_NewArrayBufferCopy(ctx, (const uint8_t*)"", 0);
    world->array_buffer_class = JS_GetClassID(buffer);
    JS_FreeValue(ctx, buffer);
}

static void on_handle_closed(uv_handle_t* handle) {
    free(handle);
}

/* The loop's handles go, and the values that would keep the engine's memory. */
static void on_ending(ph_ending* ending) {
    napi_world* world = (napi_world*)((char*)ending - offsetof(napi_world, ending));
    JSContext* ctx = world->ctx;
    uv_close((uv_handle_t*)world->wake, on_handle_closed);
    uv_close((uv_handle_t*)world->check, on_handle_closed);
    world->wake = NULL;
    world->check = NULL;
    napi_release_handles(world, 0);
    for (size_t i = 0; i < NAPI_INTRINSIC_COUNT; i++)
        JS_FreeValue(ctx, world->intrinsics[i]);
    JS_FreeValue(ctx, world->extras);
    JS_FreeValue(ctx, world->keep_here);
}

/* Functions and objects of addons are all gone now. The world itself is freed with its ph_env. */
static void on_runtime_freed(JSRuntime* rt, void* arg) {
    (void)rt;
    napi_world* world = arg;
    for (size_t i = 0; i < world->chunk_count; i++)
        free(world->chunks[i]);
    free(world->chunks);
    while (world->envs != NULL) {
        napi_env env = world->envs;
        world->envs = env->next;
        free(env->file);
        free(env);
    }
}

static void on_end(ph_env* env) {
    napi_world_end(napi_world_of(env));
}

bool napi_world_start(ph_env* env) {
    napi_world* world = ph_part(env, PH_PART_NAPI, sizeof(*world));
    if (world == NULL)
        return false;
    world->env = env;
    world->ctx = env->ctx;
    world->keep_here = JS_UNDEFINED;
    if (!napi_extras_init(world) || !napi_functions_init(world) || !napi_due_init(world))
        return false;
    take_intrinsics(world);
    world->ending.run = on_ending;
    ph_ending_add(env, &world->ending);
    env->life.on_end = on_end;
    return JS_AddRuntimeFinalizer(env->rt, on_runtime_freed, world) == 0;
}
