// EventEmitter's emit: the most frequent call of all, without a list of arguments.
#include <stdlib.h>

#include "bindings/bindings.h"

enum { EVENTS, ERROR, ON_ERROR, ON_RESULT, DATA };
enum { FEW = 8 };

// Calls function(emitter, what, ...argv).
static JSValue call_hook(JSContext* ctx, JSValueConst function, JSValueConst emitter,
                         JSValueConst what, int argc, JSValueConst* argv) {
    JSValueConst few[FEW + 2];
    JSValueConst* args = argc <= FEW ? few : malloc(((size_t)argc + 2) * sizeof(*args));
    if (args == NULL)
        return JS_ThrowOutOfMemory(ctx);
    args[0] = emitter;
    args[1] = what;
    for (int i = 0; i < argc; i++)
        args[i + 2] = argv[i];
    JSValue result = JS_Call(ctx, function, JS_UNDEFINED, argc + 2, args);
    if (args != few)
        free(args);
    return result;
}

// Calls one listener; false if it threw.
static bool tell(JSContext* ctx, JSValueConst listener, JSValueConst emitter, int argc,
                 JSValueConst* argv, JSValueConst on_result) {
    JSValue result = JS_Call(ctx, listener, emitter, argc - 1, argv + 1);
    if (JS_IsException(result))
        return false;
    if (!JS_IsObject(result)) {
        JS_FreeValue(ctx, result);
        return true;
    }
    JSValue seen = call_hook(ctx, on_result, emitter, result, argc, argv);
    JS_FreeValue(ctx, result);
    JS_FreeValue(ctx, seen);
    return !JS_IsException(seen);
}

// Listeners that are added or removed meanwhile make no difference.
static bool tell_all(JSContext* ctx, JSValueConst list, JSValueConst emitter, int argc,
                     JSValueConst* argv, JSValueConst on_result) {
    int64_t count = 0;
    JSValue few[FEW];
    if (JS_GetLength(ctx, list, &count) != 0)
        return false;
    JSValue* all = count <= FEW ? few : malloc((size_t)count * sizeof(*all));
    if (all == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return false;
    }
    for (int64_t i = 0; i < count; i++)
        all[i] = JS_GetPropertyInt64(ctx, list, i);
    bool fine = true;
    for (int64_t i = 0; i < count; i++) {
        fine = fine && tell(ctx, all[i], emitter, argc, argv, on_result);
        JS_FreeValue(ctx, all[i]);
    }
    if (all != few)
        free(all);
    return fine;
}

static JSValue get(JSContext* ctx, JSValueConst object, JSValueConst name) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    JSValue value = JS_GetProperty(ctx, object, atom);
    JS_FreeAtom(ctx, atom);
    return value;
}

static JSValue emit(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic,
                    JSValueConst* data) {
    (void)magic;
    if (JS_IsStrictEqual(ctx, argv[0], data[ERROR])) {
        int count = argc > 1 ? argc - 2 : 0;
        JSValue seen = call_hook(ctx, data[ON_ERROR], self, argc > 1 ? argv[1] : JS_UNDEFINED,
                                 count, argv + 2);
        if (JS_IsException(seen))
            return seen;
        JS_FreeValue(ctx, seen);
    }
    JSValue events = get(ctx, self, data[EVENTS]);
    if (!JS_IsObject(events)) {
        JS_FreeValue(ctx, events);
        return JS_IsException(events) ? events : JS_FALSE;
    }
    JSValue handler = get(ctx, events, argv[0]);
    JS_FreeValue(ctx, events);
    JSValue result = JS_TRUE;
    int given = argc > 0 ? argc : 1;
    if (!JS_IsObject(handler))
        result = JS_IsException(handler) ? JS_EXCEPTION : JS_FALSE;
    else if (JS_IsFunction(ctx, handler)) {
        if (!tell(ctx, handler, self, given, argv, data[ON_RESULT]))
            result = JS_EXCEPTION;
    } else if (!tell_all(ctx, handler, self, given, argv, data[ON_RESULT])) {
        result = JS_EXCEPTION;
    }
    JS_FreeValue(ctx, handler);
    return result;
}

// makeEmit(onError(emitter, error, ...more) which may throw, onResult(emitter, result, type,
// ...args) for listeners that return an object)
static JSValue make_emit(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSAtom events = JS_NewAtom(ctx, "_events");
    JSAtom error = JS_NewAtom(ctx, "error");
    JSValue data[DATA] = {
        [EVENTS] = JS_AtomToString(ctx, events),
        [ERROR] = JS_AtomToString(ctx, error),
        [ON_ERROR] = JS_DupValue(ctx, argv[0]),
        [ON_RESULT] = JS_DupValue(ctx, argv[1]),
    };
    JSValue made = JS_NewCFunctionData2(ctx, emit, "emit", 1, 0, DATA, data);
    for (int i = 0; i < DATA; i++)
        JS_FreeValue(ctx, data[i]);
    JS_FreeAtom(ctx, events);
    JS_FreeAtom(ctx, error);
    return made;
}

JSValue ph_emitter_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("makeEmit", 2, make_emit),
    };
    return PH_EXPORT(ctx, functions);
}
