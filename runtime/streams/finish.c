/* The end of a writable side: end(), _final, 'prefinish' and 'finish'. */
#include "streams/streams.h"

static bool may_finish(const ph_writable* w) {
    return ph_has(&w->side, PH_ENDING) && ph_has(&w->side, PH_CONSTRUCTED) &&
           !ph_is_one_of(&w->side, PH_DESTROYED | PH_FINISHED | PH_WRITING | PH_BUFFER_PROCESSING |
                                       PH_ERROR_EMITTED | PH_CLOSE_EMITTED) &&
           w->side.length == 0 && w->count == 0 && !ph_is_errored(&w->side);
}

int ph_finish_tell(ph_stream* s, JSValueConst error) {
    ph_writable* w = s->w;
    JSValue* callbacks = w->finish_callbacks;
    unsigned count = w->finish_count;
    w->finish_callbacks = NULL;
    w->finish_count = 0;
    int status = 0;
    for (unsigned i = 0; i < count; i++) {
        if (status == 0)
            status = ph_call_back(s->ctx, callbacks[i], error);
        ph_drop(s->ctx, callbacks[i]);
    }
    js_free(s->ctx, callbacks);
    return status;
}

static bool other_side_is_over(ph_stream* s) {
    const ph_readable* r = ph_stream_readable(s);
    return r == NULL || (ph_has(&r->side, PH_AUTO_DESTROY) &&
                         (ph_has(&r->side, PH_END_EMITTED) || r->side.enabled == PH_NO));
}

static int finish(ph_stream* s) {
    ph_writable* w = s->w;
    w->pending--;
    ph_put(&w->side, PH_FINISHED, true);
    if (ph_finish_tell(s, JS_NULL) != 0 || ph_stream_emit(s, PH_STREAM_FINISH, 0, NULL) != 0)
        return -1;
    if (!ph_has(&w->side, PH_AUTO_DESTROY) || !other_side_is_over(s))
        return 0;
    JSValue result = JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_DESTROY), 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static int finish_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_writable* w = ph_stream_writable(s);
    if (w == NULL)
        return 0;
    if (may_finish(w))
        return finish(s);
    w->pending--;
    return 0;
}

/* After _final nothing stops it any more. */
static int finish_surely_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    return ph_stream_writable(s) == NULL ? 0 : finish(s);
}

static int tell_prefinish(ph_stream* s) {
    ph_put(&s->w->side, PH_PREFINISHED, true);
    return ph_stream_emit(s, PH_STREAM_PREFINISH, 0, NULL);
}

/* The program has called back from _final. */
static int final_returned(ph_stream* s, JSValueConst error) {
    ph_writable* w = s->w;
    bool failed = ph_is_given(error) && JS_ToBool(s->ctx, error) > 0;
    if (ph_has(&w->side, PH_FINAL_RETURNED)) {
        JSValue cause = failed ? JS_DupValue(s->ctx, error)
                               : ph_streams_error(s->ctx, PH_ERROR_MULTIPLE_CALLBACK, JS_UNDEFINED,
                                                  JS_UNDEFINED);
        return ph_fail_with(s, cause, false);
    }
    ph_put(&w->side, PH_FINAL_RETURNED, true);
    w->pending--;
    if (failed) {
        if (ph_finish_tell(s, error) != 0)
            return -1;
        return ph_fail(s, error, ph_has(&w->side, PH_SYNC));
    }
    if (!may_finish(w))
        return 0;
    if (tell_prefinish(s) != 0)
        return -1;
    /* A listener may have ended what was to come. */
    w->pending++;
    return ph_stream_later(s, finish_surely_later, JS_UNDEFINED, JS_UNDEFINED);
}

static JSValue on_final(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                        JSValueConst* data) {
    (void)self;
    (void)magic;
    ph_stream s = ph_stream_open(ctx, data[0]);
    int status =
        ph_stream_writable(&s) == NULL ? 0 : final_returned(&s, argc > 0 ? argv[0] : JS_UNDEFINED);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int call_final(ph_stream* s, JSValueConst method) {
    ph_writable* w = s->w;
    JSValue done = JS_NewCFunctionData2(s->ctx, on_final, "", 1, 0, 1, (JSValueConst*)&s->self);
    if (JS_IsException(done))
        return -1;
    ph_put(&w->side, PH_SYNC, true);
    ph_put(&w->side, PH_FINAL_RETURNED, false);
    w->pending++;
    JSValue result = JS_Call(s->ctx, method, s->self, 1, (JSValueConst*)&done);
    int status = 0;
    if (JS_IsException(result)) {
        JSValue error = ph_caught(s->ctx);
        status = final_returned(s, error);
        JS_FreeValue(s->ctx, error);
    }
    ph_drop(s->ctx, result);
    JS_FreeValue(s->ctx, done);
    ph_put(&w->side, PH_SYNC, false);
    return status;
}

static int prefinish(ph_stream* s) {
    ph_writable* w = s->w;
    if (ph_is_one_of(&w->side, PH_PREFINISHED | PH_FINAL_CALLED))
        return 0;
    JSValue method = ph_stream_method(s, PH_STREAM_FINAL_METHOD);
    if (JS_IsException(method))
        return -1;
    int status;
    if (JS_IsFunction(s->ctx, method) && !ph_has(&w->side, PH_DESTROYED)) {
        ph_put(&w->side, PH_FINAL_CALLED, true);
        status = call_final(s, method);
    } else {
        status = tell_prefinish(s);
    }
    ph_drop(s->ctx, method);
    return status;
}

int ph_finish_maybe(ph_stream* s) {
    ph_writable* w = s->w;
    if (!may_finish(w))
        return 0;
    if (prefinish(s) != 0)
        return -1;
    if (w->pending != 0)
        return 0;
    w->pending++;
    return ph_stream_later(s, finish_later, JS_UNDEFINED, JS_UNDEFINED);
}

static int call_later(ph_stream* s, JSValueConst* values) {
    JSValue result =
        JS_Call(s->ctx, values[0], JS_UNDEFINED, JS_IsUndefined(values[1]) ? 0 : 1, &values[1]);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static int wait_for_finish(ph_stream* s, JSValueConst callback) {
    ph_writable* w = s->w;
    JSValue* more = js_realloc(s->ctx, w->finish_callbacks, (w->finish_count + 1) * sizeof(*more));
    if (more == NULL)
        return -1;
    w->finish_callbacks = more;
    more[w->finish_count++] = JS_DupValue(s->ctx, callback);
    return 0;
}

/* Begins to end; `failure` becomes an error that only the callback hears of. */
static int begin_end(ph_stream* s, JSValue* failure) {
    ph_writable* w = s->w;
    if (!ph_is_errored(&w->side) && !ph_has(&w->side, PH_ENDING)) {
        ph_put(&w->side, PH_ENDING, true);
        int status = ph_finish_maybe(s);
        ph_put(&w->side, PH_WRITE_ENDED, true);
        return status;
    }
    if (ph_has(&w->side, PH_FINISHED))
        *failure = ph_streams_error_of(s->ctx, PH_ERROR_ALREADY_FINISHED, "end");
    else if (ph_has(&w->side, PH_DESTROYED))
        *failure = ph_streams_error_of(s->ctx, PH_ERROR_STREAM_DESTROYED, "end");
    return 0;
}

int ph_finish_end(ph_stream* s, int argc, JSValueConst* argv) {
    ph_writable* w = s->w;
    JSContext* ctx = s->ctx;
    JSValueConst chunk = argc > 0 ? argv[0] : JS_UNDEFINED;
    JSValueConst encoding = argc > 1 ? argv[1] : JS_UNDEFINED;
    JSValueConst callback = argc > 2 ? argv[2] : JS_UNDEFINED;
    if (JS_IsFunction(ctx, chunk)) {
        callback = chunk;
        chunk = encoding = JS_NULL;
    } else if (JS_IsFunction(ctx, encoding)) {
        callback = encoding;
        encoding = JS_NULL;
    }
    JSValue failure = JS_UNDEFINED;
    if (ph_is_given(chunk) && ph_writable_write(s, chunk, encoding, JS_UNDEFINED, &failure) < 0)
        return -1;
    int status = 0;
    if (w->corked > 0) {
        w->corked = 0;
        if (!ph_has(&w->side, PH_WRITING))
            status = ph_writable_clear_buffer(s);
    }
    if (status == 0 && JS_IsUndefined(failure))
        status = begin_end(s, &failure);
    if (status == 0 && JS_IsFunction(ctx, callback)) {
        if (!JS_IsUndefined(failure) || ph_has(&w->side, PH_FINISHED))
            status = ph_stream_later(s, call_later, callback, failure);
        else if (ph_is_errored(&w->side))
            status = ph_stream_later(s, call_later, callback, w->side.errored);
        else
            status = wait_for_finish(s, callback);
    }
    ph_drop(ctx, failure);
    return status;
}
