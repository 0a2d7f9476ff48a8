/* Thread-safe functions: a queue that any thread fills and the loop empties.
 *
 * `threads` counts those that may use it. Once nobody does and the queue is empty, or somebody has
 * aborted it, its handle is closed; after that it stays for the threads that do not know yet, and
 * the last of them frees it. */
#include <stdlib.h>

#include "engine/hooked.h"
#include "plugins/napi/napi.h"

enum { CALLS_OF_A_TURN = 1000 };

typedef struct item item;
struct item {
    item* next;
    void* data;
};

struct napi_threadsafe_function__ {
    uv_mutex_t lock; /* of what follows, to `is_closed` */
    uv_cond_t has_room;
    item *first, **end;
    size_t count, most; /* most: 0 if there is no limit */
    size_t threads;
    bool is_closing; /* nothing is queued any more */
    bool is_closed;  /* the handle is closed */
    uv_async_t* wake;
    napi_env env;
    napi_ref function; /* NULL if there is none */
    JSValue context;
    void* data; /* of get_context and of all calls */
    napi_threadsafe_function_call_js call;
    void* finalize_data;
    napi_finalize finalize;
    napi_cleanup* cleanup;
};

static void release(napi_threadsafe_function made) {
    uv_mutex_destroy(&made->lock);
    uv_cond_destroy(&made->has_room);
    free(made);
}

/* With the lock, which it gives up; frees what nobody uses any more. */
static void unlock(napi_threadsafe_function made) {
    bool is_last = made->is_closed && made->threads == 0;
    uv_mutex_unlock(&made->lock);
    if (is_last)
        release(made);
}

static item* take(napi_threadsafe_function made) {
    item* taken = made->first;
    if (taken == NULL)
        return NULL;
    made->first = taken->next;
    if (made->first == NULL)
        made->end = &made->first;
    made->count--;
    return taken;
}

static void call_js(napi_env env, napi_threadsafe_function made, void* data) {
    napi_value function = NULL;
    if (env != NULL && made->function != NULL)
        napi_get_reference_value(env, made->function, &function);
    if (made->call != NULL) {
        made->call(env, function, made->data, data);
    } else if (env != NULL && function != NULL) {
        napi_value self;
        napi_get_undefined(env, &self);
        napi_call_function(env, self, function, 0, NULL, NULL);
    }
}

typedef struct {
    napi_threadsafe_function made;
    void* data;
} call;

static void run_call(napi_env env, void* task) {
    const call* one = task;
    call_js(env, one->made, one->data);
}

static void run_finalize(napi_env env, void* task) {
    napi_threadsafe_function made = task;
    made->finalize(env, made->finalize_data, made->data);
}

/* The handle is closed: what is left in the queue is given back, and the addon is told. */
static void on_closed(uv_handle_t* handle) {
    napi_threadsafe_function made = handle->data;
    napi_env env = made->env;
    free(handle);
    made->wake = NULL;
    item* left;
    while ((left = take(made)) != NULL) {
        call_js(NULL, made, left->data);
        free(left);
    }
    if (made->finalize != NULL)
        napi_run_in(env, made->context, NAPI_WARNS, run_finalize, made);
    if (made->function != NULL)
        napi_ref_free(made->function);
    ph_work_gone(env->world->env, made->context);
    JS_FreeValue(env->ctx, made->context);
    env->closings--;
    uv_mutex_lock(&made->lock);
    made->is_closed = true;
    unlock(made);
}

static void close_handle(napi_threadsafe_function made) {
    if (uv_is_closing((uv_handle_t*)made->wake))
        return;
    napi_cleanup_remove(made->cleanup);
    uv_close((uv_handle_t*)made->wake, on_closed);
}

/* The addon's world ends. */
static void on_end(void* arg) {
    napi_threadsafe_function made = arg;
    made->cleanup = NULL; /* it runs */
    uv_mutex_lock(&made->lock);
    made->is_closing = true;
    uv_cond_broadcast(&made->has_room);
    uv_mutex_unlock(&made->lock);
    close_handle(made);
}

/* One call; false if there is nothing more to do now. */
static bool run_next(napi_threadsafe_function made) {
    uv_mutex_lock(&made->lock);
    item* next = made->is_closing ? NULL : take(made);
    if (next != NULL && made->most > 0)
        uv_cond_signal(&made->has_room);
    if (next == NULL && made->threads == 0)
        made->is_closing = true;
    bool is_closing = made->is_closing;
    uv_mutex_unlock(&made->lock);
    if (next == NULL) {
        if (is_closing)
            close_handle(made);
        return false;
    }
    call one = {made, next->data};
    free(next);
    napi_run_in(made->env, made->context, NAPI_WARNS, run_call, &one);
    return true;
}

static void on_wake(uv_async_t* wake) {
    napi_threadsafe_function made = wake->data;
    if (made->env->world->env->stopping)
        return;
    for (int i = 0; i < CALLS_OF_A_TURN; i++)
        if (uv_is_closing((uv_handle_t*)wake) || !run_next(made))
            return;
    uv_async_send(wake);
}

static napi_status start(napi_env env, napi_threadsafe_function made, napi_value function) {
    if (function != NULL) {
        napi_status status = napi_ref_new(env, napi_js(function), 1, &made->function);
        if (status != napi_ok)
            return status;
    }
    made->wake = calloc(1, sizeof(*made->wake));
    if (made->wake == NULL || uv_async_init(env->world->env->loop, made->wake, on_wake) != 0) {
        free(made->wake);
        return napi_fail(env, napi_generic_failure);
    }
    made->wake->data = made;
    made->end = &made->first;
    uv_mutex_init(&made->lock);
    uv_cond_init(&made->has_room);
    made->cleanup = napi_cleanup_add(env, on_end, made);
    env->closings++;
    return napi_succeed(env);
}

NAPI napi_create_threadsafe_function(napi_env env, napi_value function, napi_value resource,
                                     napi_value name, size_t most, size_t threads,
                                     void* finalize_data, napi_finalize finalize, void* data,
                                     napi_threadsafe_function_call_js call_cb,
                                     napi_threadsafe_function* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, name);
    NAPI_NEED(env, threads > 0, napi_invalid_arg);
    NAPI_NEED_ARG(env, result);
    NAPI_NEED(env, function != NULL || call_cb != NULL, napi_invalid_arg);
    NAPI_NEED(env, function == NULL || JS_IsFunction(env->ctx, napi_js(function)),
              napi_invalid_arg);
    napi_threadsafe_function made = calloc(1, sizeof(*made));
    NAPI_NEED(env, made != NULL, napi_generic_failure);
    made->env = env;
    made->most = most;
    made->threads = threads;
    made->data = data;
    made->call = call_cb;
    made->finalize_data = finalize_data;
    made->finalize = finalize;
    napi_status status = napi_work_new(env, resource, name, &made->context);
    if (status == napi_ok) {
        status = start(env, made, function);
        if (status != napi_ok)
            JS_FreeValue(env->ctx, made->context);
    }
    if (status == napi_ok)
        *result = made;
    else
        free(made);
    return status;
}

NAPI napi_get_threadsafe_function_context(napi_threadsafe_function made, void** result) {
    if (made == NULL || result == NULL)
        return napi_invalid_arg;
    *result = made->data;
    return napi_ok;
}

NAPI napi_call_threadsafe_function(napi_threadsafe_function made, void* data,
                                   napi_threadsafe_function_call_mode mode) {
    if (made == NULL)
        return napi_invalid_arg;
    item* next = malloc(sizeof(*next));
    if (next == NULL)
        return napi_generic_failure;
    *next = (item){.data = data};
    napi_status status = napi_ok;
    uv_mutex_lock(&made->lock);
    while (made->most > 0 && made->count >= made->most && !made->is_closing && status == napi_ok) {
        if (mode == napi_tsfn_nonblocking)
            status = napi_queue_full;
        else
            uv_cond_wait(&made->has_room, &made->lock);
    }
    if (made->is_closing) {
        /* The thread has been told: it is one less. */
        status = made->threads == 0 ? napi_invalid_arg : napi_closing;
        made->threads -= made->threads == 0 ? 0 : 1;
    } else if (status == napi_ok) {
        *made->end = next;
        made->end = &next->next;
        next = NULL;
        made->count++;
        uv_async_send(made->wake);
    }
    unlock(made);
    free(next);
    return status;
}

NAPI napi_acquire_threadsafe_function(napi_threadsafe_function made) {
    if (made == NULL)
        return napi_invalid_arg;
    uv_mutex_lock(&made->lock);
    napi_status status = made->is_closing ? napi_closing : napi_ok;
    if (status == napi_ok)
        made->threads++;
    uv_mutex_unlock(&made->lock);
    return status;
}

NAPI napi_release_threadsafe_function(napi_threadsafe_function made,
                                      napi_threadsafe_function_release_mode mode) {
    if (made == NULL)
        return napi_invalid_arg;
    uv_mutex_lock(&made->lock);
    if (made->threads == 0) {
        uv_mutex_unlock(&made->lock);
        return napi_invalid_arg;
    }
    made->threads--;
    if (!made->is_closing && (made->threads == 0 || mode == napi_tsfn_abort)) {
        made->is_closing = mode == napi_tsfn_abort;
        if (made->is_closing)
            uv_cond_broadcast(&made->has_room);
        uv_async_send(made->wake);
    }
    unlock(made);
    return napi_ok;
}

NAPI napi_unref_threadsafe_function(napi_env env, napi_threadsafe_function made) {
    (void)env;
    if (made == NULL)
        return napi_invalid_arg;
    if (made->wake != NULL)
        uv_unref((uv_handle_t*)made->wake);
    return napi_ok;
}

NAPI napi_ref_threadsafe_function(napi_env env, napi_threadsafe_function made) {
    (void)env;
    if (made == NULL)
        return napi_invalid_arg;
    if (made->wake != NULL)
        uv_ref((uv_handle_t*)made->wake);
    return napi_ok;
}
