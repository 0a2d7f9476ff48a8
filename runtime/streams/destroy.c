/* How a stream is destroyed: once, with an error or without, and 'error' and 'close' after it. */
#include "streams/streams.h"

/* One field of both sides. */
static bool either(ph_stream* s, unsigned bit) {
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    return (w != NULL && ph_has(&w->side, bit)) || (r != NULL && ph_has(&r->side, bit));
}

static void both(ph_stream* s, unsigned bit) {
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (w != NULL)
        ph_put(&w->side, bit, true);
    if (r != NULL)
        ph_put(&r->side, bit, true);
}

/* The side that keeps what a stream has once. */
static ph_side* main_side(ph_stream* s) {
    ph_writable* w = ph_stream_writable(s);
    ph_readable* r = ph_stream_readable(s);
    if (w != NULL)
        return &w->side;
    return r != NULL ? &r->side : NULL;
}

/* The first error of a side is the one that it keeps. */
static void note_error(ph_stream* s, JSValueConst error) {
    if (!ph_is_given(error) || JS_ToBool(s->ctx, error) <= 0)
        return;
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (w != NULL && !ph_is_errored(&w->side))
        ph_replace(s->ctx, &w->side.errored, JS_DupValue(s->ctx, error));
    if (r != NULL && !ph_is_errored(&r->side))
        ph_replace(s->ctx, &r->side.errored, JS_DupValue(s->ctx, error));
}

static int tell_error(ph_stream* s, JSValueConst* values) {
    if (either(s, PH_ERROR_EMITTED))
        return 0;
    both(s, PH_ERROR_EMITTED);
    return ph_stream_emit(s, PH_STREAM_ERROR, 1, values);
}

/* The functions that the stream gave to the program hold it; now they are not needed. */
static void let_go(ph_stream* s) {
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL || ph_has(&w->side, PH_WRITE_WAITS))
        return;
    ph_replace(s->ctx, &w->on_write, JS_UNDEFINED);
    ph_replace(s->ctx, &w->transformed, JS_UNDEFINED);
}

static int tell_close(ph_stream* s, JSValueConst* values) {
    (void)values;
    both(s, PH_CLOSE_EMITTED);
    let_go(s);
    return either(s, PH_EMIT_CLOSE) ? ph_stream_emit(s, PH_STREAM_CLOSE, 0, NULL) : 0;
}

/* 'close' comes even if a listener of 'error' throws. */
static int tell_error_and_close(ph_stream* s, JSValueConst* values) {
    if (tell_error(s, values) == 0)
        return tell_close(s, values);
    JSValue error = ph_caught(s->ctx);
    int status = tell_close(s, values);
    if (status != 0)
        JS_FreeValue(s->ctx, ph_caught(s->ctx));
    JS_Throw(s->ctx, error);
    return -1;
}

/* The program has called back from _destroy. */
static int destroy_returned(ph_stream* s, JSValueConst error, JSValueConst callback) {
    ph_side* side = main_side(s);
    if (side == NULL || ph_has(side, PH_DESTROY_RETURNED))
        return 0;
    ph_put(side, PH_DESTROY_RETURNED, true);
    note_error(s, error);
    both(s, PH_CLOSED);
    if (JS_IsFunction(s->ctx, callback)) {
        JSValueConst given = error;
        if (ph_call_back(s->ctx, callback, given) != 0)
            return -1;
    }
    if (ph_is_given(error) && JS_ToBool(s->ctx, error) > 0)
        return ph_stream_later(s, tell_error_and_close, error, JS_UNDEFINED);
    return ph_stream_later(s, tell_close, JS_UNDEFINED, JS_UNDEFINED);
}

static JSValue on_destroy(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                          int magic, JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status = destroy_returned(&s, argc > 0 ? argv[0] : JS_UNDEFINED, data[1]);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int call_destroy(ph_stream* s, JSValueConst error, JSValueConst callback) {
    JSContext* ctx = s->ctx;
    ph_side* side = main_side(s);
    if (side != NULL)
        ph_put(side, PH_DESTROY_RETURNED, false);
    JSValueConst data[] = {s->self, callback};
    JSValue done = JS_NewCFunctionData2(ctx, on_destroy, "", 1, 0, 2, data);
    JSValue method =
        JS_IsException(done) ? JS_EXCEPTION : ph_stream_method(s, PH_STREAM_DESTROY_METHOD);
    JSValue result = JS_EXCEPTION;
    if (!JS_IsException(method)) {
        bool has_error = ph_is_given(error) && JS_ToBool(ctx, error) > 0;
        JSValueConst args[] = {has_error ? error : JS_NULL, done};
        result = JS_Call(ctx, method, s->self, 2, args);
    }
    ph_drop(ctx, method);
    ph_drop(ctx, done);
    ph_drop(ctx, result);
    if (!JS_IsException(result))
        return 0;
    JSValue thrown = ph_caught(ctx);
    int status = destroy_returned(s, thrown, callback);
    JS_FreeValue(ctx, thrown);
    return status;
}

static int fail_buffer_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    return ph_stream_writable(s) == NULL ? 0 : ph_writable_fail_buffer(s);
}

int ph_destroy(ph_stream* s, JSValueConst error, JSValueConst callback) {
    ph_side* side = main_side(s);
    if (side == NULL || either(s, PH_DESTROYED)) {
        if (!JS_IsFunction(s->ctx, callback))
            return 0;
        JSValue result = JS_Call(s->ctx, callback, JS_UNDEFINED, 0, NULL);
        ph_drop(s->ctx, result);
        return JS_IsException(result) ? -1 : 0;
    }
    note_error(s, error);
    both(s, PH_DESTROYED);
    ph_writable* w = ph_stream_writable(s);
    if (w != NULL && (w->count > 0 || w->finish_count > 0) &&
        ph_stream_later(s, fail_buffer_later, JS_UNDEFINED, JS_UNDEFINED) != 0)
        return -1;
    if (ph_has(side, PH_CONSTRUCTED))
        return call_destroy(s, error, callback);
    ph_put(side, PH_DESTROY_WAITS, true);
    ph_replace(s->ctx, &side->destroy_error, JS_DupValue(s->ctx, error));
    ph_replace(s->ctx, &side->destroy_callback, JS_DupValue(s->ctx, callback));
    return 0;
}

int ph_destroy_go_on(ph_stream* s, JSValueConst error) {
    ph_side* side = main_side(s);
    if (side == NULL || !ph_has(side, PH_DESTROY_WAITS))
        return 0;
    ph_put(side, PH_DESTROY_WAITS, false);
    JSValue first = side->destroy_error;
    JSValue callback = side->destroy_callback;
    side->destroy_error = side->destroy_callback = JS_UNDEFINED;
    JSValue joined = ph_is_given(error) && ph_is_given(first)
                         ? ph_streams_error(s->ctx, PH_ERROR_BOTH, error, first)
                         : JS_DupValue(s->ctx, ph_is_given(error) ? error : (JSValueConst)first);
    int status = call_destroy(s, joined, callback);
    JS_FreeValue(s->ctx, joined);
    JS_FreeValue(s->ctx, first);
    JS_FreeValue(s->ctx, callback);
    return status;
}

int ph_fail(ph_stream* s, JSValueConst error, bool later) {
    if (either(s, PH_DESTROYED))
        return 0;
    if (either(s, PH_AUTO_DESTROY)) {
        JSValue result =
            JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_DESTROY), 1, &error);
        ph_drop(s->ctx, result);
        return JS_IsException(result) ? -1 : 0;
    }
    if (!ph_is_given(error))
        return 0;
    note_error(s, error);
    if (later)
        return ph_stream_later(s, tell_error, error, JS_UNDEFINED);
    return tell_error(s, &error);
}

int ph_fail_with(ph_stream* s, JSValue error_owned, bool later) {
    int status = ph_fail(s, error_owned, later);
    JS_FreeValue(s->ctx, error_owned);
    return status;
}

void ph_undestroy(ph_stream* s) {
    const unsigned of_both = PH_CLOSED | PH_CLOSE_EMITTED | PH_DESTROYED | PH_ERROR_EMITTED |
                             PH_DESTROY_RETURNED | PH_DESTROY_WAITS;
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (r != NULL) {
        ph_put(&r->side, of_both | PH_READING, false);
        ph_put(&r->side, PH_CONSTRUCTED, true);
        ph_put(&r->side, PH_ENDED | PH_END_EMITTED, r->side.enabled == PH_NO);
        ph_replace(s->ctx, &r->side.errored, JS_NULL);
    }
    if (w != NULL) {
        ph_put(&w->side, of_both | PH_FINAL_CALLED | PH_PREFINISHED | PH_FINAL_RETURNED, false);
        ph_put(&w->side, PH_CONSTRUCTED, true);
        ph_put(&w->side, PH_ENDING | PH_WRITE_ENDED | PH_FINISHED, w->side.enabled == PH_NO);
        ph_replace(s->ctx, &w->side.errored, JS_NULL);
    }
}
