/* Where a script has thrown what is not caught: values that are no errors carry no place, and an
 * error may be thrown elsewhere than it was made. What is noted belongs to the last throw. Between
 * the throw and the report its function may be freed: then the place is looked for at once. */
static void js_keep_thrown(JSRuntime* rt) {
    JSFunctionBytecode* b = rt->thrown.by;
    int line, column;
    if (b == NULL)
        return;
    line = find_line_num(NULL, b, rt->thrown.at, &column);
    JS_FreeAtomRT(rt, rt->thrown.file);
    rt->thrown.file = JS_DupAtomRT(rt, b->filename);
    rt->thrown.line = line;
    rt->thrown.column = column;
    rt->thrown.by = NULL;
}

static void js_forget_thrown(JSRuntime* rt) {
    rt->thrown.by = NULL;
    JS_FreeAtomRT(rt, rt->thrown.file);
    rt->thrown.file = JS_ATOM_NULL;
}

static bool js_is_thrown(JSRuntime* rt, JSValueConst value) {
    return JS_VALUE_GET_TAG(value) == rt->thrown.tag &&
           (!JS_VALUE_HAS_REF_COUNT(value) || JS_VALUE_GET_PTR(value) == rt->thrown.value);
}

/* The end of a `finally` throws on what came, and so does the runtime itself: the place stays. */
static bool js_throws_on(JSContext* ctx, JSFunctionBytecode* b, uint32_t at, JSValueConst value) {
    enum { GOSUB_SIZE = 5 };
    char name[ATOM_GET_STR_BUF_SIZE];
    if (!js_is_thrown(ctx->rt, value))
        return false;
    if (at >= GOSUB_SIZE && b->byte_code_buf[at - GOSUB_SIZE] == OP_gosub)
        return true;
    return strncmp(JS_AtomGetStr(ctx, name, sizeof(name), b->filename), "node:", 5) == 0;
}

static void js_throw_from(JSContext* ctx, JSFunctionBytecode* b, uint32_t at, JSValue value) {
    JSRuntime* rt = ctx->rt;
    JS_FreeValue(ctx, rt->current_exception);
    rt->current_exception = value;
    if (js_throws_on(ctx, b, at, value))
        return;
    rt->thrown.by = b;
    rt->thrown.at = at;
    rt->thrown.tag = JS_VALUE_GET_TAG(value);
    rt->thrown.value = JS_VALUE_HAS_REF_COUNT(value) ? JS_VALUE_GET_PTR(value) : NULL;
}

/* [file, line, column] of the statement that threw the value; undefined if that is not known. */
JSValue js_thrown_place(JSContext* ctx, JSValueConst value) {
    JSRuntime* rt = ctx->rt;
    JSValue place;
    js_keep_thrown(rt);
    if (rt->thrown.file == JS_ATOM_NULL || !js_is_thrown(rt, value))
        return JS_UNDEFINED;
    place = JS_NewArray(ctx);
    if (JS_IsException(place))
        return place;
    if (JS_SetPropertyUint32(ctx, place, 0, JS_AtomToString(ctx, rt->thrown.file)) < 0 ||
        JS_SetPropertyUint32(ctx, place, 1, js_int32(rt->thrown.line)) < 0 ||
        JS_SetPropertyUint32(ctx, place, 2, js_int32(rt->thrown.column)) < 0) {
        JS_FreeValue(ctx, place);
        return JS_EXCEPTION;
    }
    return place;
}
