/* Streams whose program has something to do (_construct) before they are used. */
#include "streams/streams.h"

static void both(ph_stream* s, unsigned bit, bool on) {
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (w != NULL)
        ph_put(&w->side, bit, on);
    if (r != NULL)
        ph_put(&r->side, bit, on);
}

static ph_side* main_side(ph_stream* s) {
    ph_writable* w = ph_stream_writable(s);
    ph_readable* r = ph_stream_readable(s);
    if (w != NULL)
        return &w->side;
    return r != NULL ? &r->side : NULL;
}

/* What was asked of the stream meanwhile happens now. */
static int begin_work(ph_stream* s) {
    ph_readable* r = ph_stream_readable(s);
    if (r != NULL && ph_has(&r->side, PH_NEED_READABLE) && ph_readable_more(s) != 0)
        return -1;
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL)
        return 0;
    if (!ph_has(&w->side, PH_WRITING) && ph_writable_clear_buffer(s) != 0)
        return -1;
    return ph_finish_maybe(s);
}

static int construct_returned(ph_stream* s, JSValueConst* values) {
    ph_side* side = main_side(s);
    if (side == NULL)
        return 0;
    JSValueConst error = values[0];
    bool failed = ph_is_given(error) && JS_ToBool(s->ctx, error) > 0;
    if (ph_has(side, PH_CONSTRUCT_RETURNED)) {
        JSValue cause = failed ? JS_DupValue(s->ctx, error)
                               : ph_streams_error(s->ctx, PH_ERROR_MULTIPLE_CALLBACK, JS_UNDEFINED,
                                                  JS_UNDEFINED);
        return ph_fail_with(s, cause, false);
    }
    ph_put(side, PH_CONSTRUCT_RETURNED, true);
    both(s, PH_CONSTRUCTED, true);
    if (ph_has(side, PH_DESTROYED))
        return ph_destroy_go_on(s, error);
    if (failed)
        return ph_fail(s, error, true);
    return begin_work(s);
}

static JSValue on_construct(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                            int magic, JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status =
        ph_stream_later(&s, construct_returned, argc > 0 ? argv[0] : JS_UNDEFINED, JS_UNDEFINED);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int call_construct(ph_stream* s, JSValueConst* values) {
    (void)values;
    JSContext* ctx = s->ctx;
    JSValue done = JS_NewCFunctionData2(ctx, on_construct, "", 1, 0, 1, (JSValueConst*)&s->self);
    JSValue method =
        JS_IsException(done) ? JS_EXCEPTION : ph_stream_method(s, PH_STREAM_CONSTRUCT_METHOD);
    JSValue result = JS_IsException(method)
                         ? JS_EXCEPTION
                         : JS_Call(ctx, method, s->self, 1, (JSValueConst*)&done);
    int status = 0;
    if (JS_IsException(result)) {
        JSValue error = ph_caught(ctx);
        status = ph_stream_later(s, construct_returned, error, JS_UNDEFINED);
        JS_FreeValue(ctx, error);
    }
    ph_drop(ctx, result);
    ph_drop(ctx, method);
    ph_drop(ctx, done);
    return status;
}

int ph_construct(ph_stream* s) {
    JSValue method = ph_stream_method(s, PH_STREAM_CONSTRUCT_METHOD);
    if (JS_IsException(method))
        return -1;
    bool has_work = JS_IsFunction(s->ctx, method);
    ph_drop(s->ctx, method);
    if (!has_work)
        return 0;
    both(s, PH_CONSTRUCTED, false);
    return ph_stream_later(s, call_construct, JS_UNDEFINED, JS_UNDEFINED);
}
