/* The names of an object's properties, of its prototypes too, as the filters let them pass. */
#include "plugins/napi/napi.h"

typedef struct {
    napi_env env;
    JSValue seen; /* an object with all names so far, for those of prototypes */
    JSValue list;
    uint32_t count;
    int filter;
    bool numbers_as_text;
} collection;

/* 1: the property passes; 0: it does not; -1: an exception. */
static int passes(const collection* keys, JSValueConst object, JSAtom key) {
    const int asked = napi_key_writable | napi_key_enumerable | napi_key_configurable;
    if ((keys->filter & asked) == 0)
        return 1;
    JSContext* ctx = keys->env->ctx;
    JSPropertyDescriptor found;
    int status = JS_GetOwnProperty(ctx, &found, object, key);
    if (status <= 0)
        return status;
    JS_FreeValue(ctx, found.value);
    JS_FreeValue(ctx, found.getter);
    JS_FreeValue(ctx, found.setter);
    bool is_writable = (found.flags & (JS_PROP_WRITABLE | JS_PROP_GETSET)) != 0;
    if ((keys->filter & napi_key_writable) != 0 && !is_writable)
        return 0;
    if ((keys->filter & napi_key_enumerable) != 0 && (found.flags & JS_PROP_ENUMERABLE) == 0)
        return 0;
    return (keys->filter & napi_key_configurable) == 0 || (found.flags & JS_PROP_CONFIGURABLE) != 0;
}

/* Whether the text is the index of an element. */
static bool to_index(JSContext* ctx, JSValueConst name, uint32_t* index) {
    size_t length;
    const char* text = JS_IsString(name) ? JS_ToCStringLen(ctx, &length, name) : NULL;
    if (text == NULL)
        return false;
    uint64_t number = 0;
    bool is_index = length > 0 && length <= 10 && (length == 1 || text[0] != '0');
    for (size_t i = 0; is_index && i < length; i++) {
        is_index = text[i] >= '0' && text[i] <= '9';
        number = number * 10 + (uint64_t)(text[i] - '0');
    }
    JS_FreeCString(ctx, text);
    *index = (uint32_t)number;
    return is_index && number < UINT32_MAX;
}

static int add_key(collection* keys, JSValueConst object, JSAtom key) {
    JSContext* ctx = keys->env->ctx;
    if (!JS_IsUndefined(keys->seen)) {
        int known = JS_GetOwnProperty(ctx, NULL, keys->seen, key);
        if (known != 0)
            return known < 0 ? -1 : 0;
        if (JS_DefinePropertyValue(ctx, keys->seen, key, JS_TRUE, JS_PROP_C_W_E) < 0)
            return -1;
    }
    int wanted = passes(keys, object, key);
    if (wanted <= 0)
        return wanted;
    JSValue name = JS_AtomToValue(ctx, key);
    uint32_t index;
    if (JS_IsNumber(name) && keys->numbers_as_text) {
        JSValue text = JS_ToString(ctx, name);
        JS_FreeValue(ctx, name);
        name = text;
    } else if (!keys->numbers_as_text && to_index(ctx, name, &index)) {
        JS_FreeValue(ctx, name);
        name = JS_NewUint32(ctx, index);
    }
    return JS_DefinePropertyValueUint32(ctx, keys->list, keys->count++, name, JS_PROP_C_W_E);
}

static int add_keys(collection* keys, JSValueConst object) {
    int kinds = 0;
    if ((keys->filter & napi_key_skip_strings) == 0)
        kinds |= JS_GPN_STRING_MASK;
    if ((keys->filter & napi_key_skip_symbols) == 0)
        kinds |= JS_GPN_SYMBOL_MASK;
    JSContext* ctx = keys->env->ctx;
    JSPropertyEnum* names;
    uint32_t count;
    if (kinds == 0)
        return 0;
    if (JS_GetOwnPropertyNames(ctx, &names, &count, object, kinds) < 0)
        return -1;
    int status = 0;
    for (uint32_t i = 0; i < count && status >= 0; i++)
        status = add_key(keys, object, names[i].atom);
    JS_FreePropertyEnum(ctx, names, count);
    return status < 0 ? -1 : 0;
}

static int add_all(collection* keys, JSValueConst object, bool with_prototypes) {
    JSContext* ctx = keys->env->ctx;
    JSValue next = JS_DupValue(ctx, object);
    int status = 0;
    while (JS_IsObject(next) && status == 0) {
        status = add_keys(keys, next);
        JSValue above = with_prototypes && status == 0 ? JS_GetPrototype(ctx, next) : JS_NULL;
        JS_FreeValue(ctx, next);
        next = above;
        if (JS_IsException(next))
            return -1;
    }
    JS_FreeValue(ctx, next);
    return status;
}

NAPI napi_get_all_property_names(napi_env env, napi_value object, napi_key_collection_mode mode,
                                 napi_key_filter filter, napi_key_conversion conversion,
                                 napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    JSValue target;
    napi_status converted = napi_to_object(env, object, napi_object_expected, &target);
    if (converted != napi_ok)
        return converted;
    JS_FreeValue(env->ctx, target);
    NAPI_NEED(env, mode == napi_key_include_prototypes || mode == napi_key_own_only,
              napi_invalid_arg);
    NAPI_NEED(env, conversion == napi_key_keep_numbers || conversion == napi_key_numbers_to_strings,
              napi_invalid_arg);
    JSContext* ctx = env->ctx;
    bool with_prototypes = mode == napi_key_include_prototypes;
    target = JS_ToObject(ctx, napi_js(object));
    collection keys = {
        .env = env,
        .seen = with_prototypes ? JS_NewObjectProto(ctx, JS_NULL) : JS_UNDEFINED,
        .list = JS_NewArray(ctx),
        .filter = (int)filter,
        .numbers_as_text = conversion == napi_key_numbers_to_strings,
    };
    int status = add_all(&keys, target, with_prototypes);
    JS_FreeValue(ctx, target);
    JS_FreeValue(ctx, keys.seen);
    if (status == 0)
        return napi_give(env, keys.list, result);
    JS_FreeValue(ctx, keys.list);
    return napi_caught(env);
}

NAPI napi_get_property_names(napi_env env, napi_value object, napi_value* result) {
    return napi_get_all_property_names(env, object, napi_key_include_prototypes,
                                       napi_key_enumerable | napi_key_skip_symbols,
                                       napi_key_numbers_to_strings, result);
}
