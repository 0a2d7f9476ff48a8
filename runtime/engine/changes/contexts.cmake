# What is to run after a promise is first shown to a hook, which gives what runs instead
# (runtime/engine/promise_context.c). The engine's own JS_SetPromiseHook is shown promises, but
# neither the jobs of then nor awaits, so it does not suffice.
without("AsyncLocalStorage does not follow promises")
insert_before("static JSValue JS_CallInternal(JSContext *caller_ctx," [[
JSValue (*js_reaction_hook)(JSContext* ctx, JSValueConst handler);

static JSValue js_reaction(JSContext* ctx, JSValueConst handler) {
    return js_reaction_hook ? js_reaction_hook(ctx, handler) : js_dup(handler);
}

]])
replace("rd->handler = js_dup(handler);" "rd->handler = js_reaction(ctx, handler);")
replace("        args[2] = then;
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, 3, args);"
        "        JSValue reaction = js_reaction(ctx, then);
        args[2] = reaction;
        JS_EnqueueJob(ctx, js_promise_resolve_thenable_job, 3, args);
        JS_FreeValue(ctx, reaction);")
