/* What can be seen of a stream: the properties of its states, which packages look at and set, and
 * those that are documented of streams themselves. */
#include "streams/streams.h"

typedef struct {
    const char* name;
    unsigned bit;
} flag_row;

static const flag_row readable_flags[] = {
    {"objectMode", PH_OBJECT_MODE},
    {"ended", PH_ENDED},
    {"endEmitted", PH_END_EMITTED},
    {"reading", PH_READING},
    {"constructed", PH_CONSTRUCTED},
    {"sync", PH_SYNC},
    {"needReadable", PH_NEED_READABLE},
    {"emittedReadable", PH_EMITTED_READABLE},
    {"readableListening", PH_READABLE_LISTENING},
    {"resumeScheduled", PH_RESUME_SCHEDULED},
    {"errorEmitted", PH_ERROR_EMITTED},
    {"emitClose", PH_EMIT_CLOSE},
    {"autoDestroy", PH_AUTO_DESTROY},
    {"destroyed", PH_DESTROYED},
    {"closed", PH_CLOSED},
    {"closeEmitted", PH_CLOSE_EMITTED},
    {"multiAwaitDrain", PH_MULTI_AWAIT_DRAIN},
    {"readingMore", PH_READING_MORE},
    {"dataEmitted", PH_DATA_EMITTED},
};

static const flag_row writable_flags[] = {
    {"objectMode", PH_OBJECT_MODE},
    {"finalCalled", PH_FINAL_CALLED},
    {"needDrain", PH_NEED_DRAIN},
    {"ending", PH_ENDING},
    {"ended", PH_WRITE_ENDED},
    {"finished", PH_FINISHED},
    {"destroyed", PH_DESTROYED},
    {"decodeStrings", PH_DECODE_STRINGS},
    {"writing", PH_WRITING},
    {"sync", PH_SYNC},
    {"bufferProcessing", PH_BUFFER_PROCESSING},
    {"constructed", PH_CONSTRUCTED},
    {"prefinished", PH_PREFINISHED},
    {"errorEmitted", PH_ERROR_EMITTED},
    {"emitClose", PH_EMIT_CLOSE},
    {"autoDestroy", PH_AUTO_DESTROY},
    {"closed", PH_CLOSED},
    {"closeEmitted", PH_CLOSE_EMITTED},
    {"allBuffers", PH_ALL_BUFFERS},
    {"allNoop", PH_ALL_NOP},
};

static ph_readable* readable_state(JSContext* ctx, JSValueConst state) {
    return JS_GetOpaque(state, ph_streams_of(ctx)->readable_class);
}

static ph_writable* writable_state(JSContext* ctx, JSValueConst state) {
    return JS_GetOpaque(state, ph_streams_of(ctx)->writable_class);
}

static JSValue get_readable_flag(JSContext* ctx, JSValueConst state, int row) {
    const ph_readable* r = readable_state(ctx, state);
    return r == NULL ? JS_UNDEFINED : JS_NewBool(ctx, ph_has(&r->side, readable_flags[row].bit));
}

static JSValue set_readable_flag(JSContext* ctx, JSValueConst state, JSValueConst value, int row) {
    ph_readable* r = readable_state(ctx, state);
    if (r != NULL)
        ph_put(&r->side, readable_flags[row].bit, JS_ToBool(ctx, value) > 0);
    return JS_UNDEFINED;
}

static JSValue get_writable_flag(JSContext* ctx, JSValueConst state, int row) {
    const ph_writable* w = writable_state(ctx, state);
    return w == NULL ? JS_UNDEFINED : JS_NewBool(ctx, ph_has(&w->side, writable_flags[row].bit));
}

static JSValue set_writable_flag(JSContext* ctx, JSValueConst state, JSValueConst value, int row) {
    ph_writable* w = writable_state(ctx, state);
    if (w != NULL)
        ph_put(&w->side, writable_flags[row].bit, JS_ToBool(ctx, value) > 0);
    return JS_UNDEFINED;
}

static JSValue said(JSContext* ctx, ph_said value, JSValueConst unsaid) {
    return value == PH_UNSAID ? JS_DupValue(ctx, unsaid) : JS_NewBool(ctx, value == PH_YES);
}

static ph_said as_said(JSContext* ctx, JSValueConst value) {
    return ph_is_given(value) ? (JS_ToBool(ctx, value) > 0 ? PH_YES : PH_NO) : PH_UNSAID;
}

/* What both states have and is not a flag. */
typedef enum { MARK, LENGTH, ERRORED, DEFAULT_ENCODING, ENABLED } side_field;

static JSValue get_of_side(JSContext* ctx, const ph_side* side, int field) {
    switch (field) {
    case MARK:
        return JS_NewNumber(ctx, side->mark);
    case LENGTH:
        return JS_NewInt64(ctx, side->length);
    case ERRORED:
        return JS_DupValue(ctx, side->errored);
    case DEFAULT_ENCODING:
        return JS_DupValue(ctx, side->default_encoding);
    default:
        return said(ctx, side->enabled, JS_UNDEFINED);
    }
}

static JSValue set_of_side(JSContext* ctx, ph_side* side, JSValueConst value, int field) {
    double number;
    switch (field) {
    case MARK:
        if (JS_ToFloat64(ctx, &number, value) != 0)
            return JS_EXCEPTION;
        side->mark = number;
        break;
    case LENGTH:
        if (JS_ToInt64(ctx, &side->length, value) != 0)
            return JS_EXCEPTION;
        break;
    case ERRORED:
        ph_replace(ctx, &side->errored, JS_DupValue(ctx, value));
        break;
    case DEFAULT_ENCODING:
        ph_replace(ctx, &side->default_encoding, JS_DupValue(ctx, value));
        break;
    default:
        side->enabled = as_said(ctx, value);
        break;
    }
    return JS_UNDEFINED;
}

static ph_side* side_of(JSContext* ctx, JSValueConst state) {
    ph_readable* r = readable_state(ctx, state);
    if (r != NULL)
        return &r->side;
    ph_writable* w = writable_state(ctx, state);
    return w == NULL ? NULL : &w->side;
}

static JSValue get_side(JSContext* ctx, JSValueConst state, int field) {
    const ph_side* side = side_of(ctx, state);
    return side == NULL ? JS_UNDEFINED : get_of_side(ctx, side, field);
}

static JSValue set_side(JSContext* ctx, JSValueConst state, JSValueConst value, int field) {
    ph_side* side = side_of(ctx, state);
    return side == NULL ? JS_UNDEFINED : set_of_side(ctx, side, value, field);
}

typedef enum {
    FLOWING,
    PAUSED,
    DECODER,
    ENCODING,
    BUFFER,
    PIPES,
    PIPES_COUNT,
    AWAITED
} own_readable;

static JSValue awaited(JSContext* ctx, const ph_readable* r) {
    if (!ph_has(&r->side, PH_MULTI_AWAIT_DRAIN))
        return r->awaited_count == 0 ? JS_NULL : JS_DupValue(ctx, r->awaited[0]);
    JSValue list = JS_NewArray(ctx);
    for (unsigned i = 0; i < r->awaited_count && !JS_IsException(list); i++)
        JS_SetPropertyUint32(ctx, list, i, JS_DupValue(ctx, r->awaited[i]));
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue set = JS_GetPropertyStr(ctx, global, "Set");
    JSValue made = JS_CallConstructor(ctx, set, 1, (JSValueConst*)&list);
    JS_FreeValue(ctx, set);
    JS_FreeValue(ctx, global);
    JS_FreeValue(ctx, list);
    return made;
}

static JSValue get_own_readable(JSContext* ctx, JSValueConst state, int field) {
    ph_readable* r = readable_state(ctx, state);
    if (r == NULL)
        return JS_UNDEFINED;
    switch (field) {
    case FLOWING:
        return said(ctx, r->flowing, JS_NULL);
    case PAUSED:
        return JS_NewBool(ctx, r->paused == PH_YES);
    case DECODER:
        return JS_DupValue(ctx, r->decoder);
    case ENCODING:
        return JS_DupValue(ctx, r->encoding);
    case BUFFER:
        return ph_chunks_list(ctx, r);
    case AWAITED:
        return awaited(ctx, r);
    default:
        break;
    }
    if (!JS_IsObject(r->pipes)) {
        JSValue list = JS_NewArray(ctx);
        if (JS_IsException(list))
            return list;
        ph_replace(ctx, &r->pipes, list);
    }
    if (field == PIPES)
        return JS_DupValue(ctx, r->pipes);
    return JS_GetProperty(ctx, r->pipes, ph_stream_name(ctx, PH_STREAM_LENGTH));
}

static JSValue set_own_readable(JSContext* ctx, JSValueConst state, JSValueConst value, int field) {
    ph_readable* r = readable_state(ctx, state);
    if (r == NULL)
        return JS_UNDEFINED;
    if (field == FLOWING)
        r->flowing = as_said(ctx, value);
    else if (field == PAUSED)
        r->paused = as_said(ctx, value);
    else if (field == DECODER)
        ph_replace(ctx, &r->decoder, JS_DupValue(ctx, value));
    else if (field == ENCODING)
        ph_replace(ctx, &r->encoding, JS_DupValue(ctx, value));
    return JS_UNDEFINED;
}

typedef enum { CORKED, PENDING, WRITE_LENGTH, BUFFERED, BUFFERED_COUNT } own_writable;

static JSValue get_own_writable(JSContext* ctx, JSValueConst state, int field) {
    ph_writable* w = writable_state(ctx, state);
    if (w == NULL)
        return JS_UNDEFINED;
    switch (field) {
    case CORKED:
        return JS_NewInt32(ctx, w->corked);
    case PENDING:
        return JS_NewInt64(ctx, w->pending);
    case WRITE_LENGTH:
        return JS_NewInt64(ctx, w->write_length);
    case BUFFERED:
        return ph_writable_list(ctx, w);
    default:
        return JS_NewUint32(ctx, w->count);
    }
}

static JSValue set_own_writable(JSContext* ctx, JSValueConst state, JSValueConst value, int field) {
    ph_writable* w = writable_state(ctx, state);
    if (w == NULL)
        return JS_UNDEFINED;
    if (field == CORKED)
        w->corked = ph_int(ctx, value, 0);
    else if (field == PENDING && JS_ToInt64(ctx, &w->pending, value) != 0)
        return JS_EXCEPTION;
    return JS_UNDEFINED;
}

static JSValue get_buffer(JSContext* ctx, JSValueConst state, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    return get_own_writable(ctx, state, BUFFERED);
}

typedef JSValue getter(JSContext* ctx, JSValueConst self, int magic);
typedef JSValue setter(JSContext* ctx, JSValueConst self, JSValueConst value, int magic);

static JSValue new_getter(JSContext* ctx, const char* name, getter* get, int magic) {
    JSCFunctionType type = {.getter_magic = get};
    return JS_NewCFunction2(ctx, type.generic, name, 0, JS_CFUNC_getter_magic, magic);
}

static JSValue new_setter(JSContext* ctx, const char* name, setter* set, int magic) {
    JSCFunctionType type = {.setter_magic = set};
    return JS_NewCFunction2(ctx, type.generic, name, 1, JS_CFUNC_setter_magic, magic);
}

static void define(JSContext* ctx, JSValueConst proto, const char* name, getter* get, setter* set,
                   int magic) {
    JSAtom atom = JS_NewAtom(ctx, name);
    JSValue get_function = new_getter(ctx, name, get, magic);
    JSValue set_function = set == NULL ? JS_UNDEFINED : new_setter(ctx, name, set, magic);
    JS_DefinePropertyGetSet(ctx, proto, atom, get_function, set_function, JS_PROP_CONFIGURABLE);
    JS_FreeAtom(ctx, atom);
}

static void define_states(JSContext* ctx) {
    JSValueConst readable = ph_streams_of(ctx)->readable_proto;
    JSValueConst writable = ph_streams_of(ctx)->writable_proto;
    for (size_t i = 0; i < PH_COUNT(readable_flags); i++)
        define(ctx, readable, readable_flags[i].name, get_readable_flag, set_readable_flag, (int)i);
    for (size_t i = 0; i < PH_COUNT(writable_flags); i++)
        define(ctx, writable, writable_flags[i].name, get_writable_flag, set_writable_flag, (int)i);
    static const char* const sides[] = {"highWaterMark", "length", "errored", "defaultEncoding"};
    for (size_t i = 0; i < PH_COUNT(sides); i++) {
        define(ctx, readable, sides[i], get_side, set_side, (int)i);
        define(ctx, writable, sides[i], get_side, set_side, (int)i);
    }
    define(ctx, readable, "readable", get_side, set_side, ENABLED);
    define(ctx, writable, "writable", get_side, set_side, ENABLED);
    static const char* const readables[] = {
        [FLOWING] = "flowing",        [PAUSED] = "paused",
        [DECODER] = "decoder",        [ENCODING] = "encoding",
        [BUFFER] = "buffer",          [PIPES] = "pipes",
        [PIPES_COUNT] = "pipesCount", [AWAITED] = "awaitDrainWriters"};
    for (size_t i = 0; i < PH_COUNT(readables); i++)
        define(ctx, readable, readables[i], get_own_readable, set_own_readable, (int)i);
    static const char* const writables[] = {[CORKED] = "corked",
                                            [PENDING] = "pendingcb",
                                            [WRITE_LENGTH] = "writelen",
                                            [BUFFERED] = "buffered",
                                            [BUFFERED_COUNT] = "bufferedRequestCount"};
    ph_streams* streams = ph_streams_of(ctx);
    if (!JS_IsObject(streams->get_pending)) {
        streams->get_pending = new_getter(ctx, "pendingcb", get_own_writable, PENDING);
        streams->set_pending = new_setter(ctx, "pendingcb", set_own_writable, PENDING);
    }
    for (size_t i = 0; i < PH_COUNT(writables); i++)
        if (i != PENDING)
            define(ctx, writable, writables[i], get_own_writable, set_own_writable, (int)i);
    JS_SetPropertyStr(ctx, writable, "getBuffer", JS_NewCFunction(ctx, get_buffer, "getBuffer", 0));
}

/* The documented properties of a stream that look at more than one of the above. */
typedef enum {
    IS_READABLE,
    DID_READ,
    READ_ABORTED,
    READ_ENDED,
    IS_WRITABLE,
    WRITE_ABORTED,
    NEEDS_DRAIN,
    WRITE_DESTROYED,
    READ_DESTROYED,
    BOTH_DESTROYED,
} stream_property;

static bool read_property(const ph_side* r, int which) {
    bool broken = ph_has(r, PH_DESTROYED) || ph_is_errored(r);
    switch (which) {
    case IS_READABLE:
        return r->enabled != PH_NO &&
               !ph_is_one_of(r, PH_DESTROYED | PH_ERROR_EMITTED | PH_END_EMITTED);
    case DID_READ:
        return ph_has(r, PH_DATA_EMITTED);
    case READ_ABORTED:
        return r->enabled != PH_NO && broken && !ph_has(r, PH_END_EMITTED);
    case READ_ENDED:
        return ph_has(r, PH_END_EMITTED);
    default:
        return ph_has(r, PH_DESTROYED);
    }
}

static bool write_property(const ph_side* w, int which) {
    bool broken = ph_has(w, PH_DESTROYED) || ph_is_errored(w);
    switch (which) {
    case IS_WRITABLE:
        return w->enabled != PH_NO && !broken && !ph_is_one_of(w, PH_ENDING | PH_WRITE_ENDED);
    case WRITE_ABORTED:
        return w->enabled != PH_NO && broken && !ph_has(w, PH_FINISHED);
    case NEEDS_DRAIN:
        return !ph_is_one_of(w, PH_DESTROYED | PH_ENDING) && ph_has(w, PH_NEED_DRAIN);
    default:
        return ph_has(w, PH_DESTROYED);
    }
}

static JSValue get_property(JSContext* ctx, JSValueConst self, int which) {
    ph_stream s = ph_stream_open(ctx, self);
    bool result = false;
    const bool of_both = which == BOTH_DESTROYED;
    bool reads = of_both || which < IS_WRITABLE || which == READ_DESTROYED;
    if (of_both)
        result = ph_stream_readable(&s) != NULL && ph_stream_writable(&s) != NULL &&
                 ph_has(&s.r->side, PH_DESTROYED) && ph_has(&s.w->side, PH_DESTROYED);
    else if (reads)
        result = ph_stream_readable(&s) != NULL && read_property(&s.r->side, which);
    else
        result = ph_stream_writable(&s) != NULL && write_property(&s.w->side, which);
    ph_stream_close(&s);
    return JS_NewBool(ctx, result);
}

static JSValue set_property(JSContext* ctx, JSValueConst self, JSValueConst value, int which) {
    ph_stream s = ph_stream_open(ctx, self);
    bool on = JS_ToBool(ctx, value) > 0;
    ph_readable* r = ph_stream_readable(&s);
    ph_writable* w = ph_stream_writable(&s);
    if (which == IS_READABLE && r != NULL)
        r->side.enabled = on ? PH_YES : PH_NO;
    else if (which == IS_WRITABLE && w != NULL)
        w->side.enabled = on ? PH_YES : PH_NO;
    if ((which == READ_DESTROYED || which == BOTH_DESTROYED) && r != NULL)
        ph_put(&r->side, PH_DESTROYED, on);
    if ((which == WRITE_DESTROYED || which == BOTH_DESTROYED) && w != NULL)
        ph_put(&w->side, PH_DESTROYED, on);
    ph_stream_close(&s);
    return JS_UNDEFINED;
}

/* defineProperties(readable prototype, writable prototype, duplex prototype) */
static JSValue define_properties(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    static const struct {
        int proto;
        const char* name;
        stream_property which;
        bool can_set;
    } rows[] = {
        {0, "readable", IS_READABLE, true},           {0, "readableDidRead", DID_READ, false},
        {0, "readableAborted", READ_ABORTED, false},  {0, "readableEnded", READ_ENDED, false},
        {0, "destroyed", READ_DESTROYED, true},       {1, "writable", IS_WRITABLE, true},
        {1, "writableAborted", WRITE_ABORTED, false}, {1, "writableNeedDrain", NEEDS_DRAIN, false},
        {1, "destroyed", WRITE_DESTROYED, true},      {2, "destroyed", BOTH_DESTROYED, true},
    };
    for (size_t i = 0; i < PH_COUNT(rows); i++)
        define(ctx, argv[rows[i].proto], rows[i].name, get_property,
               rows[i].can_set ? set_property : NULL, (int)rows[i].which);
    return JS_UNDEFINED;
}

void ph_accessors_export(JSContext* ctx, JSValueConst binding) {
    define_states(ctx);
    ph_set(ctx, binding, "defineProperties",
           JS_NewCFunction(ctx, define_properties, "defineProperties", 3));
}
