# Places where a debugger may stop (runtime/plugins/inspector): while js_marks_statements is set,
# the compiler puts a mark before each statement, and the interpreter tells a hook of each mark that
# it reaches. A mark is the opcode "invalid" twice, which no other code has. The table of lines
# gives the first one the statement's place, the second the innermost variable in sight (as the
# line) and the kind of the mark (as a column below zero). Code without marks runs as before.
without("the inspector has no breakpoints and no steps")
insert_file_before("static JSValue JS_CallInternal(JSContext *caller_ctx," statements_hooks.c)
replace("        CASE(OP_invalid):
        DEFAULT:" "        CASE(OP_invalid):
            sf->cur_pc = pc;
            if (js_statement_hook != NULL && js_statement_hook(ctx))
                goto exception;
            pc++;
            BREAK;
        DEFAULT:")
insert_before("    if (!JS_IsUncatchableError(rt->current_exception)) {
        while (sp > stack_buf) {" "    if (unlikely(js_throw_hook != NULL)) {
        sf->cur_pc = pc;
        js_throw_hook(ctx);
    }
")
replace("if (op == 0 || op >= OP_COUNT) {
            JS_ThrowInternalError(ctx, \"invalid opcode (op=%d, pc=%d)\", op, pos);"
        "if (op >= OP_COUNT) {
            JS_ThrowInternalError(ctx, \"invalid opcode (op=%d, pc=%d)\", op, pos);")

insert_file_before("static __exception int js_parse_var(JSParseState *s, int parse_flags, int tok,
                                    bool export_flag)
{" statements_marks.c)
insert_before("    switch(tok = s->token.val) {
    case '{':
        if (js_parse_block(s))" "    js_mark_statement(s);
")
insert_before("            if (js_parse_expr_paren(s))
                goto fail;
            emit_goto(s, OP_if_false, label_break);" "            js_mark(s, JS_MARK_STATEMENT);
")
insert_before("                    if (js_parse_expr2(s, false))
                        goto fail;
                    emit_op(s, OP_drop);
                }

            for_init_done:" "                    js_mark(s, JS_MARK_STATEMENT);
")
insert_before("                if (js_parse_expr(s))
                    goto fail;
                emit_goto(s, OP_if_false, label_break);"
              "                js_mark(s, JS_MARK_STATEMENT);
")
insert_before("                if (js_parse_expr(s))
                    goto fail;
                emit_op(s, OP_drop);
                if (label_test != label_body)" "                js_mark(s, JS_MARK_STATEMENT);
")
insert_before("            emit_return(s, true);
        } else {
            emit_return(s, false);
        }
        if (js_parse_expect_semi(s))" "            js_mark_return(s);
")
insert_before("        /* save the function source code */
        fd->source_len = s->buf_ptr - ptr;" "        if (js_is_live_code(s))
            js_mark(s, JS_MARK_RETURN);

")
insert_before("            if (js_parse_assign_expr(s))
                goto fail;

            if (func_kind != JS_FUNC_NORMAL)
                emit_op(s, OP_return_async);" "            js_mark(s, JS_MARK_STATEMENT);
")
insert_before("            if (func_kind != JS_FUNC_NORMAL)
                emit_op(s, OP_return_async);" "            js_mark_return(s);
")
insert_before("    if (s->token.val == TOK_ARROW) {
        if (next_token(s))
            goto fail;

        if (s->token.val != '{') {" "    js_keep_this(s);
")
insert_before("                if (tok == TOK_VAR) {
                    /* Must make a reference for proper `with` semantics */"
              "                js_mark(s, JS_MARK_STATEMENT);
")
insert_before("                emit_op(s, OP_undefined);
                if (js_parse_destructuring_element(s, tok, false, true, skip_bits"
"                js_mark(s, JS_MARK_STATEMENT);
")
insert_before("    if (is_for_of) {
        if (js_parse_assign_expr(s))
            return -1;
    } else {" "    js_mark(s, JS_MARK_STATEMENT);
")
# Each turn of a loop over values stops where its variable stands.
replace("    pos_next = s->cur_func->byte_code.size;
    emit_label(s, label_next);
" "    pos_next = s->cur_func->byte_code.size;
    emit_label(s, label_next);
    js_mark(s, JS_MARK_STATEMENT);
")
replace("                block_env.label_finally = label_finally;

                if (js_parse_block(s))
                    goto fail;

                pop_break_entry(s->cur_func);
                pop_scope(s);  /* catch block */"
"                block_env.label_finally = label_finally;
                block_env.is_regular_stmt = 1; /* no try: see js_is_in_try */

                if (js_parse_block(s))
                    goto fail;

                pop_break_entry(s->cur_func);
                pop_scope(s);  /* catch block */")
insert_before("    if (has_using_be) {
        int label_catch = fd->scopes[fd->body_scope].using_label_catch;
        int label_end = fd->scopes[fd->body_scope].using_label_end;

        pop_break_entry(fd);

        if (js_is_live_code(s)) {" "    js_mark(s, JS_MARK_RETURN);
")
replace("    js_parse_init(ctx, s, input, input_len, filename, line);
    skip_shebang(&s->buf_ptr, s->buf_end);
" "    js_parse_init(ctx, s, input, input_len, filename, line);
    skip_shebang(&s->buf_ptr, s->buf_end);
    js_mark_count = 0;
")
insert_before("    /* Could add a flag to avoid resolution if necessary */"
              "    if (unlikely(js_script_hook != NULL))
        js_script_hook(ctx, input, input_len, filename, flags, js_marks, js_mark_count);
")
append_file(statements.c)
