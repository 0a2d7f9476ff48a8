/* Told what is wrong with a link, gives the error to throw. Kind: 1 there is no such export, 2
 * names of stars collide, 3 they go round in a circle. */
JSValue (*js_link_hook)(JSContext* ctx, int kind, JSAtom importer, JSAtom request, JSAtom name,
                        JSAtom found);

/* Shown the error of an import before anybody sees it. */
void (*js_import_failed)(JSContext* ctx, JSValueConst error);

static void js_link_error(JSContext* ctx, JSResolveResultEnum res, JSModuleDef* m, int request,
                          JSAtom name, JSModuleDef* m1) {
    int kind = res == JS_RESOLVE_RES_AMBIGUOUS ? 2 : res == JS_RESOLVE_RES_CIRCULAR ? 3 : 1;
    JSValue error;
    if (res == JS_RESOLVE_RES_EXCEPTION)
        return;
    if (!js_link_hook) {
        js_resolve_export_throw_error(ctx, res, m1, name);
        return;
    }
    error = js_link_hook(ctx, kind, m->module_name, m->req_module_entries[request].module_name,
                         name, m1->module_name);
    if (!JS_IsException(error))
        JS_Throw(ctx, error);
}
