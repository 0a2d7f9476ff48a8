/* Listeners that go. */
#include "events/lists.h"

/* Whether it is the listener, or once() made it of the listener. -1: an exception. */
static int is_same(JSContext* ctx, ph_events* events, JSValueConst one, JSValueConst listener) {
    if (!JS_IsObject(one))
        return 0;
    if (JS_VALUE_GET_PTR(one) == JS_VALUE_GET_PTR(listener))
        return 1;
    JSValue inside = JS_GetProperty(ctx, one, ph_event_name(events, PH_EVENT_LISTENER));
    if (JS_IsException(inside))
        return -1;
    int same = JS_IsObject(inside) && JS_VALUE_GET_PTR(inside) == JS_VALUE_GET_PTR(listener);
    ph_drop(ctx, inside);
    return same;
}

/* The name has no listeners any more. */
static int remove_name(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst table,
                       JSAtom name) {
    double left = ph_lists_change_count(ctx, events, emitter, -1);
    if (left != left)
        return -1;
    if (left != 0)
        return JS_DeleteProperty(ctx, table, name, 0) < 0 ? -1 : 0;
    JSValue empty = ph_lists_begin(ctx, events, emitter);
    JS_FreeValue(ctx, empty);
    return JS_IsException(empty) ? -1 : 0;
}

/* The place of the one that was added last; -1: none; -2: an exception. */
static int64_t place_of(JSContext* ctx, ph_events* events, JSValueConst list,
                        JSValueConst listener) {
    int64_t at;
    if (JS_GetLength(ctx, list, &at) != 0)
        return -2;
    while (--at >= 0) {
        JSValue one = JS_GetPropertyInt64(ctx, list, at);
        int same = JS_IsException(one) ? -1 : is_same(ctx, events, one, listener);
        ph_drop(ctx, one);
        if (same != 0)
            return same < 0 ? -2 : at;
    }
    return -1;
}

/* 1: it was there and is gone. The list that is left is another: somebody may be walking this one.
 */
static int remove_from_list(JSContext* ctx, ph_events* events, JSValueConst emitter,
                            JSValueConst table, JSAtom name, JSValueConst list,
                            JSValueConst listener) {
    int64_t at = place_of(ctx, events, list, listener);
    int64_t count;
    if (at < 0)
        return at == -1 ? 0 : -1;
    if (JS_GetLength(ctx, list, &count) != 0)
        return -1;
    if (count == 1)
        return remove_name(ctx, events, emitter, table, name) < 0 ? -1 : 1;
    JSValue rest = count == 2 ? JS_GetPropertyInt64(ctx, list, 1 - at)
                              : ph_lists_copy(ctx, events, list, at, JS_UNDEFINED);
    if (JS_IsException(rest))
        return -1;
    return JS_SetProperty(ctx, table, name, rest) < 0 ? -1 : 1;
}

/* 1: it was there and is gone; `told` becomes what 'removeListener' says, the caller's. */
static int take(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst table,
                JSAtom name, JSValueConst listener, JSValue* told) {
    JSValue there = JS_GetProperty(ctx, table, name);
    int gone = 0;
    if (JS_IsException(there))
        return -1;
    if (JS_IsFunction(ctx, there)) {
        gone = is_same(ctx, events, there, listener);
        if (gone > 0 && remove_name(ctx, events, emitter, table, name) < 0)
            gone = -1;
        if (gone > 0) {
            *told = ph_listener_inside(ctx, events, there);
            gone = JS_IsException(*told) ? -1 : 1;
        }
    } else if (JS_IsObject(there)) {
        gone = remove_from_list(ctx, events, emitter, table, name, there, listener);
        if (gone > 0)
            *told = JS_DupValue(ctx, listener);
    }
    ph_drop(ctx, there);
    return gone;
}

int ph_listeners_remove(JSContext* ctx, JSValueConst emitter, JSValueConst name,
                        JSValueConst listener) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValue table = ph_lists_of(ctx, events, emitter);
    if (!JS_IsObject(table))
        return JS_IsException(table) ? -1 : 0;
    JSAtom atom = JS_ValueToAtom(ctx, name);
    JSValue told = JS_UNDEFINED;
    int gone = -1;
    if (atom != JS_ATOM_NULL)
        gone = take(ctx, events, emitter, table, atom, listener, &told);
    JS_FreeAtom(ctx, atom);
    if (gone > 0 &&
        ph_lists_tell_change(ctx, emitter, table, ph_event_name(events, PH_EVENT_REMOVE_LISTENER),
                             name, told) < 0)
        gone = -1;
    JS_FreeValue(ctx, told);
    JS_FreeValue(ctx, table);
    return gone < 0 ? -1 : 0;
}

static int call_method(JSContext* ctx, JSValueConst emitter, JSAtom method, int argc,
                       JSValueConst* argv) {
    JSValue result = JS_Invoke(ctx, emitter, method, argc, argv);
    bool failed = JS_IsException(result);
    JS_FreeValue(ctx, result);
    return failed ? -1 : 0;
}

/* Removes each by the emitter's method, the last first: whoever listens for 'removeListener' hears
 * of each. */
static int remove_each(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst table,
                       JSValueConst name) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    if (atom == JS_ATOM_NULL)
        return -1;
    JSValue there = JS_GetProperty(ctx, table, atom);
    JS_FreeAtom(ctx, atom);
    JSAtom method = ph_event_name(events, PH_EVENT_REMOVE_LISTENER);
    int status = JS_IsException(there) ? -1 : 0;
    if (JS_IsFunction(ctx, there)) {
        JSValueConst args[] = {name, there};
        status = call_method(ctx, emitter, method, 2, args);
    } else if (JS_IsObject(there)) {
        int64_t at = 0;
        status = JS_GetLength(ctx, there, &at) != 0 ? -1 : 0;
        while (status == 0 && --at >= 0) {
            JSValue one = JS_GetPropertyInt64(ctx, there, at);
            JSValueConst args[] = {name, one};
            status = JS_IsException(one) ? -1 : call_method(ctx, emitter, method, 2, args);
            ph_drop(ctx, one);
        }
    }
    ph_drop(ctx, there);
    return status;
}

/* Every name but 'removeListener', then that one. */
static int remove_each_name(JSContext* ctx, ph_events* events, JSValueConst emitter,
                            JSValueConst table) {
    JSPropertyEnum* names = NULL;
    uint32_t count = 0;
    JSAtom last = ph_event_name(events, PH_EVENT_REMOVE_LISTENER);
    JSAtom method = ph_event_name(events, PH_EVENT_REMOVE_ALL_LISTENERS);
    if (JS_GetOwnPropertyNames(ctx, &names, &count, table,
                               JS_GPN_STRING_MASK | JS_GPN_SYMBOL_MASK) != 0)
        return -1;
    int status = 0;
    for (uint32_t i = 0; i < count && status == 0; i++) {
        if (names[i].atom == last)
            continue;
        JSValue name = JS_AtomToValue(ctx, names[i].atom);
        status = call_method(ctx, emitter, method, 1, (JSValueConst*)&name);
        JS_FreeValue(ctx, name);
    }
    JS_FreePropertyEnum(ctx, names, count);
    if (status != 0)
        return status;
    JSValue name = JS_AtomToValue(ctx, last);
    status = call_method(ctx, emitter, method, 1, (JSValueConst*)&name);
    JS_FreeValue(ctx, name);
    return status;
}

static int forget_name(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst table,
                       JSValueConst name) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    if (atom == JS_ATOM_NULL)
        return -1;
    JSValue there = JS_GetProperty(ctx, table, atom);
    int status = JS_IsException(there) ? -1 : 0;
    if (status == 0 && !JS_IsUndefined(there))
        status = remove_name(ctx, events, emitter, table, atom);
    ph_drop(ctx, there);
    JS_FreeAtom(ctx, atom);
    return status;
}

static int begin_again(JSContext* ctx, ph_events* events, JSValueConst emitter) {
    JSValue empty = ph_lists_begin(ctx, events, emitter);
    JS_FreeValue(ctx, empty);
    return JS_IsException(empty) ? -1 : 0;
}

int ph_listeners_remove_all(JSContext* ctx, JSValueConst emitter, bool named, JSValueConst name) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValue table = ph_lists_of(ctx, events, emitter);
    if (!JS_IsObject(table))
        return JS_IsException(table) ? -1 : 0;
    JSValue listening = JS_GetProperty(ctx, table, ph_event_name(events, PH_EVENT_REMOVE_LISTENER));
    int status = JS_IsException(listening) ? -1 : 0;
    bool is_told = !JS_IsUndefined(listening);
    ph_drop(ctx, listening);
    if (status == 0 && !is_told)
        status = named ? forget_name(ctx, events, emitter, table, name)
                       : begin_again(ctx, events, emitter);
    else if (status == 0 && named)
        status = remove_each(ctx, events, emitter, table, name);
    else if (status == 0)
        status = remove_each_name(ctx, events, emitter, table) < 0
                     ? -1
                     : begin_again(ctx, events, emitter);
    JS_FreeValue(ctx, table);
    return status;
}
