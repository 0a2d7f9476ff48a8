/* A module that JavaScript links is compiled: nobody is asked for what it imports. */
static _Thread_local bool js_vm_compiles;

/* Shown an import() before the engine looks for the module: undefined lets it, anything else is
 * what the import gives. */
JSValue (*js_import_hook)(JSContext* ctx, JSValueConst base, JSValueConst specifier,
                          JSValueConst attributes);

/* Fills the import.meta of a module that has none yet. */
JSValue (*js_meta_hook)(JSContext* ctx, JSModuleDef* m, JSValueConst meta);

static bool js_imported_elsewhere(JSContext* ctx, JSValueConst* resolving_funcs, JSValueConst base,
                                  JSValueConst specifier, JSValueConst attributes) {
    JSValue value = JS_UNDEFINED;
    bool failed;
    if (js_import_hook)
        value = js_import_hook(ctx, base, specifier, attributes);
    if (JS_IsUndefined(value))
        return false;
    failed = JS_IsException(value);
    if (failed)
        value = JS_GetException(ctx);
    JS_FreeValue(ctx, JS_Call(ctx, resolving_funcs[failed], JS_UNDEFINED, 1, vc(&value)));
    JS_FreeValue(ctx, value);
    return true;
}

static JSValue js_first_meta(JSContext* ctx, JSModuleDef* m) {
    bool is_first = JS_IsUndefined(m->meta_obj);
    JSValue meta = JS_GetImportMeta(ctx, m);
    JSValue done;
    if (!is_first || !js_meta_hook || JS_IsException(meta))
        return meta;
    done = js_meta_hook(ctx, m, meta);
    if (JS_IsException(done)) {
        JS_FreeValue(ctx, meta);
        return JS_EXCEPTION;
    }
    JS_FreeValue(ctx, done);
    return meta;
}
