/* Transform: what is written becomes what is read. A chunk is taken while the readable side wants
 * more; otherwise its callback waits until somebody reads. */
#include "streams/streams.h"

/* Tells the writable side that the chunk is done. */
static int chunk_done(ph_stream* s, JSValueConst error) {
    ph_writable* w = s->w;
    if (ph_is_same_object(w->transform_callback, w->on_write))
        return ph_writable_written(s, error);
    JSValue callback = JS_DupValue(s->ctx, w->transform_callback);
    JSValue result =
        JS_IsFunction(s->ctx, callback)
            ? JS_Call(s->ctx, callback, JS_UNDEFINED, JS_IsUndefined(error) ? 0 : 1, &error)
            : JS_UNDEFINED;
    JS_FreeValue(s->ctx, callback);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static int push(ph_stream* s, JSValueConst chunk) {
    JSValueConst ours = ph_streams_of(s->ctx)->own_push;
    JSValue method;
    if (ph_stream_is_ours(s->ctx, s->self, PH_STREAM_PUSH, ours, &method))
        return ph_readable_push(s, chunk, JS_UNDEFINED, false) < 0 ? -1 : 0;
    JSValue result =
        JS_IsException(method) ? JS_EXCEPTION : JS_Call(s->ctx, method, s->self, 1, &chunk);
    ph_drop(s->ctx, result);
    ph_drop(s->ctx, method);
    return JS_IsException(result) ? -1 : 0;
}

static int chunk_done_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    return ph_stream_writable(s) == NULL ? 0 : chunk_done(s, JS_UNDEFINED);
}

/* The program has called back from _transform. */
static int transformed(ph_stream* s, JSValueConst error, JSValueConst chunk) {
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (r == NULL || w == NULL)
        return 0;
    if (JS_ToBool(s->ctx, error) > 0)
        return chunk_done(s, error);
    if (ph_is_given(chunk) && push(s, chunk) != 0)
        return -1;
    if (ph_has(&w->side, PH_WRITE_ENDED) || w->transform_length == r->side.length ||
        (double)r->side.length < r->side.mark) {
        /* Who ended the readable side in this chunk has its 'end' first. */
        if (ph_has(&r->side, PH_ENDED))
            return ph_stream_later(s, chunk_done_later, JS_UNDEFINED, JS_UNDEFINED);
        return chunk_done(s, JS_UNDEFINED);
    }
    ph_put(&w->side, PH_TRANSFORM_WAITS, true);
    return 0;
}

static JSValue on_transformed(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                              int magic, JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status =
        transformed(&s, argc > 0 ? argv[0] : JS_UNDEFINED, argc > 1 ? argv[1] : JS_UNDEFINED);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int call_transform(ph_stream* s, JSValueConst method, JSValueConst chunk,
                          JSValueConst encoding) {
    ph_writable* w = s->w;
    if (JS_IsUndefined(w->transformed)) {
        JSValue made =
            JS_NewCFunctionData2(s->ctx, on_transformed, "", 2, 0, 1, (JSValueConst*)&s->self);
        if (JS_IsException(made))
            return -1;
        w->transformed = made;
    }
    JSValue done = JS_DupValue(s->ctx, w->transformed);
    JSValueConst args[] = {chunk, encoding, done};
    JSValue result = JS_Call(s->ctx, method, s->self, 3, args);
    JS_FreeValue(s->ctx, done);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

int ph_transform_write(ph_stream* s, JSValueConst chunk, JSValueConst encoding,
                       JSValueConst callback) {
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (r == NULL || w == NULL) {
        JS_ThrowTypeError(s->ctx, "_write was called on what is not a transform stream");
        return -1;
    }
    w->transform_length = r->side.length;
    if (!ph_is_same_object(w->transform_callback, callback))
        ph_replace(s->ctx, &w->transform_callback, JS_DupValue(s->ctx, callback));
    JSValueConst ours = ph_streams_of(s->ctx)->own_pass;
    JSValue method;
    if (ph_stream_is_ours(s->ctx, s->self, PH_STREAM_TRANSFORM_METHOD, ours, &method))
        return transformed(s, JS_NULL, chunk);
    if (JS_IsException(method))
        return -1;
    int status = call_transform(s, method, chunk, encoding);
    ph_drop(s->ctx, method);
    return status;
}

int ph_transform_read(ph_stream* s) {
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL || !ph_has(&w->side, PH_TRANSFORM_WAITS))
        return 0;
    ph_put(&w->side, PH_TRANSFORM_WAITS, false);
    return chunk_done(s, JS_UNDEFINED);
}

static JSValue write_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    ph_stream s = ph_stream_open(ctx, self);
    int status = ph_transform_write(&s, argv[0], argv[1], argv[2]);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue read_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_stream s = ph_stream_open(ctx, self);
    int status = ph_transform_read(&s);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue not_implemented(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_Throw(ctx, ph_streams_error_of(ctx, PH_ERROR_NOT_IMPLEMENTED, "_transform()"));
}

static JSValue pass(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSValueConst args[] = {JS_NULL, argv[0]};
    return JS_Call(ctx, argv[2], JS_UNDEFINED, 2, args);
}

/* The last that can be read, and the callback of _final if there is one. */
static int flushed(ph_stream* s, JSValueConst error, JSValueConst chunk, JSValueConst callback) {
    bool called = JS_IsFunction(s->ctx, callback);
    if (JS_ToBool(s->ctx, error) > 0) {
        if (called)
            return ph_call_back(s->ctx, callback, error);
        JSValue result =
            JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_DESTROY), 1, &error);
        ph_drop(s->ctx, result);
        return JS_IsException(result) ? -1 : 0;
    }
    if ((ph_is_given(chunk) && push(s, chunk) != 0) || push(s, JS_NULL) != 0)
        return -1;
    if (!called)
        return 0;
    JSValue result = JS_Call(s->ctx, callback, JS_UNDEFINED, 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static JSValue on_flushed(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic, JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status =
        flushed(&s, argc > 0 ? argv[0] : JS_UNDEFINED, argc > 1 ? argv[1] : JS_UNDEFINED, data[1]);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int flush(ph_stream* s, JSValueConst callback) {
    JSValue method = ph_stream_method(s, PH_STREAM_FLUSH_METHOD);
    JSValue destroyed =
        JS_IsException(method) ? JS_EXCEPTION : ph_stream_method(s, PH_STREAM_DESTROYED);
    int status = JS_IsException(destroyed) ? -1 : 0;
    if (status == 0 && JS_IsFunction(s->ctx, method) && JS_ToBool(s->ctx, destroyed) == 0) {
        JSValueConst data[] = {s->self, callback};
        JSValue done = JS_NewCFunctionData2(s->ctx, on_flushed, "", 2, 0, 2, data);
        JSValue result = JS_IsException(done)
                             ? JS_EXCEPTION
                             : JS_Call(s->ctx, method, s->self, 1, (JSValueConst*)&done);
        status = JS_IsException(result) ? -1 : 0;
        ph_drop(s->ctx, result);
        ph_drop(s->ctx, done);
    } else if (status == 0) {
        status = flushed(s, JS_NULL, JS_UNDEFINED, callback);
    }
    ph_drop(s->ctx, destroyed);
    ph_drop(s->ctx, method);
    return status;
}

static JSValue final_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int status = flush(&s, argc > 0 ? argv[0] : JS_UNDEFINED);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

void ph_transform_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("transformNotImplemented", 3, not_implemented),
        JS_CFUNC_DEF("transformFinal", 1, final_method),
    };
    ph_streams* streams = ph_streams_of(ctx);
    if (!JS_IsObject(streams->own_pass)) {
        streams->own_transform_write = JS_NewCFunction(ctx, write_method, "_write", 3);
        streams->own_transform_read = JS_NewCFunction(ctx, read_method, "_read", 0);
        streams->own_pass = JS_NewCFunction(ctx, pass, "_transform", 3);
    }
    JS_SetPropertyFunctionList(ctx, binding, functions, (int)PH_COUNT(functions));
    ph_set(ctx, binding, "transformWrite", JS_DupValue(ctx, streams->own_transform_write));
    ph_set(ctx, binding, "transformRead", JS_DupValue(ctx, streams->own_transform_read));
    ph_set(ctx, binding, "pass", JS_DupValue(ctx, streams->own_pass));
}
