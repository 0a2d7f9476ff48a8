/* What adding and removing listeners share. */
#ifndef PH_RUNTIME_EVENT_LISTS_H
#define PH_RUNTIME_EVENT_LISTS_H

#include "events/events.h"

/* The table of lists, the caller's; undefined if there is none. */
JSValue ph_lists_of(JSContext* ctx, ph_events* events, JSValueConst emitter);
/* An empty table in the emitter; the caller's. */
JSValue ph_lists_begin(JSContext* ctx, ph_events* events, JSValueConst emitter);
/* Gives the number of names after the change; NaN: an exception. */
double ph_lists_change_count(JSContext* ctx, ph_events* events, JSValueConst emitter, int by);
/* A copy of the list without the element at `without`, or of all if that is below 0, and with
 * `first` before it, if that is defined. That somebody was warned of the list is kept. */
JSValue ph_lists_copy(JSContext* ctx, ph_events* events, JSValueConst list, int64_t without,
                      JSValueConst first);
/* emit(event, name, listener), if somebody listens for that event. */
int ph_lists_tell_change(JSContext* ctx, JSValueConst emitter, JSValueConst table, JSAtom event,
                         JSValueConst name, JSValueConst listener);

#endif
