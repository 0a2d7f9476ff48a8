/* Telling the listeners of an event. */
#include "events/events.h"

#include "engine/patched.h"

enum { FEW = 6 };

/* Calls a hook with the emitter, a value and the arguments behind it. */
static JSValue call_with(JSContext* ctx, ph_events_hook hook, JSValueConst emitter,
                         JSValueConst value, JSValueConst name, int argc, JSValueConst* argv) {
    JSValueConst few[FEW + 3];
    JSValueConst* args = argc <= FEW ? few : js_malloc(ctx, ((size_t)argc + 3) * sizeof(*args));
    if (args == NULL)
        return JS_EXCEPTION;
    int count = 0;
    args[count++] = emitter;
    args[count++] = value;
    if (!JS_IsUninitialized(name))
        args[count++] = name;
    for (int i = 0; i < argc; i++)
        args[count++] = argv[i];
    JSValue result = ph_events_call(ctx, hook, count, args);
    if (args != few)
        js_free(ctx, args);
    return result;
}

/* A listener gave an object, which may be a promise that will be rejected. */
static int look_at_result(JSContext* ctx, ph_events* events, JSValueConst emitter, JSAtom name,
                          JSValueConst result, int argc, JSValueConst* argv) {
    JSValue wanted = JS_GetProperty(ctx, emitter, events->capture);
    if (JS_IsException(wanted))
        return -1;
    bool captures = JS_ToBool(ctx, wanted) > 0;
    JS_FreeValue(ctx, wanted);
    if (!captures)
        return 0;
    JSValue event = JS_AtomToValue(ctx, name);
    JSValue seen =
        call_with(ctx, PH_EVENTS_REJECTED, emitter, result, (JSValueConst)event, argc, argv);
    JS_FreeValue(ctx, event);
    JS_FreeValue(ctx, seen);
    return JS_IsException(seen) ? -1 : 0;
}

static inline int tell_one(JSContext* ctx, ph_events* events, JSValueConst listener,
                           JSValueConst emitter, JSAtom name, int argc, JSValueConst* argv) {
    JSValue result = JS_Call(ctx, listener, emitter, argc, argv);
    if (JS_IsException(result))
        return -1;
    int status = 0;
    if (JS_IsObject(result))
        status = look_at_result(ctx, events, emitter, name, result, argc, argv);
    ph_drop(ctx, result);
    return status;
}

/* Whoever adds to a list that is being walked, or removes from it, leaves this one as it is and
 * puts another in its place (ph_listeners_own). */
static int tell_list(JSContext* ctx, ph_events* events, JSValueConst list, JSValueConst emitter,
                     JSAtom name, int argc, JSValueConst* argv) {
    int64_t count = 0;
    if (JS_GetLength(ctx, list, &count) != 0)
        return -1;
    ph_walk walk = {list, events->walks};
    events->walks = &walk;
    int status = 0;
    for (int64_t i = 0; i < count && status == 0; i++) {
        JSValue listener = JS_GetPropertyInt64(ctx, list, i);
        if (JS_IsException(listener))
            status = -1;
        else if (JS_IsFunction(ctx, listener))
            status = tell_one(ctx, events, listener, emitter, name, argc, argv);
        ph_drop(ctx, listener);
    }
    events->walks = walk.outer;
    return status;
}

/* The listener, if it is the only one, and nothing of the program runs to find it. */
static inline bool find_only(ph_events* events, JSValueConst emitter, JSAtom name,
                             JSValueConst* only) {
    JSValueConst table;
    return js_own_value != NULL &&
           js_own_value(emitter, ph_event_name(events, PH_EVENT_EVENTS), &table) &&
           js_own_value(table, name, only);
}

static int tell_named(JSContext* ctx, ph_events* events, JSValueConst emitter, JSAtom name,
                      int argc, JSValueConst* argv) {
    JSValueConst only;
    if (find_only(events, emitter, name, &only) && JS_IsFunction(ctx, only)) {
        JSValue listener = JS_DupValue(ctx, only);
        int told = tell_one(ctx, events, listener, emitter, name, argc, argv);
        JS_FreeValue(ctx, listener);
        return told == 0 ? 1 : -1;
    }
    JSValue table = JS_GetProperty(ctx, emitter, ph_event_name(events, PH_EVENT_EVENTS));
    if (!JS_IsObject(table)) {
        ph_drop(ctx, table);
        return JS_IsException(table) ? -1 : 0;
    }
    JSValue found = JS_GetProperty(ctx, table, name);
    JS_FreeValue(ctx, table);
    int status = 0;
    if (JS_IsFunction(ctx, found))
        status = tell_one(ctx, events, found, emitter, name, argc, argv) == 0 ? 1 : -1;
    else if (JS_IsObject(found))
        status = tell_list(ctx, events, found, emitter, name, argc, argv) == 0 ? 1 : -1;
    else if (JS_IsException(found))
        status = -1;
    ph_drop(ctx, found);
    return status;
}

static int tell_error(JSContext* ctx, ph_events* events, JSValueConst emitter, int argc,
                      JSValueConst* argv) {
    if (tell_named(ctx, events, emitter, events->monitor, argc, argv) < 0)
        return -1;
    JSAtom name = ph_event_name(events, PH_EVENT_ERROR);
    int status = tell_named(ctx, events, emitter, name, argc, argv);
    if (status != 0)
        return status;
    JSValueConst error = argc > 0 ? argv[0] : JS_UNDEFINED;
    JSValue thrown = call_with(ctx, PH_EVENTS_UNHANDLED, emitter, error, JS_UNINITIALIZED,
                               argc > 0 ? argc - 1 : 0, argv + 1);
    bool failed = JS_IsException(thrown);
    JS_FreeValue(ctx, thrown);
    return failed ? -1 : 0;
}

int ph_events_tell(JSContext* ctx, ph_events* events, JSValueConst emitter, JSAtom name, int argc,
                   JSValueConst* argv) {
    if (name == ph_event_name(events, PH_EVENT_ERROR))
        return tell_error(ctx, events, emitter, argc, argv);
    return tell_named(ctx, events, emitter, name, argc, argv);
}

static int emit_by_method(JSContext* ctx, JSValueConst method, JSValueConst emitter, JSAtom name,
                          int argc, JSValueConst* argv) {
    JSValueConst few[FEW + 1];
    JSValueConst* args = argc <= FEW ? few : js_malloc(ctx, ((size_t)argc + 1) * sizeof(*args));
    if (args == NULL)
        return -1;
    JSValue event = JS_AtomToValue(ctx, name);
    args[0] = event;
    for (int i = 0; i < argc; i++)
        args[i + 1] = argv[i];
    JSValue result = JS_Call(ctx, method, emitter, argc + 1, args);
    JS_FreeValue(ctx, event);
    if (args != few)
        js_free(ctx, args);
    int status = JS_IsException(result) ? -1 : JS_ToBool(ctx, result);
    ph_drop(ctx, result);
    return status;
}

int ph_events_emit(JSContext* ctx, JSValueConst emitter, JSAtom name, int argc,
                   JSValueConst* argv) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValueConst plain;
    if (js_known_value != NULL &&
        js_known_value(emitter, ph_event_name(events, PH_EVENT_EMIT), &plain) &&
        JS_IsObject(plain) && JS_VALUE_GET_PTR(plain) == JS_VALUE_GET_PTR(events->emit))
        return ph_events_tell(ctx, events, emitter, name, argc, argv);
    JSValue method = JS_GetProperty(ctx, emitter, ph_event_name(events, PH_EVENT_EMIT));
    int status;
    if (JS_IsException(method))
        return -1;
    if (JS_IsObject(method) && JS_VALUE_GET_PTR(method) == JS_VALUE_GET_PTR(events->emit))
        status = ph_events_tell(ctx, events, emitter, name, argc, argv);
    else
        status = emit_by_method(ctx, method, emitter, name, argc, argv);
    ph_drop(ctx, method);
    return status;
}
