/* One frame of what ran when an error was made (runtime/engine/inside/traces.c). */
#ifndef PH_RUNTIME_TRACE_FRAME_H
#define PH_RUNTIME_TRACE_FRAME_H

#include <quickjs.h>
#include <stdbool.h>

/* What waits for a promise besides async functions. */
enum { JS_TRACE_CALL, JS_TRACE_AWAIT, JS_TRACE_ALL, JS_TRACE_ALL_SETTLED, JS_TRACE_ANY };

/* All of it belongs to the trace. */
typedef struct {
    JSValueConst function; /* undefined: the place of a text that could not be parsed */
    JSValueConst receiver; /* undefined for the program's global object */
    JSAtom file;           /* JS_ATOM_NULL: a function of the engine */
    int line;              /* 0: not known */
    int column;
    int index; /* of JS_TRACE_ALL and what follows it: the element that is waited for */
    int kind;
    bool is_constructor;
    bool is_strict;
} js_trace_frame;

#endif
