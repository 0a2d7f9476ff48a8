/* Who is told of what a readable side has: 'readable', 'data' while it flows, and 'end'. */
#include "streams/streams.h"

static int announce_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    return ph_stream_readable(s) == NULL ? 0 : ph_flow_announce_now(s);
}

int ph_flow_announce(ph_stream* s) {
    ph_side* side = &s->r->side;
    ph_put(side, PH_NEED_READABLE, false);
    if (ph_has(side, PH_EMITTED_READABLE))
        return 0;
    ph_put(side, PH_EMITTED_READABLE, true);
    return ph_stream_later(s, announce_later, JS_UNDEFINED, JS_UNDEFINED);
}

int ph_flow_announce_now(ph_stream* s) {
    ph_readable* r = s->r;
    if (!ph_has(&r->side, PH_DESTROYED) && !ph_is_errored(&r->side) &&
        (r->side.length > 0 || ph_has(&r->side, PH_ENDED))) {
        if (ph_stream_emit(s, PH_STREAM_READABLE, 0, NULL) != 0)
            return -1;
        ph_put(&r->side, PH_EMITTED_READABLE, false);
    }
    ph_put(&r->side, PH_NEED_READABLE,
           r->flowing != PH_YES && !ph_has(&r->side, PH_ENDED) &&
               (double)r->side.length <= r->side.mark);
    return ph_flow_run(s);
}

int ph_flow_run(ph_stream* s) {
    ph_readable* r = s->r;
    while (r->flowing == PH_YES) {
        JSValueConst ours = ph_streams_of(s->ctx)->own_read;
        JSValue method, chunk;
        if (ph_stream_is_ours(s->ctx, s->self, PH_STREAM_READ, ours, &method)) {
            chunk = ph_readable_read(s, -1);
        } else {
            chunk = JS_Call(s->ctx, method, s->self, 0, NULL);
            ph_drop(s->ctx, method);
        }
        if (JS_IsException(chunk))
            return -1;
        bool is_all = JS_IsNull(chunk);
        ph_drop(s->ctx, chunk);
        if (is_all)
            break;
    }
    return 0;
}

static int resume_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL)
        return 0;
    if (!ph_has(&r->side, PH_READING) && ph_readable_read_nothing(s) != 0)
        return -1;
    ph_put(&r->side, PH_RESUME_SCHEDULED, false);
    if (ph_stream_emit(s, PH_STREAM_RESUME, 0, NULL) != 0 || ph_flow_run(s) != 0)
        return -1;
    if (r->flowing == PH_YES && !ph_has(&r->side, PH_READING))
        return ph_readable_read_nothing(s);
    return 0;
}

int ph_flow_resume(ph_stream* s) {
    ph_readable* r = s->r;
    if (r->flowing != PH_YES) {
        /* Somebody who listens for 'readable' takes by read(); the rest flows. */
        r->flowing = ph_has(&r->side, PH_READABLE_LISTENING) ? PH_NO : PH_YES;
        if (!ph_has(&r->side, PH_RESUME_SCHEDULED)) {
            ph_put(&r->side, PH_RESUME_SCHEDULED, true);
            if (ph_stream_later(s, resume_later, JS_UNDEFINED, JS_UNDEFINED) != 0)
                return -1;
        }
    }
    r->paused = PH_NO;
    return 0;
}

int ph_flow_pause(ph_stream* s) {
    ph_readable* r = s->r;
    int status = 0;
    if (r->flowing != PH_NO) {
        r->flowing = PH_NO;
        status = ph_stream_emit(s, PH_STREAM_PAUSE, 0, NULL);
    }
    r->paused = PH_YES;
    return status;
}

/* By the method, which a program may have replaced. */
static int resume_by_method(ph_stream* s) {
    JSValue result = JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_RESUME), 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static int read_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    return ph_readable_read_nothing(s);
}

int ph_flow_listened(ph_stream* s, JSAtom event) {
    ph_readable* r = s->r;
    if (event == ph_stream_name(s->ctx, PH_STREAM_DATA)) {
        ph_put(&r->side, PH_DATA_LISTENING, true);
        ph_put(&r->side, PH_READABLE_LISTENING, ph_stream_has_listener(s, PH_STREAM_READABLE));
        return r->flowing != PH_NO ? resume_by_method(s) : 0;
    }
    if (event != ph_stream_name(s->ctx, PH_STREAM_READABLE) ||
        ph_is_one_of(&r->side, PH_END_EMITTED | PH_READABLE_LISTENING))
        return 0;
    ph_put(&r->side, PH_READABLE_LISTENING | PH_NEED_READABLE, true);
    ph_put(&r->side, PH_EMITTED_READABLE, false);
    r->flowing = PH_NO;
    if (r->side.length > 0)
        return ph_flow_announce(s);
    if (!ph_has(&r->side, PH_READING))
        return ph_stream_later(s, read_later, JS_UNDEFINED, JS_UNDEFINED);
    return 0;
}

static int look_again(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL)
        return 0;
    bool listens = ph_stream_has_listener(s, PH_STREAM_READABLE);
    ph_put(&r->side, PH_READABLE_LISTENING, listens);
    if (ph_has(&r->side, PH_RESUME_SCHEDULED) && r->paused == PH_NO)
        r->flowing = PH_YES;
    else if (ph_has(&r->side, PH_DATA_LISTENING))
        return resume_by_method(s);
    else if (!listens)
        r->flowing = PH_UNSAID;
    return 0;
}

int ph_flow_unlistened(ph_stream* s, bool any, JSAtom event, bool all) {
    /* Who removes all listeners at once wants what comes to be lost. */
    if (!all && event == ph_stream_name(s->ctx, PH_STREAM_DATA) &&
        !ph_stream_has_listener(s, PH_STREAM_DATA))
        ph_put(&s->r->side, PH_DATA_LISTENING, false);
    if (any || event == ph_stream_name(s->ctx, PH_STREAM_READABLE))
        return ph_stream_later(s, look_again, JS_UNDEFINED, JS_UNDEFINED);
    return 0;
}

/* allowHalfOpen: false, and nothing more can be read. */
static int end_writing(ph_stream* s, JSValueConst* values) {
    (void)values;
    bool may[3];
    const ph_stream_atom names[] = {PH_STREAM_WRITABLE, PH_STREAM_WRITABLE_ENDED,
                                    PH_STREAM_DESTROYED};
    for (int i = 0; i < 3; i++) {
        JSValue value = ph_stream_method(s, names[i]);
        if (JS_IsException(value))
            return -1;
        may[i] = JS_ToBool(s->ctx, value) > 0;
        ph_drop(s->ctx, value);
    }
    if (!may[0] || may[1] || may[2])
        return 0;
    JSValue result = JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_END), 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

/* Whether the other side of a stream that is read to its end is over, too. */
static bool other_side_is_over(ph_stream* s) {
    const ph_writable* w = ph_stream_writable(s);
    return w == NULL || (ph_has(&w->side, PH_AUTO_DESTROY) &&
                         (ph_has(&w->side, PH_FINISHED) || w->side.enabled == PH_NO));
}

static int end_later(ph_stream* s, JSValueConst* values) {
    (void)values;
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL || ph_is_errored(&r->side) || r->side.length > 0 ||
        ph_is_one_of(&r->side, PH_CLOSE_EMITTED | PH_END_EMITTED))
        return 0;
    ph_put(&r->side, PH_END_EMITTED, true);
    if (ph_stream_emit(s, PH_STREAM_END, 0, NULL) != 0)
        return -1;
    JSValue writable = ph_stream_method(s, PH_STREAM_WRITABLE);
    JSValue half_open = ph_stream_method(s, PH_STREAM_ALLOW_HALF_OPEN);
    bool ends_both = JS_ToBool(s->ctx, writable) > 0 && JS_IsBool(half_open) &&
                     JS_ToBool(s->ctx, half_open) == 0;
    ph_drop(s->ctx, writable);
    ph_drop(s->ctx, half_open);
    if (ends_both)
        return ph_stream_later(s, end_writing, JS_UNDEFINED, JS_UNDEFINED);
    if (!ph_has(&r->side, PH_AUTO_DESTROY) || !other_side_is_over(s))
        return 0;
    JSValue result = JS_Invoke(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_DESTROY), 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

int ph_flow_end(ph_stream* s) {
    if (ph_has(&s->r->side, PH_END_EMITTED))
        return 0;
    ph_put(&s->r->side, PH_ENDED, true);
    return ph_stream_later(s, end_later, JS_UNDEFINED, JS_UNDEFINED);
}
