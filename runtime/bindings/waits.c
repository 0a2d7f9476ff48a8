/* Atomics.waitAsync: the engine keeps who waits (runtime/engine/inside/async_waits.c), here are
 * the
 * promises. Each world has one handle that other threads knock at. Neither it nor a time limit
 * keeps a program alive, as in Node. */
#include "bindings/waits.h"

#include <math.h>
#include <stdlib.h>

#include "bindings/bindings.h"
#include "bindings/world.h"
#include "engine/endings.h"
#include "engine/gate.h"
#include "engine/patched.h"

typedef struct ph_waits ph_waits;
typedef struct one_wait one_wait;

struct ph_waits {
    ph_ending ending;
    ph_env* env;
    uv_async_t knocked;
    one_wait* first; /* the oldest */
    one_wait** last;
};

struct one_wait {
    one_wait* next;
    ph_waits* waits;
    void* wait; /* the engine's */
    JSValue resolve;
    JSValue view; /* keeps the memory, which may not become another's */
    bool has_timer;
    uv_timer_t timer;
};

static void free_wait(uv_handle_t* timer) {
    free(timer->data);
}

/* Takes it out of the list and gives back what it holds. */
static void drop(one_wait* one) {
    ph_waits* waits = one->waits;
    one_wait** link = &waits->first;
    while (*link != one)
        link = &(*link)->next;
    *link = one->next;
    if (one->next == NULL)
        waits->last = link;
    JS_FreeValue(waits->env->ctx, one->resolve);
    JS_FreeValue(waits->env->ctx, one->view);
    if (one->has_timer)
        uv_close((uv_handle_t*)&one->timer, free_wait);
    else
        free(one);
}

static void settle(one_wait* one) {
    ph_env* env = one->waits->env;
    JSValue resolve = JS_DupValue(env->ctx, one->resolve);
    JSValue how = JS_NewString(env->ctx, js_end_wait(env->rt, one->wait) ? "ok" : "timed-out");
    drop(one);
    ph_gate_call(env, resolve, JS_UNDEFINED, 1, &how);
    JS_FreeValue(env->ctx, how);
    JS_FreeValue(env->ctx, resolve);
}

static one_wait* told_one(const ph_waits* waits) {
    for (one_wait* one = waits->first; one != NULL; one = one->next)
        if (js_was_told(one->wait))
            return one;
    return NULL;
}

/* What a promise does may begin and end other waits: the search starts again after each. Those that
 * it begins have their turn with their own knock. */
static void on_knock(uv_async_t* knocked) {
    ph_waits* waits = knocked->data;
    size_t left = 0;
    for (one_wait* one = waits->first; one != NULL; one = one->next)
        left++;
    for (; left > 0 && !waits->env->stopping; left--) {
        one_wait* told = told_one(waits);
        if (told == NULL)
            return;
        settle(told);
    }
}

static void on_timer(uv_timer_t* timer) {
    one_wait* one = timer->data;
    if (!one->waits->env->stopping)
        settle(one);
}

static void knock(void* data) {
    uv_async_send(data);
}

static void free_waits(uv_handle_t* handle) {
    free(handle->data);
}

static void end(ph_ending* ending) {
    ph_waits* waits = (ph_waits*)ending;
    while (waits->first != NULL) {
        js_end_wait(waits->env->rt, waits->first->wait);
        drop(waits->first);
    }
    ph_world_of(waits->env)->waits = NULL;
    uv_close((uv_handle_t*)&waits->knocked, free_waits);
}

/* NULL: no memory or no descriptors, which is thrown. */
static ph_waits* waits_of(JSContext* ctx, ph_env* env) {
    if (ph_world_of(env)->waits != NULL)
        return ph_world_of(env)->waits;
    ph_waits* waits = calloc(1, sizeof(*waits));
    if (waits == NULL || uv_async_init(env->loop, &waits->knocked, on_knock) != 0) {
        free(waits);
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    uv_unref((uv_handle_t*)&waits->knocked);
    waits->knocked.data = waits;
    waits->env = env;
    waits->last = &waits->first;
    waits->ending.run = end;
    ph_ending_add(env, &waits->ending);
    return ph_world_of(env)->waits = waits;
}

static void start_timer(one_wait* one, double timeout) {
    if (isinf(timeout) || uv_timer_init(one->waits->env->loop, &one->timer) != 0)
        return;
    one->has_timer = true;
    one->timer.data = one;
    uv_unref((uv_handle_t*)&one->timer);
    uint64_t most = UINT64_MAX / 4;
    uv_timer_start(&one->timer, on_timer, timeout < (double)most ? (uint64_t)ceil(timeout) : most,
                   0);
}

static JSValue answer(JSContext* ctx, bool is_async, JSValue value_owned) {
    JSValue object = JS_NewObject(ctx);
    JS_SetPropertyStr(ctx, object, "async", JS_NewBool(ctx, is_async));
    JS_SetPropertyStr(ctx, object, "value", value_owned);
    return object;
}

static JSValue wait_async(JSContext* ctx, JSValueConst* argv) {
    ph_env* env = ph_env_of(ctx);
    ph_waits* waits = waits_of(ctx, env);
    one_wait* one = waits == NULL ? NULL : calloc(1, sizeof(*one));
    double timeout;
    if (one == NULL)
        return waits == NULL ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    int status = js_begin_wait(ctx, argv, knock, &waits->knocked, &timeout, &one->wait);
    if (status != 1) {
        free(one);
        return status < 0
                   ? JS_EXCEPTION
                   : answer(ctx, false, JS_NewString(ctx, status == 0 ? "not-equal" : "timed-out"));
    }
    JSValue settlers[2];
    JSValue promise = JS_NewPromiseCapability(ctx, settlers);
    if (JS_IsException(promise)) {
        js_end_wait(JS_GetRuntime(ctx), one->wait);
        free(one);
        return JS_EXCEPTION;
    }
    JS_FreeValue(ctx, settlers[1]);
    one->waits = waits;
    one->resolve = settlers[0];
    one->view = JS_DupValue(ctx, argv[0]);
    *waits->last = one;
    waits->last = &one->next;
    start_timer(one, timeout);
    return answer(ctx, true, promise);
}

void ph_waits_init(void) {
    if (js_begin_wait != NULL)
        js_wait_hook = wait_async;
}
