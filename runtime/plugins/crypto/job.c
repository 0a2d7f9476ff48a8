#include <openssl/err.h>

#include "engine/trace.h"
#include "plugins/crypto/common.h"

void* cr_job_new(JSContext* ctx, size_t size) {
    void* job = calloc(1, size);
    if (job == NULL)
        JS_ThrowOutOfMemory(ctx);
    return job;
}

JSValue cr_job_drop(cr_job* job) {
    job->release(job);
    free(job);
    return JS_EXCEPTION;
}

static void run(cr_job* job, bool* succeeded) {
    cr_errors_clear();
    *succeeded = job->run(job);
    if (!*succeeded)
        cr_errors_take(&job->errors);
    cr_errors_clear();
}

static JSValue finish(JSContext* ctx, cr_job* job, bool succeeded) {
    if (succeeded)
        return job->result(ctx, job);
    if (job->failure_code != NULL && job->errors.count == 0)
        return cr_throw_code(
            ctx, strcmp(job->failure_code, "ERR_INVALID_ARG_VALUE") == 0 ? CR_TYPE_ERROR : CR_ERROR,
            job->failure_code, job->failure);
    return JS_Throw(
        ctx, cr_error(ctx, &job->errors, job->failure == NULL ? "Operation failed" : job->failure));
}

/* `work.data` tells the pool's thread which job it has, and afterwards whether it went well. */
static void on_pool(uv_work_t* work) {
    bool succeeded;
    run(work->data, &succeeded);
    if (!succeeded)
        work->data = NULL;
}

static void on_done(uv_work_t* work, int status) {
    cr_job* job = (cr_job*)((char*)work - offsetof(cr_job, work));
    ph_env* env = job->pending.env;
    if (env->stopping || status != 0) {
        ph_pending_drop(&job->pending);
    } else {
        JSValue result = finish(env->ctx, job, work->data != NULL);
        JSValue args[] = {JS_NULL, result};
        if (JS_IsException(result)) {
            args[0] = JS_GetException(env->ctx);
            args[1] = JS_UNDEFINED;
        }
        ph_pending_finish(&job->pending, 2, args);
    }
    job->release(job);
    free(job);
}

JSValue cr_job_start(JSContext* ctx, cr_job* job, const char* type, JSValueConst callback) {
    if (JS_IsFunction(ctx, callback)) {
        job->work.data = job;
        ph_pins pins = job->pending.pins; /* those of the job's own input */
        ph_pending_begin(ctx, &job->pending, callback, JS_UNDEFINED);
        job->pending.pins = pins;
        ph_pending_is(&job->pending, type, JS_UNDEFINED);
        ph_trace_request(&job->work, "crypto");
        int status = uv_queue_work(ph_env_of(ctx)->loop, &job->work, on_pool, on_done);
        if (status == 0)
            return JS_UNDEFINED;
        ph_pending_drop(&job->pending);
        cr_job_drop(job);
        return ph_throw(ctx, status, "crypto", NULL, NULL);
    }
    bool succeeded;
    run(job, &succeeded);
    JSValue result = finish(ctx, job, succeeded);
    ph_pins_release(ph_env_of(ctx), &job->pending.pins);
    job->release(job);
    free(job);
    return result;
}
