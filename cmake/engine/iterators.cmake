# A loop over an async iterator whose next() fails does not call return(), as the language says: the
# iterator is at its end. What is about to run then is the rest of the loop's step.
without("loops over async iterators that fail call return()")
replace("                    sp--;
                    JS_IteratorClose(ctx, sp[-1], true);"
        "                    sp--;
                    if (pc < b->byte_code_buf + b->byte_code_len - 1 &&
                        (pc[0] == OP_iterator_get_value_done ||
                         (pc[0] == OP_await && pc[1] == OP_iterator_get_value_done)))
                        pc = b->byte_code_buf; /* the loops around this one are closed */
                    else
                        JS_IteratorClose(ctx, sp[-1], true);")
