#include "engine/immediates.h"

#include <stdlib.h>

#include "engine/gate.h"
#include "engine/hooked.h"
#include "engine/play.h"
#include "engine/timers.h"
#include "engine/trace.h"

struct ph_immediate {
    ph_immediate* next;
    bool referenced;
    bool destroyed;
    int argc;
    JSValue self; /* held while queued */
    JSValue function;
    JSValue context;
    JSValue args[];
};

static void on_idle(uv_idle_t* idle);

static void count_reference(ph_env* env, int change) {
    ph_immediates* immediates = ph_immediates_of(env);
    bool before = immediates->referenced != 0;
    immediates->referenced += (size_t)change;
    bool after = immediates->referenced != 0;
    if (after && !before)
        uv_idle_start(&immediates->idle, on_idle);
    else if (before && !after)
        uv_idle_stop(&immediates->idle);
}

/* What starts here has the check phase before it, and the timers behind that. */
static void on_idle(uv_idle_t* idle) {
    ph_env* env = idle->loop->data;
    ph_immediates* immediates = ph_immediates_of(env);
    JSValue starter = immediates->starter;
    if (JS_IsUndefined(starter))
        return;
    immediates->starter = JS_UNDEFINED;
    count_reference(env, -1);
    ph_gate_call(env, starter, JS_UNDEFINED, 0, NULL);
    JS_FreeValue(env->ctx, starter);
}

/* startInLoop(function): calls it once, in the loop's first turn. */
static JSValue start_in_loop(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    ph_immediates* immediates = ph_immediates_of(env);
    if (!JS_IsFunction(ctx, argv[0]))
        return ph_timers_not_a_function(ctx, argv[0]);
    if (JS_IsUndefined(immediates->starter))
        count_reference(env, 1);
    JS_FreeValue(ctx, immediates->starter);
    immediates->starter = JS_DupValue(ctx, argv[0]);
    return JS_UNDEFINED;
}

static void finish(ph_env* env, ph_immediate* immediate) {
    if (immediate->destroyed)
        return;
    immediate->destroyed = true;
    if (immediate->referenced)
        count_reference(env, -1);
}

/* Whether it threw. */
static bool run_immediate(ph_env* env, ph_immediate* immediate) {
    int argc = immediate->argc;
    finish(env, immediate);
    if (JS_IsUndefined(immediate->function)) {
        ph_gate_drain(env);
        return false;
    }
    immediate->argc = 0; /* the call frees them */
    PH_PLAY("[\"imm\",\"%p\"]", (void*)immediate);
    ph_trace_later(immediate, PHASOR_LATER_RUNS);
    int status = ph_gate_call_in(env, immediate->context, immediate->function, immediate->self,
                                 argc, immediate->args);
    PH_PLAY("[\"imm.\"]");
    ph_work_gone(env, immediate->context);
    return status != 0;
}

/* Runs all that are queued; those queued meanwhile stay. Whether the last of them threw. */
static bool run_queued(ph_env* env) {
    ph_immediates* immediates = ph_immediates_of(env);
    ph_immediate* next = immediates->head;
    immediates->head = immediates->tail = NULL;
    bool threw = false;
    while (next != NULL) {
        ph_immediate* immediate = next;
        next = immediate->next;
        if (!immediate->destroyed && !env->stopping)
            threw = run_immediate(env, immediate);
        JS_FreeValue(env->ctx, immediate->self);
    }
    return threw;
}

static void on_check(uv_check_t* check) {
    ph_env* env = check->loop->data;
    ph_immediates* immediates = ph_immediates_of(env);
    if (env->work.any_gone)
        ph_hooked_check(env);
    if (immediates->head == NULL)
        return;
    /* What an exception has left in the queues. */
    ph_gate_drain(env);
    env->gate.in_batch = true;
    /* Those queued from here on wait for the next iteration, unless the last one throws and the
     * exception is handled: then they come at once and before all ticks, as in Node. */
    while (run_queued(env) && !env->stopping)
        continue;
    env->gate.in_batch = false;
    if (!env->gate.drain_failed)
        ph_gate_drain(env);
}

static void enqueue(ph_env* env, ph_immediate* immediate) {
    ph_immediates* immediates = ph_immediates_of(env);
    immediate->next = NULL;
    immediate->referenced = true;
    immediate->destroyed = false;
    if (immediates->tail == NULL)
        immediates->head = immediate;
    else
        immediates->tail->next = immediate;
    immediates->tail = immediate;
    count_reference(env, 1);
}

static JSValue set_immediate(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_env* env = ph_env_of(ctx);
    ph_immediates* immediates = ph_immediates_of(env);
    if (!JS_IsFunction(ctx, argv[0]))
        return ph_timers_not_a_function(ctx, argv[0]);
    int extra = argc > 1 ? argc - 1 : 0;
    ph_immediate* immediate = malloc(sizeof(*immediate) + (size_t)extra * sizeof(JSValue));
    if (immediate == NULL)
        return JS_ThrowOutOfMemory(ctx);
    JSValue object = JS_NewObjectClass(ctx, immediates->class_id);
    if (JS_IsException(object)) {
        free(immediate);
        return object;
    }
    immediate->argc = extra;
    for (int i = 0; i < extra; i++)
        immediate->args[i] = JS_DupValue(ctx, argv[i + 1]);
    immediate->function = JS_DupValue(ctx, argv[0]);
    immediate->context = JS_UNDEFINED;
    immediate->self = JS_DupValue(ctx, object);
    immediate->referenced = immediate->destroyed = false;
    JS_SetOpaque(object, immediate);
    immediate->context = ph_work(env, "Immediate", object);
    enqueue(env, immediate);
    ph_trace_later(immediate, PHASOR_LATER_IS_MADE);
    PH_PLAY("[\"imm+\",\"%p\"]", (void*)immediate);
    return object;
}

void ph_immediates_add_empty(ph_env* env) {
    ph_immediate* immediate = malloc(sizeof(*immediate));
    JSValue object = JS_NewObjectClass(env->ctx, ph_immediates_of(env)->class_id);
    if (immediate == NULL || JS_IsException(object)) {
        free(immediate);
        return;
    }
    immediate->argc = 0;
    immediate->function = immediate->context = JS_UNDEFINED;
    immediate->self = object;
    JS_SetOpaque(object, immediate);
    enqueue(env, immediate);
}

bool ph_immediates_clear(JSContext* ctx, JSValueConst value) {
    ph_env* env = ph_env_of(ctx);
    ph_immediate* immediate = JS_GetOpaque(value, ph_immediates_of(env)->class_id);
    if (immediate != NULL && !immediate->destroyed) {
        finish(env, immediate);
        PH_PLAY("[\"imm-\",\"%p\"]", (void*)immediate);
        ph_work_gone(env, immediate->context);
    }
    return immediate != NULL;
}

static JSValue clear_immediate(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_immediates_clear(ctx, argv[0]);
    return JS_UNDEFINED;
}

enum { REF, UNREF, HAS_REF, DESTROYED };

static JSValue immediate_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                                int magic) {
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    ph_immediate* immediate = JS_GetOpaque(self, ph_immediates_of(env)->class_id);
    if (immediate == NULL)
        return JS_ThrowTypeError(ctx, "Illegal invocation");
    if (magic == HAS_REF)
        return JS_NewBool(ctx, immediate->referenced);
    if (magic == DESTROYED)
        return JS_NewBool(ctx, immediate->destroyed);
    bool wanted = magic == REF;
    if (immediate->referenced != wanted) {
        immediate->referenced = wanted;
        if (!immediate->destroyed)
            count_reference(env, wanted ? 1 : -1);
    }
    return JS_DupValue(ctx, self);
}

static void finalize_immediate(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_immediate* immediate = JS_GetOpaque(value, ph_immediates_of(env)->class_id);
    if (immediate == NULL)
        return;
    JS_FreeValueRT(rt, immediate->function);
    JS_FreeValueRT(rt, immediate->context);
    for (int i = 0; i < immediate->argc; i++)
        JS_FreeValueRT(rt, immediate->args[i]);
    free(immediate);
}

static void mark_immediate(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_immediate* immediate = JS_GetOpaque(value, ph_immediates_of(env)->class_id);
    if (immediate == NULL)
        return;
    JS_MarkValue(rt, immediate->function, mark);
    JS_MarkValue(rt, immediate->context, mark);
    for (int i = 0; i < immediate->argc; i++)
        JS_MarkValue(rt, immediate->args[i], mark);
}

void ph_immediates_init(ph_env* env, ph_immediates* immediates) {
    static const JSClassDef definition = {
        .class_name = "Immediate", .finalizer = finalize_immediate, .gc_mark = mark_immediate};
    JS_NewClassID(env->rt, &immediates->class_id);
    JS_NewClass(env->rt, immediates->class_id, &definition);
    uv_check_init(env->loop, &immediates->check);
    uv_check_start(&immediates->check, on_check);
    uv_unref((uv_handle_t*)&immediates->check);
    uv_idle_init(env->loop, &immediates->idle);
    immediates->starter = JS_UNDEFINED;
}

void ph_immediates_close(ph_env* env) {
    ph_immediates* immediates = ph_immediates_of(env);
    ph_immediate* next = immediates->head;
    immediates->head = immediates->tail = NULL;
    while (next != NULL) {
        ph_immediate* immediate = next;
        next = immediate->next;
        JS_FreeValue(env->ctx, immediate->self);
    }
    JS_FreeValue(env->ctx, immediates->starter);
    immediates->starter = JS_UNDEFINED;
    uv_close((uv_handle_t*)&immediates->check, NULL);
    uv_close((uv_handle_t*)&immediates->idle, NULL);
}

void ph_immediates_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setImmediate", 1, set_immediate),
        JS_CFUNC_DEF("clearImmediate", 1, clear_immediate),
        JS_CFUNC_DEF("startInLoop", 1, start_in_loop),
    };
    static const JSCFunctionListEntry methods[] = {
        JS_CFUNC_MAGIC_DEF("ref", 0, immediate_method, REF),
        JS_CFUNC_MAGIC_DEF("unref", 0, immediate_method, UNREF),
        JS_CFUNC_MAGIC_DEF("hasRef", 0, immediate_method, HAS_REF),
        JS_CFUNC_MAGIC_DEF("isDestroyed", 0, immediate_method, DESTROYED),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
    JSValue prototype = PH_EXPORT(ctx, methods);
    JS_SetClassProto(ctx, ph_immediates_of(ph_env_of(ctx))->class_id, JS_DupValue(ctx, prototype));
    ph_set(ctx, binding, "immediatePrototype", prototype);
}
