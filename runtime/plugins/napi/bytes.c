/* ArrayBuffers, typed arrays, DataViews and Buffers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/patched.h"
#include "plugins/napi/napi.h"

/* A view's bytes, where they are now; false if the value is no view. */
typedef struct {
    JSValue buffer;
    size_t offset;
    size_t length; /* in bytes */
    uint8_t* data;
} view;

static bool is_array_buffer(napi_env env, JSValueConst value) {
    return JS_GetClassID(value) == env->world->array_buffer_class;
}

static bool is_typed_array(JSValueConst value) {
    return JS_GetTypedArrayType(value) >= 0;
}

static void* resize_bytes(JSRuntime* rt, void* opaque, void* bytes, size_t size) {
    (void)rt;
    (void)opaque;
    if (size == 0) {
        free(bytes);
        return NULL;
    }
    return realloc(bytes, size);
}

/* Of a buffer on bytes of an addon: what tells the addon that they are not used any more; NULL once
 * it has been told, at the end of its world. */
typedef struct {
    napi_attachment* told;
} owner;

static owner* owner_new(napi_env env, void* data, napi_finalize finalize, void* hint) {
    owner* made = malloc(sizeof(*made));
    napi_attachment* told = made == NULL ? NULL : napi_attachment_new(env, data, finalize, hint);
    if (told == NULL) {
        free(made);
        return NULL;
    }
    made->told = told;
    told->link = &made->told;
    return made;
}

/* External bytes can't grow. */
static void* release_external(JSRuntime* rt, void* opaque, void* bytes, size_t size) {
    (void)rt;
    (void)bytes;
    owner* released = opaque;
    if (size != 0)
        return NULL;
    if (released->told != NULL)
        napi_attachment_due(released->told);
    free(released);
    return NULL;
}

NAPI napi_is_arraybuffer(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = is_array_buffer(env, napi_js(value));
    return napi_succeed(env);
}

NAPI napi_create_arraybuffer(napi_env env, size_t length, void** data, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    uint8_t* bytes = calloc(length + 1, 1);
    if (bytes == NULL) {
        JS_ThrowRangeError(env->ctx, "Array buffer allocation failed");
        return napi_caught(env);
    }
    if (data != NULL)
        *data = bytes;
    return napi_give(env, JS_NewArrayBuffer(env->ctx, bytes, length, 0, resize_bytes, NULL, false),
                     result);
}

NAPI napi_get_arraybuffer_info(napi_env env, napi_value value, void** data, size_t* length) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED(env, is_array_buffer(env, napi_js(value)), napi_invalid_arg);
    size_t size = 0;
    uint8_t* bytes = JS_GetArrayBuffer(env->ctx, &size, napi_js(value));
    if (bytes == NULL) /* detached */
        JS_FreeValue(env->ctx, JS_GetException(env->ctx));
    if (data != NULL)
        *data = bytes;
    if (length != NULL)
        *length = bytes == NULL ? 0 : size;
    return napi_succeed(env);
}

NAPI napi_detach_arraybuffer(napi_env env, napi_value value) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED(env, is_array_buffer(env, napi_js(value)), napi_arraybuffer_expected);
    JS_DetachArrayBuffer(env->ctx, napi_js(value));
    return napi_succeed(env);
}

NAPI napi_is_detached_arraybuffer(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = false;
    size_t size;
    if (is_array_buffer(env, napi_js(value)) &&
        JS_GetArrayBuffer(env->ctx, &size, napi_js(value)) == NULL) {
        *result = true;
        JS_FreeValue(env->ctx, JS_GetException(env->ctx));
    }
    return napi_succeed(env);
}

/* Both arrays below are in the order of napi_typedarray_type. */
static const JSTypedArrayEnum engine_types[NAPI_TYPED_ARRAY_COUNT] = {
    JS_TYPED_ARRAY_INT8,      JS_TYPED_ARRAY_UINT8,      JS_TYPED_ARRAY_UINT8C,
    JS_TYPED_ARRAY_INT16,     JS_TYPED_ARRAY_UINT16,     JS_TYPED_ARRAY_INT32,
    JS_TYPED_ARRAY_UINT32,    JS_TYPED_ARRAY_FLOAT32,    JS_TYPED_ARRAY_FLOAT64,
    JS_TYPED_ARRAY_BIG_INT64, JS_TYPED_ARRAY_BIG_UINT64,
};
static const struct {
    const char* name;
    size_t size;
} elements[NAPI_TYPED_ARRAY_COUNT] = {
    {"Int8Array", 1},    {"Uint8Array", 1},    {"Uint8ClampedArray", 1}, {"Int16Array", 2},
    {"Uint16Array", 2},  {"Int32Array", 4},    {"Uint32Array", 4},       {"Float32Array", 4},
    {"Float64Array", 8}, {"BigInt64Array", 8}, {"BigUint64Array", 8},
};

static size_t size_of(napi_env env, JSValueConst buffer) {
    size_t size = 0;
    if (JS_GetArrayBuffer(env->ctx, &size, buffer) == NULL)
        JS_FreeValue(env->ctx, JS_GetException(env->ctx));
    return size;
}

NAPI napi_is_typedarray(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = is_typed_array(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_create_typedarray(napi_env env, napi_typedarray_type type, size_t length,
                            napi_value buffer, size_t offset, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, buffer);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_array_buffer(env, napi_js(buffer)), napi_invalid_arg);
    NAPI_NEED(env, (unsigned)type < NAPI_TYPED_ARRAY_COUNT, napi_invalid_arg);
    size_t size = elements[type].size;
    if (offset % size != 0) {
        char text[96];
        snprintf(text, sizeof(text), "start offset of %s should be a multiple of %zu",
                 elements[type].name, size);
        napi_throw_coded(env, NAPI_RANGE_ERROR, "ERR_NAPI_INVALID_TYPEDARRAY_ALIGNMENT", text);
        return napi_fail(env, napi_generic_failure);
    }
    if (length > SIZE_MAX / size || length * size > SIZE_MAX - offset ||
        length * size + offset > size_of(env, napi_js(buffer))) {
        napi_throw_coded(env, NAPI_RANGE_ERROR, "ERR_NAPI_INVALID_TYPEDARRAY_LENGTH",
                         "Invalid typed array length");
        return napi_fail(env, napi_generic_failure);
    }
    JSValueConst args[] = {napi_js(buffer), JS_NewInt64(env->ctx, (int64_t)offset),
                           JS_NewInt64(env->ctx, (int64_t)length)};
    return napi_give(env, JS_NewTypedArray(env->ctx, 3, args, engine_types[type]), result);
}

static size_t ask_view(napi_env env, JSValueConst value, napi_intrinsic question) {
    int64_t answer = 0;
    JSValue got = JS_Call(env->ctx, env->world->intrinsics[question], value, 0, NULL);
    if (JS_IsException(got))
        JS_FreeValue(env->ctx, JS_GetException(env->ctx)); /* detached */
    else
        JS_ToInt64(env->ctx, &answer, got);
    JS_FreeValue(env->ctx, got);
    return (size_t)answer;
}

/* False if the value is neither a typed array nor a DataView. The buffer is the caller's. */
static bool look(napi_env env, JSValueConst value, view* found) {
    JSContext* ctx = env->ctx;
    *found = (view){.buffer = JS_UNDEFINED};
    if (is_typed_array(value)) {
        size_t element;
        found->buffer =
            JS_GetTypedArrayBuffer(ctx, value, &found->offset, &found->length, &element);
    } else if (JS_IsDataView(value)) {
        found->buffer = JS_Call(ctx, env->world->intrinsics[NAPI_VIEW_BUFFER], value, 0, NULL);
        found->offset = ask_view(env, value, NAPI_VIEW_OFFSET);
        found->length = ask_view(env, value, NAPI_VIEW_LENGTH);
    } else {
        return false;
    }
    size_t size = 0;
    uint8_t* bytes =
        JS_IsException(found->buffer) ? NULL : JS_GetArrayBuffer(ctx, &size, found->buffer);
    if (bytes == NULL)
        JS_FreeValue(ctx, JS_GetException(ctx));
    else
        found->data = bytes + found->offset;
    return true;
}

static int type_of(JSValueConst value) {
    int engine = JS_GetTypedArrayType(value);
    for (int i = 0; i < NAPI_TYPED_ARRAY_COUNT; i++)
        if ((int)engine_types[i] == engine)
            return i;
    return -1; /* Float16Array: Node-API has no name for it */
}

NAPI napi_get_typedarray_info(napi_env env, napi_value value, napi_typedarray_type* type,
                              size_t* length, void** data, napi_value* buffer, size_t* offset) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED(env, is_typed_array(napi_js(value)), napi_invalid_arg);
    int kind = type_of(napi_js(value));
    NAPI_NEED(env, kind >= 0, napi_invalid_arg);
    view found;
    look(env, napi_js(value), &found);
    if (type != NULL)
        *type = (napi_typedarray_type)kind;
    if (length != NULL)
        *length = found.length / elements[kind].size;
    if (data != NULL)
        *data = found.data;
    if (offset != NULL)
        *offset = found.offset;
    if (buffer != NULL)
        return napi_give(env, found.buffer, buffer);
    JS_FreeValue(env->ctx, found.buffer);
    return napi_succeed(env);
}

NAPI napi_create_dataview(napi_env env, size_t length, napi_value buffer, size_t offset,
                          napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, buffer);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, is_array_buffer(env, napi_js(buffer)), napi_invalid_arg);
    size_t size = size_of(env, napi_js(buffer));
    if (offset > size || length > size - offset) {
        napi_throw_coded(env, NAPI_RANGE_ERROR, "ERR_NAPI_INVALID_DATAVIEW_ARGS",
                         "byte_offset + byte_length should be less than or equal to the size in "
                         "bytes of the array passed in");
        return napi_fail(env, napi_pending_exception);
    }
    JSValueConst args[] = {napi_js(buffer), JS_NewInt64(env->ctx, (int64_t)offset),
                           JS_NewInt64(env->ctx, (int64_t)length)};
    return napi_give(
        env, JS_CallConstructor(env->ctx, env->world->intrinsics[NAPI_DATA_VIEW], 3, args), result);
}

NAPI napi_is_dataview(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = JS_IsDataView(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_get_dataview_info(napi_env env, napi_value value, size_t* length, void** data,
                            napi_value* buffer, size_t* offset) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED(env, JS_IsDataView(napi_js(value)), napi_invalid_arg);
    view found;
    look(env, napi_js(value), &found);
    if (length != NULL)
        *length = found.length;
    if (data != NULL)
        *data = found.data;
    if (offset != NULL)
        *offset = found.offset;
    if (buffer != NULL)
        return napi_give(env, found.buffer, buffer);
    JS_FreeValue(env->ctx, found.buffer);
    return napi_succeed(env);
}

NAPI napi_create_buffer(napi_env env, size_t length, void** data, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    uint8_t* bytes = malloc(length + 1);
    NAPI_NEED(env, bytes != NULL, napi_generic_failure);
    if (data != NULL)
        *data = bytes;
    return napi_give(env, ph_buffer(env->world->env, bytes, length), result);
}

NAPI napi_create_buffer_copy(napi_env env, size_t length, const void* source, void** data,
                             napi_value* result) {
    void* bytes;
    napi_status status = napi_create_buffer(env, length, &bytes, result);
    if (status != napi_ok)
        return status;
    if (length > 0)
        memcpy(bytes, source, length);
    if (data != NULL)
        *data = bytes;
    return napi_ok;
}

/* An ArrayBuffer on bytes of the addon, which is told when it is gone or detached. */
static JSValue over_external(napi_env env, void* data, size_t length, napi_finalize finalize,
                             void* hint) {
    static uint8_t nothing;
    owner* told = owner_new(env, data, finalize, hint);
    if (told == NULL)
        return JS_ThrowOutOfMemory(env->ctx);
    /* The engine takes a buffer without an address for a detached one. */
    uint8_t* bytes = data == NULL ? &nothing : data;
    JSValue buffer = JS_NewArrayBuffer(env->ctx, bytes, data == NULL ? 0 : length, 0,
                                       release_external, told, false);
    if (JS_IsException(buffer))
        return buffer;
    JSValue marked = JS_Call(env->ctx, env->world->keep_here, JS_UNDEFINED, 1, &buffer);
    if (JS_IsException(marked)) {
        JS_FreeValue(env->ctx, buffer);
        return marked;
    }
    JS_FreeValue(env->ctx, marked);
    return buffer;
}

NAPI napi_create_external_arraybuffer(napi_env env, void* data, size_t length,
                                      napi_finalize finalize, void* hint, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    JSValue buffer = over_external(env, data, length, finalize, hint);
    /* One without bytes is a detached one. */
    if (data == NULL && !JS_IsException(buffer))
        JS_DetachArrayBuffer(env->ctx, buffer);
    return napi_give(env, buffer, result);
}

NAPI napi_create_external_buffer(napi_env env, size_t length, void* data, napi_finalize finalize,
                                 void* hint, napi_value* result) {
    NAPI_BEGIN(env);
    NAPI_NEED_ARG(env, result);
    ph_env* world = env->world->env;
    JSValue buffer = over_external(env, data, length, finalize, hint);
    if (JS_IsException(buffer))
        return napi_caught(env);
    JSValue array = JS_NewTypedArray(env->ctx, 1, &buffer, JS_TYPED_ARRAY_UINT8);
    JS_FreeValue(env->ctx, buffer);
    if (!JS_IsException(array) && JS_IsUndefined(world->bytes.prototype))
        JS_FreeValue(env->ctx, ph_hook_call(world, PH_HOOK_BUFFER, 0, NULL));
    if (!JS_IsException(array))
        JS_SetPrototype(env->ctx, array, world->bytes.prototype);
    return napi_give(env, array, result);
}

NAPI napi_is_buffer(napi_env env, napi_value value, bool* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    NAPI_NEED_ARG(env, result);
    *result = is_typed_array(napi_js(value)) || JS_IsDataView(napi_js(value));
    return napi_succeed(env);
}

NAPI napi_get_buffer_info(napi_env env, napi_value value, void** data, size_t* length) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, value);
    view found;
    NAPI_NEED(env, look(env, napi_js(value), &found), napi_invalid_arg);
    if (data != NULL)
        *data = found.data;
    if (length != NULL)
        *length = found.length;
    JS_FreeValue(env->ctx, found.buffer);
    return napi_succeed(env);
}
