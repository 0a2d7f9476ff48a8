#include "bindings/worker.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bindings/permission.h"
#include "bindings/ports.h"
#include "bindings/prepared.h"
#include "bindings/world.h"
#include "engine/aside.h"
#include "engine/gate.h"
#include "engine/patched.h"

typedef struct ph_worker {
    struct ph_worker* next;
    ph_env* parent;
    uv_thread_t thread;
    int id;
    int port;    /* the worker's end of the channel to its parent */
    int box;     /* what other threads post to; see internal/worker_messaging */
    char* start; /* JSON that internal/worker reads */
    uv_mutex_t lock;
    ph_env* env;      /* while the world lives; under the lock */
    ph_env* prepared; /* the world that it is to have, or NULL */
    atomic_bool stop;
    atomic_bool ended;
    int code;
} ph_worker;

enum {
    STACK_SIZE = PH_STACK_MOST,
    STACK_FOR_SCRIPTS = STACK_SIZE - STACK_SIZE / 8,
    FRAMES = 4, /* times as large as V8's, at least, are the engine's */
};

bool ph_worker_should_stop(ph_env* env) {
    ph_worker* worker = ph_world_of(env)->worker;
    return worker != NULL && atomic_load(&worker->stop);
}

int ph_worker_id(ph_env* env) {
    ph_worker* worker = ph_world_of(env)->worker;
    return worker == NULL ? 0 : worker->id;
}

static atomic_int last_id;

/* A loop, and a world on it. */
static ph_env* make_world(ph_worker* worker, uv_loop_t* loop) {
    if (worker->prepared != NULL)
        return ph_prepared_enter(worker->prepared) == 0 ? worker->prepared : NULL;
    if (uv_loop_init(loop) != 0)
        return NULL;
    uv_loop_configure(loop, UV_METRICS_IDLE_TIME);
    ph_env* env = ph_world_new(loop, worker->parent->life.argc, worker->parent->life.argv);
    ph_world_of(env)->worker = worker;
    return env;
}

static void run(void* arg) {
    ph_worker* worker = arg;
    uv_loop_t own;
    ph_env* env = make_world(worker, &own);
    if (env != NULL) {
        uv_loop_t* loop = env->loop;
        env->life.exit_code = 0;
        JS_UpdateStackTop(env->rt);
        ph_aside_set_stack(env, STACK_FOR_SCRIPTS, STACK_SIZE / 16);
        ph_ports_open(env);
        uv_mutex_lock(&worker->lock);
        worker->env = env;
        uv_mutex_unlock(&worker->lock);
        if (!atomic_load(&worker->stop)) {
            env->life.started = worker->parent->life.started;
            env->life.started_on = worker->parent->life.started_on;
            env->life.loop_started = uv_hrtime(); /* its program runs inside of the loop */
            if (env->life.is_prepared)
                ph_env_begin(env);
            else
                ph_env_boot(env, "internal/boot/boot");
            worker->code = ph_env_run(env);
        }
        if (atomic_load(&worker->stop))
            worker->code = 1;
        uv_mutex_lock(&worker->lock);
        worker->env = NULL;
        uv_mutex_unlock(&worker->lock);
        if (!ph_env_free(env) && getenv("PHASOR_CHECK_LEAKS") != NULL)
            fprintf(stderr, "phasor: the engine found a leak in a worker\n");
        uv_loop_close(loop);
        if (loop != &own)
            free(loop);
    }
    atomic_store(&worker->ended, true);
    ph_ports_wake(worker->parent);
}

static ph_worker* make_worker(void) {
    ph_worker* worker = calloc(1, sizeof(*worker));
    if (worker == NULL || uv_mutex_init(&worker->lock) == 0)
        return worker;
    free(worker);
    return NULL;
}

void ph_worker_prepare(ph_env* env, int id) {
    ph_worker* worker = make_worker();
    if (worker == NULL)
        abort();
    worker->id = id;
    worker->prepared = env;
    ph_world_of(env)->worker = worker;
}

/* With a world that was prepared for one, if it has no options of its own. */
static ph_worker* next_worker(bool is_plain) {
    int id = atomic_fetch_add(&last_id, 1) + 1;
    ph_env* env = is_plain ? ph_prepared_take(id) : NULL;
    ph_worker* worker = env != NULL ? ph_world_of(env)->worker : make_worker();
    if (worker != NULL)
        worker->id = id;
    return worker;
}

/* start(json, port, isPlain): the worker's number */
static JSValue start(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    if (!ph_demand(ctx, PH_MAY_WORKER, ""))
        return JS_EXCEPTION;
    ph_env* env = ph_env_of(ctx);
    const char* text = JS_ToCString(ctx, argv[0]);
    ph_worker* worker = text == NULL ? NULL : next_worker(JS_ToBool(ctx, argv[2]));
    if (worker == NULL) {
        JS_FreeCString(ctx, text);
        return text == NULL ? JS_EXCEPTION : JS_ThrowOutOfMemory(ctx);
    }
    worker->start = strdup(text);
    JS_FreeCString(ctx, text);
    worker->parent = env;
    worker->port = ph_int(ctx, argv[1], 0);
    ph_ports_open(env);
    worker->box = ph_ports_make_box(worker->id);
    uv_thread_options_t options = {.flags = UV_THREAD_HAS_STACK_SIZE, .stack_size = STACK_SIZE};
    int status = uv_thread_create_ex(&worker->thread, &options, run, worker);
    if (status != 0) {
        ph_ports_drop_box(worker->box);
        uv_mutex_destroy(&worker->lock);
        free(worker->start);
        free(worker);
        return ph_throw(ctx, status, "uv_thread_create", NULL, NULL);
    }
    worker->next = ph_world_of(env)->workers;
    ph_world_of(env)->workers = worker;
    return JS_NewInt32(ctx, worker->id);
}

static void stop(ph_worker* worker) {
    atomic_store(&worker->stop, true);
    uv_mutex_lock(&worker->lock);
    if (worker->env != NULL) {
        ph_ports_wake(worker->env);
        if (js_end_waits != NULL)
            js_end_waits(worker->env->rt);
    }
    uv_mutex_unlock(&worker->lock);
}

static JSValue terminate(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int id = ph_int(ctx, argv[0], 0);
    for (ph_worker* one = ph_world_of(ph_env_of(ctx))->workers; one != NULL; one = one->next)
        if (one->id == id)
            stop(one);
    return JS_UNDEFINED;
}

/* startData(): [json, port, id, box] of this worker; undefined on the main thread */
static JSValue start_data(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_worker* worker = ph_world_of(ph_env_of(ctx))->worker;
    if (worker == NULL)
        return JS_UNDEFINED;
    JSValue parts[] = {JS_NewString(ctx, worker->start != NULL ? worker->start : ""),
                       JS_NewInt32(ctx, worker->port), JS_NewInt32(ctx, worker->id),
                       JS_NewInt32(ctx, worker->box)};
    return JS_NewArrayFrom(ctx, PH_COUNT(parts), parts);
}

/* lastId(): the number of the youngest worker of all threads */
static JSValue get_last_id(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewInt32(ctx, atomic_load(&last_id));
}

static void release(ph_worker* worker) {
    uv_thread_join(&worker->thread);
    ph_ports_drop_box(worker->box); /* if the world ended before it took it */
    uv_mutex_destroy(&worker->lock);
    free(worker->start);
    free(worker);
}

void ph_worker_reap(ph_env* env) {
    for (ph_worker** link = (ph_worker**)&ph_world_of(env)->workers; *link != NULL;) {
        ph_worker* one = *link;
        if (!atomic_load(&one->ended)) {
            link = &one->next;
            continue;
        }
        *link = one->next;
        JSValue args[2] = {JS_NewInt32(env->ctx, -one->id), JS_NewInt32(env->ctx, one->code)};
        release(one);
        ph_gate_call_in(env, JS_UNDEFINED, env->hooks[PH_HOOK_MESSAGE], JS_UNDEFINED, 2, args);
        link = (ph_worker**)&ph_world_of(env)->workers;
    }
}

void ph_worker_end_all(ph_env* env) {
    for (ph_worker* one = ph_world_of(env)->workers; one != NULL; one = one->next)
        stop(one);
    while (ph_world_of(env)->workers != NULL) {
        ph_worker* one = ph_world_of(env)->workers;
        ph_world_of(env)->workers = one->next;
        release(one);
    }
}

enum { MEMORY, STACK, FILES };

/* limitMemory(bytes), limitStack(bytes) and keepFiles() of this world, which is a worker's */
static JSValue limit(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv, int magic) {
    (void)self;
    (void)argc;
    const double most = 1e15;
    ph_env* env = ph_env_of(ctx);
    double given = magic == FILES ? 1 : ph_number(ctx, argv[0], 0);
    if (ph_world_of(env)->worker == NULL || !(given >= 1 && given <= most))
        return JS_UNDEFINED;
    if (magic == FILES)
        ph_world_of(env)->keeps_files = true;
    else if (magic == MEMORY)
        JS_SetMemoryLimit(env->rt, env->room.memory = (size_t)given);
    else if (given >= 65536)
        ph_aside_set_stack(env,
                           given * FRAMES > STACK_FOR_SCRIPTS ? (size_t)STACK_FOR_SCRIPTS
                                                              : (size_t)given * FRAMES,
                           STACK_SIZE / 16);
    return JS_UNDEFINED;
}

/* loopTimes(id): [milliseconds that the worker's loop runs, of which idle]; undefined if it has
 * ended */
static JSValue loop_times(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    int id = ph_int(ctx, argv[0], 0);
    JSValue result = JS_UNDEFINED;
    for (ph_worker* one = ph_world_of(ph_env_of(ctx))->workers; one != NULL; one = one->next) {
        if (one->id != id)
            continue;
        uv_mutex_lock(&one->lock);
        if (one->env != NULL && one->env->life.loop_started != 0) {
            uint64_t since = uv_hrtime() - one->env->life.loop_started;
            JSValue parts[] = {
                JS_NewFloat64(ctx, (double)since / 1e6),
                JS_NewFloat64(ctx, (double)uv_metrics_idle_time(one->env->loop) / 1e6)};
            result = JS_NewArrayFrom(ctx, 2, parts);
        }
        uv_mutex_unlock(&one->lock);
    }
    return result;
}

void ph_worker_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("start", 3, start),
        JS_CFUNC_DEF("terminate", 1, terminate),
        JS_CFUNC_MAGIC_DEF("limitMemory", 1, limit, MEMORY),
        JS_CFUNC_MAGIC_DEF("limitStack", 1, limit, STACK),
        JS_CFUNC_MAGIC_DEF("keepFiles", 0, limit, FILES),
        JS_CFUNC_DEF("loopTimes", 1, loop_times),
        JS_CFUNC_DEF("startData", 0, start_data),
        JS_CFUNC_DEF("lastId", 0, get_last_id),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
