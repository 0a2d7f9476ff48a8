/* What all files of the streams use: sides, errors, events, ticks, chunks. */
#include <string.h>

#include "bindings/bytes.h"
#include "engine/gate.h"
#include "engine/patched.h"
#include "events/events.h"
#include "streams/streams.h"

ph_stream ph_stream_open(JSContext* ctx, JSValueConst self) {
    return (ph_stream){.ctx = ctx,
                       .self = ph_keep(ctx, self),
                       .held_readable = JS_UNDEFINED,
                       .held_writable = JS_UNDEFINED};
}

void ph_stream_close(ph_stream* s) {
    ph_drop(s->ctx, s->held_readable);
    ph_drop(s->ctx, s->held_writable);
    ph_drop(s->ctx, s->self);
}

/* A getter that throws is no side. */
static void* side_of(ph_stream* s, ph_stream_atom name, JSClassID class, JSValue* held) {
    if (!JS_IsObject(s->self))
        return NULL;
    JSValueConst own;
    JSValue state =
        js_own_value != NULL && js_own_value(s->self, ph_stream_name(s->ctx, name), &own)
            ? ph_keep(s->ctx, own)
            : ph_stream_method(s, name);
    void* side = JS_GetOpaque(state, class);
    if (side != NULL) {
        *held = state;
        return side;
    }
    if (JS_IsException(state))
        state = JS_GetException(s->ctx);
    ph_drop(s->ctx, state);
    return NULL;
}

ph_readable* ph_stream_readable(ph_stream* s) {
    if (!s->knows_readable) {
        s->knows_readable = true;
        s->r = side_of(s, PH_STREAM_READABLE_STATE, ph_streams_of(s->ctx)->readable_class,
                       &s->held_readable);
    }
    return s->r;
}

ph_writable* ph_stream_writable(ph_stream* s) {
    if (!s->knows_writable) {
        s->knows_writable = true;
        s->w = side_of(s, PH_STREAM_WRITABLE_STATE, ph_streams_of(s->ctx)->writable_class,
                       &s->held_writable);
    }
    return s->w;
}

JSValue ph_streams_call(JSContext* ctx, ph_streams_hook hook, int argc, JSValueConst* argv) {
    return JS_Call(ctx, ph_streams_of(ctx)->hooks[hook], JS_UNDEFINED, argc, argv);
}

JSValue ph_streams_error(JSContext* ctx, ph_stream_error which, JSValueConst value,
                         JSValueConst other) {
    JSValueConst args[] = {JS_NewInt32(ctx, (int32_t)which), value, other};
    JSValue error = ph_streams_call(ctx, PH_STREAMS_ERROR, 3, args);
    /* No memory for the error is an error as well. */
    return JS_IsException(error) ? JS_GetException(ctx) : error;
}

JSValue ph_streams_error_of(JSContext* ctx, ph_stream_error which, const char* name) {
    JSValue text = JS_NewString(ctx, name);
    JSValue error = ph_streams_error(ctx, which, text, JS_UNDEFINED);
    JS_FreeValue(ctx, text);
    return error;
}

JSValue ph_streams_throw(JSContext* ctx, ph_stream_error which, JSValueConst value) {
    return JS_Throw(ctx, ph_streams_error(ctx, which, value, JS_UNDEFINED));
}

int ph_stream_emit(ph_stream* s, ph_stream_atom name, int argc, JSValueConst* argv) {
    return ph_events_emit(s->ctx, s->self, ph_stream_name(s->ctx, name), argc, argv) < 0 ? -1 : 0;
}

bool ph_stream_has_listener(ph_stream* s, ph_stream_atom name) {
    int64_t count = ph_events_count(s->ctx, s->self, ph_stream_name(s->ctx, name));
    if (count < 0)
        JS_FreeValue(s->ctx, JS_GetException(s->ctx));
    return count > 0;
}

JSValue ph_stream_method(ph_stream* s, ph_stream_atom name) {
    return JS_GetProperty(s->ctx, s->self, ph_stream_name(s->ctx, name));
}

bool ph_stream_is_ours(JSContext* ctx, JSValueConst self, ph_stream_atom name, JSValueConst ours,
                       JSValue* method) {
    JSValueConst known;
    if (js_known_value != NULL && js_known_value(self, ph_stream_name(ctx, name), &known)) {
        bool is_ours = ph_is_same_object(known, ours);
        *method = is_ours ? JS_UNDEFINED : ph_keep(ctx, known);
        return is_ours;
    }
    *method = JS_GetProperty(ctx, self, ph_stream_name(ctx, name));
    if (!ph_is_same_object(*method, ours))
        return false;
    JS_FreeValue(ctx, *method);
    return true;
}

int ph_call_back(JSContext* ctx, JSValueConst function, JSValueConst value) {
    JSValue result = JS_Call(ctx, function, JS_UNDEFINED, 1, &value);
    ph_drop(ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

JSValue ph_caught(JSContext* ctx) {
    return JS_GetException(ctx);
}

static JSValue run_task(JSContext* ctx, void* task, JSValueConst* values) {
    ph_stream s = ph_stream_open(ctx, values[0]);
    int status = ((ph_stream_task*)task)(&s, values + 1);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

int ph_stream_later(ph_stream* s, ph_stream_task* task, JSValueConst value, JSValueConst other) {
    JSValueConst values[] = {s->self, value, other};
    return ph_gate_tick(ph_env_of(s->ctx), run_task, (void*)task, values);
}

void ph_replace(JSContext* ctx, JSValue* place, JSValue value_owned) {
    JSValue before = *place;
    *place = value_owned;
    ph_drop(ctx, before);
}

bool ph_is_bytes(JSContext* ctx, JSValueConst chunk) {
    (void)ctx;
    return JS_IsObject(chunk) && JS_GetTypedArrayType(chunk) == JS_TYPED_ARRAY_UINT8;
}

int ph_chunk_length(JSContext* ctx, JSValueConst chunk, int64_t* length) {
    size_t count;
    *length = 0;
    if (js_byte_count != NULL && js_byte_count(chunk, &count)) {
        *length = (int64_t)count;
        return 0;
    }
    if (ph_is_bytes(ctx, chunk)) {
        uint8_t* bytes;
        if (ph_bytes(ctx, chunk, &bytes, &count) != 0)
            return -1;
        *length = (int64_t)count;
        return 0;
    }
    if (!JS_IsString(chunk) && !JS_IsObject(chunk))
        return 0;
    JSValue value = JS_GetProperty(ctx, chunk, ph_stream_name(ctx, PH_STREAM_LENGTH));
    int status = JS_IsException(value) ? -1 : 0;
    if (status == 0 && JS_IsNumber(value))
        status = JS_ToInt64(ctx, length, value) != 0 ? -1 : 0;
    ph_drop(ctx, value);
    return status;
}

bool ph_is_text(JSContext* ctx, JSValueConst value, const char* text) {
    if (!JS_IsString(value))
        return false;
    const char* found = JS_ToCString(ctx, value);
    bool same = found != NULL && strcmp(found, text) == 0;
    JS_FreeCString(ctx, found);
    return same;
}

static bool is_utf8(JSContext* ctx, JSValueConst encoding) {
    return JS_VALUE_GET_TAG(encoding) == JS_TAG_STRING &&
           (JS_VALUE_GET_PTR(encoding) == JS_VALUE_GET_PTR(ph_streams_of(ctx)->utf8) ||
            ph_is_text(ctx, encoding, "utf8"));
}

static bool is_buffer(JSContext* ctx, JSValueConst chunk) {
    JSValue proto = JS_GetPrototype(ctx, chunk);
    bool is = ph_is_same_object(proto, ph_env_of(ctx)->bytes.prototype);
    ph_drop(ctx, proto);
    return is;
}

JSValue ph_chunk_buffer(JSContext* ctx, JSValueConst chunk, JSValueConst encoding) {
    if (ph_is_bytes(ctx, chunk) && is_buffer(ctx, chunk))
        return JS_DupValue(ctx, chunk);
    if (JS_IsString(chunk) && is_utf8(ctx, encoding)) {
        size_t length;
        const char* text = ph_text(ctx, chunk, &length);
        if (text == NULL)
            return JS_EXCEPTION;
        JSValue made = ph_buffer_copy(ph_env_of(ctx), text, length);
        JS_FreeCString(ctx, text);
        return made;
    }
    JSValueConst args[] = {chunk, encoding};
    return ph_streams_call(ctx, PH_STREAMS_BUFFER, 2, args);
}
