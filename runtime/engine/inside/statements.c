/* What a debugger asks about a function that is running. */

void* js_frame_top(JSContext* ctx) {
    return ctx->rt->current_stack_frame;
}

void* js_frame_up(void* frame) {
    return ((JSStackFrame*)frame)->prev_frame;
}

/* Whether it can be left and entered again: an async function or a generator. */
bool js_frame_is_coroutine(void* frame) {
    return ((JSStackFrame*)frame)->cur_gc_obj != NULL;
}

const void* js_frame_pc(void* frame) {
    return ((JSStackFrame*)frame)->cur_pc;
}

static JSObject* js_frame_function(JSStackFrame* sf) {
    if (JS_VALUE_GET_TAG(sf->cur_func) != JS_TAG_OBJECT)
        return NULL;
    JSObject* p = JS_VALUE_GET_OBJ(sf->cur_func);
    return js_class_has_bytecode(p->class_id) ? p : NULL;
}

/* The mark that was reached last before the place: the innermost variable in sight, and its kind;
 * -1 if there is none. */
static int js_last_mark(JSFunctionBytecode* b, uint32_t place, int* first) {
    const uint8_t *p = b->pc2line_buf, *end = p + b->pc2line_len;
    int pc = 0, line = b->line_num, column = b->col_num, kind = -1, step;
    int32_t v;
    uint32_t u;
    *first = -1;
    while (p != NULL && p < end) {
        unsigned op = *p++;
        if (op == 0) {
            if ((step = get_leb128(&u, p, end)) < 0)
                break;
            pc += u;
            p += step;
            if ((step = get_sleb128(&v, p, end)) < 0)
                break;
            p += step;
            line += v;
        } else {
            op -= PC2LINE_OP_FIRST;
            pc += op / PC2LINE_RANGE;
            line += (int)(op % PC2LINE_RANGE) + PC2LINE_BASE;
        }
        if ((step = get_sleb128(&v, p, end)) < 0)
            break;
        p += step;
        column += v;
        if (place < (uint32_t)pc)
            break;
        if (column < 0) {
            kind = -1 - column;
            *first = line - 1;
        }
    }
    return kind;
}

bool js_frame_place(JSContext* ctx, void* frame, JSValueConst* function, JSAtom* file, int* line,
                    int* column, int* kind) {
    JSStackFrame* sf = frame;
    JSObject* p = js_frame_function(sf);
    int first;
    if (p == NULL || sf->cur_pc == NULL)
        return false;
    JSFunctionBytecode* b = p->u.func.function_bytecode;
    uint32_t place = sf->cur_pc - b->byte_code_buf;
    *function = sf->cur_func;
    *file = b->filename;
    *line = find_line_num(ctx, b, place - 1, column);
    /* Behind a mark, the next instruction is its second half. */
    *kind = js_last_mark(b, b->byte_code_buf[place - 1] == OP_invalid ? place : place - 1, &first);
    return true;
}

static bool js_is_shown(JSAtom name, int kind) {
    return name != JS_ATOM_NULL && name != JS_ATOM__ret_ && name != JS_ATOM__var_ &&
           name != JS_ATOM__arg_var_ && name != JS_ATOM__with_ &&
           name != JS_ATOM_this_active_func && name != JS_ATOM_home_object &&
           name != JS_ATOM_new_target && name != JS_ATOM__using_dispose_ &&
           kind < JS_VAR_PRIVATE_FIELD;
}

/* [name, value, slot, depth]; the depth of what is in sight in the whole function is 0, and of what
 * the functions around it have, -1. */
static void js_tell_variable(JSContext* ctx, JSValue list, uint32_t* count, JSAtom name, int kind,
                             JSValueConst value, int slot, int depth) {
    if (!js_is_shown(name, kind) || JS_VALUE_GET_TAG(value) == JS_TAG_UNINITIALIZED)
        return;
    JSValue row[4] = {JS_AtomToString(ctx, name), js_dup(value), js_int32(slot), js_int32(depth)};
    JS_SetPropertyUint32(ctx, list, (*count)++, JS_NewArrayFrom(ctx, 4, row));
}

JSValue js_frame_variables(JSContext* ctx, void* frame) {
    JSStackFrame* sf = frame;
    JSObject* p = js_frame_function(sf);
    JSValue list = JS_NewArray(ctx);
    uint32_t count = 0;
    int i, first;
    if (p == NULL || sf->cur_pc == NULL)
        return list;
    JSFunctionBytecode* b = p->u.func.function_bytecode;
    uint32_t place = sf->cur_pc - b->byte_code_buf;
    if (js_last_mark(b, b->byte_code_buf[place - 1] == OP_invalid ? place : place - 1, &first) < 0)
        return list;
    for (i = first; i >= 0 && i < b->var_count; i = b->vardefs[b->arg_count + i].scope_next) {
        JSVarDef* vd = &b->vardefs[b->arg_count + i];
        js_tell_variable(ctx, list, &count, vd->var_name, vd->var_kind, sf->var_buf[i],
                         b->arg_count + i, vd->scope_level);
    }
    for (i = 0; i < b->arg_count; i++)
        js_tell_variable(ctx, list, &count, b->vardefs[i].var_name, b->vardefs[i].var_kind,
                         sf->arg_buf[i], i, 0);
    for (i = 0; i < b->var_count; i++) {
        JSVarDef* vd = &b->vardefs[b->arg_count + i];
        if (vd->scope_level == 0)
            js_tell_variable(ctx, list, &count, vd->var_name, vd->var_kind, sf->var_buf[i],
                             b->arg_count + i, 0);
    }
    for (i = 0; i < b->closure_var_count; i++) {
        JSVarRef* ref = p->u.func.var_refs[i];
        int type = b->closure_var[i].closure_type;
        bool is_global = type == JS_CLOSURE_GLOBAL_REF || type == JS_CLOSURE_GLOBAL_DECL ||
                         type == JS_CLOSURE_GLOBAL;
        if (ref != NULL && ref->pvalue != NULL && !is_global)
            js_tell_variable(ctx, list, &count, b->closure_var[i].var_name,
                             b->closure_var[i].var_kind, *ref->pvalue, -1 - i, -1);
    }
    return list;
}

static JSValue* js_frame_slot(JSStackFrame* sf, int slot) {
    JSObject* p = js_frame_function(sf);
    JSFunctionBytecode* b = p != NULL ? p->u.func.function_bytecode : NULL;
    if (b == NULL || sf->cur_pc == NULL)
        return NULL;
    if (slot >= 0 && slot < b->arg_count + b->var_count) {
        JSVarDef* vd = &b->vardefs[slot];
        if (!js_is_shown(vd->var_name, vd->var_kind) || vd->var_name == JS_ATOM_this)
            return NULL;
        return slot < b->arg_count ? &sf->arg_buf[slot] : &sf->var_buf[slot - b->arg_count];
    }
    if (slot >= 0 || -1 - slot >= b->closure_var_count || p->u.func.var_refs[-1 - slot] == NULL)
        return NULL;
    JSClosureVar* cv = &b->closure_var[-1 - slot];
    return js_is_shown(cv->var_name, cv->var_kind) && cv->var_name != JS_ATOM_this
               ? p->u.func.var_refs[-1 - slot]->pvalue
               : NULL;
}

/* The slot is of js_frame_variables; the value passes to the frame. */
void js_frame_set(JSContext* ctx, void* frame, int slot, JSValue value) {
    JSValue* place = js_frame_slot(frame, slot);
    if (place != NULL && JS_VALUE_GET_TAG(*place) != JS_TAG_UNINITIALIZED)
        set_value(ctx, place, value);
    else
        JS_FreeValue(ctx, value);
}
