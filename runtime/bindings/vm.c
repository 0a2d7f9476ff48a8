/* Other worlds of global names inside this one. */
#include "bindings/bindings.h"
#include "bindings/contexts.h"
#include "engine/interrupts.h"
#include "engine/modules.h"
#include "engine/patched.h"

/* Promise jobs of the context run before the script is said to be done, or to have thrown. */
static JSValue after_jobs(JSContext* ctx, JSValue result_owned, ph_limits limits) {
    bool threw = JS_IsException(result_owned);
    JSValue kept = threw ? JS_GetException(ctx) : result_owned;
    int ran = ph_limited_jobs(ctx, limits);
    if (ran >= 0)
        return threw ? JS_Throw(ctx, kept) : kept;
    JS_FreeValue(ctx, kept);
    return JS_EXCEPTION;
}

/* run(source, file, compileOnly, timeout, breakOnSigint, awaits, runsJobs, firstLine) in the
 * context that the function was made for; a script that awaits gives a promise of {value} */
static JSValue run(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    size_t length;
    const char* source = JS_ToCStringLen(ctx, &length, argv[0]);
    const char* file = JS_ToCString(ctx, argv[1]);
    int flags = ph_flag(ctx, argv[2]) ? JS_EVAL_FLAG_COMPILE_ONLY : 0;
    if (ph_flag(ctx, argv[5]))
        flags |= JS_EVAL_FLAG_ASYNC;
    JSValue result = JS_EXCEPTION;
    ph_limits limits = {ph_number(ctx, argv[3], 0), ph_flag(ctx, argv[4])};
    JSEvalOptions options = {JS_EVAL_OPTIONS_VERSION, JS_EVAL_TYPE_GLOBAL | flags, file,
                             ph_int(ctx, argv[7], 1)};
    if (source != NULL && file != NULL)
        result = ph_eval_limited(ctx, source, length, &options, limits);
    if (ph_flag(ctx, argv[6]) && js_run_jobs_of != NULL)
        result = after_jobs(ctx, result, limits);
    JS_FreeCString(ctx, source);
    JS_FreeCString(ctx, file);
    if ((flags & JS_EVAL_FLAG_COMPILE_ONLY) && !JS_IsException(result)) {
        JS_FreeValue(ctx, result);
        return JS_UNDEFINED;
    }
    return result;
}

/* limited(function, argument, timeout, breakOnSigint, runsJobs) in the context that the function
 * was made for */
static JSValue limited(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    ph_limits limits = {ph_number(ctx, argv[2], 0), ph_flag(ctx, argv[3])};
    JSValue result = ph_call_limited(ctx, argv[0], argv[1], limits);
    if (ph_flag(ctx, argv[4]) && js_run_jobs_of != NULL)
        return after_jobs(ctx, result, limits);
    return result;
}

/* Of the same environment. NULL: there is no memory, which is thrown. */
static JSContext* make_context(JSContext* ctx) {
    JSContext* made = JS_NewContext(JS_GetRuntime(ctx));
    if (made == NULL) {
        JS_ThrowOutOfMemory(ctx);
        return NULL;
    }
    JS_SetContextOpaque(made, ph_env_of(ctx));
    ph_stack_remove_positions(made);
    return made;
}

/* newContext(): [global object, run, module, limited]. The context lives as long as one of them, or
 * any function that was made in it. */
static JSValue new_context(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    (void)self;
    (void)argc;
    (void)argv;
    JSContext* made = make_context(ctx);
    if (made == NULL)
        return JS_EXCEPTION;
    JSValue pair = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, pair, 0, JS_GetGlobalObject(made));
    JS_SetPropertyUint32(ctx, pair, 1, JS_NewCFunction(made, run, "run", 8));
    JS_SetPropertyUint32(ctx, pair, 2, JS_NewCFunction(made, ph_module_of_vm, "module", 2));
    JS_SetPropertyUint32(ctx, pair, 3, JS_NewCFunction(made, limited, "limited", 5));
    JS_FreeContext(made);
    return pair;
}

JSValue ph_vm_binding(JSContext* ctx) {
    static const JSCFunctionListEntry functions[] = {
        JS_CFUNC_DEF("run", 8, run),
        JS_CFUNC_DEF("module", 2, ph_module_of_vm),
        JS_CFUNC_DEF("limited", 5, limited),
        JS_CFUNC_DEF("newContext", 0, new_context),
        JS_CFUNC_DEF("guard", 2, ph_guard_context),
    };
    return PH_EXPORT(ctx, functions);
}
