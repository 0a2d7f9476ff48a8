/* The lists of an emitter: who is added, who goes, and what is told of it. */
#include "events/lists.h"

static JSValue get(JSContext* ctx, JSValueConst object, JSAtom name) {
    return JS_GetProperty(ctx, object, name);
}

static JSAtom atom_of(const ph_events* events, ph_event_atom which) {
    return ph_event_name(events, which);
}

JSValue ph_lists_of(JSContext* ctx, ph_events* events, JSValueConst emitter) {
    JSValue table = get(ctx, emitter, atom_of(events, PH_EVENT_EVENTS));
    if (JS_IsObject(table) || JS_IsException(table))
        return table;
    ph_drop(ctx, table);
    return JS_UNDEFINED;
}

static int put_count(JSContext* ctx, ph_events* events, JSValueConst emitter, double count) {
    return JS_SetProperty(ctx, emitter, atom_of(events, PH_EVENT_EVENTS_COUNT),
                          JS_NewNumber(ctx, count));
}

double ph_lists_change_count(JSContext* ctx, ph_events* events, JSValueConst emitter, int by) {
    JSValue before = get(ctx, emitter, atom_of(events, PH_EVENT_EVENTS_COUNT));
    double count;
    if (JS_IsException(before) || JS_ToFloat64(ctx, &count, before) != 0) {
        ph_drop(ctx, before);
        return __builtin_nan("");
    }
    ph_drop(ctx, before);
    count = count != count ? by : count + by;
    return put_count(ctx, events, emitter, count) < 0 ? __builtin_nan("") : count;
}

JSValue ph_lists_begin(JSContext* ctx, ph_events* events, JSValueConst emitter) {
    JSValue table = JS_NewObjectProto(ctx, JS_NULL);
    if (JS_IsException(table))
        return table;
    if (JS_SetProperty(ctx, emitter, atom_of(events, PH_EVENT_EVENTS), JS_DupValue(ctx, table)) <
            0 ||
        put_count(ctx, events, emitter, 0) < 0) {
        JS_FreeValue(ctx, table);
        return JS_EXCEPTION;
    }
    return table;
}

/* Whether the emitter has lists of its own: those of its prototype belong to nobody. */
static int has_own_table(JSContext* ctx, ph_events* events, JSValueConst emitter) {
    JSValue table = get(ctx, emitter, atom_of(events, PH_EVENT_EVENTS));
    if (JS_IsException(table) || JS_IsUndefined(table))
        return JS_IsException(table) ? -1 : 0;
    JSValue proto = JS_GetPrototype(ctx, emitter);
    JSValue inherited =
        JS_IsObject(proto) ? get(ctx, proto, atom_of(events, PH_EVENT_EVENTS)) : JS_UNDEFINED;
    int own = JS_IsException(inherited) ? -1 : !JS_IsStrictEqual(ctx, table, inherited);
    JS_FreeValue(ctx, inherited);
    JS_FreeValue(ctx, proto);
    JS_FreeValue(ctx, table);
    return own;
}

/* Whether the emitter is to hear of promises that its listeners gave and that are rejected. */
static int wants_rejections(JSContext* ctx, ph_events* events, JSValueConst options) {
    if (!JS_IsObject(options))
        return events->captures_all;
    JSValue wanted = get(ctx, options, atom_of(events, PH_EVENT_CAPTURE_REJECTIONS));
    if (JS_IsException(wanted))
        return -1;
    if (JS_ToBool(ctx, wanted) == 0) {
        ph_drop(ctx, wanted);
        return events->captures_all;
    }
    if (JS_IsBool(wanted))
        return 1;
    JSValue which = JS_NewString(ctx, "options.captureRejections");
    JSValueConst args[] = {which, wanted};
    JS_FreeValue(ctx, ph_events_call(ctx, PH_EVENTS_BAD, 2, args));
    JS_FreeValue(ctx, which);
    JS_FreeValue(ctx, wanted);
    return -1;
}

int ph_listeners_init(JSContext* ctx, JSValueConst emitter, JSValueConst options) {
    ph_events* events = ph_env_of(ctx)->events;
    int own = has_own_table(ctx, events, emitter);
    if (own < 0)
        return -1;
    if (own == 0) {
        JSValue table = ph_lists_begin(ctx, events, emitter);
        if (JS_IsException(table))
            return -1;
        JS_FreeValue(ctx, table);
    }
    JSAtom limit = atom_of(events, PH_EVENT_MAX_LISTENERS);
    JSValue before = get(ctx, emitter, limit);
    if (JS_IsException(before))
        return -1;
    if (JS_ToBool(ctx, before) == 0) {
        ph_drop(ctx, before);
        before = JS_UNDEFINED;
    }
    if (JS_SetProperty(ctx, emitter, limit, before) < 0 ||
        JS_SetProperty(ctx, emitter, events->shape, JS_NewBool(ctx, own)) < 0)
        return -1;
    int captures = wants_rejections(ctx, events, options);
    if (captures < 0)
        return -1;
    return JS_SetProperty(ctx, emitter, events->capture, JS_NewBool(ctx, captures)) < 0 ? -1 : 0;
}

JSValue ph_listener_inside(JSContext* ctx, ph_events* events, JSValueConst listener) {
    JSValue inside = get(ctx, listener, atom_of(events, PH_EVENT_LISTENER));
    if (JS_IsException(inside) || JS_ToBool(ctx, inside) > 0)
        return inside;
    ph_drop(ctx, inside);
    return JS_DupValue(ctx, listener);
}

int ph_lists_tell_change(JSContext* ctx, JSValueConst emitter, JSValueConst table, JSAtom event,
                         JSValueConst name, JSValueConst listener) {
    JSValue listening = get(ctx, table, event);
    if (JS_IsException(listening) || JS_IsUndefined(listening))
        return JS_IsException(listening) ? -1 : 0;
    ph_drop(ctx, listening);
    JSValueConst args[] = {name, listener};
    return ph_events_emit(ctx, emitter, event, 2, args) < 0 ? -1 : 0;
}

JSValue ph_lists_copy(JSContext* ctx, ph_events* events, JSValueConst list, int64_t without,
                      JSValueConst first) {
    int64_t count;
    if (JS_GetLength(ctx, list, &count) != 0)
        return JS_EXCEPTION;
    JSValue copy = JS_NewArray(ctx);
    if (JS_IsException(copy))
        return copy;
    int64_t to = 0;
    bool failed =
        !JS_IsUndefined(first) && JS_SetPropertyInt64(ctx, copy, to++, JS_DupValue(ctx, first)) < 0;
    for (int64_t i = 0; i < count && !failed; i++) {
        if (i == without)
            continue;
        JSValue one = JS_GetPropertyInt64(ctx, list, i);
        failed = JS_IsException(one) || JS_SetPropertyInt64(ctx, copy, to++, one) < 0;
    }
    JSAtom warned = atom_of(events, PH_EVENT_WARNED);
    JSValue was_warned = failed ? JS_UNDEFINED : get(ctx, list, warned);
    if (!failed && !JS_IsUndefined(was_warned))
        failed = JS_SetProperty(ctx, copy, warned, was_warned) < 0;
    if (!failed)
        return copy;
    JS_FreeValue(ctx, copy);
    return JS_EXCEPTION;
}

JSValue ph_listeners_own(JSContext* ctx, ph_events* events, JSValueConst table, JSAtom name,
                         JSValueConst list) {
    const ph_walk* walk = events->walks;
    while (walk != NULL && JS_VALUE_GET_PTR(walk->list) != JS_VALUE_GET_PTR(list))
        walk = walk->outer;
    if (walk == NULL)
        return JS_DupValue(ctx, list);
    JSValue copy = ph_lists_copy(ctx, events, list, -1, JS_UNDEFINED);
    if (JS_IsException(copy) || JS_SetProperty(ctx, table, name, JS_DupValue(ctx, copy)) >= 0)
        return copy;
    JS_FreeValue(ctx, copy);
    return JS_EXCEPTION;
}

static int check_length(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst name,
                        JSValueConst list) {
    double limit = events->default_max;
    JSValue own = get(ctx, emitter, atom_of(events, PH_EVENT_MAX_LISTENERS));
    if (JS_IsException(own) || (!JS_IsUndefined(own) && JS_ToFloat64(ctx, &limit, own) != 0)) {
        ph_drop(ctx, own);
        return -1;
    }
    ph_drop(ctx, own);
    int64_t count;
    if (JS_GetLength(ctx, list, &count) != 0)
        return -1;
    if (!(limit > 0) || !((double)count > limit))
        return 0;
    JSAtom warned = atom_of(events, PH_EVENT_WARNED);
    JSValue before = get(ctx, list, warned);
    bool was_warned = JS_ToBool(ctx, before) != 0;
    ph_drop(ctx, before);
    if (was_warned)
        return JS_IsException(before) ? -1 : 0;
    if (JS_SetProperty(ctx, list, warned, JS_TRUE) < 0)
        return -1;
    JSValueConst args[] = {emitter, name, list};
    JSValue told = ph_events_call(ctx, PH_EVENTS_LEAK, 3, args);
    JS_FreeValue(ctx, told);
    return JS_IsException(told) ? -1 : 0;
}

/* Puts the listener beside those that are there. Gives the list, the caller's. */
static JSValue join(JSContext* ctx, ph_events* events, JSValueConst table, JSAtom name,
                    JSValueConst there, JSValueConst listener, bool first) {
    if (JS_IsFunction(ctx, there)) {
        JSValue pair[] = {JS_DupValue(ctx, first ? listener : there),
                          JS_DupValue(ctx, first ? there : listener)};
        JSValue list = JS_NewArrayFrom(ctx, 2, pair);
        if (JS_IsException(list) || JS_SetProperty(ctx, table, name, JS_DupValue(ctx, list)) >= 0)
            return list;
        JS_FreeValue(ctx, list);
        return JS_EXCEPTION;
    }
    if (first) {
        JSValue list = ph_lists_copy(ctx, events, there, -1, listener);
        if (JS_IsException(list) || JS_SetProperty(ctx, table, name, JS_DupValue(ctx, list)) >= 0)
            return list;
        JS_FreeValue(ctx, list);
        return JS_EXCEPTION;
    }
    JSValue list = ph_listeners_own(ctx, events, table, name, there);
    int64_t count;
    if (JS_IsException(list))
        return list;
    if (JS_GetLength(ctx, list, &count) == 0 &&
        JS_SetPropertyInt64(ctx, list, count, JS_DupValue(ctx, listener)) >= 0)
        return list;
    JS_FreeValue(ctx, list);
    return JS_EXCEPTION;
}

/* The table to add to, after whoever listens for 'newListener' was told; the caller's. */
static JSValue table_for(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst name,
                         JSValueConst listener) {
    JSValue table = ph_lists_of(ctx, events, emitter);
    if (JS_IsUndefined(table))
        return ph_lists_begin(ctx, events, emitter);
    if (JS_IsException(table))
        return table;
    JSAtom event = atom_of(events, PH_EVENT_NEW_LISTENER);
    JSValue listening = get(ctx, table, event);
    if (JS_IsUndefined(listening))
        return table;
    ph_drop(ctx, listening);
    JSValue inside = ph_listener_inside(ctx, events, listener);
    int told = JS_IsException(inside)
                   ? -1
                   : ph_lists_tell_change(ctx, emitter, table, event, name, inside);
    JS_FreeValue(ctx, inside);
    JS_FreeValue(ctx, table);
    if (told < 0)
        return JS_EXCEPTION;
    table = ph_lists_of(ctx, events, emitter);
    return JS_IsUndefined(table) ? ph_lists_begin(ctx, events, emitter) : table;
}

/* The name is given twice: as it is in the table, and as the program wrote it. */
static int add_to(JSContext* ctx, ph_events* events, JSValueConst emitter, JSValueConst table,
                  JSAtom name, JSValueConst given, JSValueConst listener, bool first) {
    JSValue there = get(ctx, table, name);
    if (JS_IsException(there))
        return -1;
    if (!JS_IsObject(there)) {
        ph_drop(ctx, there);
        if (JS_SetProperty(ctx, table, name, JS_DupValue(ctx, listener)) < 0)
            return -1;
        double count = ph_lists_change_count(ctx, events, emitter, 1);
        return count != count ? -1 : 0;
    }
    JSValue list = join(ctx, events, table, name, there, listener, first);
    JS_FreeValue(ctx, there);
    if (JS_IsException(list))
        return -1;
    int status = check_length(ctx, events, emitter, given, list);
    JS_FreeValue(ctx, list);
    return status;
}

int ph_listeners_add(JSContext* ctx, JSValueConst emitter, JSValueConst name, JSValueConst listener,
                     bool first) {
    ph_events* events = ph_env_of(ctx)->events;
    JSValue table = table_for(ctx, events, emitter, name, listener);
    if (JS_IsException(table))
        return -1;
    JSAtom atom = JS_ValueToAtom(ctx, name);
    int status = -1;
    if (atom != JS_ATOM_NULL)
        status = add_to(ctx, events, emitter, table, atom, name, listener, first);
    JS_FreeAtom(ctx, atom);
    JS_FreeValue(ctx, table);
    return status;
}
