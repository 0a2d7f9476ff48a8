/* The engine shows every function of a script before it runs it (runtime/engine/inside/calls.c).
 * Those of
 * the runtime's own modules pass; the first one of the program is recorded, until it returns. So
 * what the runtime calls is recorded however it comes to do so (timer, listener, promise,
 * iterator), and what the program calls itself costs no event. */
#include "engine/trace.h"

#include <stdlib.h>
#include <string.h>

#include "engine/patched.h"
#include "engine/stacks.h"

static const int never;
const int* ph_trace_flag = &never;

struct ph_trace {
    bool inside;  /* a function of the program is running */
    bool is_unit; /* and it is recorded as the tick or job itself */
    int unit;     /* of enum phasor_span: a tick or job that has called nothing yet; 0: none */
};

static struct ph_trace* trace_of(ph_env* env) {
    if (env->trace == NULL)
        env->trace = calloc(1, sizeof(*env->trace));
    return env->trace;
}

/* The own property, never a getter of the program's. */
JSValue ph_trace_own_name(JSContext* ctx, JSValueConst function) {
    JSPropertyDescriptor found;
    JSAtom atom = JS_NewAtom(ctx, "name");
    int status = JS_GetOwnProperty(ctx, &found, function, atom);
    JS_FreeAtom(ctx, atom);
    if (status <= 0) {
        if (status < 0)
            JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_UNDEFINED;
    }
    JS_FreeValue(ctx, found.getter);
    JS_FreeValue(ctx, found.setter);
    return found.value;
}

static bool is_wrapped(const char* file) {
    return file[0] != '[' && strncmp(file, "file:", 5) != 0;
}

/* A script is the body of a function that begins before the script's first character. Around that
 * one, in a file that is no ES module, is the code that makes it. */
bool ph_trace_is_script(const char* file, bool is_whole_text, int line, int column) {
    return is_whole_text || (is_wrapped(file) && line == 1 && column < 8);
}

static unsigned name_of(JSContext* ctx, JSValueConst function, const char* file, bool is_whole_text,
                        int line, int column) {
    JSValue value = ph_trace_own_name(ctx, function);
    const char* text = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    const char* name = text != NULL ? text : "";
    if (ph_trace_is_script(file, is_whole_text, line, column))
        name = "(script)";
    unsigned number = phasor_trace_name(name, file, line);
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
    return number;
}

/* Not the runtime's own, nor what makes the function that a script is. *number: its name. */
static bool is_watched(JSContext* ctx, JSValueConst function, bool is_whole_text, JSAtom atom,
                       int line, int column, unsigned* number) {
    const char* file = atom != JS_ATOM_NULL ? JS_AtomToCString(ctx, atom) : NULL;
    if (file == NULL) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return false;
    }
    bool watched = strncmp(file, "node:", 5) != 0 && (!is_whole_text || !is_wrapped(file));
    if (watched)
        *number = name_of(ctx, function, file, is_whole_text, line, column);
    JS_FreeCString(ctx, file);
    return watched;
}

/* See js_call_hook; the note is the number of the function's name, + 1. Each function is asked
 * about once. */
static int on_call(JSContext* ctx, JSValueConst function, uint32_t* note, bool is_whole_text,
                   JSAtom file, int line, int column) {
    ph_env* env = ph_env_of(ctx);
    if (!ph_trace_on())
        js_watch_calls(env->rt, false);
    struct ph_trace* trace = ph_trace_on() ? trace_of(env) : NULL;
    if (trace == NULL || trace->inside)
        return 0;
    if (*note == 0) {
        unsigned number;
        if (!is_watched(ctx, function, is_whole_text, file, line, column, &number))
            return -1;
        *note = number + 1;
    }
    trace->is_unit = trace->unit != 0;
    phasor_trace_begin(trace->is_unit ? (enum phasor_span)trace->unit : PHASOR_SPAN_FUNCTION,
                       *note - 1);
    trace->unit = 0;
    trace->inside = true;
    return 1;
}

static void on_return(JSContext* ctx) {
    struct ph_trace* trace = ph_env_of(ctx)->trace;
    trace->inside = false;
    if (!trace->is_unit)
        phasor_trace_end(PHASOR_SPAN_FUNCTION);
}

/* It begins when it calls a function of the program, so that one event tells of both; one that only
 * keeps the runtime going is not told of. */
void ph_trace_unit_begins(ph_env* env, enum phasor_span span) {
    struct ph_trace* trace = trace_of(env);
    if (trace != NULL)
        trace->unit = span;
}

void ph_trace_unit_ends(ph_env* env, enum phasor_span span) {
    struct ph_trace* trace = trace_of(env);
    if (trace != NULL && trace->unit == 0)
        phasor_trace_end(span);
    if (trace != NULL)
        trace->unit = 0;
}

void ph_trace_request(const void* request, const char* what) {
    if (ph_trace_on())
        phasor_trace_request(request, phasor_trace_name(what, NULL, 0));
}

JSValue ph_trace_mark(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int32_t kind;
    double ms;
    if (!ph_trace_on())
        return JS_UNDEFINED;
    if (JS_ToInt32(ctx, &kind, argv[1]) != 0 || JS_ToFloat64(ctx, &ms, argv[2]) != 0)
        return JS_EXCEPTION;
    const char* name = JS_ToCString(ctx, argv[0]);
    if (name == NULL)
        return JS_EXCEPTION;
    bool is_stretch = ms > 0 && ms < 1e12;
    phasor_trace_mark(phasor_trace_name(name, NULL, 0),
                      kind >= 0 && kind <= PHASOR_MARK_TIME ? (enum phasor_mark)kind
                                                            : PHASOR_MARK_MARK,
                      is_stretch ? (unsigned long long)(ms * 1e6) : 0);
    JS_FreeCString(ctx, name);
    return JS_UNDEFINED;
}

/* With another libuv there is no such function, and no recording. */
void ph_trace_init(void (*ignored)(void)) {
    const int* (*flag)(void) = (const int* (*)(void))PH_IN_LIBRARY(phasor_trace_flag);
    if (flag != NULL) {
        ph_trace_flag = flag();
        phasor_trace_ignore(ignored);
    }
    if (js_watch_calls != NULL) {
        js_call_hook = on_call;
        js_call_ended = on_return;
    }
    ph_stacks_init();
}

void ph_trace_watch_calls(ph_env* env) {
    if (js_watch_calls != NULL && (env->trace == NULL || !env->trace->inside))
        js_watch_calls(env->rt, true);
}

void ph_trace_free(ph_env* env) {
    free(env->trace);
    env->trace = NULL;
}
