/* What a request keeps for JavaScript until it is done: the callback, the async context it was made
 * in, an object that it works on, and the bytes in use. */
#ifndef PH_RUNTIME_REQUEST_H
#define PH_RUNTIME_REQUEST_H

#include "bindings/bytes.h"

typedef struct {
    ph_env* env;
    JSValue callback;
    JSValue self; /* the callback's `this` */
    JSValue context;
    JSValue keep;
    ph_pins pins;
} ph_pending;

void ph_pending_begin(JSContext* ctx, ph_pending* pending, JSValueConst callback,
                      JSValueConst keep);
/* What async_hooks calls it, and the context of the handle that it belongs to, or undefined. */
void ph_pending_is(ph_pending* pending, const char* type, JSValueConst above);
/* Lets go without calling. */
void ph_pending_drop(ph_pending* pending);
/* Calls through the gate, in the request's context; the arguments pass to the callee. */
void ph_pending_call(ph_pending* pending, int argc, JSValue* argv_owned);
/* Calls, then lets go. */
void ph_pending_finish(ph_pending* pending, int argc, JSValue* argv_owned);
/* The same with a status as the only argument. */
void ph_pending_status(ph_pending* pending, int status);

#endif
