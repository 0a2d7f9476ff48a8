#include "timers.h"

#include <stdlib.h>
#include <string.h>

#include "gate.h"
#include "immediates.h"
#include "timer_lists.h"

enum { LONGEST = 2147483647 };

struct ph_timers {
    uv_timer_t timer;
    ph_timer_store store;
    ph_immediates immediates;
    JSClassID timeout_class;
    uint32_t next_id;
    size_t referenced; // waiting timeouts that keep the loop alive
    bool running;      // the timers phase: the loop timer is set at its end
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
    timers->referenced += (size_t)change;
    if (timers->referenced == 0)
        uv_unref((uv_handle_t*)&timers->timer);
    else
        uv_ref((uv_handle_t*)&timers->timer);
}

static int begin_waiting(ph_env* env, ph_timeout* timeout, uint64_t start) {
    ph_timers* timers = env->timers;
    bool first;
    if (ph_store_insert(&timers->store, timeout, start, &first) != 0)
        return -1;
    if (first && !timers->running && timers->store.heap[0] == timeout->list)
        arm(env);
    return 0;
}

// The timeout is done with: its object may be collected.
static void destroy(ph_env* env, ph_timeout* timeout) {
    if (timeout->destroyed)
        return;
    timeout->destroyed = true;
    if (timeout->referenced)
        count_reference(env, -1);
    if (timeout->list != NULL)
        ph_store_remove(&env->timers->store, timeout);
    if (!timeout->running)
        JS_FreeValue(env->ctx, timeout->self);
}

// By the user: it can't be refreshed any more.
static void clear(ph_env* env, ph_timeout* timeout) {
    timeout->cleared = true;
    destroy(env, timeout);
}

static void call_timeout(ph_env* env, ph_timeout* timeout) {
    JSContext* ctx = env->ctx;
    uint64_t start = timeout->repeat != 0 ? now_of(env) : 0;
    JSValue args[8];
    JSValue* copies = timeout->argc <= 8 ? args : malloc((size_t)timeout->argc * sizeof(JSValue));
    for (int i = 0; i < timeout->argc; i++)
        copies[i] = JS_DupValue(ctx, timeout->args[i]);
    timeout->running = true;
    ph_gate_call_in(env, timeout->context, timeout->function, timeout->self, timeout->argc, copies);
    timeout->running = false;
    if (copies != args)
        free(copies);
    if (timeout->destroyed) {
        JS_FreeValue(ctx, timeout->self);
    } else if (timeout->list != NULL) {
        // refresh() inside the callback has put it back.
    } else if (timeout->repeat != 0 && !env->stopping) {
        timeout->duration = timeout->repeat;
        begin_waiting(env, timeout, start);
    } else {
        destroy(env, timeout);
    }
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
        // The list must outlive its last callback only if that puts something on it.
        ph_store_remove(store, timeout);
        call_timeout(env, timeout);
        if (last || store->count == 0 || store->heap[0] != list || list->head == NULL)
            return;
    }
}

static void on_timer(uv_timer_t* timer) {
    ph_env* env = timer->loop->data;
    ph_timers* timers = env->timers;
    uint64_t now = now_of(env);
    timers->running = env->in_batch = true;
    while (timers->store.count > 0 && !env->stopping) {
        ph_timer_list* list = timers->store.heap[0];
        if (list->expiry > now)
            break;
        run_list(env, list, now);
    }
    timers->running = env->in_batch = false;
    ph_gate_drain(env);
    if (!env->stopping)
        arm(env);
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

static JSValue set_timeout(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                           int magic) {
    (void)self;
    ph_env* env = ph_env_of(ctx);
    if (!JS_IsFunction(ctx, argv[0]))
        return ph_timers_not_a_function(ctx, argv[0]);
    uint32_t delay = to_delay(ctx, argv[1]);
    int extra = argc > 2 ? argc - 2 : 0;
    ph_timeout* timeout = calloc(1, sizeof(*timeout));
    if (timeout != NULL && extra > 0) {
        timeout->args = malloc((size_t)extra * sizeof(JSValue));
        if (timeout->args == NULL) {
            free(timeout);
            timeout = NULL;
        }
    }
    if (timeout == NULL)
        return JS_ThrowOutOfMemory(ctx);
    JSValue object = JS_NewObjectClass(ctx, env->timers->timeout_class);
    for (int i = 0; i < extra; i++)
        timeout->args[i] = JS_DupValue(ctx, argv[i + 2]);
    timeout->argc = extra;
    timeout->function = JS_DupValue(ctx, argv[0]);
    timeout->context = JS_DupValue(ctx, env->async_context);
    timeout->id = ++env->timers->next_id;
    timeout->duration = delay;
    timeout->repeat = magic == REPEAT ? delay : 0;
    timeout->referenced = true;
    JS_SetOpaque(object, timeout);
    timeout->self = JS_DupValue(ctx, object);
    count_reference(env, 1);
    begin_waiting(env, timeout, now_of(env));
    return object;
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

enum { REF, UNREF, HAS_REF, REFRESH, CLOSE, TO_NUMBER, STATE };

static void set_referenced(ph_env* env, ph_timeout* timeout, bool referenced) {
    if (timeout->referenced == referenced)
        return;
    timeout->referenced = referenced;
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
        if (!timeout->running)
            JS_DupValue(ctx, timeout->self);
        if (timeout->referenced)
            count_reference(env, 1);
    }
    begin_waiting(env, timeout, now_of(env));
}

// What util.inspect shows of a timeout.
static JSValue state(JSContext* ctx, ph_timeout* timeout) {
    JSValue object = JS_NewObject(ctx);
    int64_t idle = timeout->destroyed ? -1 : (int64_t)timeout->duration;
    ph_set(ctx, object, "idleTimeout", JS_NewInt64(ctx, idle));
    ph_set(ctx, object, "idleStart", JS_NewInt64(ctx, (int64_t)timeout->start));
    ph_set(ctx, object, "onTimeout", JS_DupValue(ctx, timeout->function));
    ph_set(ctx, object, "repeat", timeout->repeat ? JS_NewInt64(ctx, timeout->repeat) : JS_NULL);
    ph_set(ctx, object, "destroyed", JS_NewBool(ctx, timeout->destroyed));
    return object;
}

static JSValue timeout_method(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                              int magic) {
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    ph_timeout* timeout = timeout_of(ctx, self);
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
    }
    return JS_DupValue(ctx, self);
}

static void finalize_timeout(JSRuntime* rt, JSValueConst value) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_timeout* timeout = JS_GetOpaque(value, env->timers->timeout_class);
    if (timeout == NULL)
        return;
    JS_FreeValueRT(rt, timeout->function);
    JS_FreeValueRT(rt, timeout->context);
    for (int i = 0; i < timeout->argc; i++)
        JS_FreeValueRT(rt, timeout->args[i]);
    free(timeout->args);
    free(timeout);
}

static void mark_timeout(JSRuntime* rt, JSValueConst value, JS_MarkFunc* mark) {
    ph_env* env = JS_GetRuntimeOpaque(rt);
    ph_timeout* timeout = JS_GetOpaque(value, env->timers->timeout_class);
    if (timeout == NULL)
        return;
    JS_MarkValue(rt, timeout->function, mark);
    JS_MarkValue(rt, timeout->context, mark);
    for (int i = 0; i < timeout->argc; i++)
        JS_MarkValue(rt, timeout->args[i], mark);
}

void ph_timers_init(ph_env* env) {
    static const JSClassDef definition = {
        .class_name = "Timeout", .finalizer = finalize_timeout, .gc_mark = mark_timeout};
    ph_timers* timers = calloc(1, sizeof(*timers));
    env->timers = timers;
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

static void free_timers(JSRuntime* rt, void* arg) {
    (void)rt;
    ph_timers* timers = arg;
    free(timers->store.heap);
    free(timers);
}

JSValue ph_timers_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_MAGIC_DEF("setTimeout", 2, set_timeout, ONCE),
        JS_CFUNC_MAGIC_DEF("setInterval", 2, set_timeout, REPEAT),
        JS_CFUNC_DEF("clearTimeout", 1, clear_timeout),
        JS_CFUNC_DEF("clearInterval", 1, clear_timeout),
    };
    static const JSCFunctionListEntry methods[] = {
        JS_CFUNC_MAGIC_DEF("ref", 0, timeout_method, REF),
        JS_CFUNC_MAGIC_DEF("unref", 0, timeout_method, UNREF),
        JS_CFUNC_MAGIC_DEF("hasRef", 0, timeout_method, HAS_REF),
        JS_CFUNC_MAGIC_DEF("refresh", 0, timeout_method, REFRESH),
        JS_CFUNC_MAGIC_DEF("close", 0, timeout_method, CLOSE),
        JS_CFUNC_MAGIC_DEF("toNumber", 0, timeout_method, TO_NUMBER),
        JS_CFUNC_MAGIC_DEF("state", 0, timeout_method, STATE),
    };
    ph_env* env = ph_env_of(ctx);
    // The finalizers of timeouts read the class from here, so it goes with the engine itself.
    JS_AddRuntimeFinalizer(env->rt, free_timers, env->timers);
    JSValue binding = PH_EXPORT(ctx, functions);
    JSValue prototype = PH_EXPORT(ctx, methods);
    JS_SetClassProto(ctx, env->timers->timeout_class, JS_DupValue(ctx, prototype));
    ph_set(ctx, binding, "timeoutPrototype", prototype);
    ph_immediates_export(ctx, binding);
    return binding;
}
