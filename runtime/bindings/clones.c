/* Copies of values: structuredClone, v8.serialize, and the form of messages between processes. What
 * these functions can't do without asking the program, JavaScript does (internal/serdes). */
#include <stdlib.h>
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "engine/patched.h"

/* clone(value, otherwise) */
static JSValue clone_value(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_message message;
    message.form = PH_MESSAGE_CLONE;
    message.buffer_proto = JS_UNDEFINED;
    if (js_message_write == NULL || !js_message_write(ctx, argv[0], &message))
        return JS_DupValue(ctx, argv[1]);
    ph_message_source source = {.form = PH_MESSAGE_CLONE,
                                .buffer_proto = JS_UNDEFINED,
                                .buffer = JS_UNDEFINED,
                                .bytes = message.bytes,
                                .length = message.length};
    JSValue copy = js_message_read(ctx, &source);
    js_message_release(ctx, &message);
    return JS_VALUE_GET_TAG(copy) == JS_TAG_UNINITIALIZED ? JS_DupValue(ctx, argv[1]) : copy;
}

enum { LENGTH_SIZE = 4 };

/* The form of a message to a process has its length before it. */
static JSValue with_length(JSContext* ctx, const ph_message* message) {
    uint8_t* bytes = malloc(LENGTH_SIZE + message->length);
    if (bytes == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (int i = 0; i < LENGTH_SIZE; i++)
        bytes[i] = (uint8_t)(message->length >> (8 * (LENGTH_SIZE - 1 - i)));
    memcpy(bytes + LENGTH_SIZE, message->bytes, message->length);
    return ph_buffer(ph_env_of(ctx), bytes, LENGTH_SIZE + message->length);
}

/* serialize(value), serializeMessage(value): a Buffer, or undefined */
static JSValue serialize(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int form) {
    (void)self;
    (void)argc;
    ph_message message;
    message.form = (ph_message_form)form;
    message.buffer_proto = ph_env_of(ctx)->bytes.prototype;
    if (js_message_write == NULL || !js_message_write(ctx, argv[0], &message))
        return JS_UNDEFINED;
    JSValue bytes = form == PH_MESSAGE_MARKED
                        ? with_length(ctx, &message)
                        : ph_buffer_copy(ph_env_of(ctx), message.bytes, message.length);
    js_message_release(ctx, &message);
    return bytes;
}

/* deserialize(view, otherwise), deserializeMessage(view, otherwise) */
static JSValue deserialize(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int form) {
    (void)self;
    (void)argc;
    uint8_t* bytes;
    size_t length;
    size_t offset;
    JSValueConst proto = ph_env_of(ctx)->bytes.prototype;
    if (js_message_read == NULL || JS_GetTypedArrayType(argv[0]) < 0 || !JS_IsObject(proto))
        return JS_DupValue(ctx, argv[1]);
    JSValue whole = JS_GetTypedArrayBuffer(ctx, argv[0], &offset, &length, NULL);
    if (JS_IsException(whole)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_DupValue(ctx, argv[1]);
    }
    JSValue value = JS_UNINITIALIZED;
    if (ph_bytes(ctx, argv[0], &bytes, &length) == 0) {
        ph_message_source source = {.form = (ph_message_form)form,
                                    .buffer_proto = proto,
                                    .buffer = whole,
                                    .offset = offset,
                                    .bytes = bytes,
                                    .length = length};
        value = js_message_read(ctx, &source);
    }
    JS_FreeValue(ctx, whole);
    return JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED ? JS_DupValue(ctx, argv[1]) : value;
}

JSValue ph_clones_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("clone", 2, clone_value),
        JS_CFUNC_MAGIC_DEF("serialize", 1, serialize, PH_MESSAGE_APART),
        JS_CFUNC_MAGIC_DEF("serializeMessage", 1, serialize, PH_MESSAGE_MARKED),
        JS_CFUNC_MAGIC_DEF("deserialize", 2, deserialize, PH_MESSAGE_APART),
        JS_CFUNC_MAGIC_DEF("deserializeMessage", 2, deserialize, PH_MESSAGE_MARKED),
    };
    return PH_EXPORT(ctx, functions);
}
