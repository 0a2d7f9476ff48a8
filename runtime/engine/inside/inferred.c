/* V8 shows a function without a name under what it is assigned to: "a.b" for
 * `a.b = function () {}`, without `this` and `prototype`. */

typedef struct {
    const char *at, *end;
    char text[200];
    int length;
} js_inferred;

static void js_inferred_add(js_inferred* name, const char* part, int length) {
    if ((length == 4 && !memcmp(part, "this", 4)) || (length == 9 && !memcmp(part, "prototype", 9)))
        return;
    if (name->length + length + 1 >= (int)sizeof(name->text))
        return;
    if (name->length > 0)
        name->text[name->length++] = '.';
    memcpy(name->text + name->length, part, (size_t)length);
    name->length += length;
}

static bool js_is_in_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || c == '#' || (c & 0x80);
}

/* Behind the bracket that belongs to the one here; false: what stands between may hide one. */
static bool js_inferred_skip(js_inferred* name) {
    int depth = 0;
    for (; name->at < name->end; name->at++) {
        char c = *name->at;
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if (c == ')' || c == ']' || c == '}')
            depth--;
        else if (c == '"' || c == '\'' || c == '`' || c == '/')
            return false;
        if (depth == 0) {
            name->at++;
            return true;
        }
    }
    return false;
}

/* ["name"] */
static bool js_inferred_literal(js_inferred* name) {
    const char *start = name->at + 2, *p = start;
    if (name->end - name->at < 4 || (start[-1] != '"' && start[-1] != '\''))
        return false;
    while (p + 1 < name->end && *p != start[-1] && *p != '\\')
        p++;
    if (p + 1 >= name->end || *p != start[-1] || p[1] != ']')
        return false;
    js_inferred_add(name, start, (int)(p - start));
    name->at = p + 2;
    return true;
}

static bool js_inferred_step(js_inferred* name) {
    const char* start = name->at;
    if (js_is_in_word(*start)) {
        while (name->at < name->end && js_is_in_word(*name->at))
            name->at++;
        js_inferred_add(name, start, (int)(name->at - start));
        return true;
    }
    if (*start == '.' || *start == ' ' || *start == '\n' || *start == '\r' || *start == '\t') {
        name->at++;
        return true;
    }
    if (*start == '[' && js_inferred_literal(name))
        return true;
    if ((*start != '[' && *start != '(') || !js_inferred_skip(name))
        return false;
    if (*start == '[')
        js_inferred_add(name, "<computed>", 10);
    return true;
}

/* The function that was parsed last is assigned to the text from start to end. */
static void js_infer_name(JSParseState* s, const uint8_t* start, const uint8_t* end) {
    js_inferred name = {(const char*)start, (const char*)end, "", 0};
    JSFunctionDef *child, *fd = s->cur_func;
    const uint8_t* code = fd->byte_code.buf;
    int at = fd->last_opcode_pos;
    if (get_prev_opcode(fd) != OP_set_name || at < 5 || code[at - 5] != OP_fclosure ||
        list_empty(&fd->child_list))
        return;
    child = list_entry(fd->child_list.prev, JSFunctionDef, link);
    if ((uint32_t)child->parent_cpool_idx != get_u32(code + at - 4))
        return;
    while (name.at < name.end)
        if (!js_inferred_step(&name))
            return;
    if (name.length > 0)
        child->inferred_name = JS_NewAtomLen(s->ctx, name.text, (size_t)name.length);
}
