#include "engine/interrupts.h"

#include <signal.h>
#include <stdio.h>

#include "engine/patched.h"
#include "engine/play.h"
#include "engine/stacks.h"

typedef enum { NOT_STOPPED, TIMED_OUT, INTERRUPTED } reason;

/* Scripts with limits may call others; each has one of these on the stack. */
typedef struct ph_limited {
    struct ph_limited* outer;
    uint64_t deadline; /* by uv_hrtime; 0: none */
    bool breaks_on_signal;
    reason stopped;
} ph_limited;

static volatile sig_atomic_t signalled;

static void on_signal(int number) {
    (void)number;
    signalled = 1;
}

/* Asked by the engine now and then while a script runs; 1 stops it. */
static int on_interrupt(JSRuntime* rt, void* opaque) {
    (void)rt;
    ph_env* env = opaque;
    ph_stacks_look(env);
    ph_play_look();
    if (env->interrupts.on_poll != NULL)
        env->interrupts.on_poll(env);
    if (env->above->should_stop(env))
        env->stopping = true;
    if (env->stopping)
        return 1;
    ph_limited* found = NULL;
    for (ph_limited* one = env->interrupts.limited; one != NULL; one = one->outer) {
        bool late = one->deadline != 0 && uv_hrtime() >= one->deadline;
        if (late || (one->breaks_on_signal && signalled)) {
            one->stopped = late ? TIMED_OUT : INTERRUPTED;
            found = one;
        }
    }
    /* All scripts down to the outermost of them are stopped; that one tells. */
    for (ph_limited* one = env->interrupts.limited; found != NULL && one != found; one = one->outer)
        one->stopped = NOT_STOPPED;
    return found != NULL;
}

bool ph_is_interrupted(ph_env* env) {
    return on_interrupt(env->rt, env) != 0;
}

void ph_interrupts_init(ph_env* env) {
    JS_SetInterruptHandler(env->rt, on_interrupt, env);
}

static JSValue throw_stopped(JSContext* ctx, reason why, double milliseconds) {
    JS_FreeValue(ctx, JS_GetException(ctx));
    if (why == TIMED_OUT)
        JS_ThrowPlainError(ctx, "Script execution timed out after %.0fms", milliseconds);
    else
        JS_ThrowPlainError(ctx, "Script execution was interrupted by `SIGINT`");
    JSValue error = JS_GetException(ctx);
    const char* code =
        why == TIMED_OUT ? "ERR_SCRIPT_EXECUTION_TIMEOUT" : "ERR_SCRIPT_EXECUTION_INTERRUPTED";
    ph_set(ctx, error, "code", JS_NewString(ctx, code));
    return JS_Throw(ctx, error);
}

typedef struct {
    ph_limited own;
    struct sigaction before;
} ph_limit_frame;

static void begin_limits(ph_env* env, ph_limit_frame* frame, ph_limits limits) {
    frame->own = (ph_limited){env->interrupts.limited, 0, limits.breaks_on_signal, NOT_STOPPED};
    if (limits.milliseconds > 0)
        frame->own.deadline = uv_hrtime() + (uint64_t)(limits.milliseconds * 1e6);
    struct sigaction ours = {.sa_handler = on_signal};
    if (limits.breaks_on_signal) {
        signalled = 0;
        sigaction(SIGINT, &ours, &frame->before);
    }
    env->interrupts.limited = &frame->own;
}

static void end_limits(ph_env* env, ph_limit_frame* frame) {
    env->interrupts.limited = frame->own.outer;
    if (frame->own.breaks_on_signal)
        sigaction(SIGINT, &frame->before, NULL);
}

JSValue ph_eval_limited(JSContext* ctx, const char* source, size_t length, JSEvalOptions* options,
                        ph_limits limits) {
    ph_env* env = ph_env_of(ctx);
    if (!(limits.milliseconds > 0) && !limits.breaks_on_signal)
        return JS_Eval2(ctx, source, length, options);
    ph_limit_frame frame;
    begin_limits(env, &frame, limits);
    JSValue result = JS_Eval2(ctx, source, length, options);
    end_limits(env, &frame);
    if (JS_IsException(result) && frame.own.stopped != NOT_STOPPED)
        return throw_stopped(ctx, frame.own.stopped, limits.milliseconds);
    /* It came too late for the script; whoever else waits for the signal gets it. */
    if (frame.own.breaks_on_signal && signalled)
        raise(SIGINT);
    return result;
}

/* What was stopped may have been caught on the way: a module's error is that of its promise. */
JSValue ph_call_limited(JSContext* ctx, JSValueConst function, JSValueConst argument,
                        ph_limits limits) {
    ph_env* env = ph_env_of(ctx);
    ph_limit_frame frame;
    begin_limits(env, &frame, limits);
    JSValue result = JS_Call(ctx, function, JS_UNDEFINED, 1, &argument);
    end_limits(env, &frame);
    if (frame.own.stopped == NOT_STOPPED)
        return result;
    JS_FreeValue(ctx, result);
    return throw_stopped(ctx, frame.own.stopped, limits.milliseconds);
}

int ph_limited_jobs(JSContext* ctx, ph_limits limits) {
    ph_env* env = ph_env_of(ctx);
    ph_limit_frame frame;
    begin_limits(env, &frame, limits);
    int ran = js_run_jobs_of(ctx);
    end_limits(env, &frame);
    if (ran < 0 && frame.own.stopped != NOT_STOPPED)
        throw_stopped(ctx, frame.own.stopped, limits.milliseconds);
    return ran;
}
