# A constructor is called where "new" stands: the column that stacks show, as in V8.
without("stacks show the column of the constructor's name instead of that of \"new\"")
replace("    FuncCallType call_type;" "    FuncCallType call_type;
    int new_line = 0, new_column = 0;")
replace("    case TOK_NEW:
        if (next_token(s))"
        "    case TOK_NEW:
        new_line = s->token.line_num;
        new_column = s->token.col_num;
        if (next_token(s))")
replace("        } else {
            emit_source_loc(s);
            if (js_parse_postfix_expr(s, 0))
                return -1;
            accept_lparen = true;
            if (s->token.val != '(') {"
        "        } else {
            emit_source_loc_at(s, new_line, new_column);
            if (js_parse_postfix_expr(s, 0))
                return -1;
            accept_lparen = true;
            if (s->token.val != '(') {
                emit_source_loc_at(s, new_line, new_column);")
replace("                    } else if (call_type == FUNC_CALL_NEW) {
                        emit_op(s, OP_call_constructor);"
        "                    } else if (call_type == FUNC_CALL_NEW) {
                        emit_source_loc_at(s, new_line, new_column);
                        emit_op(s, OP_call_constructor);")
# The first column of the first line is 1, as that of the others.
replace("    s->eol = s->buf_ptr;" "    s->eol = s->buf_ptr - 1;")
