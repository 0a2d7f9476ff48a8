/* Plug-ins: bindings that need a large library, each in lib/phasor/NAME.so beside the command and
 * loaded when a built-in module first asks for it with binding(NAME). What they may call of the
 * runtime and the engine is in runtime/plugins/exports.txt. */
#ifndef PH_RUNTIME_PLUGINS_H
#define PH_RUNTIME_PLUGINS_H

#include "engine/engine.h"

/* Every plug-in defines this one function: it adds the binding's functions to `exports`, once for
 * each world that asks; -1 if it threw. Worlds are on threads of their own. */
#define PH_PLUGIN __attribute__((visibility("default")))
PH_PLUGIN int phasor_plugin(JSContext* ctx, JSValueConst exports);

/* The binding of a plug-in; an exception that says why if it can't be had on this machine. */
JSValue ph_plugin(JSContext* ctx, const char* name);

#endif
