/* Where scripts stop: at breakpoints, at steps, at exceptions. JavaScript decides what happens
 * then. */
#include <stdlib.h>
#include <string.h>

#include "inspector.h"

typedef enum { REASON_STEP, REASON_BREAKPOINT, REASON_DEBUGGER, REASON_EXCEPTION } reason;
enum { MARK_RETURN = 1, MARK_DEBUGGER = 2, MARK_KINDS = 7, MARK_IN_TRY = 8 };

static bool is_running(JSContext* ctx, void* wanted) {
    for (void* frame = js_frame_top(ctx); frame != NULL; frame = js_frame_up(frame))
        if (frame == wanted)
            return true;
    return false;
}

static int kind_of(JSContext* ctx, void* frame) {
    JSValueConst function;
    JSAtom file;
    int line, column, kind;
    return js_frame_place(ctx, frame, &function, &file, &line, &column, &kind) ? kind : -1;
}

static bool step_ends(ph_inspector* in, JSContext* ctx, void* frame) {
    switch (in->step) {
    case PH_STEP_INTO:
        return true;
    case PH_STEP_OVER:
        if (frame == in->step_frame)
            return true;
        return !is_running(ctx, in->step_frame) && !in->step_awaits;
    case PH_STEP_OUT:
        /* Behind its end, any other place is outside; another call may have the same frame. */
        if (frame == in->step_frame && (kind_of(ctx, frame) & MARK_KINDS) == MARK_RETURN)
            in->step = PH_STEP_INTO;
        return frame != in->step_frame && !is_running(ctx, in->step_frame);
    default:
        return false;
    }
}

static size_t place_of(const void* pc) {
    return ((uintptr_t)pc >> 1) % PH_KNOWN_PLACES;
}

static bool finds_reason(ph_inspector* in, JSContext* ctx, void* frame, reason* found) {
    const void* pc = js_frame_pc(frame);
    if (in->empty[place_of(pc)] == pc)
        return false;
    JSValueConst function;
    JSAtom file;
    int line, column, kind;
    if (!js_frame_place(ctx, frame, &function, &file, &line, &column, &kind))
        return false;
    for (int i = 0; i < in->breakpoint_count; i++) {
        ph_breakpoint* one = &in->breakpoints[i];
        if (one->file == file && one->line == line && one->column == column) {
            *found = REASON_BREAKPOINT;
            return true;
        }
    }
    *found = REASON_DEBUGGER;
    if ((kind & MARK_KINDS) == MARK_DEBUGGER)
        return true;
    in->empty[place_of(pc)] = pc;
    return false;
}

static bool stop_here(ph_inspector* in, JSContext* ctx, reason why, JSValueConst exception,
                      bool is_uncaught) {
    JSValueConst args[] = {JS_NewInt32(ctx, why), exception, JS_NewBool(ctx, is_uncaught)};
    in->step = PH_STEP_NONE;
    in->frame = js_frame_top(ctx);
    bool goes_on = ph_inspector_tell(in, ctx, PH_ON_PAUSE, 3, args);
    in->frame = NULL;
    return goes_on;
}

static int on_statement(JSContext* ctx) {
    ph_env* env = ph_env_of(ctx);
    ph_inspector* in = env != NULL ? ph_inspector_in(env) : NULL;
    reason why = REASON_STEP;
    if (in == NULL || in->busy > 0 || !in->is_on)
        return 0;
    void* frame = js_frame_top(ctx);
    bool stops = in->step != PH_STEP_NONE && step_ends(in, ctx, frame);
    reason other;
    if (finds_reason(in, ctx, frame, &other)) {
        why = other;
        stops = true;
    }
    return stops && !stop_here(in, ctx, why, JS_UNDEFINED, false) ? 1 : 0;
}

static bool is_caught(JSContext* ctx) {
    for (void* frame = js_frame_top(ctx); frame != NULL; frame = js_frame_up(frame)) {
        int kind = kind_of(ctx, frame);
        if (kind >= 0 && (kind & MARK_IN_TRY) != 0)
            return true;
    }
    return false;
}

static void on_throw(JSContext* ctx) {
    ph_env* env = ph_env_of(ctx);
    ph_inspector* in = env != NULL ? ph_inspector_in(env) : NULL;
    if (in == NULL || in->busy > 0 || !in->is_on || in->pause_on == PH_PAUSE_NEVER ||
        env->stopping || kind_of(ctx, js_frame_top(ctx)) < 0)
        return;
    JSValue exception = JS_GetException(ctx);
    bool is_known = JS_IsStrictEqual(ctx, exception, in->thrown);
    JS_FreeValue(ctx, in->thrown);
    in->thrown = JS_DupValue(ctx, exception);
    bool is_uncaught = !is_caught(ctx);
    bool goes_on = true;
    if (!is_known && !JS_IsUncatchableError(exception) &&
        (in->pause_on == PH_PAUSE_ALWAYS || is_uncaught))
        goes_on = stop_here(in, ctx, REASON_EXCEPTION, exception, is_uncaught);
    if (goes_on)
        JS_Throw(ctx, exception);
    else
        JS_FreeValue(ctx, exception);
}

static void on_script(JSContext* ctx, const char* source, size_t length, const char* file,
                      int flags, const ph_mark* marks, int count) {
    ph_env* env = ph_env_of(ctx);
    ph_inspector* in = env != NULL ? ph_inspector_in(env) : NULL;
    if (in == NULL)
        return;
    memset(in->empty, 0, sizeof(in->empty));
    if (JS_IsUndefined(in->handlers[PH_ON_SCRIPT]))
        return;
    JSValue list =
        JS_NewArrayBufferCopy(ctx, (const uint8_t*)marks, (size_t)count * sizeof(*marks));
    JSValue args[] = {JS_NewString(ctx, file), JS_NewStringLen(ctx, source, length),
                      JS_NewInt32(ctx, flags), list, JS_NewFloat64(ctx, (double)(uintptr_t)ctx)};
    ph_inspector_tell(in, env->ctx, PH_ON_SCRIPT, 5, (JSValueConst*)args);
    for (size_t i = 0; i < PH_COUNT(args); i++)
        JS_FreeValue(ctx, args[i]);
}

void ph_debug_start(ph_inspector* in) {
    (void)in;
    if (&js_marks_statements == NULL)
        return;
    js_statement_hook = on_statement;
    js_script_hook = on_script;
}

static void clear_breakpoints(ph_inspector* in) {
    for (int i = 0; i < in->breakpoint_count; i++)
        JS_FreeAtom(in->env->ctx, in->breakpoints[i].file);
    free(in->breakpoints);
    in->breakpoints = NULL;
    in->breakpoint_count = 0;
    memset(in->empty, 0, sizeof(in->empty));
}

void ph_debug_free(ph_inspector* in) {
    clear_breakpoints(in);
    JS_FreeValue(in->env->ctx, in->thrown);
}

/* canStop(): whether the engine has places to stop */
static JSValue can_stop(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc, (void)argv;
    return JS_NewBool(ctx, &js_marks_statements != NULL);
}

/* markStatements(): in all that is compiled from now on */
static JSValue mark_statements(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)ctx, (void)self, (void)argc, (void)argv;
    if (&js_marks_statements != NULL)
        js_marks_statements = true;
    return JS_UNDEFINED;
}

/* enable(isOn) */
static JSValue enable(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector_of(ctx)->is_on = ph_flag(ctx, argv[0]);
    return JS_UNDEFINED;
}

/* setBreakpoints([file, line, column, ...]): all of them */
static JSValue set_breakpoints(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    int64_t length = 0;
    clear_breakpoints(in);
    if (JS_GetLength(ctx, argv[0], &length) != 0)
        return JS_EXCEPTION;
    if (length > 3 << 20)
        return JS_ThrowRangeError(ctx, "too many breakpoints");
    in->breakpoints = calloc((size_t)length / 3 + 1, sizeof(*in->breakpoints));
    if (in->breakpoints == NULL)
        return JS_ThrowOutOfMemory(ctx);
    for (int64_t i = 0; i + 2 < length; i += 3) {
        JSValue row[3];
        for (int j = 0; j < 3; j++)
            row[j] = JS_GetPropertyInt64(ctx, argv[0], i + j);
        ph_breakpoint* one = &in->breakpoints[in->breakpoint_count++];
        one->file = JS_ValueToAtom(ctx, row[0]);
        one->line = ph_int(ctx, row[1], 0);
        one->column = ph_int(ctx, row[2], 0);
        for (int j = 0; j < 3; j++)
            JS_FreeValue(ctx, row[j]);
    }
    return JS_UNDEFINED;
}

/* step(kind): from the frame that is paused, or at the next place if none is */
static JSValue set_step(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    int kind = ph_int(ctx, argv[0], 0);
    in->step = kind >= PH_STEP_NONE && kind <= PH_STEP_OUT ? (ph_step)kind : PH_STEP_NONE;
    in->step_frame = in->frame;
    bool is_end = in->frame != NULL && (kind_of(ctx, in->frame) & MARK_KINDS) == MARK_RETURN;
    in->step_awaits = in->frame != NULL && !is_end && js_frame_is_coroutine(in->frame);
    if (in->frame == NULL || (is_end && in->step != PH_STEP_NONE))
        in->step = in->step == PH_STEP_NONE ? PH_STEP_NONE : PH_STEP_INTO;
    return JS_UNDEFINED;
}

/* pauseOn(kind) */
static JSValue set_pause_on(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    ph_inspector* in = ph_inspector_of(ctx);
    in->pause_on = (ph_pause_on)ph_int(ctx, argv[0], 0);
    if (&js_marks_statements != NULL && in->pause_on != PH_PAUSE_NEVER)
        js_throw_hook = on_throw;
    return JS_UNDEFINED;
}

static void* frame_at(JSContext* ctx, int level) {
    ph_inspector* in = ph_inspector_of(ctx);
    void* frame = in->frame != NULL || &js_frame_top == NULL ? in->frame : js_frame_top(ctx);
    for (; frame != NULL && level > 0; level--)
        frame = js_frame_up(frame);
    return frame;
}

/* frames(): rows of [level, function, file, line, column, kind], of scripts that have marks */
static JSValue frames(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc, (void)argv;
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    int level = 0;
    for (void* frame = frame_at(ctx, 0); frame != NULL; frame = js_frame_up(frame), level++) {
        JSValueConst function;
        JSAtom file;
        int line, column, kind;
        if (!js_frame_place(ctx, frame, &function, &file, &line, &column, &kind) || kind < 0)
            continue;
        JSValue row[] = {JS_NewInt32(ctx, level),    JS_DupValue(ctx, function),
                         JS_AtomToString(ctx, file), JS_NewInt32(ctx, line),
                         JS_NewInt32(ctx, column),   JS_NewInt32(ctx, kind)};
        JS_SetPropertyUint32(ctx, list, count++, JS_NewArrayFrom(ctx, PH_COUNT(row), row));
    }
    return list;
}

/* variables(level): rows of [name, value, slot, depth] */
static JSValue variables(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    void* frame = frame_at(ctx, ph_int(ctx, argv[0], 0));
    return frame == NULL ? JS_NewArray(ctx) : js_frame_variables(ctx, frame);
}

/* setVariable(level, slot, value) */
static JSValue set_variable(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self, (void)argc;
    void* frame = frame_at(ctx, ph_int(ctx, argv[0], 0));
    if (frame != NULL)
        js_frame_set(ctx, frame, ph_int(ctx, argv[1], INT32_MIN), JS_DupValue(ctx, argv[2]));
    return JS_UNDEFINED;
}

void ph_debug_export(JSContext* ctx, JSValueConst exports) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("canStop", 0, can_stop),
        JS_CFUNC_DEF("markStatements", 0, mark_statements),
        JS_CFUNC_DEF("enable", 1, enable),
        JS_CFUNC_DEF("setBreakpoints", 1, set_breakpoints),
        JS_CFUNC_DEF("step", 1, set_step),
        JS_CFUNC_DEF("pauseOn", 1, set_pause_on),
        JS_CFUNC_DEF("frames", 0, frames),
        JS_CFUNC_DEF("variables", 1, variables),
        JS_CFUNC_DEF("setVariable", 3, set_variable),
    };
    JS_SetPropertyFunctionList(ctx, exports, functions, PH_COUNT(functions));
}
