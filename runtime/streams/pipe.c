/* A pipe: a readable side that flows into a stream that can be written. What the two tell each
 * other goes by listeners, which are this file's functions with the pipe in their data. */
#include "events/events.h"
#include "streams/streams.h"

typedef enum {
    ON_DATA,
    ON_DRAIN,
    ON_END,
    ON_UNPIPE,
    ON_ERROR,
    ON_CLOSE,
    ON_FINISH,
    ON_LEAVE,
    ALL
} listener;

typedef struct {
    JSValue source;
    JSValue target;
    JSValue listeners[ALL]; /* undefined: not made yet */
    bool is_over;
} pipe_data;

static void release(JSRuntime* rt, JSValueConst value) {
    JSClassID id;
    pipe_data* pipe = JS_GetAnyOpaque(value, &id);
    if (pipe == NULL)
        return;
    JS_FreeValueRT(rt, pipe->source);
    JS_FreeValueRT(rt, pipe->target);
    for (int i = 0; i < ALL; i++)
        JS_FreeValueRT(rt, pipe->listeners[i]);
    js_free_rt(rt, pipe);
}

static void mark(JSRuntime* rt, JSValueConst value, JS_MarkFunc* tell) {
    JSClassID id;
    const pipe_data* pipe = JS_GetAnyOpaque(value, &id);
    if (pipe == NULL)
        return;
    JS_MarkValue(rt, pipe->source, tell);
    JS_MarkValue(rt, pipe->target, tell);
    for (int i = 0; i < ALL; i++)
        JS_MarkValue(rt, pipe->listeners[i], tell);
}

static int call(JSContext* ctx, JSValueConst object, ph_stream_atom name, int argc,
                JSValueConst* argv) {
    JSValue result = JS_Invoke(ctx, object, ph_stream_name(ctx, name), argc, argv);
    ph_drop(ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

/* object.on(event, listener), or another of its methods. */
static int by_method(JSContext* ctx, JSValueConst object, ph_stream_atom method,
                     ph_stream_atom event, JSValueConst function) {
    if (JS_IsUndefined(function))
        return 0;
    JSValue name = JS_AtomToValue(ctx, ph_stream_name(ctx, event));
    JSValueConst args[] = {name, function};
    int status = call(ctx, object, method, 2, args);
    JS_FreeValue(ctx, name);
    return status;
}

/* Where a destination is among those that a stream flows into; -1: nowhere. */
static int64_t place_of(JSContext* ctx, const ph_readable* r, JSValueConst target, int64_t* count) {
    *count = 0;
    if (!JS_IsObject(r->pipes) || JS_GetLength(ctx, r->pipes, count) != 0)
        return -1;
    for (int64_t i = 0; i < *count; i++) {
        JSValue one = JS_GetPropertyInt64(ctx, r->pipes, i);
        bool same = ph_is_same_object(one, target);
        ph_drop(ctx, one);
        if (same)
            return i;
    }
    return -1;
}

static int64_t awaited_place(const ph_readable* r, JSValueConst target) {
    for (unsigned i = 0; i < r->awaited_count; i++)
        if (ph_is_same_object(r->awaited[i], target))
            return i;
    return -1;
}

static int await_target(ph_stream* s, JSValueConst target) {
    ph_readable* r = s->r;
    if (awaited_place(r, target) >= 0)
        return 0;
    JSValue* more = js_realloc(s->ctx, r->awaited, (r->awaited_count + 1) * sizeof(*more));
    if (more == NULL)
        return -1;
    r->awaited = more;
    more[r->awaited_count++] = JS_DupValue(s->ctx, target);
    return 0;
}

static JSValue on_event(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int which,
                        JSValueConst* data);

static JSValueConst listener_of(JSContext* ctx, JSValueConst object, pipe_data* pipe,
                                listener which) {
    static const char* const names[] = {"ondata",   "pipeOnDrainFunctionResult",
                                        "onend",    "onunpipe",
                                        "onerror",  "onclose",
                                        "onfinish", "unpipe"};
    if (JS_IsUndefined(pipe->listeners[which])) {
        JSValue made = JS_NewCFunctionData2(ctx, on_event, names[which], which == ON_UNPIPE ? 2 : 1,
                                            (int)which, 1, &object);
        if (JS_IsException(made))
            return JS_EXCEPTION;
        pipe->listeners[which] = made;
    }
    return pipe->listeners[which];
}

/* The target has enough: the source waits for its 'drain'. */
static int hold_back(ph_stream* s, JSValueConst object, pipe_data* pipe) {
    JSContext* ctx = s->ctx;
    ph_readable* r = s->r;
    if (!pipe->is_over) {
        int64_t count;
        int64_t place = place_of(ctx, r, pipe->target, &count);
        if (place >= 0) {
            if (count == 1)
                ph_put(&r->side, PH_MULTI_AWAIT_DRAIN, false);
            if (await_target(s, pipe->target) != 0)
                return -1;
        }
        if (call(ctx, pipe->source, PH_STREAM_PAUSE, 0, NULL) != 0)
            return -1;
    }
    if (!JS_IsUndefined(pipe->listeners[ON_DRAIN]))
        return 0;
    JSValueConst drain = listener_of(ctx, object, pipe, ON_DRAIN);
    if (JS_IsException(drain))
        return -1;
    return by_method(ctx, pipe->target, PH_STREAM_ON, PH_STREAM_DRAIN, drain);
}

/* 1: it takes more, 0: not now. */
static int write_to(JSContext* ctx, JSValueConst target, JSValueConst chunk) {
    JSValueConst ours = ph_streams_of(ctx)->own_write;
    JSValue method;
    int more;
    if (ph_stream_is_ours(ctx, target, PH_STREAM_WRITE, ours, &method)) {
        ph_stream s = ph_stream_open(ctx, target);
        more = ph_writable_write(&s, chunk, JS_UNDEFINED, JS_UNDEFINED, NULL);
        ph_stream_close(&s);
        return more;
    }
    if (JS_IsException(method))
        return -1;
    JSValue result = JS_Call(ctx, method, target, 1, &chunk);
    more = JS_IsException(result) ? -1 : !(JS_IsBool(result) && JS_ToBool(ctx, result) == 0);
    ph_drop(ctx, result);
    ph_drop(ctx, method);
    return more;
}

static int on_data(ph_stream* s, JSValueConst object, pipe_data* pipe, JSValueConst chunk) {
    int more = write_to(s->ctx, pipe->target, chunk);
    if (more != 0)
        return more < 0 ? -1 : 0;
    return ph_stream_readable(s) == NULL ? 0 : hold_back(s, object, pipe);
}

static int on_drain(ph_stream* s, pipe_data* pipe) {
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL)
        return 0;
    int64_t place = awaited_place(r, pipe->target);
    if (place >= 0) {
        JSValue gone = r->awaited[place];
        r->awaited[place] = r->awaited[--r->awaited_count];
        JS_FreeValue(s->ctx, gone);
    }
    if (r->awaited_count > 0 || !ph_has(&r->side, PH_DATA_LISTENING))
        return 0;
    return call(s->ctx, s->self, PH_STREAM_RESUME, 0, NULL);
}

static int leave(JSContext* ctx, pipe_data* pipe) {
    return call(ctx, pipe->source, PH_STREAM_UNPIPE, 1, (JSValueConst*)&pipe->target);
}

static bool target_may_wait(JSContext* ctx, JSValueConst target) {
    ph_stream t = ph_stream_open(ctx, target);
    const ph_writable* w = ph_stream_writable(&t);
    bool waits = w == NULL || ph_has(&w->side, PH_NEED_DRAIN);
    ph_stream_close(&t);
    return waits;
}

static int clean_up(ph_stream* s, pipe_data* pipe) {
    JSContext* ctx = s->ctx;
    static const struct {
        listener which;
        ph_stream_atom event;
        bool of_source;
    } rows[] = {
        {ON_CLOSE, PH_STREAM_CLOSE, false},   {ON_FINISH, PH_STREAM_FINISH, false},
        {ON_DRAIN, PH_STREAM_DRAIN, false},   {ON_ERROR, PH_STREAM_ERROR, false},
        {ON_UNPIPE, PH_STREAM_UNPIPE, false}, {ON_END, PH_STREAM_END, true},
        {ON_LEAVE, PH_STREAM_END, true},      {ON_DATA, PH_STREAM_DATA, true},
    };
    for (size_t i = 0; i < PH_COUNT(rows); i++) {
        JSValueConst object = rows[i].of_source ? pipe->source : pipe->target;
        if (by_method(ctx, object, PH_STREAM_REMOVE_LISTENER, rows[i].event,
                      pipe->listeners[rows[i].which]) != 0)
            return -1;
    }
    pipe->is_over = true;
    const ph_readable* r = ph_stream_readable(s);
    bool was_held = !JS_IsUndefined(pipe->listeners[ON_DRAIN]);
    if (!was_held || r == NULL || r->awaited_count == 0 || !target_may_wait(ctx, pipe->target))
        return 0;
    return on_drain(s, pipe);
}

/* on('unpipe', (source, { hasUnpiped })) */
static int on_unpipe(ph_stream* s, pipe_data* pipe, int argc, JSValueConst* argv) {
    if (argc < 2 || !ph_is_same_object(argv[0], pipe->source) || !JS_IsObject(argv[1]))
        return 0;
    JSValue done = JS_GetPropertyStr(s->ctx, argv[1], "hasUnpiped");
    if (JS_IsException(done))
        return -1;
    bool is_new = JS_IsBool(done) && JS_ToBool(s->ctx, done) == 0;
    ph_drop(s->ctx, done);
    if (!is_new)
        return 0;
    if (JS_SetPropertyStr(s->ctx, argv[1], "hasUnpiped", JS_TRUE) < 0)
        return -1;
    return clean_up(s, pipe);
}

/* Nobody but the pipe listens for errors of the target: the target fails as it would without. */
static int on_error(JSContext* ctx, pipe_data* pipe, JSValueConst error) {
    if (leave(ctx, pipe) != 0 || by_method(ctx, pipe->target, PH_STREAM_REMOVE_LISTENER,
                                           PH_STREAM_ERROR, pipe->listeners[ON_ERROR]) != 0)
        return -1;
    ph_stream t = ph_stream_open(ctx, pipe->target);
    int status = 0;
    if (!ph_stream_has_listener(&t, PH_STREAM_ERROR)) {
        const ph_writable* w = ph_stream_writable(&t);
        const ph_readable* r = ph_stream_readable(&t);
        const ph_side* side = w != NULL ? &w->side : r != NULL ? &r->side : NULL;
        if (side != NULL && !ph_has(side, PH_ERROR_EMITTED))
            status = ph_fail(&t, error, false);
        else
            status = ph_stream_emit(&t, PH_STREAM_ERROR, 1, &error);
    }
    ph_stream_close(&t);
    return status;
}

static int dispatch(ph_stream* s, JSValueConst object, pipe_data* pipe, listener which, int argc,
                    JSValueConst* argv) {
    JSContext* ctx = s->ctx;
    JSValueConst first = argc > 0 ? argv[0] : JS_UNDEFINED;
    switch (which) {
    case ON_DATA:
        return on_data(s, object, pipe, first);
    case ON_DRAIN:
        return on_drain(s, pipe);
    case ON_END:
        return call(ctx, pipe->target, PH_STREAM_END, 0, NULL);
    case ON_UNPIPE:
        return on_unpipe(s, pipe, argc, argv);
    case ON_ERROR:
        return on_error(ctx, pipe, first);
    case ON_CLOSE:
        if (by_method(ctx, pipe->target, PH_STREAM_REMOVE_LISTENER, PH_STREAM_FINISH,
                      pipe->listeners[ON_FINISH]) != 0)
            return -1;
        return leave(ctx, pipe);
    case ON_FINISH:
        if (by_method(ctx, pipe->target, PH_STREAM_REMOVE_LISTENER, PH_STREAM_CLOSE,
                      pipe->listeners[ON_CLOSE]) != 0)
            return -1;
        return leave(ctx, pipe);
    default:
        return leave(ctx, pipe);
    }
}

static JSValue on_event(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int which,
                        JSValueConst* data) {
    (void)self;
    /* The listener may be removed while it runs, and the pipe with it. */
    JSValue object = JS_DupValue(ctx, data[0]);
    pipe_data* pipe = JS_GetOpaque(object, ph_streams_of(ctx)->pipe_class);
    int status = 0;
    if (pipe != NULL) {
        ph_stream s = ph_stream_open(ctx, pipe->source);
        status = dispatch(&s, object, pipe, (listener)which, argc, argv);
        ph_stream_close(&s);
    }
    JS_FreeValue(ctx, object);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static int get_flag(JSContext* ctx, JSValueConst object, const char* name, bool* is_false,
                    bool* is_true) {
    JSValue value = JS_GetPropertyStr(ctx, object, name);
    if (JS_IsException(value))
        return -1;
    *is_true = JS_ToBool(ctx, value) > 0;
    *is_false = JS_IsBool(value) && !*is_true;
    ph_drop(ctx, value);
    return 0;
}

/* Whether the end of the source ends the target. */
static int ends_target(JSContext* ctx, JSValueConst target, JSValueConst options) {
    bool is_false = false, is_true;
    if (JS_IsObject(options) && get_flag(ctx, options, "end", &is_false, &is_true) != 0)
        return -1;
    if (is_false)
        return 0;
    if (get_flag(ctx, target, "_isStdio", &is_false, &is_true) != 0)
        return -1;
    return !is_true;
}

static int call_later(ph_stream* s, JSValueConst* values) {
    JSValue result = JS_Call(s->ctx, values[0], JS_UNDEFINED, 0, NULL);
    ph_drop(s->ctx, result);
    return JS_IsException(result) ? -1 : 0;
}

static int add_listeners(ph_stream* s, JSValueConst object, pipe_data* pipe, bool ends) {
    JSContext* ctx = s->ctx;
    for (int i = 0; i < ALL; i++)
        if (i != ON_DRAIN && i != (ends ? ON_LEAVE : ON_END) &&
            JS_IsException(listener_of(ctx, object, pipe, (listener)i)))
            return -1;
    JSValueConst at_end = pipe->listeners[ends ? ON_END : ON_LEAVE];
    int status = ph_has(&s->r->side, PH_END_EMITTED)
                     ? ph_stream_later(s, call_later, at_end, JS_UNDEFINED)
                     : by_method(ctx, s->self, PH_STREAM_ONCE, PH_STREAM_END, at_end);
    if (status != 0 ||
        by_method(ctx, pipe->target, PH_STREAM_ON, PH_STREAM_UNPIPE, pipe->listeners[ON_UNPIPE]) !=
            0 ||
        by_method(ctx, s->self, PH_STREAM_ON, PH_STREAM_DATA, pipe->listeners[ON_DATA]) != 0)
        return -1;
    JSValue prepend =
        JS_GetProperty(ctx, pipe->target, ph_stream_name(ctx, PH_STREAM_PREPEND_LISTENER));
    bool can_prepend = JS_IsFunction(ctx, prepend);
    ph_drop(ctx, prepend);
    if (by_method(ctx, pipe->target, can_prepend ? PH_STREAM_PREPEND_LISTENER : PH_STREAM_ON,
                  PH_STREAM_ERROR, pipe->listeners[ON_ERROR]) != 0 ||
        by_method(ctx, pipe->target, PH_STREAM_ONCE, PH_STREAM_CLOSE, pipe->listeners[ON_CLOSE]) !=
            0)
        return -1;
    return by_method(ctx, pipe->target, PH_STREAM_ONCE, PH_STREAM_FINISH,
                     pipe->listeners[ON_FINISH]);
}

static int begin(ph_stream* s, JSValueConst object, pipe_data* pipe, JSValueConst options) {
    JSContext* ctx = s->ctx;
    ph_readable* r = s->r;
    if (!JS_IsObject(r->pipes))
        ph_replace(ctx, &r->pipes, JS_NewArray(ctx));
    int64_t count = 0;
    if (!JS_IsObject(r->pipes) || JS_GetLength(ctx, r->pipes, &count) != 0)
        return -1;
    if (count == 1)
        ph_put(&r->side, PH_MULTI_AWAIT_DRAIN, true);
    if (JS_SetPropertyInt64(ctx, r->pipes, count, JS_DupValue(ctx, pipe->target)) < 0)
        return -1;
    int ends = ends_target(ctx, pipe->target, options);
    if (ends < 0 || add_listeners(s, object, pipe, ends > 0) != 0)
        return -1;
    if (call(ctx, pipe->target, PH_STREAM_EMIT, 2,
             (JSValueConst[]){ph_streams_of(ctx)->pipe_word, s->self}) != 0)
        return -1;
    JSValue needs_drain =
        JS_GetProperty(ctx, pipe->target, ph_stream_name(ctx, PH_STREAM_WRITABLE_NEED_DRAIN));
    if (JS_IsException(needs_drain))
        return -1;
    bool waits = JS_IsBool(needs_drain) && JS_ToBool(ctx, needs_drain) > 0;
    ph_drop(ctx, needs_drain);
    if (waits)
        return hold_back(s, object, pipe);
    return r->flowing == PH_YES ? 0 : call(ctx, s->self, PH_STREAM_RESUME, 0, NULL);
}

static JSValue pipe_to(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_streams* streams = ph_streams_of(ctx);
    JSValueConst target = argc > 0 ? argv[0] : JS_UNDEFINED;
    if (!JS_IsObject(target))
        return JS_ThrowTypeError(ctx, "Cannot read properties of %s (reading 'on')",
                                 JS_IsNull(target) ? "null" : "undefined");
    ph_stream s = ph_stream_open(ctx, self);
    JSValue object = JS_NewObjectProtoClass(ctx, streams->pipe_proto, streams->pipe_class);
    pipe_data* pipe = JS_IsException(object) ? NULL : js_mallocz(ctx, sizeof(*pipe));
    int status = -1;
    if (pipe != NULL) {
        pipe->source = JS_DupValue(ctx, self);
        pipe->target = JS_DupValue(ctx, target);
        for (int i = 0; i < ALL; i++)
            pipe->listeners[i] = JS_UNDEFINED;
        JS_SetOpaque(object, pipe);
        if (ph_stream_readable(&s) == NULL)
            JS_ThrowTypeError(ctx, "pipe was called on what is not a readable stream");
        else
            status = begin(&s, object, pipe, argc > 1 ? argv[1] : JS_UNDEFINED);
    }
    JS_FreeValue(ctx, object);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_DupValue(ctx, target);
}

static int tell_unpipe(ph_stream* s, JSValueConst target) {
    JSContext* ctx = s->ctx;
    JSValue info = JS_NewObject(ctx);
    if (JS_IsException(info) || JS_SetPropertyStr(ctx, info, "hasUnpiped", JS_FALSE) < 0) {
        JS_FreeValue(ctx, info);
        return -1;
    }
    JSValueConst args[] = {ph_streams_of(ctx)->unpipe_word, s->self, info};
    int status = call(ctx, target, PH_STREAM_EMIT, 3, args);
    JS_FreeValue(ctx, info);
    return status;
}

static int unpipe_all(ph_stream* s, int64_t count) {
    JSContext* ctx = s->ctx;
    JSValue targets = s->r->pipes;
    s->r->pipes = JS_UNDEFINED;
    int status = call(ctx, s->self, PH_STREAM_PAUSE, 0, NULL);
    for (int64_t i = 0; i < count && status == 0; i++) {
        JSValue target = JS_GetPropertyInt64(ctx, targets, i);
        status = JS_IsException(target) ? -1 : tell_unpipe(s, target);
        ph_drop(ctx, target);
    }
    JS_FreeValue(ctx, targets);
    return status;
}

static int unpipe_one(ph_stream* s, JSValueConst target) {
    JSContext* ctx = s->ctx;
    int64_t count;
    int64_t place = place_of(ctx, s->r, target, &count);
    if (place < 0)
        return 0;
    JSAtom splice = JS_NewAtom(ctx, "splice");
    JSValueConst args[] = {JS_NewInt64(ctx, place), JS_NewInt32(ctx, 1)};
    JSValue gone = JS_Invoke(ctx, s->r->pipes, splice, 2, args);
    JS_FreeAtom(ctx, splice);
    ph_drop(ctx, gone);
    if (JS_IsException(gone) || (count == 1 && call(ctx, s->self, PH_STREAM_PAUSE, 0, NULL) != 0))
        return -1;
    return tell_unpipe(s, target);
}

static JSValue unpipe(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int64_t count = 0;
    int status = 0;
    if (ph_stream_readable(&s) != NULL && JS_IsObject(s.r->pipes) &&
        JS_GetLength(ctx, s.r->pipes, &count) == 0 && count > 0)
        status = argc > 0 && JS_IsObject(argv[0]) ? unpipe_one(&s, argv[0]) : unpipe_all(&s, count);
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_DupValue(ctx, self);
}

void ph_pipe_init(JSContext* ctx) {
    static const JSClassDef definition = {
        .class_name = "Pipe",
        .finalizer = release,
        .gc_mark = mark,
    };
    ph_streams* streams = ph_streams_of(ctx);
    JSRuntime* rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &streams->pipe_class);
    JS_NewClass(rt, streams->pipe_class, &definition);
    streams->pipe_proto = JS_NewObjectProto(ctx, JS_NULL);
}

void ph_pipe_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("pipe", 2, pipe_to),
        JS_CFUNC_DEF("unpipe", 1, unpipe),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, (int)PH_COUNT(functions));
}
