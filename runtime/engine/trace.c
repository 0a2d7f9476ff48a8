// The engine shows every function of a script before it runs it (cmake/engine/calls.c). Those of
// the runtime's own modules pass; the first one of the program is recorded, until it returns. So
// what the runtime calls is recorded however it comes to do so (timer, listener, promise,
// iterator), and what the program calls itself costs no event.
#include "engine/trace.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/handle.h"
#include "engine/changes.h"
#include "engine/stacks.h"

static const int never;
const int* ph_trace_flag = &never;

// In place of the column: all of a text that was compiled at once.
enum { WHOLE_TEXT = -1 };
enum { OWN_FILES = 64 };

// Where a function is written, and what the recorder calls it.
typedef struct {
    JSAtom file; // JS_ATOM_NULL: a free place
    int line;
    int column;
    unsigned name;
    bool watched; // it belongs to the program
} place;

struct ph_trace {
    place* places; // open addressing, a power of two, never more than half full
    size_t capacity;
    size_t count;
    bool inside;  // a function of the program is running
    bool is_unit; // and it is recorded as the tick or job itself
    int unit;     // of enum phasor_span: a tick or job that has called nothing yet; 0: none
    JSAtom own[OWN_FILES]; // of the runtime's modules, by their number: most calls are theirs
};

static place* find(const struct ph_trace* trace, JSAtom file, int line, int column) {
    size_t at = file * 2654435761u + (unsigned)line * 40503u + (unsigned)column;
    for (;; at++) {
        place* one = &trace->places[at & (trace->capacity - 1)];
        if (one->file == JS_ATOM_NULL ||
            (one->file == file && one->line == line && one->column == column))
            return one;
    }
}

static bool grow(struct ph_trace* trace) {
    struct ph_trace bigger = {.capacity = trace->capacity == 0 ? 256 : trace->capacity * 2};
    bigger.places = calloc(bigger.capacity, sizeof(place));
    if (bigger.places == NULL)
        return false;
    for (size_t i = 0; i < trace->capacity; i++) {
        const place* one = &trace->places[i];
        if (one->file != JS_ATOM_NULL)
            *find(&bigger, one->file, one->line, one->column) = *one;
    }
    free(trace->places);
    trace->places = bigger.places;
    trace->capacity = bigger.capacity;
    return true;
}

static struct ph_trace* trace_of(ph_env* env) {
    if (env->trace == NULL)
        env->trace = calloc(1, sizeof(*env->trace));
    return env->trace;
}

// The own property, never a getter of the program's.
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

// A script is the body of a function that begins before the script's first character. Around that
// one, in a file that is no ES module, is the code that makes it.
bool ph_trace_is_script(const char* file, bool is_whole_text, int line, int column) {
    return is_whole_text || (is_wrapped(file) && line == 1 && column < 8);
}

// Whether the function is one that people know of.
static bool name_of(JSContext* ctx, JSValueConst function, const char* file, place* one) {
    JSValue value = ph_trace_own_name(ctx, function);
    const char* text = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    const char* name = text != NULL ? text : "";
    bool whole = one->column == WHOLE_TEXT;
    if (ph_trace_is_script(file, whole, one->line, one->column))
        name = "(script)";
    one->name = phasor_trace_name(name, file, one->line);
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
    return !whole || !is_wrapped(file);
}

static void describe(JSContext* ctx, struct ph_trace* trace, place* one, JSValueConst function) {
    const char* file = JS_AtomToCString(ctx, one->file);
    if (file == NULL) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return;
    }
    one->watched = strncmp(file, "node:", 5) != 0;
    if (one->watched)
        one->watched = name_of(ctx, function, file, one);
    else
        trace->own[one->file % OWN_FILES] = one->file;
    JS_FreeCString(ctx, file);
}

// See js_call_hook. The runtime's own functions are asked about once.
static int on_call(JSContext* ctx, JSValueConst function, bool is_whole_text, JSAtom file, int line,
                   int column) {
    ph_env* env = ph_env_of(ctx);
    if (!ph_trace_on())
        js_watch_calls(env->rt, false);
    struct ph_trace* trace = ph_trace_on() ? trace_of(env) : NULL;
    if (trace == NULL || trace->inside)
        return 0;
    if (file == JS_ATOM_NULL || trace->own[file % OWN_FILES] == file)
        return -1;
    if (is_whole_text)
        column = WHOLE_TEXT;
    if (trace->count * 2 >= trace->capacity && !grow(trace))
        return 0;
    place* one = find(trace, file, line, column);
    if (one->file == JS_ATOM_NULL) {
        *one = (place){JS_DupAtom(ctx, file), line, column, 0, false};
        trace->count++;
        describe(ctx, trace, one, function);
    }
    if (!one->watched)
        return -1;
    trace->is_unit = trace->unit != 0;
    phasor_trace_begin(trace->is_unit ? (enum phasor_span)trace->unit : PHASOR_SPAN_FUNCTION,
                       one->name);
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

// It begins when it calls a function of the program, so that one event tells of both; one that only
// keeps the runtime going is not told of.
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

// With another libuv there is no such function, and no recording.
void ph_trace_init(void) {
    const int* (*flag)(void) = (const int* (*)(void))dlsym(RTLD_DEFAULT, "phasor_trace_flag");
    if (flag != NULL) {
        ph_trace_flag = flag();
        phasor_trace_ignore((void (*)(void))ph_handle_alloc);
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
    struct ph_trace* trace = env->trace;
    if (trace == NULL)
        return;
    for (size_t i = 0; i < trace->capacity; i++)
        if (trace->places[i].file != JS_ATOM_NULL)
            JS_FreeAtom(env->ctx, trace->places[i].file);
    free(trace->places);
    free(trace);
    env->trace = NULL;
}
