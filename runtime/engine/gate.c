#include "engine/gate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "engine/aside.h"
#include "engine/hooked.h"
#include "engine/immediates.h"
#include "engine/kept.h"
#include "engine/play.h"
#include "engine/trace.h"

enum {
    INLINE_ARGS = 3,
    FATAL_HANDLER = 7, /* Node's status when the handler of exceptions fails */
};

typedef struct {
    JSValue function; /* undefined: `native` runs instead, with `task` */
    ph_tick_run* native;
    void* task;
    JSValue context;
    int argc;
    JSValue args[INLINE_ARGS];
    JSValue* more; /* all arguments, when they are more than INLINE_ARGS */
} tick;

/* A circle whose capacity is a power of two. */
struct ph_ticks {
    tick* slots;
    size_t head;
    size_t count;
    size_t capacity;
};

static void on_rejection(JSContext* ctx, JSValueConst promise, JSValueConst reason, bool is_handled,
                         void* opaque) {
    ph_env* env = opaque;
    if (env->stopping)
        return;
    JSValueConst args[] = {JS_NewBool(ctx, is_handled), promise, reason};
    env->gate.has_rejections = true;
    ph_aside_call(env, env->hooks[PH_HOOK_REJECTION], 3, args);
}

/* What scripts may use of the first thread's stack: all but an eighth, which is for what C needs.
 * Of that, half is lent to what must run when scripts have used up theirs. */
static void set_stack(ph_env* env) {
    const rlim_t most = PH_STACK_MOST, least = (rlim_t)1 << 20;
    struct rlimit stack;
    if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur < least)
        stack.rlim_cur = least / 2;
    rlim_t size = stack.rlim_cur > most ? most : stack.rlim_cur;
    ph_aside_set_stack(env, (size_t)(size - size / 8), (size_t)size / 16);
}

void ph_gate_init(ph_env* env) {
    env->ticks = calloc(1, sizeof(*env->ticks));
    env->ticks->capacity = 64;
    env->ticks->slots = malloc(64 * sizeof(tick));
    JS_SetHostPromiseRejectionTracker(env->rt, on_rejection, env);
    set_stack(env);
    /* Most garbage goes by its reference count; cycles may gather a little before a search. */
    JS_SetGCThreshold(env->rt, (size_t)4 * 1024 * 1024);
}

static JSValue* tick_args(tick* entry) {
    return entry->more == NULL ? entry->args : entry->more;
}

static void release_tick(JSContext* ctx, tick* entry) {
    JSValue* args = tick_args(entry);
    for (int i = 0; i < entry->argc; i++)
        ph_drop(ctx, args[i]);
    if (entry->more != NULL)
        free(entry->more);
    JS_FreeValue(ctx, entry->function);
    ph_drop(ctx, entry->context);
}

void ph_gate_free(ph_env* env) {
    ph_ticks* ticks = env->ticks;
    for (; ticks->count > 0; ticks->count--) {
        release_tick(env->ctx, &ticks->slots[ticks->head]);
        ticks->head = (ticks->head + 1) & (ticks->capacity - 1);
    }
    free(ticks->slots);
    free(ticks);
}

static int grow(ph_ticks* ticks) {
    tick* bigger = malloc(ticks->capacity * 2 * sizeof(tick));
    if (bigger == NULL)
        return -1;
    size_t first = ticks->capacity - ticks->head;
    memcpy(bigger, ticks->slots + ticks->head, first * sizeof(tick));
    memcpy(bigger + first, ticks->slots, ticks->head * sizeof(tick));
    free(ticks->slots);
    ticks->slots = bigger;
    ticks->head = 0;
    ticks->capacity *= 2;
    return 0;
}

/* A place at the end of the queue; NULL: no memory. */
static tick* new_tick(ph_ticks* ticks) {
    if (ticks->count == ticks->capacity && grow(ticks) != 0)
        return NULL;
    return &ticks->slots[(ticks->head + ticks->count) & (ticks->capacity - 1)];
}

int ph_gate_tick(ph_env* env, ph_tick_run* run, void* task, JSValueConst* values) {
    JSContext* ctx = env->ctx;
    JSValue resource = ph_is_hooked(env) ? JS_NewObject(ctx) : JS_UNDEFINED;
    JSValue context = ph_work(env, "TickObject", resource);
    ph_drop(ctx, resource);
    tick* entry = new_tick(env->ticks);
    if (entry == NULL) {
        ph_drop(ctx, context);
        JS_ThrowOutOfMemory(ctx);
        return -1;
    }
    *entry = (tick){.function = JS_UNDEFINED,
                    .native = run,
                    .task = task,
                    .context = context,
                    .argc = INLINE_ARGS};
    for (int i = 0; i < INLINE_ARGS; i++)
        entry->args[i] = ph_keep(ctx, values[i]);
    env->ticks->count++;
    PH_PLAY("[\"tick+\"]");
    return 0;
}

static JSValue next_tick(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_env* env = ph_env_of(ctx);
    ph_ticks* ticks = env->ticks;
    if (!JS_IsFunction(ctx, argv[0])) {
        JSValue name = JS_NewString(ctx, "callback");
        JSValue expected = JS_NewString(ctx, "function");
        JSValueConst args[] = {name, expected, argv[0]};
        JSValue thrown = ph_hook_call(env, PH_HOOK_INVALID_ARG, 3, args);
        JS_FreeValue(ctx, name);
        JS_FreeValue(ctx, expected);
        return thrown;
    }
    JSValue context = ph_work(env, "TickObject", argv[0]);
    tick* entry = new_tick(ticks);
    if (entry == NULL) {
        JS_FreeValue(ctx, context);
        return JS_ThrowOutOfMemory(ctx);
    }
    entry->argc = argc - 1;
    entry->more = NULL;
    if (entry->argc > INLINE_ARGS) {
        entry->more = malloc((size_t)entry->argc * sizeof(JSValue));
        if (entry->more == NULL) {
            JS_FreeValue(ctx, context);
            return JS_ThrowOutOfMemory(ctx);
        }
    }
    JSValue* args = tick_args(entry);
    for (int i = 0; i < entry->argc; i++)
        args[i] = ph_keep(ctx, argv[i + 1]);
    entry->function = JS_DupValue(ctx, argv[0]);
    entry->native = NULL;
    entry->context = context;
    ticks->count++;
    PH_PLAY("[\"tick+\"]");
    return JS_UNDEFINED;
}

static void enter_context(ph_env* env, JSValueConst context) {
    JSValue before = env->async_context;
    env->async_context =
        JS_IsObject(context) ? ph_work_context(env, context) : ph_keep(env->ctx, context);
    ph_drop(env->ctx, before);
}

static JSValue run_native(ph_env* env, JSValueConst context, ph_tick_run* run, void* task,
                          JSValueConst* values) {
    if (!ph_is_hooked(env))
        return run(env->ctx, task, values);
    ph_work_enter(env, context);
    JSValue result = run(env->ctx, task, values);
    if (!JS_IsException(result))
        ph_work_leave(env);
    return result;
}

/* A call in a context, which the hooks are told of. After an exception, the gate unwinds. */
static JSValue call_hooked(ph_env* env, JSValueConst context, JSValueConst function,
                           JSValueConst self, int argc, JSValueConst* argv) {
    ph_work_enter(env, context);
    JSValue result = JS_Call(env->ctx, function, self, argc, argv);
    if (!JS_IsException(result))
        ph_work_leave(env);
    return result;
}

/* What was running when somebody began to count has returned. */
static void leave_base(ph_env* env) {
    if (!env->gate.has_base)
        return;
    env->gate.has_base = false;
    if (ph_is_hooked(env))
        ph_work_leave_base(env);
}

/* Runs ticks until there are none; false if one threw, with its exception pending. */
static bool run_ticks(ph_env* env) {
    JSContext* ctx = env->ctx;
    ph_ticks* ticks = env->ticks;
    while (ticks->count > 0 && !env->stopping) {
        /* The slots may move while the tick runs: only copies last. */
        const tick* next = &ticks->slots[ticks->head];
        JSValue function = next->function;
        JSValue context = next->context;
        ph_tick_run* native = next->native;
        void* task = next->task;
        int argc = next->argc;
        JSValue few[INLINE_ARGS];
        JSValue* args = next->more;
        if (args == NULL) {
            args = few;
            for (int i = 0; i < argc; i++)
                few[i] = next->args[i];
        }
        ticks->head = (ticks->head + 1) & (ticks->capacity - 1);
        ticks->count--;
        enter_context(env, context);
        PH_PLAY("[\"tick\"]");
        ph_trace_begins(env, PHASOR_SPAN_TICK);
        JSValue result = native != NULL ? run_native(env, context, native, task, args)
                         : ph_is_hooked(env)
                             ? call_hooked(env, context, function, JS_UNDEFINED, argc, args)
                             : JS_Call(ctx, function, JS_UNDEFINED, argc, args);
        ph_trace_ends(env, PHASOR_SPAN_TICK);
        PH_PLAY("[\"tick.\"]");
        if (env->gate.has_base)
            leave_base(env);
        for (int i = 0; i < argc; i++)
            ph_drop(ctx, args[i]);
        if (args != few)
            free(args);
        JS_FreeValue(ctx, function);
        ph_work_gone(env, context);
        ph_drop(ctx, context);
        if (JS_IsException(result))
            return false;
        ph_drop(ctx, result);
    }
    return true;
}

void ph_gate_jobs(ph_env* env) {
    JSContext* job_ctx;
    while (!env->stopping && JS_IsJobPending(env->rt)) {
        /* A job that belongs to a context enters it by itself. */
        if (!JS_IsUndefined(env->async_context))
            enter_context(env, JS_UNDEFINED);
        PH_PLAY("[\"job\"]");
        ph_trace_begins(env, PHASOR_SPAN_MICROTASK);
        int status = JS_ExecutePendingJob(env->rt, &job_ctx);
        ph_trace_ends(env, PHASOR_SPAN_MICROTASK);
        PH_PLAY("[\"job.\"]");
        if (status < 0)
            ph_gate_exception(env);
    }
}

static bool report_rejections(ph_env* env) {
    if (!env->gate.has_rejections || env->stopping)
        return false;
    env->gate.has_rejections = false;
    PH_PLAY("[\"rejections\"]");
    JSValue any = ph_hook_call(env, PH_HOOK_REJECTIONS, 0, NULL);
    if (JS_IsException(any)) {
        ph_gate_exception(env);
        return true;
    }
    bool reported = ph_flag(env->ctx, any);
    JS_FreeValue(env->ctx, any);
    return reported;
}

void ph_gate_drain(ph_env* env) {
    if (env->stopping)
        return;
    env->gate.depth++;
    env->gate.drain_failed = false;
    do {
        do {
            if (!run_ticks(env)) {
                /* The rest comes after whatever runs next: ticks that throw again and again let
                 * others have their turn. */
                ph_gate_exception(env);
                env->gate.drain_failed = true;
                goto done;
            }
            ph_gate_jobs(env);
        } while (env->ticks->count > 0 && !env->stopping);
    } while (report_rejections(env) || (env->ticks->count > 0 && !env->stopping));
done:
    enter_context(env, JS_UNDEFINED);
    if (--env->gate.depth == 0) {
        ph_kept_clear(env);
        leave_base(env);
    }
}

/* The uncaught hook has ended the process or the worker, by unwinding; or it has failed itself, and
 * that is not the silent end of a program that was content. */
static void end_after_exception(ph_env* env, JSValueConst error) {
    JSContext* ctx = env->ctx;
    JS_FreeValue(ctx, JS_GetException(ctx));
    if (!env->stopping) {
        const char* text = JS_ToCString(ctx, error);
        fprintf(stderr, "Uncaught %s\n", text == NULL ? "exception, which can't be shown" : text);
        JS_FreeCString(ctx, text);
        JS_FreeValue(ctx, JS_GetException(ctx));
        env->life.exit_code = FATAL_HANDLER;
        env->stopping = true;
    }
    uv_stop(env->loop);
}

static void report_exception(ph_env* env, JSValueConst error) {
    JSContext* ctx = env->ctx;
    JSValueConst args[] = {error, JS_UNDEFINED};
    ph_aside aside;
    PH_PLAY("[\"threw\"]");
    ph_aside_begin_last(env, &aside);
    /* That there is no memory left is told, too. */
    if (env->room.memory != 0)
        JS_SetMemoryLimit(env->rt, SIZE_MAX);
    JSValue handled = ph_hook_call(env, PH_HOOK_UNCAUGHT, 2, args);
    if (JS_IsException(handled)) {
        end_after_exception(env, error);
    } else {
        JS_FreeValue(ctx, handled);
        if (ph_is_hooked(env))
            ph_work_unwind(env);
        ph_immediates_add_empty(env);
        if (env->room.memory != 0)
            JS_SetMemoryLimit(env->rt, env->room.memory);
    }
    ph_aside_end(env, &aside);
}

void ph_gate_exception(ph_env* env) {
    JSValue error = JS_GetException(env->ctx);
    if (!env->stopping)
        report_exception(env, error);
    JS_FreeValue(env->ctx, error);
}

void ph_gate_enter(ph_env* env) {
    if (__builtin_expect(ph_play_on, 0) && env->gate.depth == 0)
        ph_play_enters();
    env->gate.depth++;
    ph_trace_entry(env);
}

int ph_gate_leave(ph_env* env, JSValue result) {
    int status = 0;
    if (JS_IsException(result)) {
        ph_gate_exception(env);
        status = -1;
    } else {
        ph_drop(env->ctx, result);
    }
    /* What was queued before it threw waits for what runs next: at the latest, the check phase. */
    if (--env->gate.depth == 0) {
        leave_base(env);
        if (status == 0)
            ph_gate_drain(env);
    }
    return status;
}

int ph_gate_call(ph_env* env, JSValueConst function, JSValueConst self, int argc,
                 JSValueConst* argv) {
    if (env->stopping)
        return -1;
    ph_gate_enter(env);
    return ph_gate_leave(env, JS_Call(env->ctx, function, self, argc, argv));
}

static int call_in(ph_env* env, JSValueConst context, JSValueConst function, JSValueConst self,
                   int argc, JSValueConst* argv) {
    enter_context(env, context);
    if (!ph_is_hooked(env))
        return ph_gate_call(env, function, self, argc, argv);
    ph_gate_enter(env);
    return ph_gate_leave(env, call_hooked(env, context, function, self, argc, argv));
}

int ph_gate_call_in(ph_env* env, JSValueConst context, JSValueConst function, JSValueConst self,
                    int argc, JSValue* argv_owned) {
    int status = -1;
    if (!env->stopping) {
        status = call_in(env, context, function, self, argc, argv_owned);
        if (env->gate.depth == 0)
            enter_context(env, JS_UNDEFINED);
    }
    for (int i = 0; i < argc; i++)
        JS_FreeValue(env->ctx, argv_owned[i]);
    return status;
}

void ph_gate_hook(ph_env* env, ph_hook hook) {
    ph_gate_call(env, env->hooks[hook], JS_UNDEFINED, 0, NULL);
}

static JSValue run_microtasks(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    JSValue context = JS_DupValue(ctx, env->async_context);
    ph_gate_jobs(env);
    JS_FreeValue(ctx, env->async_context);
    env->async_context = context;
    return JS_UNDEFINED;
}

static JSValue run_job(JSContext* ctx, int argc, JSValueConst* argv) {
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    JSValue before = env->async_context;
    env->async_context = ph_work_context(env, argv[1]);
    JSValue result = ph_is_hooked(env) ? call_hooked(env, argv[1], argv[0], JS_UNDEFINED, 0, NULL)
                                       : JS_Call(ctx, argv[0], JS_UNDEFINED, 0, NULL);
    ph_work_gone(env, argv[1]);
    JS_FreeValue(ctx, env->async_context);
    env->async_context = before;
    return result;
}

/* enqueueMicrotask(function, silent): async_hooks is not told of one that is silent. */
static JSValue queue_microtask(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    ph_env* env = ph_env_of(ctx);
    bool silent = argc > 1 && ph_flag(ctx, argv[1]);
    JSValue context =
        silent ? JS_DupValue(ctx, env->async_context) : ph_work(env, "Microtask", argv[0]);
    JSValueConst args[] = {argv[0], context};
    int status = JS_EnqueueJob(ctx, run_job, 2, args);
    JS_FreeValue(ctx, context);
    return status < 0 ? JS_EXCEPTION : JS_UNDEFINED;
}

/* raise(error): as uncaught; what is running goes on. */
static JSValue raise_error(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    JS_Throw(ctx, JS_DupValue(ctx, argv[0]));
    ph_gate_exception(ph_env_of(ctx));
    return JS_UNDEFINED;
}

static JSValue get_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_DupValue(ctx, ph_env_of(ctx)->async_context);
}

static JSValue set_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    enter_context(ph_env_of(ctx), argv[0]);
    return JS_UNDEFINED;
}

static void on_promise(JSContext* ctx, JSPromiseHookType type, JSValueConst promise,
                       JSValueConst parent, void* opaque) {
    ph_env* env = opaque;
    if (env->stopping || JS_IsUndefined(env->promise_hook))
        return;
    JSValueConst args[] = {JS_NewInt32(ctx, (int)type), promise, parent};
    ph_aside_call(env, env->promise_hook, 3, args);
}

/* setPromiseHook(function or undefined): function(kind, promise, parent), with kinds 0 made, 1
 * before and 2 after what runs behind it, 3 resolved. */
static JSValue set_promise_hook(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    bool any = JS_IsFunction(ctx, argv[0]);
    JS_FreeValue(ctx, env->promise_hook);
    env->promise_hook = any ? JS_DupValue(ctx, argv[0]) : JS_UNDEFINED;
    JS_SetPromiseHook(env->rt, any ? on_promise : NULL, env);
    return JS_UNDEFINED;
}

JSValue ph_gate_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("nextTick", 1, next_tick),
        JS_CFUNC_DEF("runMicrotasks", 0, run_microtasks),
        JS_CFUNC_DEF("enqueueMicrotask", 1, queue_microtask),
        JS_CFUNC_DEF("raise", 1, raise_error),
        JS_CFUNC_DEF("getContext", 0, get_context),
        JS_CFUNC_DEF("setContext", 1, set_context),
        JS_CFUNC_DEF("setPromiseHook", 1, set_promise_hook),
    };
    JSValue binding = PH_EXPORT(ctx, functions);
    ph_hooked_export(ctx, binding);
    return binding;
}
