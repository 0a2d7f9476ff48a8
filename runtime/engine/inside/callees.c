/* What a value is called in the source, found in the bytecode: the instruction that put it on the
 * stack is looked for backwards from the one that failed. Done only when an error is made. */

typedef struct {
    JSContext* ctx;
    JSFunctionBytecode* b;
    int* starts; /* of the instructions up to the one that failed, which is the last */
    int count;
    bool is_new; /* called as a constructor, with a list of arguments */
    bool is_iterated;
    char text[200];
} js_callee;

static const JSOpCode* js_callee_info(const js_callee* c, int i) {
    return &short_opcode_info(c->b->byte_code_buf[c->starts[i]]);
}

static int js_callee_op(const js_callee* c, int i) {
    return c->b->byte_code_buf[c->starts[i]];
}

static const uint8_t* js_callee_operand(const js_callee* c, int i) {
    return c->b->byte_code_buf + c->starts[i] + 1;
}

static int js_callee_pops(const js_callee* c, int i) {
    const JSOpCode* info = js_callee_info(c, i);
    if (info->fmt == OP_FMT_npop || info->fmt == OP_FMT_npop_u16)
        return info->n_pop + get_u16(js_callee_operand(c, i));
    if (info->fmt == OP_FMT_npopx)
        return info->n_pop + js_callee_op(c, i) - OP_call0;
    return info->n_pop;
}

/* Where the instruction jumps to, or -1. */
static int js_callee_target(const js_callee* c, int i) {
    int at = c->starts[i] + 1;
    switch (js_callee_info(c, i)->fmt) {
    case OP_FMT_label:
        return at + (int)get_u32(c->b->byte_code_buf + at);
    case OP_FMT_label8:
        return at + (int8_t)c->b->byte_code_buf[at];
    case OP_FMT_label16:
        return at + (int16_t)get_u16(c->b->byte_code_buf + at);
    default:
        return -1;
    }
}

/* Values that an instruction only moves: the depth below the top at which one was before it, or
 * -1 if the instruction made it. */
static int js_callee_moved(int op, int depth) {
    switch (op) {
    case OP_dup:
        return depth < 2 ? 0 : -1;
    case OP_swap:
        return depth < 2 ? 1 - depth : -1;
    case OP_perm3:
        return depth == 1 ? 2 : depth == 2 ? 1 : depth == 0 ? 0 : -1;
    case OP_insert2:
        return depth == 2 ? 0 : depth < 2 ? depth : -1;
    case OP_nip:
        return depth == 0 ? 0 : -1;
    case OP_get_field2:
        return depth == 1 ? 0 : -1;
    case OP_get_array_el2:
        return depth == 1 ? 1 : -1;
    case OP_set_loc:
    case OP_set_loc8:
    case OP_set_loc0:
    case OP_set_loc1:
    case OP_set_loc2:
    case OP_set_loc3:
    case OP_set_arg:
    case OP_set_var_ref:
    case OP_to_propkey:
    case OP_check_object:
        return depth == 0 ? 0 : -1;
    default:
        return -1;
    }
}

/* The other arm of a choice ends with a jump over this one: the test that chose is before it. */
static int js_callee_before_choice(const js_callee* c, int i) {
    int next = i + 1 < c->count ? c->starts[i + 1] : -1;
    for (int j = i - 1; j >= 0; j--)
        if (js_callee_target(c, j) == next)
            return j;
    return -1;
}

/* The instruction that made the value at a depth below the top before instruction i; *place says
 * which of its values it is, from the top. -1: not found. */
static int js_callee_maker(const js_callee* c, int i, int depth, int* place) {
    for (int j = i - 1; j >= 0; j--) {
        int op = js_callee_op(c, j), pushes = js_callee_info(c, j)->n_push, moved;
        if (op == OP_goto || op == OP_goto8 || op == OP_goto16) {
            /* Patterns come before what they take apart, and jump to it. */
            j = c->is_iterated ? -1 : js_callee_before_choice(c, j);
            if (j < 0)
                return -1;
            depth++; /* what the test looked at */
            continue;
        }
        if (op == OP_return || op == OP_return_undef || op == OP_throw || op == OP_ret ||
            op == OP_gosub || op == OP_tail_call || op == OP_tail_call_method)
            return -1;
        moved = js_callee_moved(op, depth);
        if (moved >= 0) {
            depth = moved;
        } else if (depth < pushes) {
            *place = depth;
            return j;
        } else {
            depth += js_callee_pops(c, j) - pushes;
        }
    }
    return -1;
}

static void js_callee_add(js_callee* c, const char* text) {
    size_t length = strlen(c->text);
    snprintf(c->text + length, sizeof(c->text) - length, "%s", text);
}

static void js_callee_add_atom(js_callee* c, JSAtom atom) {
    char name[ATOM_GET_STR_BUF_SIZE];
    js_callee_add(c, JS_AtomGetStr(c->ctx, name, sizeof(name), atom));
}

/* The variable that an instruction reads, or JS_ATOM_NULL. */
static JSAtom js_callee_variable(const js_callee* c, int i, int place) {
    const uint8_t* operand = js_callee_operand(c, i);
    const JSFunctionBytecode* b = c->b;
    int op = js_callee_op(c, i), local = -1, argument = -1, outer = -1;
    if (op == OP_get_var || op == OP_get_var_undef)
        return get_u32(operand);
    if (op == OP_get_loc || op == OP_get_loc_check)
        local = get_u16(operand);
    else if (op == OP_get_loc8)
        local = *operand;
    else if (op == OP_get_loc0_loc1)
        local = place == 0 ? 1 : 0;
    else if (op >= OP_get_loc0 && op <= OP_get_loc3)
        local = op - OP_get_loc0;
    else if (op == OP_get_arg)
        argument = get_u16(operand);
    else if (op >= OP_get_arg0 && op <= OP_get_arg3)
        argument = op - OP_get_arg0;
    else if (op == OP_get_var_ref || op == OP_get_var_ref_check)
        outer = get_u16(operand);
    else if (op >= OP_get_var_ref0 && op <= OP_get_var_ref3)
        outer = op - OP_get_var_ref0;
    if (outer >= 0)
        return outer < b->closure_var_count ? b->closure_var[outer].var_name : JS_ATOM_NULL;
    if (b->vardefs == NULL)
        return JS_ATOM_NULL;
    if (argument >= 0)
        return argument < b->arg_count ? b->vardefs[argument].var_name : JS_ATOM_NULL;
    return local >= 0 && local < b->var_count ? b->vardefs[b->arg_count + local].var_name
                                              : JS_ATOM_NULL;
}

static void js_callee_describe(js_callee* c, int i, int depth, int levels);

static void js_callee_describe_key(js_callee* c, int i, int levels) {
    int place, key = js_callee_maker(c, i, 0, &place);
    if (key >= 0 && js_callee_op(c, key) == OP_push_atom_value) {
        js_callee_add(c, ".");
        js_callee_add_atom(c, get_u32(js_callee_operand(c, key)));
        return;
    }
    js_callee_add(c, "[");
    js_callee_describe(c, i, 0, levels);
    js_callee_add(c, "]");
}

/* A value that stands in the source itself. */
static void js_callee_describe_constant(js_callee* c, int maker, int op) {
    const uint8_t* operand = maker < 0 ? NULL : js_callee_operand(c, maker);
    char number[24] = "";
    switch (op) {
    case OP_push_this:
        js_callee_add(c, "this");
        return;
    case OP_undefined:
        js_callee_add(c, "undefined");
        return;
    case OP_null:
        js_callee_add(c, "null");
        return;
    case OP_push_true:
    case OP_push_false:
        js_callee_add(c, op == OP_push_true ? "true" : "false");
        return;
    case OP_push_atom_value:
        js_callee_add(c, "\"");
        js_callee_add_atom(c, get_u32(operand));
        js_callee_add(c, "\"");
        return;
    case OP_push_i32:
        snprintf(number, sizeof(number), "%d", (int)get_u32(operand));
        break;
    case OP_push_i16:
        snprintf(number, sizeof(number), "%d", (int16_t)get_u16(operand));
        break;
    case OP_push_i8:
        snprintf(number, sizeof(number), "%d", (int8_t)*operand);
        break;
    default:
        if (op >= OP_push_minus1 && op <= OP_push_7)
            snprintf(number, sizeof(number), "%d", op - OP_push_0);
        break;
    }
    js_callee_add(c, number[0] == '\0' ? "(intermediate value)" : number);
}

/* Writes what made the value at a depth before instruction i. */
static void js_callee_describe(js_callee* c, int i, int depth, int levels) {
    int place, op, maker = levels > 0 ? js_callee_maker(c, i, depth, &place) : -1;
    JSAtom variable = maker < 0 ? JS_ATOM_NULL : js_callee_variable(c, maker, place);
    if (variable != JS_ATOM_NULL) {
        js_callee_add_atom(c, variable);
        return;
    }
    op = maker < 0 ? OP_invalid : js_callee_op(c, maker);
    switch (op) {
    case OP_get_field:
    case OP_get_field2:
        js_callee_describe(c, maker, 0, levels - 1);
        js_callee_add(c, ".");
        js_callee_add_atom(c, get_u32(js_callee_operand(c, maker)));
        break;
    case OP_get_length:
        js_callee_describe(c, maker, 0, levels - 1);
        js_callee_add(c, ".length");
        break;
    case OP_get_private_field:
        js_callee_describe(c, maker, 1, levels - 1);
        js_callee_add(c, ".");
        js_callee_describe(c, maker, 0, levels - 1);
        break;
    case OP_get_array_el:
    case OP_get_array_el2:
        js_callee_describe(c, maker, 1, levels - 1);
        js_callee_describe_key(c, maker, levels - 1);
        break;
    case OP_get_super_value:
        js_callee_add(c, "(intermediate value)");
        js_callee_describe_key(c, maker, levels - 1);
        break;
    case OP_call:
    case OP_call0:
    case OP_call1:
    case OP_call2:
    case OP_call3:
    case OP_call_method:
        js_callee_describe(c, maker, js_callee_pops(c, maker) - js_callee_info(c, maker)->n_pop,
                           levels - 1);
        js_callee_add(c, "(...)");
        break;
    default:
        js_callee_describe_constant(c, maker, op);
        break;
    }
}

/* The depth of the callee below the top, or of what is to be iterated; -1 for other instructions.
 */
static int js_callee_depth(const js_callee* c, int i) {
    switch (js_callee_op(c, i)) {
    case OP_call:
    case OP_call0:
    case OP_call1:
    case OP_call2:
    case OP_call3:
    case OP_tail_call:
    case OP_call_method:
    case OP_tail_call_method:
        return js_callee_pops(c, i) - js_callee_info(c, i)->n_pop;
    case OP_call_constructor:
        return js_callee_pops(c, i) - 1;
    case OP_apply:
        return 2;
    case OP_for_of_start:
    case OP_for_await_of_start:
        return 0;
    default:
        return -1;
    }
}

/* The source's name for what the running function called or iterated; false: there is none. */
static bool js_callee_find(js_callee* c, JSStackFrame* sf, bool is_call) {
    JSObject* p;
    int at = 0, end, depth, last, place;
    if (sf == NULL || sf->cur_pc == NULL || JS_VALUE_GET_TAG(sf->cur_func) != JS_TAG_OBJECT)
        return false;
    p = JS_VALUE_GET_OBJ(sf->cur_func);
    if (!js_class_has_bytecode(p->class_id))
        return false;
    c->b = p->u.func.function_bytecode;
    end = (int)(sf->cur_pc - c->b->byte_code_buf);
    if (end <= 0 || end > c->b->byte_code_len)
        return false;
    c->starts = js_malloc_rt(c->ctx->rt, sizeof(int) * (size_t)end);
    if (c->starts == NULL)
        return false;
    while (at < end) {
        c->starts[c->count++] = at;
        at += short_opcode_info(c->b->byte_code_buf[at]).size;
    }
    last = c->count - 1;
    depth = at == end ? js_callee_depth(c, last) : -1;
    if (depth >= 0) {
        c->is_new = js_callee_op(c, last) == OP_apply && get_u16(js_callee_operand(c, last)) != 0;
        c->is_iterated = depth == 0 && js_callee_pops(c, last) == 1 && !is_call;
        if (c->is_iterated && js_callee_maker(c, last, depth, &place) < 0)
            depth = -1;
        else
            js_callee_describe(c, last, depth, 12);
    }
    js_free_rt(c->ctx->rt, c->starts);
    return depth >= 0;
}

/* A value as V8 shows it where the source has no name for it. */
static void js_callee_describe_value(js_callee* c, JSValueConst value) {
    const char* text;
    if (JS_IsFunction(c->ctx, value)) {
        text = get_func_name(c->ctx, value);
        js_callee_add(c, text == NULL ? "" : text);
        JS_FreeCString(c->ctx, text);
        return;
    }
    if (JS_IsObject(value)) {
        js_callee_add(c, JS_IsArray(value) ? "[object Array]" : "#<Object>");
        return;
    }
    if (JS_IsSymbol(value)) {
        js_callee_add(c, "Symbol()");
        return;
    }
    text = JS_ToCString(c->ctx, value);
    js_callee_add(c, text == NULL ? "" : text);
    JS_FreeCString(c->ctx, text);
}

static JSValue js_throw_not(JSContext* ctx, JSValueConst value, const char* wanted) {
    js_callee c = {ctx};
    bool is_call = strstr(wanted, "iterable") == NULL;
    bool is_found = js_callee_find(&c, ctx->rt->current_stack_frame, is_call);
    if (!is_found || (c.is_iterated && strcmp(c.text, "undefined") == 0)) {
        c.text[0] = '\0';
        js_callee_describe_value(&c, value);
    }
    return JS_ThrowTypeError(ctx, "%s is not %s", c.text, c.is_new ? "a constructor" : wanted);
}

static JSValue js_throw_odd(JSContext* ctx, const char* head, JSValueConst value,
                            const char* tail) {
    js_callee c = {ctx};
    js_callee_describe_value(&c, value);
    return JS_ThrowTypeError(ctx, "%s %s %s", head, c.text, tail);
}
