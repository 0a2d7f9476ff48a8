# Loops over async iterators end as the language says. One whose next() fails does not call
# return(): the iterator is at its end, and what is about to run then is the rest of the loop's
# step. One whose body throws waits for return(): its catch offset is the place of code that does.
without("loops over async iterators that fail call return(), those left by a throw do not wait")
replace("                int pos = JS_VALUE_GET_INT(val);
                if (pos == 0) {"
        "                int pos = JS_VALUE_GET_INT(val);
                if ((pos == 0 || b->byte_code_buf[pos] == OP_nip) &&
                    pc > b->byte_code_buf + 1 &&
                    pc < b->byte_code_buf + b->byte_code_len - 1 &&
                    (pc[0] == OP_iterator_get_value_done ||
                     (pc[0] == OP_await && pc[1] == OP_iterator_get_value_done) ||
                     (pc[-2] == OP_await && pc[-1] == OP_iterator_get_value_done &&
                      (pc[0] == OP_if_false || pc[0] == OP_if_false8)))) {
                    pc = b->byte_code_buf; /* the loops around this one are closed */
                } else if (pos == 0) {")
replace("    int label_next, label_expr, label_cont, label_body, label_break;"
        "    int label_next, label_expr, label_cont, label_body, label_break, label_throw = -1;")
replace("        if (is_async)
            emit_op(s, OP_for_await_of_start);
        else
            emit_op(s, OP_for_of_start);
        /* on stack: enum_rec */"
        "        if (is_async) {
            emit_op(s, OP_for_await_of_start);
            emit_op(s, OP_drop);
            label_throw = emit_goto(s, OP_catch, -1);
        } else {
            emit_op(s, OP_for_of_start);
        }
        /* on stack: enum_rec */")
replace("        emit_iterator_close(s, is_async, false);
    } else {"
        "        emit_iterator_close(s, is_async, false);
        if (is_async) {
            int label_end = emit_goto(s, OP_goto, -1), label_ignore, label_none, label_done;
            emit_label(s, label_throw);
            emit_op(s, OP_nip);
            /* iter_obj error */
            label_ignore = emit_goto(s, OP_catch, -1);
            emit_op(s, OP_dup3);
            emit_op(s, OP_drop);
            emit_op(s, OP_drop);
            /* iter_obj error catch_offset iter_obj */
            emit_op(s, OP_get_field2);
            emit_atom(s, JS_ATOM_return);
            emit_op(s, OP_dup);
            emit_op(s, OP_is_undefined_or_null);
            label_none = emit_goto(s, OP_if_true, -1);
            emit_op(s, OP_call_method);
            emit_u16(s, 0);
            emit_op(s, OP_await);
            label_done = emit_goto(s, OP_goto, -1);
            emit_label(s, label_none);
            emit_op(s, OP_drop);
            emit_label(s, label_done);
            emit_op(s, OP_drop);
            emit_op(s, OP_drop);
            emit_op(s, OP_throw);
            emit_label(s, label_ignore);
            emit_op(s, OP_drop);
            emit_op(s, OP_throw);
            emit_label(s, label_end);
        }
    } else {")
