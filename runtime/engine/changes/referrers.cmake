# import() in the text of an eval() is that of the script that calls it.
without("import() in a text that is given to eval() does not find files by relative names")
insert_file_before("/* return JS_ATOM_NULL if the name cannot be found. Only works with
   not striped bytecode functions. */" referrers.c)
replace("    b = p->u.func.function_bytecode;
    return JS_DupAtom(ctx, b->filename);"
        "    b = p->u.func.function_bytecode;
    while (js_is_nameless(ctx, b->filename) && (sf = sf->prev_frame) != NULL) {
        p = JS_VALUE_GET_OBJ(sf->cur_func);
        if (js_class_has_bytecode(p->class_id))
            b = p->u.func.function_bytecode;
    }
    return JS_DupAtom(ctx, b->filename);")
