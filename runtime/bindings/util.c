/* What util.inspect and friends need to know of a value and the language does not tell. */
#include <string.h>

#include "bindings/bindings.h"
#include "bindings/bytes.h"
#include "engine/patched.h"

/* className(value): the engine's class of an object ("Map", "Promise", "Proxy", ...). */
static JSValue class_name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!JS_IsObject(argv[0]))
        return JS_UNDEFINED;
    if (JS_IsProxy(argv[0]))
        return JS_NewString(ctx, "Proxy");
    JSAtom name = JS_GetClassName(JS_GetRuntime(ctx), JS_GetClassID(argv[0]));
    JSValue text = JS_AtomToString(ctx, name);
    JS_FreeAtom(ctx, name);
    return text;
}

/* promiseState(promise): [state, result]; 0 pending, 1 fulfilled, 2 rejected */
static JSValue promise_state(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JSValue pair = JS_NewArray(ctx);
    JSPromiseStateEnum state = JS_PromiseState(ctx, argv[0]);
    JSValue result = JS_UNDEFINED;
    if (state == JS_PROMISE_FULFILLED || state == JS_PROMISE_REJECTED)
        result = JS_PromiseResult(ctx, argv[0]);
    JS_SetPropertyUint32(ctx, pair, 0, JS_NewInt32(ctx, state));
    JS_SetPropertyUint32(ctx, pair, 1, result);
    return pair;
}

/* A part of a proxy; what is revoked has none. */
static JSValue part(JSContext* ctx, JSValue found) {
    if (!JS_IsException(found))
        return found;
    JS_FreeValue(ctx, JS_GetException(ctx));
    return JS_NULL;
}

static JSValue proxy_parts(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!JS_IsProxy(argv[0]))
        return JS_UNDEFINED;
    JSValue pair = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, pair, 0, part(ctx, JS_GetProxyTarget(ctx, argv[0])));
    JS_SetPropertyUint32(ctx, pair, 1, part(ctx, JS_GetProxyHandler(ctx, argv[0])));
    return pair;
}

static JSValue is_error(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewBool(ctx, JS_IsError(argv[0]));
}

static JSValue mark_handled(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JS_PromiseMarkAsHandled(ctx, argv[0]);
    return JS_UNDEFINED;
}

static JSValue detach(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (JS_IsArrayBuffer(argv[0]) && ph_can_detach())
        JS_DetachArrayBuffer(ctx, argv[0]);
    return JS_UNDEFINED;
}

/* moveBytes(from, to): of ArrayBuffers of one size; the first is detached */
static JSValue move_bytes(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewBool(ctx, ph_move_bytes(ctx, argv[0], argv[1]));
}

static JSValue tracks_length(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewBool(ctx, ph_tracks_length(argv[0]));
}

/* namesBesideElements(array): undefined if only the language can tell */
static JSValue names_beside_elements(JSContext* ctx, JSValueConst self, int argc,
                                     JSValueConst* argv) {
    (void)self;
    (void)argc;
    return js_names_beside_elements == NULL ? JS_UNDEFINED : js_names_beside_elements(ctx, argv[0]);
}

/* iteratorRest(value): [are they pairs?, values], undefined if it is no iterator of a map or set */
static JSValue iterator_rest(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return js_iterator_rest == NULL ? JS_UNDEFINED : js_iterator_rest(ctx, argv[0]);
}

static JSValue default_prepare(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_DupValue(ctx, ph_env_of(ctx)->prepare_stack);
}

JSValue ph_util_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("className", 1, class_name),
        JS_CFUNC_DEF("promiseState", 1, promise_state),
        JS_CFUNC_DEF("proxyParts", 1, proxy_parts),
        JS_CFUNC_DEF("isError", 1, is_error),
        JS_CFUNC_DEF("markHandled", 1, mark_handled),
        JS_CFUNC_DEF("detach", 1, detach),
        JS_CFUNC_DEF("moveBytes", 2, move_bytes),
        JS_CFUNC_DEF("namesBesideElements", 1, names_beside_elements),
        JS_CFUNC_DEF("iteratorRest", 1, iterator_rest),
        JS_CFUNC_DEF("tracksLength", 1, tracks_length),
        JS_CFUNC_DEF("defaultPrepare", 0, default_prepare),
    };
    return PH_EXPORT(ctx, functions);
}
