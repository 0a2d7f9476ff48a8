/* The compiler's side of counts.c: which functions and blocks a text has, and where each begins to
 * count. A block without an end goes on to the next range beside it, or to the end of what it is
 * in. JSFunctionDef.counted is the number of the function's range, from 1. */
enum { JS_COUNT_FUNCTION, JS_COUNT_BLOCK, JS_COUNT_FIELDS, JS_COUNT_STATIC };
static __thread js_counted* js_count_ranges;
static __thread int js_range_count, js_range_room;

static void js_count_begin(void) {
    js_range_count = 0;
}

/* For the end of a thread. */
void js_forget_counts(void) {
    (free)(js_count_ranges);
    (free)(js_count_values);
    js_count_ranges = NULL;
    js_count_values = NULL;
    js_range_count = js_range_room = 0;
    js_count_used = js_count_room = 0;
    js_is_counting = false;
}

static int js_count_add(JSParseState* s, int kind, const uint8_t* start, int function) {
    if (js_range_count == js_range_room) {
        int room = js_range_room == 0 ? 256 : 2 * js_range_room;
        js_counted* larger = (realloc)(js_count_ranges, room * sizeof(*larger));
        if (larger == NULL)
            return -1;
        js_count_ranges = larger;
        js_range_room = room;
    }
    js_count_ranges[js_range_count] = (js_counted){start - s->buf_start, -1, function, kind};
    return js_range_count++;
}

/* A range of the function that is being compiled: its number, or -1. */
static int js_count_note(JSParseState* s, int kind, const uint8_t* start) {
    if (likely(!js_is_counting) || s->cur_func->counted == 0)
        return -1;
    return js_count_add(s, kind, start, s->cur_func->counted - 1);
}

/* Here the range begins to run. */
static void js_count_emit(JSParseState* s, int range) {
    if (likely(range < 0) || !js_is_live_code(s))
        return;
    emit_op(s, OP_push_i32);
    emit_u32(s, js_count_used + range);
    emit_op(s, OP_invalid);
    emit_op(s, OP_drop);
}

static int js_count_block(JSParseState* s, const uint8_t* start) {
    int range = js_count_note(s, JS_COUNT_BLOCK, start);
    js_count_emit(s, range);
    return range;
}

/* Behind the last token of the range. */
static void js_count_end(JSParseState* s, int range) {
    if (range >= 0)
        js_count_ranges[range].end = s->last_ptr - s->buf_start;
}

/* The same for the body of a do: what stands behind its statement is not run through. */
static void js_count_end_do(JSParseState* s, int range) {
    int last = js_range_count - 1;
    js_count_end(s, range);
    if (range >= 0 && js_count_ranges[last].end < 0 &&
        js_count_ranges[last].start == s->last_ptr - s->buf_start)
        js_count_ranges[last].end = js_count_ranges[last].start;
}

static void js_count_function(JSParseState* s, const uint8_t* start) {
    JSFunctionDef* fd = s->cur_func;
    if (likely(!js_is_counting))
        return;
    if (fd->func_type == JS_PARSE_FUNC_CLASS_STATIC_INIT && fd->parent != NULL) {
        fd->counted = fd->parent->counted;
        return;
    }
    int range = js_count_add(s, JS_COUNT_FUNCTION, start, -1);
    fd->counted = range + 1;
    js_count_emit(s, range);
}

/* What gives an object, or a class, its fields. */
static void js_count_fields(JSParseState* s, bool is_static) {
    if (likely(!js_is_counting))
        return;
    int range = js_count_add(s, is_static ? JS_COUNT_STATIC : JS_COUNT_FIELDS, s->token.ptr, -1);
    s->cur_func->counted = range + 1;
    js_count_emit(s, range);
}

static void js_count_place(JSParseState* s, JSFunctionDef* fd, const uint8_t* start,
                           const uint8_t* end) {
    if (likely(!js_is_counting) || fd == NULL || fd->counted == 0)
        return;
    js_count_ranges[fd->counted - 1].start = start - s->buf_start;
    js_count_ranges[fd->counted - 1].end = end - s->buf_start;
}

/* Behind a statement from which control may not have come back. */
static void js_count_after(JSParseState* s, int first) {
    if (likely(!js_is_counting))
        return;
    switch (s->token.val) {
    case '}':
    case TOK_EOF:
    case TOK_CASE:
    case TOK_DEFAULT:
    case TOK_ELSE:
        return;
    }
    switch (first) {
    case '{':
    case TOK_IF:
    case TOK_WHILE:
    case TOK_DO:
    case TOK_FOR:
    case TOK_SWITCH:
    case TOK_TRY:
    case TOK_WITH:
    case TOK_RETURN:
    case TOK_THROW:
    case TOK_BREAK:
    case TOK_CONTINUE:
        js_count_block(s, s->last_ptr);
    }
}

/* Behind an await or a yield. */
static void js_count_after_wait(JSParseState* s) {
    js_count_block(s, s->token.val == ';' ? s->token.ptr + 1 : s->last_ptr);
}

/* A case without statements: control goes on to the next one. Gives the label of that. */
static int js_count_empty_case(JSParseState* s, int range, int label) {
    if (likely(range < 0))
        return emit_goto(s, OP_if_true, label);
    int skip = emit_goto(s, OP_if_false, -1);
    if (label >= 0)
        emit_label(s, label);
    js_count_emit(s, range);
    js_count_end(s, range);
    label = emit_goto(s, OP_goto, -1);
    emit_label(s, skip);
    return label;
}

static void js_count_keep(JSContext* ctx, const char* source, size_t length, const char* file) {
    uint32_t first = js_count_used;
    if (unlikely(js_is_counting) && js_counted_hook != NULL && js_count_grow(js_range_count))
        js_counted_hook(ctx, source, length, file, js_count_ranges, js_range_count, first);
}
