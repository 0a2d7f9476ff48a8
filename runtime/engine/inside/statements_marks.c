enum { JS_MARK_STATEMENT, JS_MARK_RETURN, JS_MARK_DEBUGGER, JS_MARK_IN_TRY = 8 };
static __thread int js_mark_room;

/* Whether an exception that is thrown here meets a catch, or a finally, of this function. */
static bool js_is_in_try(JSFunctionDef* fd) {
    for (BlockEnv* block = fd->top_break; block != NULL; block = block->prev)
        if (block->label_finally >= 0 && block->drop_count == 1 && !block->is_regular_stmt)
            return true;
    return false;
}

static void js_note_mark(int line, int column, int kind) {
    if (js_mark_count == js_mark_room) {
        int room = js_mark_room == 0 ? 256 : 2 * js_mark_room;
        js_mark_place* larger = (realloc)(js_marks, room * sizeof(*larger));
        if (larger == NULL)
            return;
        js_marks = larger;
        js_mark_room = room;
    }
    js_marks[js_mark_count++] = (js_mark_place){line, column, kind};
}

/* For the end of a thread: the list of the last text that it compiled is not needed any more. */
void js_forget_marks(void) {
    (free)(js_marks);
    js_marks = NULL;
    js_mark_count = js_mark_room = 0;
}

static void js_mark_at(JSParseState* s, int kind, int line, int column) {
    JSFunctionDef* fd = s->cur_func;
    js_note_mark(line, column, kind);
    if (js_is_in_try(fd))
        kind |= JS_MARK_IN_TRY;
    emit_source_loc_at(s, line, column);
    emit_op(s, OP_invalid);
    emit_source_loc_at(s, fd->scope_first + 1, -1 - kind);
    emit_op(s, OP_invalid);
    emit_source_loc_at(s, line, column);
}

static void js_mark(JSParseState* s, int kind) {
    if (unlikely(js_marks_statements))
        js_mark_at(s, kind, s->token.line_num, s->token.col_num);
}

/* Behind the value that is returned. */
static void js_mark_return(JSParseState* s) {
    if (likely(!js_marks_statements))
        return;
    if (s->got_lf)
        js_mark_at(s, JS_MARK_RETURN, s->last_line_num, s->last_col_num);
    else
        js_mark(s, JS_MARK_RETURN);
}

/* Declarations have their marks where they compute something, loops where they test. */
static void js_mark_statement(JSParseState* s) {
    int next;
    if (likely(!js_marks_statements))
        return;
    switch (s->token.val) {
    case '{':
    case ';':
    case TOK_VAR:
    case TOK_LET:
    case TOK_CONST:
    case TOK_FUNCTION:
    case TOK_CLASS:
    case TOK_TRY:
    case TOK_WHILE:
    case TOK_DO:
    case TOK_FOR:
        return;
    case TOK_STRING:
        next = peek_token(s, true);
        if (next == ';' || next == '\n' || next == '}')
            return;
        break;
    case TOK_IDENT:
        if (token_is_pseudo_keyword(s, JS_ATOM_let) ||
            (token_is_pseudo_keyword(s, JS_ATOM_async) && peek_token(s, true) == TOK_FUNCTION))
            return;
        break;
    }
    js_mark(s, s->token.val == TOK_DEBUGGER ? JS_MARK_DEBUGGER : JS_MARK_STATEMENT);
}

/* A debugger shows what "this" is: it becomes a variable, unless reading it could throw. */
static void js_keep_this(JSParseState* s) {
    JSFunctionDef* fd = s->cur_func;
    if (likely(!js_marks_statements))
        return;
    while (fd != NULL && !fd->has_this_binding)
        fd = fd->parent;
    if (fd == NULL || fd->is_derived_class_constructor)
        return;
    emit_op(s, OP_scope_get_var);
    emit_atom(s, JS_ATOM_this);
    emit_u16(s, s->cur_func->scope_level);
    emit_op(s, OP_drop);
}
