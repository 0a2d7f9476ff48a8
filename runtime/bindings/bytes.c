#include "bindings/bytes.h"

#include <stdlib.h>
#include <string.h>

#include "bindings/permission.h"
#include "engine/patched.h"

void ph_bytes_init(ph_env* env) {
    static const char* const moving[] = {"resize", "transfer", "transferToFixedLength",
                                         "transferToImmutable"};
    if (js_pin_bytes != NULL)
        return;
    JSValue any = JS_NewArrayBufferCopy(env->ctx, (const uint8_t*)"", 0);
    JSValue prototype = JS_GetPrototype(env->ctx, any);
    for (size_t i = 0; i < PH_COUNT(moving); i++) {
        JSAtom name = JS_NewAtom(env->ctx, moving[i]);
        JS_DeleteProperty(env->ctx, prototype, name, 0);
        JS_FreeAtom(env->ctx, name);
    }
    JS_FreeValue(env->ctx, prototype);
    JS_FreeValue(env->ctx, any);
}

/* For an engine without the change. Parts that a program can define are checked against the memory
 * that is there. */
static bool plain_bytes(JSContext* ctx, JSValueConst value, uint8_t** bytes, size_t* length) {
    static uint8_t nothing[1];
    size_t offset = 0;
    size_t size = SIZE_MAX;
    JSValue whole;
    *bytes = nothing;
    *length = 0;
    if (JS_IsDataView(value)) {
        JSValue start = JS_GetPropertyStr(ctx, value, "byteOffset");
        JSValue count = JS_GetPropertyStr(ctx, value, "byteLength");
        whole = JS_GetPropertyStr(ctx, value, "buffer");
        offset = ph_index(ctx, start, 0, INT32_MAX);
        size = ph_index(ctx, count, 0, INT32_MAX);
    } else if (JS_GetTypedArrayType(value) >= 0) {
        whole = JS_GetTypedArrayBuffer(ctx, value, &offset, &size, NULL);
    } else {
        whole = JS_DupValue(ctx, value);
    }
    size_t all;
    uint8_t* start = JS_IsException(whole) ? NULL : JS_GetArrayBuffer(ctx, &all, whole);
    bool found = !JS_IsException(whole) && (start != NULL || JS_IsArrayBuffer(whole));
    if (start != NULL && offset < all) {
        *bytes = start + offset;
        *length = size < all - offset ? size : all - offset;
    }
    JS_FreeValue(ctx, whole);
    JS_FreeValue(ctx, JS_GetException(ctx));
    return found || JS_GetTypedArrayType(value) >= 0;
}

int ph_bytes(JSContext* ctx, JSValueConst value, uint8_t** bytes, size_t* length) {
    if (js_bytes != NULL ? js_bytes(value, bytes, length) : plain_bytes(ctx, value, bytes, length))
        return 0;
    JS_ThrowTypeError(ctx, "not an ArrayBuffer or a view of one");
    return -1;
}

size_t ph_index(JSContext* ctx, JSValueConst value, size_t otherwise, size_t most) {
    double number = ph_number(ctx, value, (double)otherwise);
    if (!(number > 0))
        return 0;
    return number < (double)most ? (size_t)number : most;
}

static int pin_bytes(JSContext* ctx, JSValueConst value, uint8_t** bytes, size_t* length,
                     void** pin) {
    if (js_pin_bytes != NULL)
        return js_pin_bytes(ctx, value, bytes, length, pin);
    JSValue* held = malloc(sizeof(*held));
    if (held == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    *held = JS_DupValue(ctx, value);
    *pin = held;
    return 0;
}

static void unpin(ph_env* env, void* pin) {
    if (js_unpin != NULL) {
        js_unpin(env->rt, pin);
        return;
    }
    JS_FreeValue(env->ctx, *(JSValue*)pin);
    free(pin);
}

int ph_pins_add(JSContext* ctx, ph_pins* pins, JSValueConst value, uint8_t** bytes,
                size_t* length) {
    void* pin;
    if (ph_bytes(ctx, value, bytes, length) != 0)
        return -1;
    if (pins->count > 0) {
        /* The room doubles whenever the count of those beside the first is a power of two. */
        unsigned more = pins->count - 1;
        if ((more & (more - 1)) == 0) {
            size_t room = more == 0 ? 1 : (size_t)more * 2;
            void** bigger = realloc(pins->more, room * sizeof(*bigger));
            if (bigger == NULL) {
                JS_ThrowOutOfMemory(ctx);
                return -1;
            }
            pins->more = bigger;
        }
    }
    if (pin_bytes(ctx, value, bytes, length, &pin) != 0)
        return -1;
    if (pins->count == 0)
        pins->first = pin;
    else
        pins->more[pins->count - 1] = pin;
    pins->count++;
    return 0;
}

int ph_pins_add_list(JSContext* ctx, ph_pins* pins, JSValueConst list, uv_buf_t** pieces,
                     unsigned* count) {
    enum { MOST = 1 << 24 };
    int64_t length = 0;
    *pieces = NULL;
    *count = 0;
    if (JS_GetLength(ctx, list, &length) != 0)
        return -1;
    if (length < 0 || length > MOST) {
        JS_ThrowRangeError(ctx, "too many buffers");
        return -1;
    }
    *pieces = malloc(((size_t)length + 1) * sizeof(uv_buf_t));
    if (*pieces == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    for (int64_t i = 0; i < length; i++) {
        uint8_t* bytes;
        size_t size;
        JSValue item = JS_GetPropertyInt64(ctx, list, i);
        int status = JS_IsException(item) ? -1 : ph_pins_add(ctx, pins, item, &bytes, &size);
        JS_FreeValue(ctx, item);
        if (status != 0)
            return -1;
        (*pieces)[(*count)++] = uv_buf_init((char*)bytes, (unsigned)size);
    }
    return 0;
}

void ph_pins_release(ph_env* env, ph_pins* pins) {
    if (pins->count == 0)
        return;
    unpin(env, pins->first);
    for (unsigned i = 1; i < pins->count; i++)
        unpin(env, pins->more[i - 1]);
    free(pins->more);
    memset(pins, 0, sizeof(*pins));
}

bool ph_can_detach(void) {
    return js_pin_bytes != NULL;
}

bool ph_move_bytes(JSContext* ctx, JSValueConst from, JSValueConst to) {
    return js_move_bytes != NULL && js_move_bytes(ctx, from, to);
}

bool ph_tracks_length(JSValueConst value) {
    return js_tracks_length != NULL && js_tracks_length(value);
}

static char* copy_name(JSContext* ctx, const char* name, size_t length) {
    if (memchr(name, 0, length) != NULL) {
        JS_ThrowTypeError(ctx, "a name of a file has a zero in it");
        return NULL;
    }
    char* copy = malloc(length + 1);
    if (copy == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    memcpy(copy, name, length);
    copy[length] = '\0';
    return copy;
}

static char* path_of(JSContext* ctx, JSValueConst value) {
    uint8_t* bytes;
    size_t length;
    if (JS_IsObject(value) && ph_bytes(ctx, value, &bytes, &length) == 0)
        return copy_name(ctx, (const char*)bytes, length);
    JS_FreeValue(ctx, JS_GetException(ctx));
    const char* text = ph_text(ctx, value, &length);
    char* name = text == NULL ? NULL : copy_name(ctx, text, length);
    JS_FreeCString(ctx, text);
    return name;
}

char* ph_path(JSContext* ctx, JSValueConst value, unsigned access) {
    char* path = path_of(ctx, value);
    path = path == NULL ? NULL : ph_permitted(ctx, path, access);
    return access == PH_LOOK_UP ? path : ph_bound(ctx, path);
}
