/* EventEmitter: the lists of listeners of an emitter, and telling them.
 *
 * The lists are where packages look for them: the property `_events` of the emitter holds, by name
 * of the event, one function or an array of functions; `_eventsCount` says how many names there
 * are. Packages read them, replace them and delete from them, so nothing about them is believed
 * that was not looked at in the same call. */
#ifndef PH_RUNTIME_EVENTS_H
#define PH_RUNTIME_EVENTS_H

#include "engine/engine.h"

#define PH_EVENT_ATOMS(X)                         \
    X(EVENTS, "_events")                          \
    X(EVENTS_COUNT, "_eventsCount")               \
    X(MAX_LISTENERS, "_maxListeners")             \
    X(LISTENER, "listener")                       \
    X(NEW_LISTENER, "newListener")                \
    X(REMOVE_LISTENER, "removeListener")          \
    X(REMOVE_ALL_LISTENERS, "removeAllListeners") \
    X(ADD, "on")                                  \
    X(PREPEND_LISTENER, "prependListener")        \
    X(EMIT, "emit")                               \
    X(ERROR, "error")                             \
    X(WARNED, "warned")                           \
    X(LENGTH, "length")                           \
    X(CAPTURE_REJECTIONS, "captureRejections")

typedef enum {
#define X(name, text) PH_EVENT_##name,
    PH_EVENT_ATOMS(X)
#undef X
        PH_EVENT_ATOM_COUNT
} ph_event_atom;

/* What JavaScript does for the emitter, on paths that are not frequent. */
typedef enum {
    PH_EVENTS_UNHANDLED, /* (emitter, error, ...more) throws: nobody listens for 'error' */
    PH_EVENTS_REJECTED,  /* (emitter, promise, name, ...args) a listener gave a promise */
    PH_EVENTS_LEAK,      /* (emitter, name, list) there are more listeners than are usual */
    PH_EVENTS_BAD,       /* (which, value) throws: not a listener, not a number, not a boolean */
    PH_EVENTS_HOOK_COUNT
} ph_events_hook;

typedef struct ph_walk ph_walk;
typedef struct ph_events {
    JSAtom atoms[PH_EVENT_ATOM_COUNT];
    JSAtom monitor; /* the symbol errorMonitor */
    JSAtom capture; /* the symbol of an emitter that wants to know of rejections */
    JSAtom shape;   /* the symbol that says whether the lists were there before the constructor */
    JSClassID once_class;
    JSValue once_proto;
    JSValue emit; /* what EventEmitter.prototype.emit is unless a program replaced it */
    JSValue hooks[PH_EVENTS_HOOK_COUNT];
    ph_walk* walks; /* the lists that are being walked, innermost first */
    double default_max;
    bool captures_all; /* EventEmitter.captureRejections */
} ph_events;

void ph_events_free(ph_env* env);

static inline JSAtom ph_event_name(const ph_events* events, ph_event_atom which) {
    return events->atoms[which];
}

/* Tells the listeners. 1: there were some; 0: there were none; -1: an exception. */
int ph_events_tell(JSContext* ctx, ph_events* events, JSValueConst emitter, JSAtom name, int argc,
                   JSValueConst* argv);
/* The same by the emitter's method `emit`, which a program may have replaced. */
int ph_events_emit(JSContext* ctx, JSValueConst emitter, JSAtom name, int argc, JSValueConst* argv);
/* How many listeners the emitter's own lists have; -1: an exception. */
int64_t ph_events_count(JSContext* ctx, JSValueConst emitter, JSAtom name);
/* Calls the hook; the result is the caller's. */
JSValue ph_events_call(JSContext* ctx, ph_events_hook hook, int argc, JSValueConst* argv);

/* lists.c. 0, or -1 and an exception. */
int ph_listeners_init(JSContext* ctx, JSValueConst emitter, JSValueConst options);
int ph_listeners_add(JSContext* ctx, JSValueConst emitter, JSValueConst name, JSValueConst listener,
                     bool first);
int ph_listeners_remove(JSContext* ctx, JSValueConst emitter, JSValueConst name,
                        JSValueConst listener);
int ph_listeners_remove_all(JSContext* ctx, JSValueConst emitter, bool named, JSValueConst name);
/* A list that nobody walks: the given one, or a copy that is now in its place. The caller's. */
JSValue ph_listeners_own(JSContext* ctx, ph_events* events, JSValueConst table, JSAtom name,
                         JSValueConst list);
/* The function that once() wrapped, or the value itself; the caller's. */
JSValue ph_listener_inside(JSContext* ctx, ph_events* events, JSValueConst listener);

/* Somebody who walks a list; emit.c. */
struct ph_walk {
    JSValueConst list;
    ph_walk* outer;
};

/* once.c */
void ph_once_init(JSContext* ctx, ph_events* events);
/* A function that removes itself from the emitter and calls the listener. */
JSValue ph_once_wrap(JSContext* ctx, JSValueConst emitter, JSValueConst name,
                     JSValueConst listener);

#endif
