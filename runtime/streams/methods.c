/* What internal/streams gets: the methods of Readable.prototype and Writable.prototype. */
#include <stdlib.h>

#include "bindings/bindings.h"
#include "engine/endings.h"
#include "events/events.h"
#include "streams/streams.h"

static JSValueConst arg(int argc, JSValueConst* argv, int at) {
    return at < argc ? argv[at] : JS_UNDEFINED;
}

static JSValue self_or_exception(JSContext* ctx, JSValueConst self, int status) {
    return status < 0 ? JS_EXCEPTION : JS_DupValue(ctx, self);
}

static JSValue push(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int first) {
    ph_stream s = ph_stream_open(ctx, self);
    int more = ph_readable_push(&s, arg(argc, argv, 0), arg(argc, argv, 1), first != 0);
    ph_stream_close(&s);
    return more < 0 ? JS_EXCEPTION : JS_NewBool(ctx, more);
}

/* The number in read(n); below 0: none was given. -2: an exception. */
static int64_t count_of(ph_stream* s, JSValueConst value) {
    double number = 0;
    if (JS_IsUndefined(value))
        return -1;
    if (JS_ToFloat64(s->ctx, &number, value) != 0)
        return -2;
    if (number != number)
        return -1;
    ph_readable* r = ph_stream_readable(s);
    if (r == NULL || number <= r->side.mark)
        return number <= 0 ? 0 : (int64_t)number;
    if (number > (double)0x40000000) {
        ph_streams_throw(s->ctx, PH_ERROR_SIZE, value);
        return -2;
    }
    /* Who reads that much at once will do so again. */
    uint32_t mark = 1;
    while ((double)mark < number)
        mark <<= 1;
    r->side.mark = mark;
    return (int64_t)number;
}

static JSValue read_chunk(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int64_t count = count_of(&s, arg(argc, argv, 0));
    JSValue chunk = count == -2 ? JS_EXCEPTION : ph_readable_read(&s, count);
    ph_stream_close(&s);
    return chunk;
}

static JSValue not_implemented(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_Throw(ctx, ph_streams_error_of(ctx, PH_ERROR_NOT_IMPLEMENTED, "_read()"));
}

enum { RESUME, PAUSE };

static JSValue change_flow(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int which) {
    (void)argc;
    (void)argv;
    ph_stream s = ph_stream_open(ctx, self);
    int status = 0;
    if (ph_stream_readable(&s) != NULL)
        status = which == RESUME ? ph_flow_resume(&s) : ph_flow_pause(&s);
    ph_stream_close(&s);
    return self_or_exception(ctx, self, status);
}

static JSValue is_paused(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_stream s = ph_stream_open(ctx, self);
    const ph_readable* r = ph_stream_readable(&s);
    bool paused = r != NULL && (r->paused == PH_YES || r->flowing == PH_NO);
    ph_stream_close(&s);
    return JS_NewBool(ctx, paused);
}

static JSValue set_encoding(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int status = ph_readable_set_encoding(&s, arg(argc, argv, 0));
    ph_stream_close(&s);
    return self_or_exception(ctx, self, status);
}

/* After a method of EventEmitter has run: listened(stream, event), unlistened(stream, event). */
enum { LISTENED, UNLISTENED, ALL_UNLISTENED };

static int after_change(JSContext* ctx, JSValueConst self, bool any, JSValueConst name, int which) {
    JSAtom event = any ? JS_ATOM_NULL : JS_ValueToAtom(ctx, name);
    if (!any && event == JS_ATOM_NULL)
        return -1;
    ph_stream s = ph_stream_open(ctx, self);
    int status = 0;
    if (ph_stream_readable(&s) != NULL)
        status = which == LISTENED ? ph_flow_listened(&s, event)
                                   : ph_flow_unlistened(&s, any, event, which == ALL_UNLISTENED);
    ph_stream_close(&s);
    JS_FreeAtom(ctx, event);
    return status;
}

static JSValue on(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSValueConst listener = arg(argc, argv, 1);
    if (!JS_IsFunction(ctx, listener)) {
        JSValue which = JS_NewString(ctx, "listener");
        JSValueConst args[] = {which, listener};
        JSValue thrown = ph_events_call(ctx, PH_EVENTS_BAD, 2, args);
        JS_FreeValue(ctx, which);
        return thrown;
    }
    int status = ph_listeners_add(ctx, self, argv[0], listener, false);
    if (status == 0)
        status = after_change(ctx, self, false, argv[0], LISTENED);
    return self_or_exception(ctx, self, status);
}

static JSValue remove_listener(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSValueConst listener = arg(argc, argv, 1);
    int status = 0;
    if (JS_IsFunction(ctx, listener))
        status = ph_listeners_remove(ctx, self, argv[0], listener);
    else {
        JSValue which = JS_NewString(ctx, "listener");
        JSValueConst args[] = {which, listener};
        JSValue thrown = ph_events_call(ctx, PH_EVENTS_BAD, 2, args);
        JS_FreeValue(ctx, which);
        return thrown;
    }
    if (status == 0)
        status = after_change(ctx, self, false, argv[0], UNLISTENED);
    return self_or_exception(ctx, self, status);
}

static JSValue remove_all(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    int status = ph_listeners_remove_all(ctx, self, argc > 0, argv[0]);
    bool any = argc == 0 || JS_IsUndefined(argv[0]);
    if (status == 0)
        status = after_change(ctx, self, any, argv[0], ALL_UNLISTENED);
    return self_or_exception(ctx, self, status);
}

static JSValue write_chunk(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSValueConst encoding = arg(argc, argv, 1);
    JSValueConst callback = arg(argc, argv, 2);
    if (JS_IsFunction(ctx, encoding)) {
        callback = encoding;
        encoding = JS_NULL;
    }
    ph_stream s = ph_stream_open(ctx, self);
    int more = ph_writable_write(&s, arg(argc, argv, 0), encoding,
                                 JS_IsFunction(ctx, callback) ? callback : JS_UNDEFINED, NULL);
    ph_stream_close(&s);
    return more < 0 ? JS_EXCEPTION : JS_NewBool(ctx, more);
}

static JSValue end(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int status = -1;
    if (ph_stream_writable(&s) != NULL)
        status = ph_finish_end(&s, argc, argv);
    else
        JS_ThrowTypeError(ctx, "end was called on what is not a writable stream");
    ph_stream_close(&s);
    return self_or_exception(ctx, self, status);
}

enum { CORK, UNCORK };

static JSValue change_cork(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int which) {
    (void)argc;
    (void)argv;
    ph_stream s = ph_stream_open(ctx, self);
    ph_writable* w = ph_stream_writable(&s);
    int status = 0;
    if (w != NULL && which == CORK) {
        w->corked++;
    } else if (w != NULL && w->corked > 0) {
        w->corked--;
        if (!ph_has(&w->side, PH_WRITING))
            status = ph_writable_clear_buffer(&s);
    }
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue destroy(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    ph_stream s = ph_stream_open(ctx, self);
    int status = ph_destroy(&s, arg(argc, argv, 0), arg(argc, argv, 1));
    ph_stream_close(&s);
    return self_or_exception(ctx, self, status);
}

static JSValue undestroy(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_stream s = ph_stream_open(ctx, self);
    ph_undestroy(&s);
    ph_stream_close(&s);
    return JS_UNDEFINED;
}

/* _destroy(error, callback) of who has nothing to do. */
static JSValue call_back_error(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_Call(ctx, argv[1], JS_UNDEFINED, 1, argv);
}

/* fail(stream, error, later) */
static JSValue fail(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_stream s = ph_stream_open(ctx, argv[0]);
    int status = ph_fail(&s, arg(argc, argv, 1), ph_flag(ctx, arg(argc, argv, 2)));
    ph_stream_close(&s);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* setDefaults(bytes, objects): high-water marks. */
static JSValue set_defaults(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_streams_of(ctx)->default_bytes = ph_number(ctx, argv[0], 16384);
    ph_streams_of(ctx)->default_objects = ph_number(ctx, argv[1], 16);
    return JS_UNDEFINED;
}

/* setup(the hooks in their order, then a function that does nothing) */
static JSValue setup(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_streams* streams = ph_streams_of(ctx);
    for (int i = 0; i < PH_STREAMS_HOOK_COUNT && i < argc; i++)
        ph_replace(ctx, &streams->hooks[i], JS_DupValue(ctx, argv[i]));
    ph_replace(ctx, &streams->nop, JS_DupValue(ctx, arg(argc, argv, PH_STREAMS_HOOK_COUNT)));
    return JS_UNDEFINED;
}

typedef struct {
    ph_ending ending;
    ph_env* env;
    ph_streams streams;
} world_streams;

static void end_streams(ph_ending* ending) {
    world_streams* world = (world_streams*)ending;
    ph_streams* streams = &world->streams;
    JSContext* ctx = world->env->ctx;
    for (int i = 0; i < PH_STREAM_ATOM_COUNT; i++)
        JS_FreeAtom(ctx, streams->atoms[i]);
    for (int i = 0; i < PH_STREAMS_HOOK_COUNT; i++)
        JS_FreeValue(ctx, streams->hooks[i]);
    JSValue* const values[] = {&streams->readable_proto,
                               &streams->writable_proto,
                               &streams->pipe_proto,
                               &streams->utf8,
                               &streams->buffer,
                               &streams->pipe_word,
                               &streams->unpipe_word,
                               &streams->nop,
                               &streams->own_transform_write,
                               &streams->own_transform_read,
                               &streams->own_pass,
                               &streams->own_write,
                               &streams->own_read,
                               &streams->own_push,
                               &streams->get_pending,
                               &streams->set_pending};
    for (size_t i = 0; i < PH_COUNT(values); i++)
        JS_FreeValue(ctx, *values[i]);
    world->env->streams = NULL;
    free(world);
}

static int begin_world(JSContext* ctx) {
    static const char* const texts[] = {
#define X(name, text) [PH_STREAM_##name] = text,
        PH_STREAM_ATOMS(X)
#undef X
    };
    world_streams* world = calloc(1, sizeof(*world));
    if (world == NULL)
        return -1;
    ph_streams* streams = &world->streams;
    world->env = ph_env_of(ctx);
    world->ending.run = end_streams;
    world->env->streams = streams;
    for (int i = 0; i < PH_STREAM_ATOM_COUNT; i++)
        streams->atoms[i] = JS_NewAtom(ctx, texts[i]);
    for (int i = 0; i < PH_STREAMS_HOOK_COUNT; i++)
        streams->hooks[i] = JS_UNDEFINED;
    streams->utf8 = JS_NewAtomString(ctx, "utf8");
    streams->buffer = JS_NewAtomString(ctx, "buffer");
    streams->pipe_word = JS_NewAtomString(ctx, "pipe");
    streams->unpipe_word = JS_NewAtomString(ctx, "unpipe");
    streams->nop = JS_UNDEFINED;
    streams->default_bytes = 16384;
    streams->default_objects = 16;
    JSCFunctionType push_type = {.generic_magic = push};
    streams->own_push =
        JS_NewCFunction2(ctx, push_type.generic, "push", 2, JS_CFUNC_generic_magic, 0);
    streams->own_read = JS_NewCFunction(ctx, read_chunk, "read", 1);
    streams->own_write = JS_NewCFunction(ctx, write_chunk, "write", 3);
    ph_states_init(ctx);
    ph_pipe_init(ctx);
    ph_ending_add(world->env, &world->ending);
    return 0;
}

JSValue ph_streams_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setup", 1, setup),
        JS_CFUNC_DEF("setDefaults", 2, set_defaults),
        JS_CFUNC_DEF("fail", 3, fail),
        JS_CFUNC_MAGIC_DEF("unshift", 2, push, 1),
        JS_CFUNC_DEF("readNotImplemented", 1, not_implemented),
        JS_CFUNC_MAGIC_DEF("resume", 0, change_flow, RESUME),
        JS_CFUNC_MAGIC_DEF("pause", 0, change_flow, PAUSE),
        JS_CFUNC_DEF("isPaused", 0, is_paused),
        JS_CFUNC_DEF("setEncoding", 1, set_encoding),
        JS_CFUNC_DEF("on", 2, on),
        JS_CFUNC_DEF("removeListener", 2, remove_listener),
        JS_CFUNC_DEF("removeAllListeners", 1, remove_all),
        JS_CFUNC_DEF("end", 3, end),
        JS_CFUNC_MAGIC_DEF("cork", 0, change_cork, CORK),
        JS_CFUNC_MAGIC_DEF("uncork", 0, change_cork, UNCORK),
        JS_CFUNC_DEF("destroy", 2, destroy),
        JS_CFUNC_DEF("undestroy", 0, undestroy),
        JS_CFUNC_DEF("_destroy", 2, call_back_error),
    };
    /* The emitter's functions are C's, too, and must be there. */
    if (ph_env_of(ctx)->streams == NULL && begin_world(ctx) != 0)
        return JS_ThrowOutOfMemory(ctx);
    ph_streams* streams = ph_streams_of(ctx);
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_set(ctx, binding, "push", JS_DupValue(ctx, streams->own_push));
    ph_set(ctx, binding, "read", JS_DupValue(ctx, streams->own_read));
    ph_set(ctx, binding, "write", JS_DupValue(ctx, streams->own_write));
    ph_states_export(ctx, binding);
    ph_accessors_export(ctx, binding);
    ph_transform_export(ctx, binding);
    ph_pipe_export(ctx, binding);
    return binding;
}
