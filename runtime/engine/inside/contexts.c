/* Shown what is to run after a promise; gives what runs instead. */
JSValue (*js_reaction_hook)(JSContext* ctx, JSValueConst handler);

static JSValue js_reaction(JSContext* ctx, JSValueConst handler) {
    return js_reaction_hook ? js_reaction_hook(ctx, handler) : js_dup(handler);
}
