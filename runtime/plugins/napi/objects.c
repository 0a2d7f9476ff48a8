/* Objects and their properties. */
#include <string.h>

#include "plugins/napi/napi.h"

NAPI napi_create_object(napi_env env, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_NewObject(env->ctx), result);
}

NAPI napi_create_array(napi_env env, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    return napi_give(env, JS_NewArray(env->ctx), result);
}

NAPI napi_create_array_with_length(napi_env env, size_t length, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    JSValue array = JS_NewArray(env->ctx);
    /* V8 takes the length for a signed number, and those below 0 for 0. */
    if (!JS_IsException(array) && (int32_t)length > 0)
        ph_set(env->ctx, array, "length", JS_NewInt32(env->ctx, (int32_t)length));
    return napi_give(env, array, result);
}

NAPI napi_is_array(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsArray(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_get_array_length(napi_env env, napi_value value, uint32_t* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, JS_IsArray(napi_js(value)), napi_array_expected);
    int64_t length = 0;
    JS_GetLength(env->ctx, napi_js(value), &length);
    *result = (uint32_t)length;
    return napi_succeed(env);
}

napi_status napi_to_object(napi_env env, napi_value value, napi_status otherwise, JSValue* object) {
    NAPI_NEED_ARG(env, value);
    JSValueConst given = napi_js(value);
    if (JS_IsUndefined(given) || JS_IsNull(given)) {
        JS_ThrowTypeError(env->ctx, "Cannot convert undefined or null to object");
        return napi_caught_as(env, otherwise);
    }
    *object = JS_IsObject(given) ? JS_DupValue(env->ctx, given) : JS_ToObject(env->ctx, given);
    return JS_IsException(*object) ? napi_caught(env) : napi_ok;
}

/* The value as an object that properties are asked of. */
static napi_status to_object(napi_env env, napi_value value, JSValue* object) {
    return napi_to_object(env, value, napi_object_expected, object);
}

typedef enum { GET, SET, HAS, DELETE, HAS_OWN } operation;

/* What is asked or set, and where the answer goes. */
typedef struct {
    operation kind;
    napi_value value;
    napi_value* got;
    bool* is;
} request;

static napi_status carry_out(napi_env env, JSValueConst object, JSAtom key, const request* asked) {
    JSContext* ctx = env->ctx;
    int answer = 0;
    JSValue got;
    switch (asked->kind) {
    case GET:
        got = JS_GetProperty(ctx, object, key);
        return JS_IsException(got) ? napi_caught_as(env, napi_generic_failure)
                                   : napi_give(env, got, asked->got);
    case SET:
        /* As outside of strict code: what can't be set is left. */
        answer = JS_SetPropertyValue(ctx, object, JS_AtomToValue(ctx, key),
                                     JS_DupValue(ctx, napi_js(asked->value)), 0);
        break;
    case HAS:
        answer = JS_HasProperty(ctx, object, key);
        break;
    case DELETE:
        answer = JS_DeleteProperty(ctx, object, key, 0);
        break;
    case HAS_OWN:
        answer = JS_GetOwnProperty(ctx, NULL, object, key);
        break;
    }
    if (answer < 0)
        return napi_caught_as(env, napi_generic_failure);
    if (asked->is != NULL)
        *asked->is = answer > 0;
    return napi_succeed(env);
}

/* The key passes to it. */
static napi_status ask(napi_env env, napi_value value, JSAtom key_owned, const request* asked) {
    JSValue object;
    napi_status status =
        key_owned == JS_ATOM_NULL ? napi_caught(env) : to_object(env, value, &object);
    if (status == napi_ok) {
        status = carry_out(env, object, key_owned, asked);
        JS_FreeValue(env->ctx, object);
    }
    JS_FreeAtom(env->ctx, key_owned);
    return status;
}

static napi_status ask_key(napi_env env, napi_value object, napi_value key, const request* asked) {
    NAPI_NEED_ARG(env, object);
    return ask(env, object, JS_ValueToAtom(env->ctx, napi_js(key)), asked);
}

NAPI napi_set_property(napi_env env, napi_value object, napi_value key, napi_value value) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, key);
    NAPI_NEED_ARG(env, value);
    return ask_key(env, object, key, &(request){.kind = SET, .value = value});
}

NAPI napi_get_property(napi_env env, napi_value object, napi_value key, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, key);
    NAPI_NEED_ARG(env, result);
    return ask_key(env, object, key, &(request){.kind = GET, .got = result});
}

NAPI napi_has_property(napi_env env, napi_value object, napi_value key, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED_ARG(env, key);
    return ask_key(env, object, key, &(request){.kind = HAS, .is = result});
}

NAPI napi_delete_property(napi_env env, napi_value object, napi_value key, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, key);
    return ask_key(env, object, key, &(request){.kind = DELETE, .is = result});
}

NAPI napi_has_own_property(napi_env env, napi_value object, napi_value key, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, object);
    NAPI_NEED_ARG(env, key);
    NAPI_NEED_ARG(env, result);
    JSValue target;
    napi_status status = to_object(env, object, &target);
    if (status != napi_ok)
        return status;
    JS_FreeValue(env->ctx, target);
    NAPI_NEED(env, JS_IsString(napi_js(key)) || JS_IsSymbol(napi_js(key)), napi_name_expected);
    return ask_key(env, object, key, &(request){.kind = HAS_OWN, .is = result});
}

static napi_status ask_name(napi_env env, napi_value object, const char* name,
                            const request* asked) {
    JSValue target;
    napi_status status = to_object(env, object, &target);
    if (status != napi_ok)
        return status;
    JS_FreeValue(env->ctx, target);
    NAPI_NEED_ARG(env, name);
    return ask(env, object, JS_NewAtom(env->ctx, name), asked);
}

NAPI napi_set_named_property(napi_env env, napi_value object, const char* name, napi_value value) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    return ask_name(env, object, name, &(request){.kind = SET, .value = value});
}

NAPI napi_has_named_property(napi_env env, napi_value object, const char* name, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    return ask_name(env, object, name, &(request){.kind = HAS, .is = result});
}

NAPI napi_get_named_property(napi_env env, napi_value object, const char* name,
                             napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    return ask_name(env, object, name, &(request){.kind = GET, .got = result});
}

static napi_status ask_index(napi_env env, napi_value object, uint32_t index,
                             const request* asked) {
    return ask(env, object, JS_NewAtomUInt32(env->ctx, index), asked);
}

NAPI napi_set_element(napi_env env, napi_value object, uint32_t index, napi_value value) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, value);
    return ask_index(env, object, index, &(request){.kind = SET, .value = value});
}

NAPI napi_has_element(napi_env env, napi_value object, uint32_t index, bool* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    return ask_index(env, object, index, &(request){.kind = HAS, .is = result});
}

NAPI napi_get_element(napi_env env, napi_value object, uint32_t index, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    return ask_index(env, object, index, &(request){.kind = GET, .got = result});
}

NAPI napi_delete_element(napi_env env, napi_value object, uint32_t index, bool* result) {
    NAPI_BEGIN(env);
    return ask_index(env, object, index, &(request){.kind = DELETE, .is = result});
}

NAPI napi_get_prototype(napi_env env, napi_value object, napi_value* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, result);
    JSValue target;
    napi_status status = to_object(env, object, &target);
    if (status != napi_ok)
        return status;
    JSValue prototype = JS_GetPrototype(env->ctx, target);
    JS_FreeValue(env->ctx, target);
    return napi_give(env, prototype, result);
}

static napi_status close_object(napi_env env, napi_value object,
                                int (*change)(JSContext*, JSValueConst)) {
    NAPI_BEGIN(env);
    JSValue target;
    napi_status status = to_object(env, object, &target);
    if (status != napi_ok)
        return status;
    int done = change(env->ctx, target);
    JS_FreeValue(env->ctx, target);
    return done < 0 ? napi_caught(env) : napi_succeed(env);
}

NAPI napi_object_freeze(napi_env env, napi_value object) {
    return close_object(env, object, JS_FreezeObject);
}

NAPI napi_object_seal(napi_env env, napi_value object) {
    return close_object(env, object, JS_SealObject);
}

JSAtom napi_property_key(napi_env env, const napi_property_descriptor* property,
                         napi_status* status) {
    JSAtom key = JS_ATOM_NULL;
    if (property->utf8name != NULL) {
        key = JS_NewAtom(env->ctx, property->utf8name);
    } else if (property->name == NULL) {
        *status = napi_fail(env, napi_invalid_arg);
        return JS_ATOM_NULL;
    } else if (!JS_IsString(napi_js(property->name)) && !JS_IsSymbol(napi_js(property->name))) {
        *status = napi_fail(env, napi_name_expected);
        return JS_ATOM_NULL;
    } else {
        key = JS_ValueToAtom(env->ctx, napi_js(property->name));
    }
    *status = key == JS_ATOM_NULL ? napi_caught(env) : napi_ok;
    return key;
}

static int flags_of(napi_property_attributes attributes, bool has_value) {
    int flags = JS_PROP_HAS_CONFIGURABLE | JS_PROP_HAS_ENUMERABLE;
    if ((attributes & napi_enumerable) != 0)
        flags |= JS_PROP_ENUMERABLE;
    if ((attributes & napi_configurable) != 0)
        flags |= JS_PROP_CONFIGURABLE;
    if (has_value) {
        flags |= JS_PROP_HAS_WRITABLE | JS_PROP_HAS_VALUE;
        if ((attributes & napi_writable) != 0)
            flags |= JS_PROP_WRITABLE;
    }
    return flags;
}

static int define_accessor(napi_env env, JSValueConst object, JSAtom key,
                           const napi_property_descriptor* property) {
    JSContext* ctx = env->ctx;
    JSValue name = JS_AtomToValue(ctx, key);
    JSValue getter = property->getter == NULL
                         ? JS_UNDEFINED
                         : napi_method_new(env, name, property->getter, property->data, 0);
    JSValue setter = property->setter == NULL
                         ? JS_UNDEFINED
                         : napi_method_new(env, name, property->setter, property->data, 0);
    int flags = flags_of(property->attributes, false) | JS_PROP_HAS_GET | JS_PROP_HAS_SET;
    int done = JS_DefineProperty(ctx, object, key, JS_UNDEFINED, getter, setter, flags);
    JS_FreeValue(ctx, getter);
    JS_FreeValue(ctx, setter);
    JS_FreeValue(ctx, name);
    return done;
}

int napi_define(napi_env env, JSValueConst object, JSAtom key,
                const napi_property_descriptor* property, uint64_t brand) {
    JSContext* ctx = env->ctx;
    if (property->getter != NULL || property->setter != NULL)
        return define_accessor(env, object, key, property);
    JSValue value;
    if (property->method != NULL) {
        JSValue name = JS_AtomToValue(ctx, key);
        value = napi_method_new(env, name, property->method, property->data, brand);
        JS_FreeValue(ctx, name);
    } else {
        value = property->value == NULL ? JS_UNDEFINED : JS_DupValue(ctx, napi_js(property->value));
    }
    if (JS_IsException(value))
        return -1;
    int done = JS_DefineProperty(ctx, object, key, value, JS_UNDEFINED, JS_UNDEFINED,
                                 flags_of(property->attributes, true));
    JS_FreeValue(ctx, value);
    return done;
}

NAPI napi_define_properties(napi_env env, napi_value object, size_t count,
                            const napi_property_descriptor* properties) {
    NAPI_BEGIN(env);
    NAPI_NEED(env, count == 0 || properties != NULL, napi_invalid_arg);
    JSValue target;
    napi_status status = to_object(env, object, &target);
    if (status != napi_ok)
        return status;
    napi_succeed(env);
    for (size_t i = 0; i < count && status == napi_ok; i++) {
        JSAtom key = napi_property_key(env, &properties[i], &status);
        if (status != napi_ok)
            break;
        int done = napi_define(env, target, key, &properties[i], 0);
        JS_FreeAtom(env->ctx, key);
        if (done < 0)
            status = napi_caught_as(env, napi_invalid_arg);
        else if (done == 0)
            status = napi_fail(env, napi_invalid_arg);
    }
    JS_FreeValue(env->ctx, target);
    return status;
}
