/* A context whose global object is another one than it was made with. */
JSContext* js_context_of(JSContext* ctx, JSValueConst function) {
    return JS_GetFunctionRealm(ctx, function);
}

void js_set_global(JSContext* ctx, JSValue object) {
    JSValue before = ctx->global_obj;
    ctx->global_obj = object;
    JS_FreeValue(ctx, before);
}

bool js_is_strict(JSContext* ctx) {
    return is_strict_mode(ctx);
}

/* Promise jobs that were queued in the context. Gives how many ran, -1 if one threw. */
int js_run_jobs_of(JSContext* ctx) {
    JSRuntime* rt = ctx->rt;
    int count = 0;
    for (;;) {
        struct list_head* el;
        JSJobEntry* found = NULL;
        JSValue result;
        list_for_each(el, &rt->job_list) {
            JSJobEntry* entry = list_entry(el, JSJobEntry, link);
            if (entry->ctx == ctx) {
                found = entry;
                break;
            }
        }
        if (!found)
            return count;
        list_del(&found->link);
        result = found->job_func(ctx, found->argc, vc(found->argv));
        for (int i = 0; i < found->argc; i++)
            JS_FreeValue(ctx, found->argv[i]);
        js_free(ctx, found);
        if (JS_IsException(result))
            return -1;
        JS_FreeValue(ctx, result);
        count++;
    }
}
