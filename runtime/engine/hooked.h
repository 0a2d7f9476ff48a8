/* The numbers of asynchronous work (async_hooks). While somebody counts, what is queued or started
 * holds, in the place of its async context, a piece of work: an object that internal/async_ids
 * fills in. Entering and leaving it, and its end, are told there too. While nobody counts, all of
 * this is one branch. */
#ifndef PH_RUNTIME_HOOKED_H
#define PH_RUNTIME_HOOKED_H

#include "engine/engine.h"

/* What the function of setAsyncHook is called with first. */
typedef enum {
    PH_ASYNC_MADE,   /* (work, type, resource, the work of what it belongs to) */
    PH_ASYNC_ENTER,  /* (work, or the context of what was made before anybody counted) */
    PH_ASYNC_LEAVE,  /* () */
    PH_ASYNC_UNWIND, /* () an exception that was dealt with has left all that was entered */
    PH_ASYNC_BASE,   /* () what was running when somebody began to count has returned */
    PH_ASYNC_GONE,   /* (work) */
    PH_ASYNC_TELL,   /* () the check phase: what is gone is told now */
} ph_async_event;

void ph_hooked_init(ph_env* env);

static inline bool ph_is_hooked(const ph_env* env) {
    return env->work.is_hooked;
}
bool ph_is_work(const ph_env* env, JSValueConst context);
/* The context of something new: a piece of work, or the context of now. `above`, the context of a
 * handle that it belongs to, or undefined. */
JSValue ph_work_made(ph_env* env, const char* type, JSValueConst resource, JSValueConst above);
static inline JSValue ph_work(ph_env* env, const char* type, JSValueConst resource) {
    return ph_is_hooked(env) ? ph_work_made(env, type, resource, JS_UNDEFINED)
                             : ph_keep(env->ctx, env->async_context);
}
/* Around a call in a context, while ph_is_hooked. After an exception there is no leaving: the gate
 * unwinds. */
void ph_work_enter(ph_env* env, JSValueConst context);
void ph_work_leave(ph_env* env);
void ph_work_unwind(ph_env* env);
void ph_work_leave_base(ph_env* env);
/* What had the context is done with, if it is a piece of work. */
void ph_work_end(ph_env* env, JSValueConst context);
static inline void ph_work_gone(ph_env* env, JSValueConst context) {
    if (JS_IsObject(context))
        ph_work_end(env, context);
}
/* The context inside a piece of work, or the value itself; the caller's. */
JSValue ph_work_context(ph_env* env, JSValueConst context);
/* The start of the check phase. */
void ph_hooked_check(ph_env* env);

void ph_hooked_export(JSContext* ctx, JSValueConst binding);

#endif
