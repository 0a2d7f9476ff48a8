/* RegExp.$1 and its kin: what the last match of the program found. Matches of expressions that are
 * written in the runtime's own code are not the program's. */
static bool js_is_own_file(JSRuntime* rt, JSAtom file) {
    static const char prefix[] = "node:";
    const JSString* name = __JS_AtomIsTaggedInt(file) ? NULL : rt->atom_array[file];
    return name && !name->is_wide_char && name->len >= sizeof(prefix) - 1 &&
           memcmp(str8((JSString*)name), prefix, sizeof(prefix) - 1) == 0;
}

static void js_mark_own_regexp(JSRuntime* rt, JSValueConst regexp, JSAtom file) {
    JS_VALUE_GET_OBJ(regexp)->u.regexp.is_own = js_is_own_file(rt, file);
}

/* Whether what calls RegExp is the runtime's. */
static bool js_runs_own_code(JSContext* ctx) {
    for (JSStackFrame* frame = ctx->rt->current_stack_frame; frame; frame = frame->prev_frame) {
        JSObject* function;
        if (!JS_IsObject(frame->cur_func))
            continue;
        function = JS_VALUE_GET_OBJ(frame->cur_func);
        if (js_class_has_bytecode(function->class_id)) {
            const JSFunctionBytecode* code = function->u.func.function_bytecode;
            return !code->source && js_is_own_file(ctx->rt, code->filename);
        }
    }
    return false;
}

static void js_note_span(JSRuntime* rt, int at, uint8_t** match, const uint8_t* from, int shift) {
    bool is_there = match && match[0] && match[1];
    rt->regexp_spans[2 * at] = is_there ? (match[0] - from) >> shift : 0;
    rt->regexp_spans[2 * at + 1] = is_there ? (match[1] - from) >> shift : 0;
}

/* Spans: 0 the match, 1 to 9 its groups, 10 the last group. */
static void js_note_match(JSContext* ctx, JSValueConst input, uint8_t** capture, int count) {
    JSRuntime* rt = ctx->rt;
    JSString* str = JS_VALUE_GET_STRING(input);
    JSValue before = rt->regexp_input;
    if (!rt->regexp_noted)
        return;
    for (int i = 0; i < 10; i++)
        js_note_span(rt, i, i < count ? &capture[2 * i] : NULL, str8(str), str->is_wide_char);
    js_note_span(rt, 10, count > 1 ? &capture[2 * (count - 1)] : NULL, str8(str),
                 str->is_wide_char);
    rt->regexp_input = js_dup(input);
    JS_FreeValueRT(rt, before);
}

enum { STATIC_LAST_GROUP = 10, STATIC_INPUT, STATIC_LEFT, STATIC_RIGHT };

static JSValue js_regexp_static(JSContext* ctx, JSValueConst this_val, int magic) {
    JSRuntime* rt = ctx->rt;
    const int* spans = rt->regexp_spans;
    JSString* str;
    if (JS_VALUE_GET_TAG(rt->regexp_input) != JS_TAG_STRING)
        return js_empty_string(rt);
    str = JS_VALUE_GET_STRING(rt->regexp_input);
    switch (magic) {
    case STATIC_INPUT:
        return js_dup(rt->regexp_input);
    case STATIC_LEFT:
        return js_sub_string(ctx, str, 0, spans[0]);
    case STATIC_RIGHT:
        return js_sub_string(ctx, str, spans[1], str->len);
    default:
        return js_sub_string(ctx, str, spans[2 * magic], spans[2 * magic + 1]);
    }
}
