/* Work for the pool, thread-safe functions, and what is told at the end. */
#include <pthread.h>
#include <string.h>

#include "tests/napi/addon.h"

typedef struct {
    napi_async_work work;
    napi_deferred deferred;
    double number;
} job;

static void square(napi_env env, void* data) {
    (void)env;
    job* done = data;
    done->number *= done->number;
}

static void settle(napi_env env, napi_status status, void* data) {
    job* done = data;
    napi_value value = addon_number(env, status == napi_ok ? done->number : -1);
    OK(napi_resolve_deferred(env, done->deferred, value));
    OK(napi_delete_async_work(env, done->work));
    free(done);
}

static napi_value text(napi_env env, const char* words) {
    napi_value value;
    OK(napi_create_string_utf8(env, words, NAPI_AUTO_LENGTH, &value));
    return value;
}

/* square(number): a promise */
static napi_value start_square(napi_env env, napi_callback_info info) {
    napi_value number;
    napi_value promise;
    job* made = calloc(1, sizeof(*made));
    addon_arguments(env, info, 1, &number);
    OK(napi_get_value_double(env, number, &made->number));
    OK(napi_create_promise(env, &made->deferred, &promise));
    OK(napi_create_async_work(env, NULL, text(env, "square"), square, settle, made, &made->work));
    OK(napi_queue_async_work(env, made->work));
    return promise;
}

static void throw_it(napi_env env, napi_status status, void* data) {
    (void)status;
    job* done = data;
    OK(napi_delete_async_work(env, done->work));
    free(done);
    OK(napi_throw_error(env, "CODE", "thrown by complete"));
}

/* throwLater(): an uncaught exception */
static napi_value throw_later(napi_env env, napi_callback_info info) {
    (void)info;
    job* made = calloc(1, sizeof(*made));
    OK(napi_create_async_work(env, NULL, text(env, "throw"), square, throw_it, made, &made->work));
    OK(napi_queue_async_work(env, made->work));
    return NULL;
}

enum { CALLS = 500, THREADS = 2 };

static pthread_t threads[THREADS];
static napi_threadsafe_function queue;

static void* call_often(void* arg) {
    for (int i = 0; i < CALLS; i++) {
        napi_status status = napi_call_threadsafe_function(queue, arg, napi_tsfn_blocking);
        if (status != napi_ok)
            return NULL;
    }
    napi_release_threadsafe_function(queue, napi_tsfn_release);
    return NULL;
}

static void join(napi_env env, void* data, void* hint) {
    (void)data;
    (void)hint;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    napi_value global;
    napi_value told;
    if (napi_get_global(env, &global) == napi_ok &&
        napi_get_named_property(env, global, "onJoined", &told) == napi_ok)
        napi_call_function(env, global, told, 0, NULL, NULL);
}

static void call_back(napi_env env, napi_value function, void* context, void* data) {
    (void)context;
    if (env == NULL)
        return;
    napi_value number = addon_number(env, (double)(intptr_t)data);
    napi_value self;
    OK(napi_get_undefined(env, &self));
    napi_call_function(env, self, function, 1, &number, NULL);
}

/* call(function, most): two threads call the function */
static napi_value call(napi_env env, napi_callback_info info) {
    napi_value args[2];
    int32_t most;
    addon_arguments(env, info, 2, args);
    OK(napi_get_value_int32(env, args[1], &most));
    OK(napi_create_threadsafe_function(env, args[0], NULL, text(env, "calls"), (size_t)most,
                                       THREADS, NULL, join, NULL, call_back, &queue));
    for (intptr_t i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, call_often, (void*)i);
    return NULL;
}

/* abort(): the queue closes, whoever waits is told */
static napi_value abort_queue(napi_env env, napi_callback_info info) {
    (void)info;
    OK(napi_acquire_threadsafe_function(queue));
    return addon_number(env, napi_release_threadsafe_function(queue, napi_tsfn_abort));
}

static void say(void* words) {
    printf("%s\n", (const char*)words);
    fflush(stdout);
}

static void say_last(napi_env env, void* data, void* hint) {
    (void)env;
    (void)hint;
    say(data);
}

typedef struct {
    uv_loop_t* loop;
    uv_async_t wake;
    napi_async_cleanup_hook_handle handle;
} slow_end;

static void on_closed(uv_handle_t* handle) {
    slow_end* ended = handle->data;
    say("the slow hook is done");
    OK(napi_remove_async_cleanup_hook(ended->handle));
    free(ended);
}

static void on_wake(uv_async_t* wake) {
    uv_close((uv_handle_t*)wake, on_closed);
}

static void end_slowly(napi_async_cleanup_hook_handle handle, void* data) {
    slow_end* ended = data;
    ended->handle = handle;
    say("the slow hook begins");
    uv_async_init(ended->loop, &ended->wake, on_wake);
    ended->wake.data = ended;
    uv_async_send(&ended->wake);
}

/* atEnd(): hooks, data and an object with a finalizer */
static napi_value at_end(napi_env env, napi_callback_info info) {
    (void)info;
    uv_loop_t* loop;
    napi_value object;
    slow_end* ended = calloc(1, sizeof(*ended));
    OK(napi_get_uv_event_loop(env, &loop));
    ended->loop = loop;
    OK(napi_add_env_cleanup_hook(env, say, "hook 1"));
    OK(napi_add_async_cleanup_hook(env, end_slowly, ended, NULL));
    OK(napi_add_env_cleanup_hook(env, say, "hook 2"));
    OK(napi_add_env_cleanup_hook(env, say, "not this one"));
    OK(napi_remove_env_cleanup_hook(env, say, "not this one"));
    OK(napi_set_instance_data(env, "data of the addon", say_last, NULL));
    OK(napi_create_external(env, "an object that is still there", say_last, NULL, &object));
    return object;
}

int32_t node_api_module_get_api_version_v1(void) {
    return 8;
}

napi_value napi_register_module_v1(napi_env env, napi_value exports) {
    addon_function(env, exports, "square", start_square);
    addon_function(env, exports, "throwLater", throw_later);
    addon_function(env, exports, "call", call);
    addon_function(env, exports, "abort", abort_queue);
    addon_function(env, exports, "atEnd", at_end);
    return exports;
}
