/* Contexts of vm whose global object answers itself. */
#ifndef PH_RUNTIME_CONTEXTS_H
#define PH_RUNTIME_CONTEXTS_H

#include "engine/engine.h"

/* guard(run, answers): gives the context of the function another global object, which the seven
 * functions answer for. Gives that object; undefined in an engine that can't. */
JSValue ph_guard_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

#endif
