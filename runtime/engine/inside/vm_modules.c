/* Modules that JavaScript links itself: one function per module does all that is asked of it. Its
 * second datum is a function that keeps the module's context, and so the module. */

static JSModuleDef* js_vm_module_of(JSContext* ctx, JSValueConst function) {
    JSCFunctionDataRecord* s = JS_GetOpaque(function, JS_CLASS_C_FUNCTION_DATA);
    if (!s || s->data_len != 2 || JS_VALUE_GET_TAG(s->data[0]) != JS_TAG_MODULE ||
        JS_GetFunctionRealm(ctx, s->data[1]) != ctx)
        return NULL;
    return JS_VALUE_GET_PTR(s->data[0]);
}

static JSValue js_vm_requests(JSContext* ctx, JSModuleDef* m) {
    JSValue list = JS_NewArray(ctx);
    for (int i = 0; i < m->req_module_entries_count; i++) {
        JSReqModuleEntry* entry = &m->req_module_entries[i];
        JS_SetPropertyUint32(ctx, list, 2 * i, JS_AtomToString(ctx, entry->module_name));
        JS_SetPropertyUint32(ctx, list, 2 * i + 1, js_dup(entry->attributes));
    }
    return list;
}

static bool js_vm_is_complete(js_graph* graph) {
    for (int i = 0; i < graph->count; i++)
        for (int j = 0; j < graph->modules[i]->req_module_entries_count; j++)
            if (!graph->modules[i]->req_module_entries[j].module)
                return false;
    return true;
}

static int js_vm_visit(JSContext* ctx, js_graph* graph, JSModuleDef* m) {
    for (int i = 0; i < graph->count; i++)
        if (graph->modules[i] == m)
            return 0;
    if (js_resize_array(ctx, (void**)&graph->modules, sizeof(graph->modules[0]), &graph->size,
                        graph->count + 1))
        return -1;
    graph->modules[graph->count++] = m;
    for (int i = 0; i < m->req_module_entries_count; i++)
        if (m->req_module_entries[i].module &&
            js_vm_visit(ctx, graph, m->req_module_entries[i].module))
            return -1;
    return 0;
}

/* A module that could not be linked is as it was compiled: it may be linked to others. */
static void js_vm_unlink(JSContext* ctx, JSModuleDef* m) {
    if (m->status != JS_MODULE_STATUS_UNLINKED || !m->func_created)
        return;
    for (int i = 0; i < m->export_entries_count; i++) {
        JSExportEntry* entry = &m->export_entries[i];
        if (entry->export_type != JS_EXPORT_TYPE_LOCAL || !entry->u.local.var_ref)
            continue;
        free_var_ref(ctx->rt, entry->u.local.var_ref);
        entry->u.local.var_ref = NULL;
    }
    if (!m->init_func) {
        JSValue function = m->func_obj;
        JSFunctionBytecode* b = JS_VALUE_GET_OBJ(function)->u.func.function_bytecode;
        m->func_obj = js_dup(JS_MKPTR(JS_TAG_FUNCTION_BYTECODE, b));
        JS_FreeValue(ctx, function);
    }
    JS_FreeValue(ctx, m->module_ns);
    m->module_ns = JS_UNDEFINED;
    m->func_created = false;
}

static JSValue js_vm_link_graph(JSContext* ctx, JSModuleDef* m, js_graph* graph) {
    if (js_vm_visit(ctx, graph, m))
        return JS_EXCEPTION;
    if (!js_vm_is_complete(graph))
        return JS_ThrowTypeError(ctx, "a request of the module is not linked");
    for (int i = 0; i < graph->count; i++)
        if (graph->modules[i]->status == JS_MODULE_STATUS_LINKING ||
            graph->modules[i]->status == JS_MODULE_STATUS_EVALUATING)
            return JS_ThrowTypeError(ctx, "the module is being linked");
    if (js_create_module_function(ctx, m) < 0 || js_link_module(ctx, m) < 0) {
        for (int i = 0; i < graph->count; i++)
            js_vm_unlink(ctx, graph->modules[i]);
        return JS_EXCEPTION;
    }
    return JS_UNDEFINED;
}

static JSValue js_vm_link(JSContext* ctx, JSModuleDef* m) {
    js_graph graph = {0};
    JSValue result = js_vm_link_graph(ctx, m, &graph);
    js_free(ctx, graph.modules);
    return result;
}

static JSValue js_vm_evaluate(JSContext* ctx, JSModuleDef* m) {
    if (m->status != JS_MODULE_STATUS_LINKED && m->status != JS_MODULE_STATUS_EVALUATING_ASYNC &&
        m->status != JS_MODULE_STATUS_EVALUATED)
        return JS_ThrowTypeError(ctx, "the module is not linked");
    return js_evaluate_module(ctx, m);
}

static JSValue js_vm_set_request(JSContext* ctx, JSModuleDef* m, int argc, JSValueConst* argv) {
    JSModuleDef* other = argc > 2 ? js_vm_module_of(ctx, argv[2]) : NULL;
    int index;
    if (argc < 3 || JS_ToInt32(ctx, &index, argv[1]))
        return JS_EXCEPTION;
    if (!other || index < 0 || index >= m->req_module_entries_count || m->func_created)
        return JS_ThrowTypeError(ctx, "no such request");
    m->req_module_entries[index].module = other;
    return JS_UNDEFINED;
}

static JSValue js_vm_set_export(JSContext* ctx, JSModuleDef* m, JSValueConst name,
                                JSValueConst value) {
    JSAtom atom = JS_ValueToAtom(ctx, name);
    JSExportEntry* entry = NULL;
    for (int i = 0; atom != JS_ATOM_NULL && i < m->export_entries_count; i++)
        if (m->export_entries[i].export_name == atom)
            entry = &m->export_entries[i];
    JS_FreeAtom(ctx, atom);
    if (!entry || entry->export_type != JS_EXPORT_TYPE_LOCAL || !entry->u.local.var_ref ||
        !m->init_func)
        return JS_FALSE;
    set_value(ctx, entry->u.local.var_ref->pvalue, js_dup(value));
    return JS_TRUE;
}

enum {
    VM_REQUESTS,
    VM_SET_REQUEST,
    VM_LINK,
    VM_EVALUATE,
    VM_NAMESPACE,
    VM_STATUS,
    VM_ERROR,
    VM_SET_EXPORT,
    VM_META,
    VM_AWAITS
};

/* (what is asked, ...) */
static JSValue js_vm_operate(JSContext* caller, JSValueConst self, int argc, JSValueConst* argv,
                             int magic, JSValueConst* data) {
    JSModuleDef* m = JS_VALUE_GET_PTR(data[0]);
    JSContext* ctx = JS_GetFunctionRealm(caller, data[1]);
    int asked;
    if (JS_ToInt32(ctx, &asked, argc > 0 ? argv[0] : JS_UNDEFINED))
        return JS_EXCEPTION;
    switch (asked) {
    case VM_REQUESTS:
        return js_vm_requests(ctx, m);
    case VM_SET_REQUEST:
        return js_vm_set_request(ctx, m, argc, argv);
    case VM_LINK:
        return js_vm_link(ctx, m);
    case VM_EVALUATE:
        return js_vm_evaluate(ctx, m);
    case VM_NAMESPACE:
        if (m->status < JS_MODULE_STATUS_LINKED)
            return JS_ThrowTypeError(ctx, "the module is not linked");
        return JS_GetModuleNamespace(ctx, m);
    case VM_STATUS:
        return js_int32(m->eval_has_exception ? 100 : m->status);
    case VM_ERROR:
        return m->eval_has_exception ? js_dup(m->eval_exception) : JS_UNDEFINED;
    case VM_SET_EXPORT:
        return argc < 3 ? JS_FALSE : js_vm_set_export(ctx, m, argv[1], argv[2]);
    case VM_META:
        return JS_GetImportMeta(ctx, m);
    default:
        return js_bool(m->has_tla);
    }
}

static JSValue js_vm_keep(JSContext* ctx, JSValueConst self, int argc, JSValueConst* argv) {
    return JS_UNDEFINED;
}

/* The function of a module of this context. */
JSValue js_vm_module(JSContext* ctx, JSModuleDef* m) {
    JSValue keeper = JS_NewCFunction(ctx, js_vm_keep, "", 0);
    JSValueConst data[] = {JS_NewModuleValue(ctx, m), keeper};
    JSValue function = JS_NewCFunctionData(ctx, js_vm_operate, 3, 0, 2, data);
    JS_FreeValue(ctx, keeper);
    return function;
}

/* The source of a module whose requests JavaScript links. */
JSModuleDef* js_vm_compile(JSContext* ctx, const char* source, size_t length, const char* name) {
    JSModuleDef* m;
    JSValue code;
    js_vm_compiles = true;
    code = JS_Eval(ctx, source, length, name, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
    js_vm_compiles = false;
    if (JS_IsException(code))
        return NULL;
    m = JS_VALUE_GET_PTR(code);
    JS_FreeValue(ctx, code);
    return m;
}
