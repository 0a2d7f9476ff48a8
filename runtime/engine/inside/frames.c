/* What is running, innermost first. The line that runs is that of the last call, 0 before it. */
void js_each_frame(JSContext* ctx,
                   void (*tell)(void* data, JSContext* ctx, JSValueConst function,
                                bool is_whole_text, JSAtom file, int line, int column, int running),
                   void* data) {
    for (JSStackFrame* sf = ctx->rt->current_stack_frame; sf != NULL; sf = sf->prev_frame) {
        int running = 0, column;
        if (JS_VALUE_GET_TAG(sf->cur_func) != JS_TAG_OBJECT)
            continue;
        JSObject* p = JS_VALUE_GET_OBJ(sf->cur_func);
        if (!js_class_has_bytecode(p->class_id)) {
            tell(data, ctx, sf->cur_func, false, JS_ATOM_NULL, 0, 0, 0);
            continue;
        }
        JSFunctionBytecode* b = p->u.func.function_bytecode;
        if (sf->cur_pc != NULL)
            running = find_line_num(ctx, b, sf->cur_pc - b->byte_code_buf - 1, &column);
        tell(data, ctx, sf->cur_func, b->func_name == JS_ATOM__eval_, b->filename, b->line_num,
             b->col_num, running);
    }
}
