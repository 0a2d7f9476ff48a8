#include "engine/timers.h"

#include <stdlib.h>
#include <string.h>

#include "engine/gate.h"
#include "engine/hooked.h"
#include "engine/immediates.h"
#include "engine/patched.h"
#include "engine/play.h"
#include "engine/timer_lists.h"
#include "engine/trace.h"

enum { LONGEST = 2147483647 };

struct ph_timers {
    uv_timer_t timer;
    ph_timer_store store;
    ph_immediates immediates;
    JSClassID timeout_class;
    uint32_t next_id;
    size_t referenced;  /* waiting timeouts that keep the loop alive */
    bool running;       /* the timers phase: the loop timer is set at its end */
    ph_timeout* newest; /* the last one started, until another one is or its callback is called */
};

ph_immediates* ph_immediates_of(ph_env* env) {
    return &env->timers->immediates;
}

static uint64_t now_of(ph_env* env) {
    uv_update_time(env->loop);
    return uv_now(env->loop);
}

static void on_timer(uv_timer_t* timer);

static void arm(ph_env* env) {
    ph_timers* timers = env->timers;
    if (timers->store.count == 0) {
        uv_timer_stop(&timers->timer);
        return;
    }
    uint64_t now = uv_now(env->loop);
    uint64_t expiry = timers->store.heap[0]->expiry;
    uv_timer_start(&timers->timer, on_timer, expiry > now ? expiry - now : 1, 0);
}

static void count_reference(ph_env* env, int change) {
    ph_timers* timers = env->timers;
    bool before = timers->referenced != 0;
    timers->referenced += (size_t)change;
    bool after = timers->referenced != 0;
    if (before && !after)
        uv_unref((uv_handle_t*)&timers->timer);
    else if (after && !before)
        uv_ref((uv_handle_t*)&timers->timer);
}

static JSValue object_of(void* pointer) {
    return JS_MKPTR(JS_TAG_OBJECT, pointer);
}

static void free_timeout(JSRuntime* rt, ph_timeout* timeout) {
    JS_FreeValueRT(rt, object_of(timeout->function));
    ph_timeout_extra* extra = timeout->extra;
    if (extra != NULL) {
        JS_FreeValueRT(rt, extra->context);
        for (int i = 0; i < extra->argc; i++)
            JS_FreeValueRT(rt, extra->args[i]);
        js_free_rt(rt, extra);
    }
    js_free_rt(rt, timeout);
}

/* Most programs do not keep what setTimeout gives. The object then goes when the next timeout is
 * started, and comes back for the callback as its this: waiting timeouts take half the memory. */
static void give_up_object(ph_env* env, ph_timeout* timeout) {
    JSValue self = object_of(timeout->self);
    if (js_is_forgotten == NULL || !js_is_forgotten(env->ctx, self))
        return;
    timeout->self = NULL;
    JS_SetOpaque(self, NULL);
    JS_FreeValue(env->ctx, self);
}

static int make_object(ph_env* env, ph_timeout* timeout) {
    JSValue self = JS_NewObjectClass(env->ctx, env->timers->timeout_class);
    if (JS_IsException(self))
        return -1;
    JS_SetOpaque(self, timeout);
    timeout->self = JS_VALUE_GET_PTR(self);
    return 0;
}

static void release(ph_env* env, ph_timeout* timeout) {
    if (timeout->self == NULL)
        free_timeout(env->rt, timeout);
    else
        JS_FreeValue(env->ctx, object_of(timeout->self));
}

static int begin_waiting(ph_env* env, ph_timeout* timeout, uint64_t start) {
    ph_timers* timers = env->timers;
    bool first;
    if (ph_store_insert(&timers->store, timeout, start, &first) != 0)
        return -1;
    PH_PLAY("[\"timer+\",%u,%llu,%u,%d]", timeout->id,
            (unsigned long long)(start + timeout->duration), timeout->duration, timeout->repeats);
    if (first && !timers->running && timers->store.heap[0] == timeout->list)
        arm(env);
    return 0;
}

/* The timeout is done with: its object may be collected. */
static void destroy(ph_env* env, ph_timeout* timeout) {
    if (timeout->destroyed)
        return;
    timeout->destroyed = true;
    if (env->timers->newest == timeout)
        env->timers->newest = NULL;
    if (timeout->referenced)
        count_reference(env, -1);
    if (timeout->list != NULL)
        ph_store_remove(&env->timers->store, timeout);
    if (timeout->extra != NULL)
        ph_work_gone(env, timeout->extra->context);
    if (!timeout->running)
        release(env, timeout);
}

/* By the user: it can't be refreshed any more. */
static void clear(ph_env* env, ph_timeout* timeout) {
    timeout->cleared = true;
    PH_PLAY("[\"timer-\",%u]", timeout->id);
    destroy(env, timeout);
}

static void call_timeout(ph_env* env, ph_timeout* timeout) {
    JSContext* ctx = env->ctx;
    uint64_t start = timeout->repeats ? now_of(env) : 0;
    JSValue args[8];
    JSValue* copies = args;
    JSValueConst context = JS_UNDEFINED;
    int argc = 0;
    if (env->timers->newest == timeout)
        env->timers->newest = NULL;
    if (timeout->self == NULL && make_object(env, timeout) != 0) {
        ph_gate_exception(env);
        destroy(env, timeout);
        return;
    }
    if (timeout->extra != NULL) {
        argc = timeout->extra->argc;
        context = timeout->extra->context;
        if (argc > 8)
            copies = malloc((size_t)argc * sizeof(JSValue));
        for (int i = 0; i < argc; i++)
            copies[i] = JS_DupValue(ctx, timeout->extra->args[i]);
    }
    timeout->running = true;
    PH_PLAY("[\"timer\",%u]", timeout->id);
    ph_trace_later(timeout, PHASOR_LATER_RUNS);
    ph_gate_call_in(env, context, object_of(timeout->function), object_of(timeout->self), argc,
                    copies);
    PH_PLAY("[\"timer.\"]");
    timeout->running = false;
    if (copies != args)
        free(copies);
    if (timeout->destroyed) {
        release(env, timeout);
    } else if (timeout->list != NULL) {
        /* refresh() inside the callback has put it back. */
    } else if (timeout->repeats && !env->stopping) {
        begin_waiting(env, timeout, start);
    } else {
        destroy(env, timeout);
    }
}

/* Timeouts that have waited among many others have left the caches. */
static void fetch_ahead(const ph_timeout* timeout) {
    const ph_timeout* next = timeout->next;
    if (js_prefetch_block == NULL || next == NULL || next->next == NULL)
        return;
    const ph_timeout* third = next->next->next;
    js_prefetch_block(next);
    js_prefetch_function(next->function);
    __builtin_prefetch(next->next->function);
    __builtin_prefetch(third);
    __builtin_prefetch((const char*)third + sizeof(*third) - 1);
}

static void run_list(ph_env* env, ph_timer_list* list, uint64_t now) {
    ph_timer_store* store = &env->timers->store;
    while (!env->stopping) {
        ph_timeout* timeout = list->head;
        uint64_t due = timeout->start + list->duration;
        if (due > now) {
            list->expiry = due > now + 1 ? due : now + 1;
            ph_store_postpone(store, list);
            return;
        }
        bool last = timeout->next == NULL;
        fetch_ahead(timeout);
        /* The list must outlive its last callback only if that puts something on it. */
        ph_store_remove(store, timeout);
        ph_trace_timer(due);
        call_timeout(env, timeout);
        if (last || store->count == 0 || store->heap[0] != list || list->head == NULL)
            return;
    }
}

static void on_timer(uv_timer_t* timer) {
    ph_env* env = timer->loop->data;
    ph_timers* timers = env->timers;
    uint64_t now = now_of(env);
    timers->running = env->gate.in_batch = true;
    env->gate.drain_failed = false;
    while (timers->store.count > 0 && !env->stopping) {
        ph_timer_list* list = timers->store.heap[0];
        if (list->expiry > now)
            break;
        run_list(env, list, now);
    }
    timers->running = env->gate.in_batch = false;
    /* After a tick that threw, the rest waits for the check phase. */
    if (!env->gate.drain_failed)
        ph_gate_drain(env);
    if (!env->stopping) {
        uv_update_time(env->loop); /* the time that callbacks took must not be slept once more */
        arm(env);
    }
}

static ph_timeout* timeout_of(JSContext* ctx, JSValueConst value) {
    return JS_GetOpaque(value, ph_env_of(ctx)->timers->timeout_class);
}

static uint32_t to_delay(JSContext* ctx, JSValueConst value) {
    double delay;
    if (JS_IsUndefined(value))
        return 1;
    if (JS_ToFloat64(ctx, &delay, value) != 0) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return 1;
    }
    if (delay > LONGEST) {
        JSValue given = JS_NewFloat64(ctx, delay);
        JSValue warned = ph_hook_call(ph_env_of(ctx), PH_HOOK_WARN_TIMEOUT, 1, &given);
        if (JS_IsException(warned))
            JS_FreeValue(ctx, JS_GetException(ctx));
        JS_FreeValue(ctx, warned);
    }
    return delay >= 1 && delay <= LONGEST ? (uint32_t)delay : 1;
}

JSValue ph_timers_not_a_function(JSContext* ctx, JSValueConst value) {
    JSValue name = JS_NewString(ctx, "callback");
    JSValue expected = JS_NewString(ctx, "function");
    JSValueConst args[] = {name, expected, value};
    JSValue thrown = ph_hook_call(ph_env_of(ctx), PH_HOOK_INVALID_ARG, 3, args);
    JS_FreeValue(ctx, name);
    JS_FreeValue(ctx, expected);
    return thrown;
}

enum { ONCE, REPEAT };

static ph_timeout_extra* make_extra(JSContext* ctx, int argc, JSValueConst* argv) {
    ph_timeout_extra* extra = js_malloc(ctx, sizeof(*extra) + (size_t)argc * sizeof(JSValue));
    if (extra == NULL)
        return NULL;
    extra->context = JS_UNDEFINED;
    extra->argc = argc;
    for (int i = 0; i < argc; i++)
        extra->args[i] = JS_DupValue(ctx, argv[i]);
    return extra;
}

static JSValue set_timeout(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int magic) {
    (void)self;
    ph_env* env = ph_env_of(ctx);
    ph_timers* timers = env->timers;
    if (!JS_IsFunction(ctx, argv[0]))
        return ph_timers_not_a_function(ctx, argv[0]);
    uint32_t delay = to_delay(ctx, argv[1]);
    int extra = argc > 2 ? argc - 2 : 0;
    ph_timeout* timeout = js_mallocz(ctx, sizeof(*timeout));
    if (timeout == NULL)
        return JS_EXCEPTION;
    if (extra > 0 || ph_is_hooked(env) || !JS_IsUndefined(env->async_context)) {
        timeout->extra = make_extra(ctx, extra, argv + 2);
        if (timeout->extra == NULL) {
            js_free(ctx, timeout);
            return JS_EXCEPTION;
        }
    }
    timeout->function = JS_VALUE_GET_PTR(JS_DupValue(ctx, argv[0]));
    if (make_object(env, timeout) != 0) {
        free_timeout(env->rt, timeout);
        return JS_EXCEPTION;
    }
    timeout->id = ++timers->next_id;
    timeout->duration = delay;
    timeout->repeats = magic == REPEAT;
    timeout->referenced = true;
    if (timeout->extra != NULL)
        timeout->extra->context = ph_work(env, "Timeout", object_of(timeout->self));
    count_reference(env, 1);
    ph_trace_later(timeout, PHASOR_LATER_IS_MADE);
    begin_waiting(env, timeout, now_of(env));
    if (timers->newest != NULL)
        give_up_object(env, timers->newest);
    timers->newest = timeout;
    return JS_DupValue(ctx, object_of(timeout->self));
}

static ph_timeout* find_by_id(ph_env* env, double id) {
    ph_timer_store* store = &env->timers->store;
    for (size_t i = 0; i < store->count; i++)
        for (ph_timeout* one = store->heap[i]->head; one != NULL; one = one->next)
            if (one->id == id)
                return one;
    return NULL;
}

static JSValue clear_timeout(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    ph_timeout* timeout = timeout_of(ctx, argv[0]);
    double id;
    if (timeout == NULL && ph_immediates_clear(ctx, argv[0]))
        return JS_UNDEFINED;
    if (timeout == NULL && (JS_IsNumber(argv[0]) || JS_IsString(argv[0])) &&
        JS_ToFloat64(ctx, &id, argv[0]) == 0)
        timeout = find_by_id(env, id);
    if (timeout != NULL)
        clear(env, timeout);
    return JS_UNDEFINED;
}

enum { REF, UNREF, HAS_REF, REFRESH, CLOSE, TO_NUMBER, STATE, SET_REPEAT };

static void set_referenced(ph_env* env, ph_timeout* timeout, bool referenced) {
    if (timeout->referenced == referenced)
        return;
    timeout->referenced = referenced;
    PH_PLAY("[\"timer~\",%u,%d]", timeout->id, referenced);
    if (!timeout->destroyed)
        count_reference(env, referenced ? 1 : -1);
}

static void refresh(ph_env* env, ph_timeout* timeout) {
    JSContext* ctx = env->ctx;
    if (timeout->cleared)
        return;
    if (timeout->list != NULL)
        ph_store_remove(&env->timers->store, timeout);
    if (timeout->destroyed) {
        timeout->destroyed = false;
        if (timeout->extra != NULL && ph_is_hooked(env)) {
            JSValue before = timeout->extra->context;
            timeout->extra->context = ph_work(env, "Timeout", object_of(timeout->self));
            JS_FreeValue(ctx, before);
        }
        if (!timeout->running)
            JS_DupValue(ctx, object_of(timeout->self));
        if (timeout->referenced)
            count_reference(env, 1);
    }
    begin_waiting(env, timeout, now_of(env));
}

/* What util.inspect shows of a timeout. */
static JSValue state(JSContext* ctx, ph_timeout* timeout) {
    JSValue object = JS_NewObject(ctx);
    int64_t idle = timeout->destroyed ? -1 : (int64_t)timeout->duration;
    ph_set(ctx, object, "idleTimeout", JS_NewInt64(ctx, idle));
    ph_set(ctx, object, "idleStart", JS_NewInt64(ctx, (int64_t)timeout->start));
    ph_set(ctx, object, "onTimeout", JS_DupValue(ctx, object_of(timeout->function)));
    ph_set(ctx, object, "repeat", timeout->repeats ? JS_NewInt64(ctx, timeout->duration) : JS_NULL);
    ph_set(ctx, object, "destroyed", JS_NewBool(ctx, timeout->destroyed));
    return object;
}

static JSValue timeout_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                              int magic) {
    ph_env* env = ph_env_of(ctx);
    ph_timeout* timeout = timeout_of(ctx, self);
    /* Node's methods only set fields, so that they can be called on anything. */
    if (timeout == NULL && (magic == REF || magic == UNREF))
        return JS_DupValue(ctx, self);
    if (timeout == NULL)
        return JS_ThrowTypeError(ctx, "Illegal invocation");
    switch (magic) {
    case REF:
    case UNREF:
        set_referenced(env, timeout, magic == REF);
        break;
    case HAS_REF:
        return JS_NewBool(ctx, timeout->referenced);
    case REFRESH:
        refresh(env, timeout);
        break;
    case CLOSE:
        clear(env, timeout);
        break;
    case TO_NUMBER:
        return JS_NewInt64(ctx, timeout->id);
    case STATE:
        return state(ctx, timeout);
    case SET_REPEAT:
        timeout->repeats = argc > 0 && JS_ToBool(ctx, argv[0]) > 0;
        break;
    }
    return JS_DupValue(ctx, self);
}

static void finalize_timeout(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_timeout* timeout = JS_GetOpaque(value, env->timers->timeout_class);
    if (timeout != NULL)
        free_timeout(rt, timeout);
}

static void mark_timeout(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_timeout* timeout = JS_GetOpaque(value, env->timers->timeout_class);
    if (timeout == NULL)
        return;
    JS_MarkValue(rt, object_of(timeout->function), mark);
    if (timeout->extra == NULL)
        return;
    JS_MarkValue(rt, timeout->extra->context, mark);
    for (int i = 0; i < timeout->extra->argc; i++)
        JS_MarkValue(rt, timeout->extra->args[i], mark);
}

static void free_timers(JSRuntime* rt, void* arg) {
    (void)rt;
    ph_timers* timers = arg;
    free(timers->store.heap);
    free(timers);
}

void ph_timers_init(ph_env* env) {
    static const JSClassDef definition = {
        .class_name = "Timeout", .finalizer = finalize_timeout, .gc_mark = mark_timeout};
    ph_timers* timers = calloc(1, sizeof(*timers));
    env->timers = timers;
    /* The finalizers of timeouts read the class from here, so it goes with the engine itself. */
    JS_AddRuntimeFinalizer(env->rt, free_timers, timers);
    JS_NewClassID(env->rt, &timers->timeout_class);
    JS_NewClass(env->rt, timers->timeout_class, &definition);
    uv_timer_init(env->loop, &timers->timer);
    uv_unref((uv_handle_t*)&timers->timer);
    ph_immediates_init(env, &timers->immediates);
}

void ph_timers_close(ph_env* env) {
    ph_timers* timers = env->timers;
    while (timers->store.count > 0)
        destroy(env, timers->store.heap[0]->head);
    uv_close((uv_handle_t*)&timers->timer, NULL);
    ph_immediates_close(env);
}

/* counts(): timeouts and immediates that keep the program alive. */
static JSValue counts(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    const ph_timers* timers = ph_env_of(ctx)->timers;
    JSValue list = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, list, 0, JS_NewInt64(ctx, (int64_t)timers->referenced));
    JS_SetPropertyUint32(ctx, list, 1, JS_NewInt64(ctx, (int64_t)timers->immediates.referenced));
    return list;
}

JSValue ph_timers_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("setTimeout", 2, set_timeout, ONCE),
        JS_CFUNC_MAGIC_DEF("setInterval", 2, set_timeout, REPEAT),
        JS_CFUNC_DEF("clearTimeout", 1, clear_timeout),
        JS_CFUNC_DEF("clearInterval", 1, clear_timeout),
        JS_CFUNC_DEF("counts", 0, counts),
    };
    static const JSCFunctionListEntry methods[] = {
        JS_CFUNC_MAGIC_DEF("ref", 0, timeout_method, REF),
        JS_CFUNC_MAGIC_DEF("unref", 0, timeout_method, UNREF),
        JS_CFUNC_MAGIC_DEF("hasRef", 0, timeout_method, HAS_REF),
        JS_CFUNC_MAGIC_DEF("refresh", 0, timeout_method, REFRESH),
        JS_CFUNC_MAGIC_DEF("close", 0, timeout_method, CLOSE),
        JS_CFUNC_MAGIC_DEF("toNumber", 0, timeout_method, TO_NUMBER),
        JS_CFUNC_MAGIC_DEF("state", 0, timeout_method, STATE),
        JS_CFUNC_MAGIC_DEF("setRepeat", 1, timeout_method, SET_REPEAT),
    };
    ph_env* env = ph_env_of(ctx);
    JSValue binding = PH_EXPORT(ctx, functions);
    JSValue prototype = PH_EXPORT(ctx, methods);
    JS_SetClassProto(ctx, env->timers->timeout_class, JS_DupValue(ctx, prototype));
    ph_set(ctx, binding, "timeoutPrototype", prototype);
    ph_immediates_export(ctx, binding);
    return binding;
}
