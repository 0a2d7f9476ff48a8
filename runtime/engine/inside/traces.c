/* What ran when an error was made. The functions, receivers and places are kept as they are; names
 * and lines are looked for when somebody reads the stack, which hardly an error sees. */
#include "engine/trace_frame.h"

typedef struct {
    JSValue function; /* undefined: see file */
    JSValue receiver;
    JSAtom file; /* of a text that could not be parsed; line and column belong to it */
    int line, column;
    int at; /* place in the bytecode; of Promise.all the index */
    int kind;
    bool is_constructor;
} js_trace_entry;

typedef struct {
    int count, room, limit;
    js_trace_entry* entries;
} js_trace;

enum { JS_TRACE_MOST = 100000 };

/* Set once, before the first runtime: errors keep traces, which whoever reads `stack` of the
 * engine gets as they are. */
bool js_keeps_traces;
/* What runs a handler in its context: its first value is the handler. */
JSCFunctionData* js_reaction_runs;

static void js_trace_free(JSRuntime* rt, js_trace* trace) {
    for (int i = 0; i < trace->count; i++) {
        JS_FreeValueRT(rt, trace->entries[i].function);
        JS_FreeValueRT(rt, trace->entries[i].receiver);
        JS_FreeAtomRT(rt, trace->entries[i].file);
    }
    js_free_rt(rt, trace->entries);
    js_free_rt(rt, trace);
}

static void js_trace_finalizer(JSRuntime* rt, JSValueConst value) {
    js_trace* trace = JS_GetOpaque(value, JS_CLASS_TRACE);
    if (trace)
        js_trace_free(rt, trace);
}

static void js_trace_mark(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    js_trace* trace = JS_GetOpaque(value, JS_CLASS_TRACE);
    for (int i = 0; trace && i < trace->count; i++) {
        JS_MarkValue(rt, trace->entries[i].function, mark);
        JS_MarkValue(rt, trace->entries[i].receiver, mark);
    }
}

/* NULL: the trace is full, or there is no memory for more. */
static js_trace_entry* js_trace_add(JSContext* ctx, js_trace* trace) {
    js_trace_entry* entry;
    if (trace->count >= trace->limit)
        return NULL;
    if (trace->count == trace->room) {
        int room = trace->room == 0 ? min_int(trace->limit, 10) : trace->room * 2;
        js_trace_entry* bigger =
            js_realloc_rt(ctx->rt, trace->entries, sizeof(*bigger) * (size_t)room);
        if (!bigger)
            return NULL;
        trace->entries = bigger;
        trace->room = room;
    }
    entry = &trace->entries[trace->count++];
    *entry = (js_trace_entry){.function = JS_UNDEFINED, .receiver = JS_UNDEFINED};
    return entry;
}

/* The place of the call that a frame is at, or of its first instruction. */
static int js_place_in_code(const JSStackFrame* sf) {
    JSObject* p = JS_VALUE_GET_OBJ(sf->cur_func);
    const uint8_t* start = p->u.func.function_bytecode->byte_code_buf;
    return sf->cur_pc && sf->cur_pc > start ? (int)(sf->cur_pc - start) - 1 : 0;
}

/* What calls the initializers of a class has no place of its own, nor have functions of the engine
 * that are written in JavaScript. */
static bool js_has_place(JSContext* ctx, JSStackFrame* sf, JSFunctionBytecode* b) {
    int column;
    if (b->filename == JS_ATOM_NULL)
        return false;
    return b->func_name != JS_ATOM_class_fields_init ||
           find_line_num(ctx, b, (uint32_t)js_place_in_code(sf), &column) > 0;
}

static bool js_trace_add_frame(JSContext* ctx, js_trace* trace, JSStackFrame* sf) {
    JSObject* p = JS_VALUE_GET_OBJ(sf->cur_func);
    bool has_code = js_class_has_bytecode(p->class_id);
    js_trace_entry* entry;
    if (has_code ? !js_has_place(ctx, sf, p->u.func.function_bytecode) : !js_is_shown_native(p))
        return true;
    entry = js_trace_add(ctx, trace);
    if (!entry)
        return false;
    entry->function = js_dup(sf->cur_func);
    entry->receiver = js_dup(sf->receiver);
    entry->is_constructor = sf->is_constructor;
    if (has_code)
        entry->at = js_place_in_code(sf);
    return true;
}

static void js_trace_waiting(JSContext* ctx, js_trace* trace);
static void js_trace_chain(JSContext* ctx, js_trace* trace, JSObject* promise);

static void js_trace_frames(JSContext* ctx, js_trace* trace, JSStackFrame* sf) {
    for (; sf && trace->count < trace->limit; sf = sf->prev_frame) {
        JSObject* p = JS_VALUE_GET_OBJ(sf->cur_func);
        if (!js_trace_add_frame(ctx, trace, sf))
            return;
        if (js_class_has_bytecode(p->class_id) && p->u.func.function_bytecode->backtrace_barrier)
            return;
    }
    js_trace_waiting(ctx, trace);
}

/* Error.stackTraceLimit, a number. */
static int js_trace_limit(JSContext* ctx) {
    double limit = 0;
    JS_ToFloat64(ctx, &limit, ctx->error_stack_trace_limit);
    return isnan(limit) || limit < 0 ? 0 : limit > JS_TRACE_MOST ? JS_TRACE_MOST : (int)limit;
}

/* An exception that is under way stays. Undefined: there is no memory for it, or the limit is no
 * number, and errors have no stack. */
static JSValue js_new_trace(JSContext* ctx, js_trace** trace) {
    JSValue before;
    /* A runtime that only parses, to tell modules from scripts, has no such class. */
    if (!JS_IsNumber(ctx->error_stack_trace_limit) ||
        !JS_IsRegisteredClass(ctx->rt, JS_CLASS_TRACE))
        return JS_UNDEFINED;
    before = JS_GetException(ctx);
    JSValue value = JS_NewObjectProtoClass(ctx, JS_NULL, JS_CLASS_TRACE);
    js_trace* made = js_mallocz_rt(ctx->rt, sizeof(*made));
    *trace = made;
    if (JS_IsException(value) || !made) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        JS_FreeValue(ctx, value);
        js_free_rt(ctx->rt, made);
        value = JS_UNDEFINED;
    } else {
        made->limit = js_trace_limit(ctx);
        JS_SetOpaqueInternal(value, made);
    }
    JS_Throw(ctx, before);
    return value;
}

static JSStackFrame* js_frame_of(JSContext* ctx, JSValueConst function) {
    JSStackFrame* sf = ctx->rt->current_stack_frame;
    while (sf && !js_same_value(ctx, sf->cur_func, function))
        sf = sf->prev_frame;
    return sf;
}

/* What runs above a function; nothing, where it does not run. */
JSValue js_take_trace(JSContext* ctx, JSValueConst above) {
    js_trace* trace;
    JSValue value = js_new_trace(ctx, &trace);
    JSStackFrame* sf = js_frame_of(ctx, above);
    if (!JS_IsUndefined(value) && sf)
        js_trace_frames(ctx, trace, sf->prev_frame);
    return value;
}

/* Puts it into an error in place of the one that it was made with. */
bool js_give_trace(JSContext* ctx, JSValueConst error, JSValueConst trace) {
    JSObject* p = object_or_null(error);
    if (!p || p->class_id != JS_CLASS_ERROR || find_own_property1(p, JS_ATOM_stack))
        return false;
    set_value(ctx, &p->u.object_data, js_dup(trace));
    return true;
}

/* An error from outside of JavaScript, where nothing ran, is about to fail the promise: it has the
 * stack of what waits for that. */
void js_show_waiters(JSContext* ctx, JSValueConst error, JSValueConst promise) {
    js_trace* trace;
    JSObject *p = object_or_null(error), *waited = object_or_null(promise);
    if (!waited || waited->class_id != JS_CLASS_PROMISE || !p || p->class_id != JS_CLASS_ERROR)
        return;
    trace = JS_GetOpaque(p->u.object_data, JS_CLASS_TRACE);
    if (!trace || trace->count != 0 || trace->limit == 0)
        return;
    js_trace_chain(ctx, trace, waited);
}

static void js_keep_trace(JSContext* ctx, JSValueConst error, const char* filename, int line,
                          int column, int flags) {
    js_trace* trace;
    js_trace_entry* entry;
    JSValue value;
    JSStackFrame* sf = ctx->rt->current_stack_frame;
    if (JS_IsUndefined(ctx->error_back_trace))
        ctx->error_back_trace = JS_NULL; /* or every throw would ask again */
    if (!can_store_error_stack(error))
        return;
    value = js_new_trace(ctx, &trace);
    if (JS_IsUndefined(value))
        return;
    /* Where eval and JSON failed is no frame. */
    entry = filename && strcmp(filename, "<input>") ? js_trace_add(ctx, trace) : NULL;
    if (entry) {
        entry->file = JS_NewAtom(ctx, filename);
        entry->line = line;
        entry->column = column;
    }
    if ((flags & JS_BACKTRACE_FLAG_SKIP_FIRST_LEVEL) && sf)
        sf = sf->prev_frame;
    if (!(filename && (flags & JS_BACKTRACE_FLAG_SINGLE_LEVEL)))
        js_trace_frames(ctx, trace, sf);
    JS_VALUE_GET_OBJ(error)->u.object_data = value;
}

/* -1: it is no trace. */
int js_trace_length(JSValueConst value) {
    js_trace* trace = JS_GetOpaque(value, JS_CLASS_TRACE);
    return trace ? trace->count : -1;
}

static bool js_is_global(JSContext* ctx, JSObject* function, JSValueConst receiver) {
    if (js_class_has_bytecode(function->class_id) && function->u.func.function_bytecode->realm)
        ctx = function->u.func.function_bytecode->realm;
    return js_same_value(ctx, receiver, ctx->global_obj);
}

/* i is below the length. */
void js_trace_read(JSContext* ctx, JSValueConst value, int i, js_trace_frame* frame) {
    js_trace* trace = JS_GetOpaque(value, JS_CLASS_TRACE);
    js_trace_entry* entry = &trace->entries[i];
    JSObject* p = object_or_null(entry->function);
    *frame = (js_trace_frame){.function = entry->function,
                              .receiver = entry->receiver,
                              .file = entry->file,
                              .line = entry->line,
                              .column = entry->column,
                              .index = entry->at,
                              .kind = entry->kind,
                              .is_constructor = entry->is_constructor};
    if (!p)
        return;
    if (js_is_global(ctx, p, entry->receiver) || JS_IsNull(entry->receiver))
        frame->receiver = JS_UNDEFINED;
    frame->is_strict = true;
    if (js_class_has_bytecode(p->class_id)) {
        JSFunctionBytecode* b = p->u.func.function_bytecode;
        frame->file = b->filename;
        frame->is_strict = b->is_strict_mode;
        frame->line = find_line_num(ctx, b, (uint32_t)entry->at, &frame->column);
    }
}

/* The name that a program gave the function, or that its source gives it; null: none. */
JSValue js_trace_name(JSContext* ctx, JSValueConst function) {
    JSObject* p = object_or_null(function);
    JSProperty* pr;
    JSShapeProperty* prs = p ? js_plain_own(ctx, p, JS_ATOM_name, &pr) : NULL;
    if (prs && (prs->flags & JS_PROP_TMASK) == JS_PROP_NORMAL && js_is_some_text(pr->u.value))
        return js_dup(pr->u.value);
    if (p && js_class_has_bytecode(p->class_id)) {
        JSFunctionBytecode* b = p->u.func.function_bytecode;
        bool is_named = b->func_name != JS_ATOM_NULL && b->func_name != JS_ATOM_empty_string;
        if (is_named || b->inferred_name != JS_ATOM_NULL)
            return JS_AtomToString(ctx, is_named ? b->func_name : b->inferred_name);
    }
    return JS_NULL;
}
