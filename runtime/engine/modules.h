/* ES modules: the engine asks here for names and sources, JavaScript (the loader) answers. */
#ifndef PH_RUNTIME_MODULES_H
#define PH_RUNTIME_MODULES_H

#include "engine/engine.h"

/* The column that a reader sees: CommonJS sources stand behind a wrapper on their first line. */
int ph_modules_first_line_column(const char* file, int column);

/* A module that JavaScript links, of the context that the function is one of. */
JSValue ph_module_of_vm(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv);

#endif
