/* While the calls of a runtime are watched, asked before a function of a script runs. 0: it passes;
 * below 0: it always will, and is not asked about again; above 0: js_call_ended is called when the
 * function has returned or stopped at an await. What it calls itself is not asked about. `note` is
 * 0 at first and the hook's own. */
int (*js_call_hook)(JSContext* ctx, JSValueConst function, uint32_t* note, bool is_whole_text,
                    JSAtom file, int line, int column);
void (*js_call_ended)(JSContext* ctx);

void js_watch_calls(JSRuntime* rt, bool watched) {
    rt->calls_are_watched = watched;
}

static __attribute__((noinline)) bool js_call_hooked(JSContext* ctx, JSFunctionBytecode* b,
                                                     JSValueConst function, JSValueConst func_obj,
                                                     JSValueConst this_obj, JSValueConst new_target,
                                                     int argc, JSValueConst* argv, int flags,
                                                     JSValue* result) {
    int answer = js_call_hook(ctx, function, &b->watched_as, b->func_name == JS_ATOM__eval_,
                              b->filename, b->line_num, b->col_num);
    b->is_never_watched = answer < 0;
    if (answer <= 0)
        return false;
    ctx->rt->calls_are_watched = false;
    *result = JS_CallInternal(ctx, func_obj, this_obj, new_target, argc, argv, flags);
    ctx->rt->calls_are_watched = true;
    js_call_ended(ctx);
    return true;
}
