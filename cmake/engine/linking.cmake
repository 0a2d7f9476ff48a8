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
append_file(vm_modules.c)
