/* The function that once() gives to on(): it knows which emitter it is to leave, and for which
 * event. Its property `listener` is the function that the program gave. */
#include "events/events.h"

typedef struct {
    JSValue emitter;
    JSValue name;
    JSValue listener;
    bool called;
} once;

static void release(JSRuntime* rt, JSValueConst value) {
    JSClassID id;
    once* self = JS_GetAnyOpaque(value, &id);
    if (self == NULL)
        return;
    JS_FreeValueRT(rt, self->emitter);
    JS_FreeValueRT(rt, self->name);
    JS_FreeValueRT(rt, self->listener);
    js_free_rt(rt, self);
}

static void mark(JSRuntime* rt, JSValueConst value, JS_MarkFunc* tell) {
    JSClassID id;
    const once* self = JS_GetAnyOpaque(value, &id);
    if (self == NULL)
        return;
    JS_MarkValue(rt, self->emitter, tell);
    JS_MarkValue(rt, self->name, tell);
    JS_MarkValue(rt, self->listener, tell);
}

static JSValue call(JSContext* ctx, JSValueConst function, JSValueConst self, int argc,
                    JSValueConst* argv, int flags) {
    (void)self;
    (void)flags;
    ph_events* events = ph_env_of(ctx)->events;
    once* wrapped = JS_GetOpaque(function, events->once_class);
    if (wrapped == NULL || wrapped->called)
        return JS_UNDEFINED;
    wrapped->called = true;
    /* The emitter may let go of this function, and with it of what it holds. */
    JSValue emitter = JS_DupValue(ctx, wrapped->emitter);
    JSValue listener = JS_DupValue(ctx, wrapped->listener);
    JSValue own = JS_DupValue(ctx, function);
    JSValueConst args[] = {wrapped->name, own};
    JSValue result =
        JS_Invoke(ctx, emitter, ph_event_name(events, PH_EVENT_REMOVE_LISTENER), 2, args);
    if (!JS_IsException(result)) {
        JS_FreeValue(ctx, result);
        result = JS_Call(ctx, listener, emitter, argc, argv);
    }
    JS_FreeValue(ctx, own);
    JS_FreeValue(ctx, listener);
    JS_FreeValue(ctx, emitter);
    return result;
}

void ph_once_init(JSContext* ctx, ph_events* events) {
    static const JSClassDef definition = {
        .class_name = "Function",
        .finalizer = release,
        .gc_mark = mark,
        .call = call,
    };
    JSRuntime* rt = JS_GetRuntime(ctx);
    JS_NewClassID(rt, &events->once_class);
    JS_NewClass(rt, events->once_class, &definition);
    JSValue global = JS_GetGlobalObject(ctx);
    JSValue constructor = JS_GetPropertyStr(ctx, global, "Function");
    JSValue functions = JS_GetPropertyStr(ctx, constructor, "prototype");
    events->once_proto = JS_NewObjectProto(ctx, functions);
    JS_DefinePropertyValueStr(ctx, events->once_proto, "name",
                              JS_NewString(ctx, "bound onceWrapper"), JS_PROP_CONFIGURABLE);
    JS_DefinePropertyValueStr(ctx, events->once_proto, "length", JS_NewInt32(ctx, 0),
                              JS_PROP_CONFIGURABLE);
    JS_FreeValue(ctx, functions);
    JS_FreeValue(ctx, constructor);
    JS_FreeValue(ctx, global);
}

JSValue ph_once_wrap(JSContext* ctx, JSValueConst emitter, JSValueConst name,
                     JSValueConst listener) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValue function = JS_NewObjectProtoClass(ctx, events->once_proto, events->once_class);
    if (JS_IsException(function))
        return function;
    once* made = js_malloc(ctx, sizeof(*made));
    if (made == NULL) {
        JS_FreeValue(ctx, function);
        return JS_EXCEPTION;
    }
    made->emitter = JS_DupValue(ctx, emitter);
    made->name = JS_DupValue(ctx, name);
    made->listener = JS_DupValue(ctx, listener);
    made->called = false;
    JS_SetOpaque(function, made);
    if (JS_DefinePropertyValue(ctx, function, ph_event_name(events, PH_EVENT_LISTENER),
                               JS_DupValue(ctx, listener), JS_PROP_C_W_E) < 0) {
        JS_FreeValue(ctx, function);
        return JS_EXCEPTION;
    }
    return function;
}
