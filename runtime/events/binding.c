/* What internal/events and the streams get: the methods of EventEmitter.prototype. */
#include <stdlib.h>

#include "bindings/bindings.h"
#include "engine/endings.h"
#include "events/events.h"

typedef struct {
    ph_ending ending;
    ph_env* env;
    ph_events events;
} world_events;

static void end_events(ph_ending* ending) {
    world_events* world = (world_events*)ending;
    JSContext* ctx = world->env->ctx;
    ph_events* events = &world->events;
    for (int i = 0; i < PH_EVENT_ATOM_COUNT; i++)
        JS_FreeAtom(ctx, events->atoms[i]);
    JS_FreeAtom(ctx, events->monitor);
    JS_FreeAtom(ctx, events->capture);
    JS_FreeAtom(ctx, events->shape);
    for (int i = 0; i < PH_EVENTS_HOOK_COUNT; i++)
        JS_FreeValue(ctx, events->hooks[i]);
    JS_FreeValue(ctx, events->once_proto);
    JS_FreeValue(ctx, events->emit);
    world->env->events = NULL;
    free(world);
}

JSValue ph_events_call(JSContext* ctx, ph_events_hook hook, int argc, JSValueConst* argv) {
    return JS_Call(ctx, ph_env_of(ctx)->events->hooks[hook], JS_UNDEFINED, argc, argv);
}

static JSValue self_or_exception(JSContext* ctx, JSValueConst self, int status) {
    return status < 0 ? JS_EXCEPTION : JS_DupValue(ctx, self);
}

static JSValueConst arg(int argc, JSValueConst* argv, int at) {
    return at < argc ? argv[at] : JS_UNDEFINED;
}

static JSValue refuse(JSContext* ctx, const char* which, JSValueConst value) {
    JSValue name = JS_NewString(ctx, which);
    JSValueConst args[] = {name, value};
    JSValue thrown = ph_events_call(ctx, PH_EVENTS_BAD, 2, args);
    JS_FreeValue(ctx, name);
    return thrown;
}

static JSValue init(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    return ph_listeners_init(ctx, self, arg(argc, argv, 0)) < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

static JSValue emit(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSAtom name = JS_ValueToAtom(ctx, argv[0]);
    if (name == JS_ATOM_NULL)
        return JS_EXCEPTION;
    int told =
        ph_events_tell(ctx, ph_env_of(ctx)->events, self, name, argc > 0 ? argc - 1 : 0, argv + 1);
    JS_FreeAtom(ctx, name);
    return told < 0 ? JS_EXCEPTION : JS_NewBool(ctx, told);
}

static JSValue add(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int first) {
    JSValueConst listener = arg(argc, argv, 1);
    if (!JS_IsFunction(ctx, listener))
        return refuse(ctx, "listener", listener);
    return self_or_exception(ctx, self, ph_listeners_add(ctx, self, argv[0], listener, first != 0));
}

static JSValue add_once(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                        int method) {
    JSValueConst listener = arg(argc, argv, 1);
    if (!JS_IsFunction(ctx, listener))
        return refuse(ctx, "listener", listener);
    JSValue wrapped = ph_once_wrap(ctx, self, argv[0], listener);
    if (JS_IsException(wrapped))
        return wrapped;
    JSValueConst args[] = {argv[0], wrapped};
    JSValue result =
        JS_Invoke(ctx, self, ph_event_name(ph_env_of(ctx)->events, (ph_event_atom)method), 2, args);
    JS_FreeValue(ctx, wrapped);
    JS_FreeValue(ctx, result);
    return self_or_exception(ctx, self, JS_IsException(result) ? -1 : 0);
}

static JSValue remove_one(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSValueConst listener = arg(argc, argv, 1);
    if (!JS_IsFunction(ctx, listener))
        return refuse(ctx, "listener", listener);
    return self_or_exception(ctx, self, ph_listeners_remove(ctx, self, argv[0], listener));
}

static JSValue remove_all(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    return self_or_exception(ctx, self, ph_listeners_remove_all(ctx, self, argc > 0, argv[0]));
}

/* The listeners of a name, the caller's; undefined if there are none. */
static JSValue found(JSContext* ctx, JSValueConst emitter, JSAtom name) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValue table = JS_GetProperty(ctx, emitter, ph_event_name(events, PH_EVENT_EVENTS));
    if (!JS_IsObject(table)) {
        ph_drop(ctx, table);
        return JS_IsException(table) ? JS_EXCEPTION : JS_UNDEFINED;
    }
    JSValue there = JS_GetProperty(ctx, table, name);
    JS_FreeValue(ctx, table);
    if (JS_IsObject(there) || JS_IsException(there))
        return there;
    ph_drop(ctx, there);
    return JS_UNDEFINED;
}

static JSValue found_by(JSContext* ctx, JSValueConst emitter, JSValueConst name) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    if (atom == JS_ATOM_NULL)
        return JS_EXCEPTION;
    JSValue there = found(ctx, emitter, atom);
    JS_FreeAtom(ctx, atom);
    return there;
}

enum { RAW, INSIDE };

static JSValue list(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int which) {
    (void)argc;
    ph_events* events = ph_env_of(ctx)->events;
    JSValue there = found_by(ctx, self, argv[0]);
    if (JS_IsException(there))
        return there;
    JSValue result = JS_NewArray(ctx);
    bool single = JS_IsFunction(ctx, there);
    int64_t count = single ? 1 : 0;
    bool failed = JS_IsException(result) ||
                  (!single && JS_IsObject(there) && JS_GetLength(ctx, there, &count) != 0);
    for (int64_t i = 0; i < count && !failed; i++) {
        JSValue one = single ? JS_DupValue(ctx, there) : JS_GetPropertyInt64(ctx, there, i);
        if (which == INSIDE && JS_IsObject(one)) {
            JSValue inside = ph_listener_inside(ctx, events, one);
            JS_FreeValue(ctx, one);
            one = inside;
        }
        failed = JS_IsException(one) || JS_SetPropertyInt64(ctx, result, i, one) < 0;
    }
    ph_drop(ctx, there);
    if (!failed)
        return result;
    JS_FreeValue(ctx, result);
    return JS_EXCEPTION;
}

/* How many of them are the listener, or were made of it by once(). */
static int64_t count_same(JSContext* ctx, JSValueConst there, JSValueConst listener) {
    ph_events* events = ph_env_of(ctx)->events;
    bool single = JS_IsFunction(ctx, there);
    int64_t length = 1, count = 0;
    if (!single && JS_GetLength(ctx, there, &length) != 0)
        return -1;
    for (int64_t i = 0; i < length; i++) {
        JSValue one = single ? JS_DupValue(ctx, there) : JS_GetPropertyInt64(ctx, there, i);
        JSValue inside = JS_IsObject(one) ? ph_listener_inside(ctx, events, one) : JS_UNDEFINED;
        if (JS_IsException(one) || JS_IsException(inside))
            return -1;
        count += JS_IsStrictEqual(ctx, one, listener) || JS_IsStrictEqual(ctx, inside, listener);
        ph_drop(ctx, inside);
        ph_drop(ctx, one);
    }
    return count;
}

int64_t ph_events_count(JSContext* ctx, JSValueConst emitter, JSAtom name) {
    JSValue there = found(ctx, emitter, name);
    int64_t count = 0;
    if (JS_IsException(there))
        return -1;
    if (JS_IsFunction(ctx, there))
        count = 1;
    else if (JS_IsObject(there) && JS_GetLength(ctx, there, &count) != 0)
        count = -1;
    ph_drop(ctx, there);
    return count;
}

static JSValue listener_count(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    JSValue there = found_by(ctx, self, argv[0]);
    JSValueConst listener = arg(argc, argv, 1);
    int64_t count = 0;
    if (JS_IsException(there))
        return there;
    if (JS_IsObject(there) && !JS_IsUndefined(listener) && !JS_IsNull(listener))
        count = count_same(ctx, there, listener);
    else if (JS_IsFunction(ctx, there))
        count = 1;
    else if (JS_IsObject(there) && JS_GetLength(ctx, there, &count) != 0)
        count = -1;
    ph_drop(ctx, there);
    return count < 0 ? JS_EXCEPTION : JS_NewInt64(ctx, count);
}

static JSValue event_names(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_events* events = ph_env_of(ctx)->events;
    JSValue table = JS_GetProperty(ctx, self, ph_event_name(events, PH_EVENT_EVENTS));
    JSValue result = JS_IsException(table) ? JS_EXCEPTION : JS_NewArray(ctx);
    JSPropertyEnum* names = NULL;
    uint32_t count = 0, to = 0;
    bool failed = JS_IsException(result) ||
                  (JS_IsObject(table) &&
                   JS_GetOwnPropertyNames(ctx, &names, &count, table,
                                          JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK) != 0);
    for (uint32_t i = 0; i < count && !failed; i++) {
        JSValue there = JS_GetProperty(ctx, table, names[i].atom);
        failed = JS_IsException(there);
        if (JS_IsObject(there))
            failed =
                JS_SetPropertyUint32(ctx, result, to++, JS_AtomToValue(ctx, names[i].atom)) < 0;
        ph_drop(ctx, there);
    }
    JS_FreePropertyEnum(ctx, names, count);
    ph_drop(ctx, table);
    if (!failed)
        return result;
    JS_FreeValue(ctx, result);
    return JS_EXCEPTION;
}

static JSValue get_max(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)argc;
    (void)argv;
    ph_events* events = ph_env_of(ctx)->events;
    JSValue own = JS_GetProperty(ctx, self, ph_event_name(events, PH_EVENT_MAX_LISTENERS));
    return JS_IsUndefined(own) ? JS_NewNumber(ctx, events->default_max) : own;
}

static JSValue set_max(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    double limit = JS_IsNumber(arg(argc, argv, 0)) ? ph_number(ctx, argv[0], -1) : -1;
    if (!(limit >= 0))
        return refuse(ctx, "setMaxListeners", arg(argc, argv, 0));
    int status =
        JS_SetProperty(ctx, self, ph_event_name(ph_env_of(ctx)->events, PH_EVENT_MAX_LISTENERS),
                       JS_NewNumber(ctx, limit));
    return self_or_exception(ctx, self, status);
}

/* configure(defaultMaxListeners, captureRejections) */
static JSValue configure(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_events* events = ph_env_of(ctx)->events;
    events->default_max = ph_number(ctx, argv[0], 10);
    events->captures_all = ph_flag(ctx, argv[1]);
    return JS_UNDEFINED;
}

/* setup(errorMonitor, ...the hooks in their order) gives the symbol of captureRejections. */
static JSValue setup(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_events* events = ph_env_of(ctx)->events;
    JS_FreeAtom(ctx, events->monitor);
    events->monitor = JS_ValueToAtom(ctx, argv[0]);
    for (int i = 0; i < PH_EVENTS_HOOK_COUNT && i + 1 < argc; i++) {
        JS_FreeValue(ctx, events->hooks[i]);
        events->hooks[i] = JS_DupValue(ctx, argv[i + 1]);
    }
    return JS_AtomToValue(ctx, events->capture);
}

static JSAtom new_symbol(JSContext* ctx, const char* text) {
    JSValue symbol = JS_NewSymbol(ctx, text, false);
    JSAtom atom = JS_ValueToAtom(ctx, symbol);
    JS_FreeValue(ctx, symbol);
    return atom;
}

static int begin(JSContext* ctx) {
    static const char* const texts[] = {
#define X(name, text) [PH_EVENT_##name] = text,
        PH_EVENT_ATOMS(X)
#undef X
    };
    ph_env* env = ph_env_of(ctx);
    world_events* world = calloc(1, sizeof(*world));
    if (world == NULL)
        return -1;
    ph_events* events = &world->events;
    for (int i = 0; i < PH_EVENT_ATOM_COUNT; i++)
        events->atoms[i] = JS_NewAtom(ctx, texts[i]);
    events->monitor = JS_ATOM_NULL;
    events->capture = new_symbol(ctx, "kCapture");
    events->shape = new_symbol(ctx, "shapeMode");
    for (int i = 0; i < PH_EVENTS_HOOK_COUNT; i++)
        events->hooks[i] = JS_UNDEFINED;
    events->default_max = 10;
    events->emit = JS_NewCFunction(ctx, emit, "emit", 1);
    ph_once_init(ctx, events);
    world->env = env;
    world->ending.run = end_events;
    env->events = events;
    ph_ending_add(env, &world->ending);
    return 0;
}

JSValue ph_events_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setup", 1, setup),
        JS_CFUNC_DEF("configure", 2, configure),
        JS_CFUNC_DEF("init", 1, init),
        JS_CFUNC_DEF("setMaxListeners", 1, set_max),
        JS_CFUNC_DEF("getMaxListeners", 0, get_max),
        JS_CFUNC_MAGIC_DEF("addListener", 2, add, 0),
        JS_CFUNC_MAGIC_DEF("prependListener", 2, add, 1),
        JS_CFUNC_MAGIC_DEF("once", 2, add_once, PH_EVENT_ADD),
        JS_CFUNC_MAGIC_DEF("prependOnceListener", 2, add_once, PH_EVENT_PREPEND_LISTENER),
        JS_CFUNC_DEF("removeListener", 2, remove_one),
        JS_CFUNC_DEF("removeAllListeners", 1, remove_all),
        JS_CFUNC_MAGIC_DEF("listeners", 1, list, INSIDE),
        JS_CFUNC_MAGIC_DEF("rawListeners", 1, list, RAW),
        JS_CFUNC_DEF("listenerCount", 2, listener_count),
        JS_CFUNC_DEF("eventNames", 0, event_names),
    };
    if (ph_env_of(ctx)->events == NULL && begin(ctx) != 0)
        return JS_ThrowOutOfMemory(ctx);
    JSValue binding = PH_EXPORT(ctx, functions);
    JS_SetPropertyStr(ctx, binding, "emit", JS_DupValue(ctx, ph_env_of(ctx)->events->emit));
    return binding;
}
