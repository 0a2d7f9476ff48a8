/* Frames of traces (inside/traces.c), as V8 writes them: "Type.function [as method] (place)". */
#include "engine/frames.h"

#include <stdio.h>
#include <string.h>

#include "engine/growing_text.h"
#include "engine/modules.h"
#include "engine/patched.h"

/* What a frame shows. Names are NULL where there is none. */
typedef struct {
    js_trace_frame frame;
    const char *function, *type, *method;
    char* file; /* NULL: a function of the engine */
    int line, column;
} shown;

static const char* text_of(JSContext* ctx, JSValue value_owned) {
    const char* text = JS_IsString(value_owned) ? JS_ToCString(ctx, value_owned) : NULL;
    JS_FreeValue(ctx, value_owned);
    return text;
}

/* Names that the engine and our wrappers give to what has none in V8. */
static const char* name_of(JSContext* ctx, const js_trace_frame* frame) {
    static const char* const unnamed[] = {"<eval>", "<anonymous>", "Object.<anonymous>"};
    const char* name = text_of(ctx, js_trace_name(ctx, frame->function));
    for (size_t i = 0; name != NULL && i < PH_COUNT(unnamed); i++) {
        if (strcmp(name, unnamed[i]) == 0) {
            JS_FreeCString(ctx, name);
            name = NULL;
        }
    }
    return name;
}

static void read_place(JSContext* ctx, shown* s) {
    const char* file = s->frame.file == JS_ATOM_NULL ? NULL : JS_AtomToCString(ctx, s->frame.file);
    if (file == NULL)
        return;
    /* The number of a script of vm (internal/vm_imports) is no part of its name. */
    const char* number = strchr(file, '\x01');
    s->file = number == NULL ? strdup(file) : strndup(file, (size_t)(number - file));
    JS_FreeCString(ctx, file);
    s->line = s->frame.line;
    s->column = s->frame.column;
    if (s->line == 1 && number == NULL && s->file != NULL)
        s->column = ph_modules_first_line_column(s->file, s->column);
}

static void read_frame(JSContext* ctx, JSValueConst trace, int i, shown* s) {
    memset(s, 0, sizeof(*s));
    js_trace_read(ctx, trace, i, &s->frame);
    read_place(ctx, s);
    if (JS_IsUndefined(s->frame.function))
        return;
    s->function = name_of(ctx, &s->frame);
    if (s->frame.is_constructor || JS_IsUndefined(s->frame.receiver))
        return;
    s->type = text_of(ctx, js_receiver_type(ctx, s->frame.receiver));
    s->method = text_of(ctx, js_receiver_method(ctx, s->frame.receiver, s->frame.function));
}

static void forget(JSContext* ctx, shown* s) {
    JS_FreeCString(ctx, s->function);
    JS_FreeCString(ctx, s->type);
    JS_FreeCString(ctx, s->method);
    free(s->file);
}

/* V8 writes the type before names alone that are words. Beyond ASCII every character of the first
 * plane passes for a letter. */
static bool is_word(const char* name) {
    if (*name >= '0' && *name <= '9')
        return false;
    for (const unsigned char* p = (const unsigned char*)name; *p != 0; p++) {
        bool is_ascii = (*p >= 'a' && *p <= 'z') || (*p >= 'A' && *p <= 'Z') ||
                        (*p >= '0' && *p <= '9') || *p == '_' || *p == '$';
        if (!is_ascii && (*p < 0x80 || *p >= 0xf0))
            return false;
    }
    return true;
}

/* Whether the function's name is the method's, or ends with it: "exports.f" of f. */
static bool says_method(const shown* s) {
    size_t length = strlen(s->function), end = strlen(s->method);
    if (length < end || strcmp(s->function + length - end, s->method) != 0)
        return false;
    return length == end || s->function[length - end - 1] == '.';
}

static void add_method_call(ph_growing_text* out, const shown* s) {
    if (s->function == NULL) {
        ph_text_add(out, s->type);
        ph_text_add(out, ".");
        ph_text_add(out, s->method == NULL ? "<anonymous>" : s->method);
        return;
    }
    if (is_word(s->function) && strcmp(s->function, s->type) != 0) {
        ph_text_add(out, s->type);
        ph_text_add(out, ".");
    }
    ph_text_add(out, s->function);
    if (s->method != NULL && !says_method(s)) {
        ph_text_add(out, " [as ");
        ph_text_add(out, s->method);
        ph_text_add(out, "]");
    }
}

static void add_place(ph_growing_text* out, const shown* s) {
    char position[48];
    ph_text_add(out, s->file == NULL || s->file[0] == '\0' ? "<anonymous>" : s->file);
    if (s->file == NULL || s->line <= 0)
        return;
    snprintf(position, sizeof(position), ":%d:%d", s->line, s->column);
    ph_text_add(out, position);
}

static void add_frame(ph_growing_text* out, const shown* s) {
    static const char* const waits[] = {
        [JS_TRACE_ALL] = "all", [JS_TRACE_ALL_SETTLED] = "allSettled", [JS_TRACE_ANY] = "any"};
    char element[64];
    if (s->frame.kind >= JS_TRACE_ALL) {
        snprintf(element, sizeof(element), "async Promise.%s (index %d)", waits[s->frame.kind],
                 s->frame.index);
        ph_text_add(out, element);
        return;
    }
    if (s->frame.kind == JS_TRACE_AWAIT)
        ph_text_add(out, "async ");
    if (s->type != NULL) {
        add_method_call(out, s);
    } else if (s->frame.is_constructor) {
        ph_text_add(out, "new ");
        ph_text_add(out, s->function == NULL ? "<anonymous>" : s->function);
    } else if (s->function != NULL) {
        ph_text_add(out, s->function);
    } else {
        add_place(out, s);
        return;
    }
    ph_text_add(out, " (");
    add_place(out, s);
    ph_text_add(out, ")");
}

static JSValue give(JSContext* ctx, ph_growing_text* out) {
    JSValue text = JS_NewStringLen(ctx, out->bytes == NULL ? "" : out->bytes, out->length);
    free(out->bytes);
    return text;
}

/* traceText(trace): its lines, each with a line end before it */
static JSValue trace_text(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_growing_text out = {NULL, 0, 0};
    int count = js_trace_length(argv[0]);
    for (int i = 0; i < count; i++) {
        shown s;
        read_frame(ctx, argv[0], i, &s);
        ph_text_add(&out, "\n    at ");
        add_frame(&out, &s);
        forget(ctx, &s);
    }
    return give(ctx, &out);
}

/* -1: not a trace */
static JSValue trace_length(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewInt32(ctx, js_trace_length(argv[0]));
}

static JSValue take_trace(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return js_take_trace(ctx, argv[0]);
}

static JSValue give_trace(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return JS_NewBool(ctx, js_give_trace(ctx, argv[0], argv[1]));
}

/* showWaiters(error, promise): an error that came from outside of JavaScript has the stack of what
 * waits for it */
static JSValue show_waiters(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (&js_show_waiters != NULL)
        js_show_waiters(ctx, argv[0], argv[1]);
    return JS_DupValue(ctx, argv[0]);
}

static JSValue text_or_null(JSContext* ctx, const char* text) {
    return text == NULL ? JS_NULL : JS_NewString(ctx, text);
}

/* readFrame(trace, index): what a call site tells (internal/errors/call_sites) */
static JSValue read_one(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    shown s;
    ph_growing_text line = {NULL, 0, 0};
    int i = ph_int(ctx, argv[1], -1);
    if (i < 0 || i >= js_trace_length(argv[0]))
        return JS_UNDEFINED;
    read_frame(ctx, argv[0], i, &s);
    add_frame(&line, &s);
    JSValue facts = JS_NewObject(ctx);
    const char* type = s.type;
    if (type != NULL && JS_IsFunction(ctx, s.frame.receiver))
        type = "Function"; /* classes have their names in lines alone */
    bool is_known = s.file != NULL && s.line > 0;
    ph_set(ctx, facts, "text", give(ctx, &line));
    ph_set(ctx, facts, "functionName", text_or_null(ctx, s.function));
    ph_set(ctx, facts, "typeName", text_or_null(ctx, type));
    ph_set(ctx, facts, "methodName", text_or_null(ctx, s.method));
    ph_set(ctx, facts, "file", text_or_null(ctx, s.file));
    ph_set(ctx, facts, "line", is_known ? JS_NewInt32(ctx, s.line) : JS_NULL);
    ph_set(ctx, facts, "column", is_known ? JS_NewInt32(ctx, s.column) : JS_NULL);
    ph_set(ctx, facts, "kind", JS_NewInt32(ctx, s.frame.kind));
    ph_set(ctx, facts, "index", JS_NewInt32(ctx, s.frame.index));
    ph_set(ctx, facts, "isConstructor", JS_NewBool(ctx, s.frame.is_constructor));
    ph_set(ctx, facts, "isStrict", JS_NewBool(ctx, s.frame.is_strict));
    ph_set(ctx, facts, "fn", JS_DupValue(ctx, s.frame.function));
    ph_set(ctx, facts, "receiver", JS_DupValue(ctx, s.frame.receiver));
    forget(ctx, &s);
    return facts;
}

/* typeName(object): what V8 calls it, whatever it says of itself; undefined: not known */
static JSValue type_name(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    return &js_receiver_type == NULL ? JS_UNDEFINED : js_receiver_type(ctx, argv[0]);
}

JSValue ph_frames_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("typeName", 1, type_name),       JS_CFUNC_DEF("traceText", 1, trace_text),
        JS_CFUNC_DEF("traceLength", 1, trace_length), JS_CFUNC_DEF("takeTrace", 1, take_trace),
        JS_CFUNC_DEF("giveTrace", 2, give_trace),     JS_CFUNC_DEF("readFrame", 2, read_one),
        JS_CFUNC_DEF("showWaiters", 2, show_waiters),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_set(ctx, binding, "keepsTraces", JS_NewBool(ctx, &js_keeps_traces != NULL));
    return binding;
}

void ph_frames_start(void) {
    if (&js_keeps_traces != NULL)
        js_keeps_traces = true;
}
