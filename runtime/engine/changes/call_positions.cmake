# A call stands where the name of what is called stands, or else its bracket, and the reading of a
# property where its name is: the lines and columns that stacks show, as in V8.
without("stacks show the place of a call's last argument instead of that of the call")
needs(positions)
replace("    int new_line = 0, new_column = 0;"
        "    int new_line = 0, new_column = 0;
    int name_line = 0, name_column = 0; /* of the name that was read last; none before brackets */
    int call_line, call_column;")
replace("                emit_source_loc_at(s, identifier_line_num, identifier_col_num);"
        "                emit_source_loc_at(s, identifier_line_num, identifier_col_num);
                name_line = identifier_line_num;
                name_column = identifier_col_num;")
replace("        bool has_optional_chain = false;

        if (s->token.val == TOK_QUESTION_MARK_DOT) {"
        "        bool has_optional_chain = false;

        call_line = name_line != 0 ? name_line : s->token.line_num;
        call_column = name_line != 0 ? name_column : (int)(s->token.ptr - s->line_start) + 1;
        if (s->token.val == TOK_QUESTION_MARK_DOT) {")
replace("            emit_func_call:
                switch(opcode) {"
        "            emit_func_call:
                if (call_type == FUNC_CALL_NORMAL || call_type == FUNC_CALL_TEMPLATE)
                    emit_source_loc_at(s, call_line, call_column);
                switch(opcode) {")
replace("                /* apply function call */
                switch(opcode) {"
        "                /* apply function call */
                if (call_type == FUNC_CALL_NORMAL)
                    emit_source_loc_at(s, call_line, call_column);
                switch(opcode) {")
replace("            call_type = FUNC_CALL_NORMAL;
        } else if (s->token.val == '.') {"
        "            call_type = FUNC_CALL_NORMAL;
            name_line = 0;
        } else if (s->token.val == '.') {")
replace("        parse_property:
            if (s->token.val == TOK_PRIVATE_NAME) {"
        "        parse_property:
            name_line = s->token.line_num;
            name_column = s->token.col_num;
            emit_source_loc(s);
            if (s->token.val == TOK_PRIVATE_NAME) {")
replace("            if (js_parse_expect(s, ']'))
                return -1;
            if (prev_op == OP_get_super) {"
        "            if (js_parse_expect(s, ']'))
                return -1;
            name_line = 0;
            if (prev_op == OP_get_super) {")
