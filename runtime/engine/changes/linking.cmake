# What is wrong with a link is said by the runtime (internal/esm), and modules can be linked by
# JavaScript (vm.Module).
without("errors of links have the engine's words; vm has no modules")
needs(require)
insert_file_before("static int js_inner_module_linking(JSContext *ctx, JSModuleDef *m,"
                   link_errors.c)
replace("js_resolve_export_throw_error(ctx, ret, m1, me->local_name);"
        "js_link_error(ctx, ret, m, me->u.req_module_idx, me->local_name, m1);")
replace("js_resolve_export_throw_error(ctx, ret, m1, mi->import_name);"
        "js_link_error(ctx, ret, m, mi->req_module_idx, mi->import_name, m1);")
replace("    ret = JS_Call(ctx, resolving_funcs[1], JS_UNDEFINED, 1, &error);"
        "    if (js_import_failed)
        js_import_failed(ctx, error);
    ret = JS_Call(ctx, resolving_funcs[1], JS_UNDEFINED, 1, &error);")
insert_file_before("/* return JS_ATOM_NULL if the name cannot be found. Only works with
   not striped bytecode functions. */" imports.c)
replace("    return JS_GetImportMeta(ctx, m);
}" "    return js_first_meta(ctx, m);
}")
replace("    JS_LoadModuleInternal(ctx, basename, filename, resolving_funcs, attributes);"
        "    if (!js_imported_elsewhere(ctx, resolving_funcs, basename_val, specifier, attributes))
        JS_LoadModuleInternal(ctx, basename, filename, resolving_funcs, attributes);")
replace("        m->func_obj = fun_obj;
        if (js_resolve_module(ctx, m) < 0)"
        "        m->func_obj = fun_obj;
        if (js_vm_compiles)
            m->resolved = true;
        else if (js_resolve_module(ctx, m) < 0)")
append_file(vm_modules.c)
