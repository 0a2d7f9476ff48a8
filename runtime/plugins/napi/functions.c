/* Functions and classes that addons define, and calls in both directions. */
#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "plugins/napi/napi.h"

typedef struct {
    napi_env env;
    napi_callback callback;
    void* data;
    uint64_t
        brand; /* of the class: its constructor marks objects with it, its methods ask for it */
    bool is_class;
} function;

struct napi_callback_info__ {
    JSValue self;
    JSValue new_target;
    int argc;
    JSValue* argv; /* of the caller: they stay until the function returns */
    void* data;
};

/* What the function's call gives: its value, or what it has thrown. */
static JSValue end_call(napi_env env, napi_value result) {
    JSContext* ctx = env->ctx;
    if (napi_has_pending(env)) {
        JSValue error = env->pending;
        env->pending = JS_UNINITIALIZED;
        return JS_Throw(ctx, error);
    }
    /* The program has ended meanwhile: what called the function is unwound. */
    if (env->world->env->stopping && !env->world->is_ending)
        return ph_env_exit(env->world->env, env->world->env->life.exit_code);
    return result == NULL ? JS_UNDEFINED : JS_DupValue(ctx, napi_js(result));
}

static JSValue call_native(const function* called, napi_callback_info info) {
    napi_env env = called->env;
    napi_world* world = env->world;
    if (world->has_ended)
        return JS_UNDEFINED;
    size_t mark = world->used;
    size_t scopes = world->open_scopes;
    world->open_scopes = scopes + 1;
    napi_succeed(env);
    JSValue result = end_call(env, called->callback(env, info));
    world->open_scopes = scopes;
    napi_release_handles(world, mark);
    return result;
}

/* Outside of strict code there is always an object: the global one, or the primitive's. */
static JSValue receiver(JSContext* ctx, JSValueConst self) {
    if (JS_IsObject(self))
        return JS_DupValue(ctx, self);
    if (JS_IsUndefined(self) || JS_IsNull(self))
        return JS_GetGlobalObject(ctx);
    return JS_ToObject(ctx, self);
}

static bool has_brand(const function* called, JSValueConst self) {
    napi_extra* extra = napi_extra_of(called->env->world, self, false);
    return extra != NULL && extra->brand == called->brand;
}

static JSValue construct(JSContext* ctx, const function* called, napi_callback_info info) {
    JSValue prototype = JS_GetPropertyStr(ctx, info->new_target, "prototype");
    if (JS_IsException(prototype))
        return prototype;
    info->self = JS_IsObject(prototype) ? JS_NewObjectProto(ctx, prototype) : JS_NewObject(ctx);
    JS_FreeValue(ctx, prototype);
    if (JS_IsException(info->self))
        return info->self;
    if (called->is_class) {
        napi_extra* extra = napi_extra_of(called->env->world, info->self, true);
        if (extra != NULL)
            extra->brand = called->brand;
    }
    JSValue result = call_native(called, info);
    if (JS_IsException(result) || JS_IsObject(result)) {
        JS_FreeValue(ctx, info->self);
        return result;
    }
    JS_FreeValue(ctx, result);
    return info->self;
}

static JSValue on_call(JSContext* ctx, JSValueConst callee, JSValueConst self, int argc,
                       JSValueConst* argv, int flags) {
    napi_world* world = napi_world_of(ph_env_of(ctx));
    const function* called = JS_GetOpaque(callee, world->function_class);
    struct napi_callback_info__ info = {
        .new_target = JS_UNDEFINED, .argc = argc, .argv = argv, .data = called->data};
    if ((flags & JS_CALL_FLAG_CONSTRUCTOR) != 0) {
        info.new_target = self;
        return construct(world->ctx, called, &info);
    }
    info.self = receiver(ctx, self);
    if (JS_IsException(info.self))
        return info.self;
    JSValue result = called->brand != 0 && !called->is_class && !has_brand(called, info.self)
                         ? JS_ThrowTypeError(ctx, "Illegal invocation")
                         : call_native(called, &info);
    JS_FreeValue(ctx, info.self);
    return result;
}

static void on_function_gone(JSRuntime* rt, JSValueConst value) {
    (void)rt;
    free(JS_GetOpaque(value, JS_GetClassID(value)));
}

bool napi_functions_init(napi_world* world) {
    static const JSClassDef definition = {
        .class_name = "Function",
        .finalizer = on_function_gone,
        .call = on_call,
    };
    JSRuntime* rt = world->env->rt;
    JS_NewClassID(rt, &world->function_class);
    return JS_NewClass(rt, world->function_class, &definition) == 0;
}

static JSValue make(napi_env env, JSValueConst name, const function* content) {
    JSContext* ctx = env->ctx;
    function* kept = malloc(sizeof(*kept));
    if (kept == NULL)
        return JS_ThrowOutOfMemory(ctx);
    *kept = *content;
    JSValue above = JS_GetFunctionProto(ctx);
    JSValue made = JS_NewObjectProtoClass(ctx, above, env->world->function_class);
    JS_FreeValue(ctx, above);
    if (JS_IsException(made)) {
        free(kept);
        return made;
    }
    JS_SetOpaque(made, kept);
    JS_SetConstructorBit(ctx, made, true);
    JS_DefinePropertyValueStr(ctx, made, "length", JS_NewInt32(ctx, 0), JS_PROP_CONFIGURABLE);
    JS_DefinePropertyValueStr(ctx, made, "name", JS_DupValue(ctx, name), JS_PROP_CONFIGURABLE);
    return made;
}

/* Functions can be called with new; each has a prototype for what that makes. */
static JSValue make_with_prototype(napi_env env, JSValueConst name, const function* content) {
    JSContext* ctx = env->ctx;
    JSValue made = make(env, name, content);
    if (!JS_IsException(made))
        JS_DefinePropertyValueStr(ctx, made, "prototype", JS_NewObject(ctx), JS_PROP_WRITABLE);
    return made;
}

static JSValue with_constructor(napi_env env, JSValue made) {
    JSContext* ctx = env->ctx;
    if (JS_IsException(made))
        return made;
    JSValue prototype = JS_GetPropertyStr(ctx, made, "prototype");
    JS_DefinePropertyValueStr(ctx, prototype, "constructor", JS_DupValue(ctx, made),
                              JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    JS_FreeValue(ctx, prototype);
    return made;
}

JSValue napi_function_new(napi_env env, const char* name, size_t length, napi_callback callback,
                          void* data) {
    JSValue text = napi_text(env, name, length);
    function content = {.env = env, .callback = callback, .data = data};
    JSValue made = with_constructor(env, make_with_prototype(env, text, &content));
    JS_FreeValue(env->ctx, text);
    return made;
}

/* The name of a method whose key is a symbol is "[description]". */
static JSValue name_of(JSContext* ctx, JSValueConst key) {
    if (!JS_IsSymbol(key))
        return JS_ToString(ctx, key);
    JSValue description = JS_GetPropertyStr(ctx, key, "description");
    const char* text = JS_IsString(description) ? JS_ToCString(ctx, description) : NULL;
    JSValue name = JS_NewString(ctx, "");
    if (text != NULL) {
        char* whole = malloc(strlen(text) + 3);
        if (whole != NULL) {
            strcpy(whole, "[");
            strcat(whole, text);
            strcat(whole, "]");
            JS_FreeValue(ctx, name);
            name = JS_NewString(ctx, whole);
            free(whole);
        }
        JS_FreeCString(ctx, text);
    }
    JS_FreeValue(ctx, description);
    return name;
}

JSValue napi_method_new(napi_env env, JSValueConst key, napi_callback callback, void* data,
                        uint64_t brand) {
    JSValue name = name_of(env->ctx, key);
    function content = {.env = env, .callback = callback, .data = data, .brand = brand};
    JSValue made = with_constructor(env, make_with_prototype(env, name, &content));
    JS_FreeValue(env->ctx, name);
    return made;
}

NAPI napi_create_function(napi_env env, const char* name, size_t length, napi_callback callback,
                          void* data, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED_ARG(env, callback);
    NAPI_NEED(env, name == NULL || length == NAPI_AUTO_LENGTH || length <= INT32_MAX,
              napi_invalid_arg);
    return napi_give(env, napi_function_new(env, name, length, callback, data), result);
}

static napi_status define_members(napi_env env, JSValueConst made, size_t count,
                                  const napi_property_descriptor* properties, uint64_t brand) {
    JSContext* ctx = env->ctx;
    JSValue prototype = JS_GetPropertyStr(ctx, made, "prototype");
    napi_status status = napi_ok;
    for (size_t i = 0; i < count && status == napi_ok; i++) {
        bool is_static = (properties[i].attributes & napi_static) != 0;
        JSAtom key = napi_property_key(env, &properties[i], &status);
        if (status != napi_ok)
            break;
        if (napi_define(env, is_static ? made : prototype, key, &properties[i],
                        is_static ? 0 : brand) < 0)
            status = napi_caught(env);
        JS_FreeAtom(ctx, key);
    }
    JS_FreeValue(ctx, prototype);
    return status;
}

NAPI napi_define_class(napi_env env, const char* name, size_t length, napi_callback constructor,
                       void* data, size_t count, const napi_property_descriptor* properties,
                       napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED_ARG(env, constructor);
    NAPI_NEED(env, count == 0 || properties != NULL, napi_invalid_arg);
    NAPI_NEED_ARG(env, name);
    NAPI_NEED(env, length == NAPI_AUTO_LENGTH || length <= INT32_MAX, napi_invalid_arg);
    JSContext* ctx = env->ctx;
    JSValue text = napi_text(env, name, length);
    function content = {.env = env, .callback = constructor, .data = data, .is_class = true};
    content.brand = ++env->world->brands;
    JSValue made = make_with_prototype(env, text, &content);
    JS_FreeValue(ctx, text);
    if (JS_IsException(made))
        return napi_caught(env);
    napi_status status = define_members(env, made, count, properties, content.brand);
    if (status == napi_ok)
        return napi_give(env, with_constructor(env, made), result);
    JS_FreeValue(ctx, made);
    return status;
}

NAPI napi_get_cb_info(napi_env env, napi_callback_info info, size_t* argc, napi_value* argv,
                      napi_value* self, void** data) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, info);
    if (argv != NULL) {
        NAPI_NEED_ARG(env, argc);
        for (size_t i = 0; i < *argc; i++)
            argv[i] = i < (size_t)info->argc ? (napi_value)&info->argv[i]
                                             : napi_handle(env->world, JS_UNDEFINED);
    }
    if (argc != NULL)
        *argc = (size_t)info->argc;
    if (self != NULL)
        *self = (napi_value)&info->self;
    if (data != NULL)
        *data = info->data;
    return napi_succeed(env);
}

NAPI napi_get_new_target(napi_env env, napi_callback_info info, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, info);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsUndefined(info->new_target) ? NULL : (napi_value)&info->new_target;
    return napi_succeed(env);
}

enum { FEW_ARGUMENTS = 8 };

/* The arguments as the engine wants them: in `few` if there is room. */
static JSValue* gather(size_t argc, const napi_value* argv, JSValue* few) {
    JSValue* values = argc <= FEW_ARGUMENTS ? few : malloc(argc * sizeof(*values));
    for (size_t i = 0; values != NULL && i < argc; i++)
        values[i] = napi_js(argv[i]);
    return values;
}

NAPI napi_call_function(napi_env env, napi_value self, napi_value callee, size_t argc,
                        const napi_value* argv, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED(env, argc == 0 || argv != NULL, napi_invalid_arg);
    NAPI_NEED_ARG(env, callee);
    NAPI_NEED(env, JS_IsFunction(env->ctx, napi_js(callee)), napi_invalid_arg);
    JSValue few[FEW_ARGUMENTS];
    JSValue* values = gather(argc, argv, few);
    NAPI_NEED(env, values != NULL, napi_generic_failure);
    JSValue returned =
        JS_Call(env->ctx, napi_js(callee),
                self == NULL ? (JSValueConst)JS_UNDEFINED : napi_js(self), (int)argc, values);
    if (values != few)
        free(values);
    if (JS_IsException(returned))
        return napi_caught(env);
    if (result != NULL)
        return napi_give(env, returned, result);
    JS_FreeValue(env->ctx, returned);
    return napi_succeed(env);
}

NAPI napi_new_instance(napi_env env, napi_value constructor, size_t argc, const napi_value* argv,
                       napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, constructor);
    NAPI_NEED(env, argc == 0 || argv != NULL, napi_invalid_arg);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsFunction(env->ctx, napi_js(constructor)), napi_invalid_arg);
    JSValue few[FEW_ARGUMENTS];
    JSValue* values = gather(argc, argv, few);
    NAPI_NEED(env, values != NULL, napi_generic_failure);
    JSValue made = JS_CallConstructor(env->ctx, napi_js(constructor), (int)argc, values);
    if (values != few)
        free(values);
    return napi_give(env, made, result);
}

NAPI napi_instanceof(napi_env env, napi_value object, napi_value constructor, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, object);
    NAPI_NEED_ARG(env, result);
    *result = false;
    JSValue type;
    napi_status status = napi_to_object(env, constructor, napi_object_expected, &type);
    if (status != napi_ok)
        return status;
    JS_FreeValue(env->ctx, type);
    if (!JS_IsFunction(env->ctx, napi_js(constructor))) {
        napi_throw_coded(env, NAPI_TYPE_ERROR, "ERR_NAPI_CONS_FUNCTION",
                         "Constructor must be a function");
        return napi_fail(env, napi_function_expected);
    }
    int is = JS_IsInstanceOf(env->ctx, napi_js(object), napi_js(constructor));
    if (is < 0)
        return napi_caught_as(env, napi_generic_failure);
    *result = is > 0;
    return napi_succeed(env);
}
