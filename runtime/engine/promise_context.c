/* Async contexts (AsyncLocalStorage) that follow promises: what runs after a promise runs in the
 * context in which then or await was reached. Costs nothing while there is no context. */
#include "engine/promise_context.h"

#include "engine/patched.h"

static JSValue run_in_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv,
                              int magic, JSValueConst* data) {
    (void)magic;
    ph_env* env = ph_env_of(ctx);
    JSValue before = env->async_context;
    env->async_context = JS_DupValue(ctx, data[1]);
    JS_FreeValue(ctx, before);
    /* The promise that is settled now belongs to the context, too; the next job leaves it. */
    return JS_Call(ctx, data[0], self, argc, argv);
}

static JSValue on_reaction(JSContext* ctx, JSValueConst handler) {
    ph_env* env = ph_env_of(ctx);
    if (JS_IsUndefined(env->async_context) || !JS_IsFunction(ctx, handler))
        return JS_DupValue(ctx, handler);
    JSValueConst data[] = {handler, env->async_context};
    return JS_NewCFunctionData(ctx, run_in_context, 1, 0, 2, data);
}

void ph_promise_contexts_start(void) {
    if (&js_reaction_hook != NULL)
        js_reaction_hook = on_reaction;
    if (&js_reaction_runs != NULL)
        js_reaction_runs = run_in_context;
}
