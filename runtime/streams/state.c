/* The objects `_readableState` and `_writableState`: how they begin, and what they hold. */
#include <math.h>

#include "streams/streams.h"

enum { IS_READABLE = 1, IS_WRITABLE = 2, IS_DUPLEX = 4 };

static void side_init(ph_side* side) {
    side->flags = PH_CONSTRUCTED | PH_SYNC | PH_EMIT_CLOSE | PH_AUTO_DESTROY;
    side->enabled = PH_UNSAID;
    side->errored = JS_NULL;
    side->default_encoding = side->destroy_error = side->destroy_callback = JS_UNDEFINED;
}

typedef void visitor(JSRuntime* rt, JSValue value, JS_MarkFunc* tell);

static void visit_free(JSRuntime* rt, JSValue value, JS_MarkFunc* tell) {
    (void)tell;
    JS_FreeValueRT(rt, value);
}

static void visit_mark(JSRuntime* rt, JSValue value, JS_MarkFunc* tell) {
    JS_MarkValue(rt, value, tell);
}

static void visit_side(JSRuntime* rt, ph_side* side, visitor* visit, JS_MarkFunc* tell) {
    visit(rt, side->errored, tell);
    visit(rt, side->default_encoding, tell);
    visit(rt, side->destroy_error, tell);
    visit(rt, side->destroy_callback, tell);
}

static void visit_readable(JSRuntime* rt, ph_readable* r, visitor* visit, JS_MarkFunc* tell) {
    visit_side(rt, &r->side, visit, tell);
    visit(rt, r->decoder, tell);
    visit(rt, r->encoding, tell);
    visit(rt, r->pipes, tell);
    for (unsigned i = 0; i < r->count; i++)
        visit(rt, r->chunks[(r->head + i) & (r->capacity - 1)], tell);
    for (unsigned i = 0; i < r->awaited_count; i++)
        visit(rt, r->awaited[i], tell);
}

static void visit_writable(JSRuntime* rt, ph_writable* w, visitor* visit, JS_MarkFunc* tell) {
    visit_side(rt, &w->side, visit, tell);
    visit(rt, w->callback, tell);
    visit(rt, w->on_write, tell);
    visit(rt, w->transformed, tell);
    visit(rt, w->transform_callback, tell);
    for (unsigned i = 0; i < w->count; i++) {
        ph_write_entry* entry = &w->entries[(w->head + i) & (w->capacity - 1)];
        visit(rt, entry->chunk, tell);
        visit(rt, entry->encoding, tell);
        visit(rt, entry->callback, tell);
    }
    for (unsigned i = 0; i < w->finish_count; i++)
        visit(rt, w->finish_callbacks[i], tell);
    for (unsigned i = w->group_head; i < w->group_end; i++)
        visit(rt, w->groups[i].callback, tell);
}

static void release_readable(JSRuntime* rt, JSValueConst value) {
    JSClassID id;
    ph_readable* r = JS_GetAnyOpaque(value, &id);
    if (r == NULL)
        return;
    visit_readable(rt, r, visit_free, NULL);
    js_free_rt(rt, r->chunks);
    js_free_rt(rt, r->awaited);
    js_free_rt(rt, r);
}

static void mark_readable(JSRuntime* rt, JSValueConst value, JS_MarkFunc* tell) {
    JSClassID id;
    ph_readable* r = JS_GetAnyOpaque(value, &id);
    if (r != NULL)
        visit_readable(rt, r, visit_mark, tell);
}

static void release_writable(JSRuntime* rt, JSValueConst value) {
    JSClassID id;
    ph_writable* w = JS_GetAnyOpaque(value, &id);
    if (w == NULL)
        return;
    visit_writable(rt, w, visit_free, NULL);
    js_free_rt(rt, w->entries);
    js_free_rt(rt, w->finish_callbacks);
    js_free_rt(rt, w->groups);
    js_free_rt(rt, w);
}

static void mark_writable(JSRuntime* rt, JSValueConst value, JS_MarkFunc* tell) {
    JSClassID id;
    ph_writable* w = JS_GetAnyOpaque(value, &id);
    if (w != NULL)
        visit_writable(rt, w, visit_mark, tell);
}

static JSValue option(JSContext* ctx, JSValueConst options, ph_stream_atom name) {
    return JS_IsObject(options) ? JS_GetProperty(ctx, options, ph_stream_name(ctx, name))
                                : JS_UNDEFINED;
}

/* Whether the option is true (1), false (0); -1: an exception. What is false but not `false` is
 * `otherwise`, if that is given. */
static int truth(JSContext* ctx, JSValueConst options, ph_stream_atom name, int unless_false) {
    JSValue value = option(ctx, options, name);
    if (JS_IsException(value))
        return -1;
    int result = unless_false ? !(JS_IsBool(value) && JS_ToBool(ctx, value) == 0)
                              : JS_ToBool(ctx, value) > 0;
    ph_drop(ctx, value);
    return result;
}

static int read_mark(JSContext* ctx, ph_side* side, JSValueConst options, ph_stream_atom own,
                     bool is_duplex) {
    ph_streams* streams = ph_streams_of(ctx);
    side->mark = ph_has(side, PH_OBJECT_MODE) ? streams->default_objects : streams->default_bytes;
    ph_stream_atom name = PH_STREAM_HIGH_WATER_MARK;
    JSValue value = option(ctx, options, name);
    if (!ph_is_given(value) && is_duplex) {
        name = own;
        value = option(ctx, options, name);
    }
    if (JS_IsException(value))
        return -1;
    if (!ph_is_given(value))
        return 0;
    double mark = -1;
    if (JS_IsNumber(value))
        JS_ToFloat64(ctx, &mark, value);
    if (mark >= 0 && floor(mark) == mark && !isinf(mark)) {
        side->mark = mark;
        ph_drop(ctx, value);
        return 0;
    }
    JSValue text = JS_AtomToString(ctx, ph_stream_name(ctx, is_duplex ? own : name));
    JS_Throw(ctx, ph_streams_error(ctx, PH_ERROR_MARK, text, value));
    JS_FreeValue(ctx, text);
    JS_FreeValue(ctx, value);
    return -1;
}

static int read_default_encoding(JSContext* ctx, ph_side* side, JSValueConst options) {
    JSValue value = option(ctx, options, PH_STREAM_DEFAULT_ENCODING);
    if (JS_IsException(value))
        return -1;
    if (!ph_is_given(value)) {
        side->default_encoding = JS_DupValue(ctx, ph_streams_of(ctx)->utf8);
        return 0;
    }
    side->default_encoding = value;
    JSValue known = ph_streams_call(ctx, PH_STREAMS_ENCODING, 1, (JSValueConst*)&value);
    if (JS_IsException(known))
        return -1;
    bool is_known = ph_flag(ctx, known);
    ph_drop(ctx, known);
    if (is_known)
        return 0;
    ph_streams_throw(ctx, PH_ERROR_ENCODING, value);
    return -1;
}

/* What both sides read from the options. */
static int read_options(JSContext* ctx, ph_side* side, JSValueConst options, bool is_readable,
                        bool is_duplex) {
    int objects = truth(ctx, options, PH_STREAM_OBJECT_MODE, 0);
    if (objects == 0 && is_duplex)
        objects =
            truth(ctx, options,
                  is_readable ? PH_STREAM_READABLE_OBJECT_MODE : PH_STREAM_WRITABLE_OBJECT_MODE, 0);
    if (objects < 0)
        return -1;
    ph_put(side, PH_OBJECT_MODE, objects > 0);
    if (read_mark(ctx, side, options,
                  is_readable ? PH_STREAM_READABLE_HIGH_WATER_MARK
                              : PH_STREAM_WRITABLE_HIGH_WATER_MARK,
                  is_duplex) != 0)
        return -1;
    int emits = truth(ctx, options, PH_STREAM_EMIT_CLOSE, 1);
    int destroys = emits < 0 ? -1 : truth(ctx, options, PH_STREAM_AUTO_DESTROY, 1);
    if (destroys < 0)
        return -1;
    ph_put(side, PH_EMIT_CLOSE, emits > 0);
    ph_put(side, PH_AUTO_DESTROY, destroys > 0);
    return read_default_encoding(ctx, side, options);
}

static JSValue new_readable(JSContext* ctx, JSValueConst options, bool is_duplex) {
    ph_streams* streams = ph_streams_of(ctx);
    JSValue object = JS_NewObjectProtoClass(ctx, streams->readable_proto, streams->readable_class);
    ph_readable* r = JS_IsException(object) ? NULL : js_mallocz(ctx, sizeof(*r));
    if (r == NULL) {
        JS_FreeValue(ctx, object);
        return JS_EXCEPTION;
    }
    side_init(&r->side);
    r->flowing = r->paused = PH_UNSAID;
    r->decoder = r->encoding = JS_NULL;
    r->pipes = JS_UNDEFINED;
    JS_SetOpaque(object, r);
    int status = read_options(ctx, &r->side, options, true, is_duplex);
    JSValue encoding = status != 0 ? JS_EXCEPTION : option(ctx, options, PH_STREAM_ENCODING);
    if (!JS_IsException(encoding) && JS_ToBool(ctx, encoding) > 0) {
        r->decoder = ph_streams_call(ctx, PH_STREAMS_DECODER, 1, (JSValueConst*)&encoding);
        if (JS_IsException(r->decoder)) {
            r->decoder = JS_NULL;
            status = -1;
        } else {
            r->encoding = JS_DupValue(ctx, encoding);
        }
    }
    bool failed = status != 0 || JS_IsException(encoding);
    ph_drop(ctx, encoding);
    if (!failed)
        return object;
    JS_FreeValue(ctx, object);
    return JS_EXCEPTION;
}

static JSValue new_writable(JSContext* ctx, JSValueConst options, bool is_duplex) {
    ph_streams* streams = ph_streams_of(ctx);
    JSValue object = JS_NewObjectProtoClass(ctx, streams->writable_proto, streams->writable_class);
    ph_writable* w = JS_IsException(object) ? NULL : js_mallocz(ctx, sizeof(*w));
    if (w == NULL) {
        JS_FreeValue(ctx, object);
        return JS_EXCEPTION;
    }
    side_init(&w->side);
    ph_put(&w->side, PH_ALL_BUFFERS | PH_ALL_NOP, true);
    w->callback = w->on_write = w->transformed = w->transform_callback = JS_UNDEFINED;
    JS_SetOpaque(object, w);
    int status = read_options(ctx, &w->side, options, false, is_duplex);
    int decodes = status != 0 ? -1 : truth(ctx, options, PH_STREAM_DECODE_STRINGS, 1);
    /* Packages delete this one from the states of streams that they do not trust. */
    if (decodes >= 0 &&
        JS_DefinePropertyGetSet(ctx, object, ph_stream_name(ctx, PH_STREAM_PENDING),
                                JS_DupValue(ctx, streams->get_pending),
                                JS_DupValue(ctx, streams->set_pending), JS_PROP_C_W_E) < 0)
        decodes = -1;
    if (decodes >= 0) {
        ph_put(&w->side, PH_DECODE_STRINGS, decodes > 0);
        return object;
    }
    JS_FreeValue(ctx, object);
    return JS_EXCEPTION;
}

/* A method that the program gives as an option. */
static int take_method(ph_stream* s, JSValueConst options, ph_stream_atom from, ph_stream_atom to) {
    JSValue method = option(s->ctx, options, from);
    if (JS_IsException(method))
        return -1;
    if (!JS_IsFunction(s->ctx, method)) {
        ph_drop(s->ctx, method);
        return 0;
    }
    return JS_SetProperty(s->ctx, s->self, ph_stream_name(s->ctx, to), method) < 0 ? -1 : 0;
}

static int take_methods(ph_stream* s, JSValueConst options, int kind) {
    static const struct {
        int kind;
        ph_stream_atom from, to;
    } rows[] = {
        {IS_READABLE, PH_STREAM_READ, PH_STREAM_READ_METHOD},
        {IS_WRITABLE, PH_STREAM_WRITE, PH_STREAM_WRITE_METHOD},
        {IS_WRITABLE, PH_STREAM_WRITEV, PH_STREAM_WRITEV_METHOD},
        {IS_READABLE | IS_WRITABLE, PH_STREAM_DESTROY, PH_STREAM_DESTROY_METHOD},
        {IS_WRITABLE, PH_STREAM_FINAL, PH_STREAM_FINAL_METHOD},
        {IS_READABLE | IS_WRITABLE, PH_STREAM_CONSTRUCT, PH_STREAM_CONSTRUCT_METHOD},
    };
    for (size_t i = 0; i < PH_COUNT(rows); i++)
        if ((rows[i].kind & kind) != 0 && take_method(s, options, rows[i].from, rows[i].to) != 0)
            return -1;
    return 0;
}

/* A Duplex may have only one of its sides, and may end both with one. */
static int begin_duplex(ph_stream* s, JSValueConst options) {
    int half_open = truth(s->ctx, options, PH_STREAM_ALLOW_HALF_OPEN, 1);
    int readable = half_open < 0 ? -1 : truth(s->ctx, options, PH_STREAM_READABLE, 1);
    int writable = readable < 0 ? -1 : truth(s->ctx, options, PH_STREAM_WRITABLE, 1);
    if (writable < 0 ||
        JS_SetProperty(s->ctx, s->self, ph_stream_name(s->ctx, PH_STREAM_ALLOW_HALF_OPEN),
                       JS_NewBool(s->ctx, half_open)) < 0)
        return -1;
    ph_readable* r = ph_stream_readable(s);
    ph_writable* w = ph_stream_writable(s);
    if (readable == 0 && r != NULL) {
        r->side.enabled = PH_NO;
        ph_put(&r->side, PH_ENDED | PH_END_EMITTED, true);
    }
    if (writable == 0 && w != NULL) {
        w->side.enabled = PH_NO;
        ph_put(&w->side, PH_ENDING | PH_WRITE_ENDED | PH_FINISHED, true);
    }
    return 0;
}

static int put_state(ph_stream* s, ph_stream_atom name, JSValue state_owned) {
    if (JS_IsException(state_owned))
        return -1;
    return JS_SetProperty(s->ctx, s->self, ph_stream_name(s->ctx, name), state_owned) < 0 ? -1 : 0;
}

static int begin_stream(ph_stream* s, JSValueConst options, int kind) {
    JSContext* ctx = s->ctx;
    bool is_duplex = (kind & IS_DUPLEX) != 0;
    if ((kind & IS_READABLE) != 0 &&
        put_state(s, PH_STREAM_READABLE_STATE, new_readable(ctx, options, is_duplex)) != 0)
        return -1;
    if ((kind & IS_WRITABLE) != 0 &&
        put_state(s, PH_STREAM_WRITABLE_STATE, new_writable(ctx, options, is_duplex)) != 0)
        return -1;
    if ((kind & IS_READABLE) != 0 && (kind & IS_WRITABLE) != 0 && begin_duplex(s, options) != 0)
        return -1;
    if (!JS_IsObject(options))
        return ph_construct(s);
    if (take_methods(s, options, kind) != 0)
        return -1;
    JSValue signal = option(ctx, options, PH_STREAM_SIGNAL);
    if (JS_IsException(signal))
        return -1;
    if (JS_ToBool(ctx, signal) > 0) {
        JSValueConst args[] = {signal, s->self};
        JSValue result = ph_streams_call(ctx, PH_STREAMS_SIGNAL, 2, args);
        ph_drop(ctx, result);
        ph_drop(ctx, signal);
        if (JS_IsException(result))
            return -1;
    } else {
        ph_drop(ctx, signal);
    }
    return ph_construct(s);
}

/* begin(stream, options, kind) */
static JSValue begin(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_stream s = ph_stream_open(ctx, argv[0]);
    int status = begin_stream(&s, argv[1], ph_int(ctx, argv[2], IS_READABLE));
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* newState(options, isDuplex) */
static JSValue new_state(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                         int kind) {
    (void)self;
    (void)argc;
    bool is_duplex = JS_ToBool(ctx, argv[1]) > 0;
    return kind == IS_READABLE ? new_readable(ctx, argv[0], is_duplex)
                               : new_writable(ctx, argv[0], is_duplex);
}

void ph_states_init(JSContext* ctx) {
    static const JSClassDef readable = {
        .class_name = "ReadableState", .finalizer = release_readable, .gc_mark = mark_readable};
    static const JSClassDef writable = {
        .class_name = "WritableState", .finalizer = release_writable, .gc_mark = mark_writable};
    ph_streams* streams = ph_streams_of(ctx);
    JSRuntime* rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &streams->readable_class);
    JS_NewClass(rt, streams->readable_class, &readable);
    JS_NewClassID(rt, &streams->writable_class);
    JS_NewClass(rt, streams->writable_class, &writable);
    streams->readable_proto = JS_NewObject(ctx);
    streams->writable_proto = JS_NewObject(ctx);
}

void ph_states_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("begin", 3, begin),
        JS_CFUNC_MAGIC_DEF("readableState", 2, new_state, IS_READABLE),
        JS_CFUNC_MAGIC_DEF("writableState", 2, new_state, IS_WRITABLE),
    };
    ph_streams* streams = ph_streams_of(ctx);
    JS_SetPropertyFunctionList(ctx, binding, functions, (int)PH_COUNT(functions));
    ph_set(ctx, binding, "readableProto", JS_DupValue(ctx, streams->readable_proto));
    ph_set(ctx, binding, "writableProto", JS_DupValue(ctx, streams->writable_proto));
}
