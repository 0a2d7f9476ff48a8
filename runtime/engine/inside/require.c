/* require() of an ES module. The engine loads modules asynchronously only, but
 * all that it does before the first await is synchronous. */

typedef struct {
    JSModuleDef** modules;
    int count;
    int size;
    bool awaits;     /* a module of the graph has a top-level await */
    bool running;    /* a module of the graph is being evaluated: */
    JSAtom request;  /* asked for by this name, */
    JSAtom importer; /* by this module */
} js_graph;

static int js_graph_visit(JSContext* ctx, js_graph* graph, JSModuleDef* m) {
    for (int i = 0; i < graph->count; i++)
        if (graph->modules[i] == m)
            return 0;
    if (js_resize_array(ctx, (void**)&graph->modules, sizeof(graph->modules[0]), &graph->size,
                        graph->count + 1))
        return -1;
    graph->modules[graph->count++] = m;
    graph->awaits |= m->has_tla;
    graph->running |= m->status == JS_MODULE_STATUS_EVALUATING;
    for (int i = 0; i < m->req_module_entries_count; i++) {
        JSModuleDef* asked = m->req_module_entries[i].module;
        if (asked->status == JS_MODULE_STATUS_EVALUATING && !graph->request) {
            graph->request = m->req_module_entries[i].module_name;
            graph->importer = m->module_name;
        }
        if (js_graph_visit(ctx, graph, asked))
            return -1;
    }
    return 0;
}

static JSValue js_settled_namespace(JSContext* ctx, JSModuleDef* m, JSValueConst promise) {
    JSPromiseData* s = JS_GetOpaque(promise, JS_CLASS_PROMISE);
    if (s->promise_state != JS_PROMISE_REJECTED)
        return JS_GetModuleNamespace(ctx, m);
    if (!s->is_handled)
        js_promise_set_handled(ctx, promise);
    return JS_Throw(ctx, JS_PromiseResult(ctx, promise));
}

static JSValue js_running(JSContext* ctx, js_graph* graph, JSModuleDef* m) {
    JSValue pair;
    if (m->status == JS_MODULE_STATUS_EVALUATING)
        return js_int32(2);
    pair = JS_NewArray(ctx);
    JS_SetPropertyUint32(ctx, pair, 0, JS_AtomToString(ctx, graph->request));
    JS_SetPropertyUint32(ctx, pair, 1, JS_AtomToString(ctx, graph->importer));
    return pair;
}

/* The namespace; or a number: 1 if the graph has a top-level await, 2 if the module is still being
 * evaluated; or which module of the graph is: the name that it is asked for, and by whom. */
JSValue js_require_module(JSContext* ctx, const char* base, const char* name) {
    JSModuleDef* m = js_host_resolve_imported_module(ctx, base, name, JS_UNDEFINED);
    js_graph graph = {0};
    JSValue promise, result;
    if (!m)
        return JS_EXCEPTION;
    if (js_resolve_module(ctx, m) < 0) {
        js_free_modules(ctx, JS_FREE_MODULE_NOT_RESOLVED);
        return JS_EXCEPTION;
    }
    if (js_graph_visit(ctx, &graph, m))
        result = JS_EXCEPTION;
    else if (graph.running)
        result = js_running(ctx, &graph, m);
    else if (graph.awaits)
        result = js_int32(1);
    else
        result = JS_UNDEFINED;
    js_free(ctx, graph.modules);
    if (!JS_IsUndefined(result))
        return result;
    promise = JS_EvalFunction(ctx, JS_NewModuleValue(ctx, m));
    if (JS_IsException(promise))
        return promise;
    result = js_settled_namespace(ctx, m, promise);
    JS_FreeValue(ctx, promise);
    return result;
}
