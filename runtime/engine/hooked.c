#include "engine/hooked.h"

#include "engine/aside.h"
#include "engine/immediates.h"

void ph_hooked_init(ph_env* env) {
    static const JSClassDef definition = {.class_name = "Work"};
    env->work.hook = JS_UNDEFINED;
    JS_NewClassID(env->rt, &env->work.type);
    JS_NewClass(env->rt, env->work.type, &definition);
}

/* Exceptions do not come out of the hook: it ends the process instead. */
static void tell(ph_env* env, ph_async_event event, int argc, JSValueConst* argv) {
    if (env->stopping)
        return;
    JSValueConst args[5] = {JS_NewInt32(env->ctx, (int)event), JS_UNDEFINED};
    for (int i = 0; i < argc; i++)
        args[i + 1] = argv[i];
    ph_aside_call(env, env->work.hook, argc + 1, args);
}

bool ph_is_work(const ph_env* env, JSValueConst context) {
    return JS_IsObject(context) && JS_GetClassID(context) == env->work.type;
}

JSValue ph_work_made(ph_env* env, const char* type, JSValueConst resource, JSValueConst above) {
    JSContext* ctx = env->ctx;
    JSValue work = JS_NewObjectProtoClass(ctx, JS_NULL, env->work.type);
    if (JS_IsException(work)) {
        JS_FreeValue(ctx, JS_GetException(ctx));
        return JS_UNDEFINED;
    }
    JSValue name = JS_NewString(ctx, type);
    JSValueConst args[] = {work, name, resource,
                           ph_is_work(env, above) ? above : (JSValueConst)JS_UNDEFINED};
    tell(env, PH_ASYNC_MADE, PH_COUNT(args), args);
    JS_FreeValue(ctx, name);
    return work;
}

void ph_work_enter(ph_env* env, JSValueConst context) {
    tell(env, PH_ASYNC_ENTER, 1, &context);
}

void ph_work_leave(ph_env* env) {
    tell(env, PH_ASYNC_LEAVE, 0, NULL);
}

void ph_work_unwind(ph_env* env) {
    tell(env, PH_ASYNC_UNWIND, 0, NULL);
}

void ph_work_leave_base(ph_env* env) {
    tell(env, PH_ASYNC_BASE, 0, NULL);
}

void ph_work_end(ph_env* env, JSValueConst context) {
    if (ph_is_work(env, context))
        tell(env, PH_ASYNC_GONE, 1, &context);
}

JSValue ph_work_context(ph_env* env, JSValueConst context) {
    if (!ph_is_work(env, context))
        return ph_keep(env->ctx, context);
    return JS_GetPropertyStr(env->ctx, context, "context");
}

void ph_hooked_check(ph_env* env) {
    env->work.any_gone = false;
    tell(env, PH_ASYNC_TELL, 0, NULL);
}

/* setAsyncHook(function, whether it is told): whether what is running has a number, as the main
 * script has. */
static JSValue set_hook(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_env* env = ph_env_of(ctx);
    JSValue before = env->work.hook;
    env->work.hook = JS_DupValue(ctx, argv[0]);
    env->work.is_hooked = ph_flag(ctx, argv[1]) && JS_IsFunction(ctx, argv[0]);
    JS_FreeValue(ctx, before);
    bool had_base = env->gate.has_base;
    env->gate.has_base = true;
    return JS_NewBool(ctx, had_base);
}

/* isHooked(): whether somebody counts. */
static JSValue is_hooked(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    return JS_NewBool(ctx, ph_is_hooked(ph_env_of(ctx)));
}

/* tellGone(): TELL comes with the next check phase. */
static JSValue tell_gone(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    ph_env* env = ph_env_of(ctx);
    env->work.any_gone = true;
    /* Once the program has wanted to end, nothing is held up for this. */
    if (!env->life.wanted_end)
        ph_immediates_add_empty(env);
    return JS_UNDEFINED;
}

void ph_hooked_export(JSContext* ctx, JSValueConst binding) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("setAsyncHook", 2, set_hook),
        JS_CFUNC_DEF("isHooked", 0, is_hooked),
        JS_CFUNC_DEF("tellGone", 0, tell_gone),
    };
    JS_SetPropertyFunctionList(ctx, binding, functions, PH_COUNT(functions));
}
