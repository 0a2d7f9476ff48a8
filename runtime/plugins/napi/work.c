/* Work for the thread pool. */
#include <stdlib.h>

#include "engine/hooked.h"
#include "plugins/napi/napi.h"

struct napi_async_work__ {
    uv_work_t request;
    napi_env env;
    JSValue context;
    napi_async_execute_callback execute;
    napi_async_complete_callback complete;
    void* data;
    napi_status status;
};

NAPI napi_create_async_work(napi_env env, napi_value resource, napi_value name,
                            napi_async_execute_callback execute,
                            napi_async_complete_callback complete, void* data,
                            napi_async_work* result) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, execute);
    NAPI_NEED_ARG(env, result);
    napi_async_work work = calloc(1, sizeof(*work));
    NAPI_NEED(env, work != NULL, napi_generic_failure);
    napi_status status = napi_work_new(env, resource, name, &work->context);
    if (status != napi_ok) {
        free(work);
        return status;
    }
    work->env = env;
    work->execute = execute;
    work->complete = complete;
    work->data = data;
    work->request.data = work;
    *result = work;
    return napi_succeed(env);
}

NAPI napi_delete_async_work(napi_env env, napi_async_work work) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, work);
    ph_work_gone(env->world->env, work->context);
    JS_FreeValue(env->ctx, work->context);
    free(work);
    return napi_succeed(env);
}

static void on_pool(uv_work_t* request) {
    napi_async_work work = request->data;
    work->execute(work->env, work->data);
}

static void complete(napi_env env, void* task) {
    napi_async_work work = task;
    work->complete(env, work->status, work->data);
}

static void on_done(uv_work_t* request, int status) {
    napi_async_work work = request->data;
    napi_env env = work->env;
    env->world->works--;
    work->status = status == 0              ? napi_ok
                   : status == UV_ECANCELED ? napi_cancelled
                                            : napi_generic_failure;
    if (work->complete == NULL)
        return;
    /* The addon may delete the work while it runs. */
    JSValue context = JS_DupValue(env->ctx, work->context);
    napi_run_in(env, context, NAPI_UNCAUGHT, complete, work);
    JS_FreeValue(env->ctx, context);
}

static napi_status from_uv(napi_env env, int error) {
    switch (error) {
    case 0:
        return napi_succeed(env);
    case UV_EINVAL:
        return napi_fail(env, napi_invalid_arg);
    case UV_ECANCELED:
        return napi_fail(env, napi_cancelled);
    default:
        return napi_fail(env, napi_generic_failure);
    }
}

NAPI napi_queue_async_work(napi_env env, napi_async_work work) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, work);
    int error = uv_queue_work(env->world->env->loop, &work->request, on_pool, on_done);
    if (error == 0)
        env->world->works++;
    return from_uv(env, error);
}

NAPI napi_cancel_async_work(napi_env env, napi_async_work work) {
    NAPI_NEED_ENV(env);
    NAPI_NEED_ARG(env, work);
    return from_uv(env, uv_cancel((uv_req_t*)&work->request));
}
