// The engine shows every function of a script before it runs it (cmake/quickjs_hooks.c). Those of
// the runtime's own modules pass; the first one of the program is recorded, until it returns. So
// what the runtime calls is recorded however it comes to do so (timer, listener, promise,
// iterator), and what the program calls itself costs no event.
#include "trace.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "../src/trace/format.h"

extern bool (*js_call_hook)(JSContext* ctx, JSValueConst function, JSAtom file, int line,
                            int column);
extern void (*js_call_ended)(JSContext* ctx);

static const int never;
const int* ph_trace_flag = &never;

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
    bool inside; // a function of the program is running
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
static JSValue own_name(JSContext* ctx, JSValueConst function) {
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

static unsigned name_of(JSContext* ctx, JSValueConst function, const char* file, int line,
                        int column) {
    JSValue value = own_name(ctx, function);
    const char* text = JS_IsString(value) ? JS_ToCString(ctx, value) : NULL;
    const char* name = text != NULL ? text : "";
    // A script is the body of a function that begins before the script's first character.
    if (name[0] == '<' || (line == 1 && column < 8 && name[0] == '\0'))
        name = "(script)";
    unsigned number = phasor_trace_name(name, file, line);
    JS_FreeCString(ctx, text);
    JS_FreeValue(ctx, value);
    return number;
}

static void describe(JSContext* ctx, place* one, JSValueConst function) {
    const char* file = JS_AtomToCString(ctx, one->file);
    if (file == NULL) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return;
    }
    one->watched = strncmp(file, "node:", 5) != 0;
    if (one->watched)
        one->name = name_of(ctx, function, file, one->line, one->column);
    JS_FreeCString(ctx, file);
}

static bool on_call(JSContext* ctx, JSValueConst function, JSAtom file, int line, int column) {
    struct ph_trace* trace = ph_trace_on() ? trace_of(ph_env_of(ctx)) : NULL;
    if (trace == NULL || trace->inside || file == JS_ATOM_NULL)
        return false;
    if (trace->count * 2 >= trace->capacity && !grow(trace))
        return false;
    place* one = find(trace, file, line, column);
    if (one->file == JS_ATOM_NULL) {
        *one = (place){JS_DupAtom(ctx, file), line, column, 0, false};
        trace->count++;
        describe(ctx, one, function);
    }
    if (!one->watched)
        return false;
    trace->inside = true;
    phasor_trace_begin(PHASOR_SPAN_FUNCTION, one->name);
    return true;
}

static void on_return(JSContext* ctx) {
    ph_env_of(ctx)->trace->inside = false;
    phasor_trace_end(PHASOR_SPAN_FUNCTION);
}

// With another libuv there is no such object, and no recording.
void ph_trace_init(void) {
    const struct ph_trace_control* control = dlsym(RTLD_DEFAULT, "phasor_trace_control");
    if (control != NULL)
        ph_trace_flag = control->flag;
    js_call_ended = on_return;
    ph_trace_entry();
}

void ph_trace_watch_calls(void) {
    __atomic_store_n(&js_call_hook, on_call, __ATOMIC_RELAXED);
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
