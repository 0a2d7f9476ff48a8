# What the last match found, as RegExp.$1, RegExp.lastMatch and so on: old programs use them.
without("RegExp.\$1 and its kin are undefined")
replace("    const char *rt_info;" "    const char *rt_info;
    JSValue regexp_input;
    int regexp_spans[22];
    bool regexp_noted;")
replace("    JSValue regexp_ctor;" "    JSValue regexp_ctor;
    bool regexp_has_statics;")
insert_before("static JSValue JS_EvalInternal(JSContext *ctx, JSValueConst this_obj,
                               const char *input, size_t input_len,
                               const char *filename, int line, int flags, int scope_idx)
{
    JSRuntime *rt = ctx->rt;"
              "static void js_want_statics(JSContext *ctx, const char *input, size_t length);

")
replace("    if (unlikely(!ctx->eval_internal)) {
        return JS_ThrowTypeError(ctx, \"eval is not supported\");
    }" "    if (unlikely(!ctx->eval_internal)) {
        return JS_ThrowTypeError(ctx, \"eval is not supported\");
    }
    js_want_statics(ctx, input, input_len);")
replace("    rt->in_free = true;
    JS_FreeValueRT(rt, rt->current_exception);" "    rt->in_free = true;
    JS_FreeValueRT(rt, rt->current_exception);
    JS_FreeValueRT(rt, rt->regexp_input);
    rt->regexp_input = JS_UNDEFINED;")
insert_file_before("static JSValue js_regexp_exec(JSContext *ctx, JSValueConst this_val," statics.c)
replace("        index = (capture[0] - str_buf) >> shift;
        props[0].u.value = js_int32(capture_count); // length"
        "        js_note_match(ctx, str_val, capture, capture_count);
        index = (capture[0] - str_buf) >> shift;
        props[0].u.value = js_int32(capture_count); // length")
set(entries "")
foreach(digit RANGE 1 9)
  string(APPEND entries
         "    JS_CGETSET_MAGIC_DEF(\"$${digit}\", js_regexp_static, NULL, ${digit}),\n")
endforeach()
foreach(row "input STATIC_INPUT" "$_ STATIC_INPUT" "lastMatch 0" "$& 0"
            "lastParen STATIC_LAST_GROUP" "$+ STATIC_LAST_GROUP" "leftContext STATIC_LEFT"
            "$` STATIC_LEFT" "rightContext STATIC_RIGHT" "$' STATIC_RIGHT")
  string(REPLACE " " ";" row "${row}")
  list(GET row 0 name)
  list(GET row 1 magic)
  string(APPEND entries
         "    JS_CGETSET_MAGIC_DEF(\"${name}\", js_regexp_static, NULL, ${magic}),\n")
endforeach()
insert_before("static const JSCFunctionListEntry js_regexp_proto_funcs[] = {"
              "static const JSCFunctionListEntry js_regexp_statics[] = {
${entries}};

/* They are made for programs that speak of RegExp at all. */
static void js_want_statics(JSContext *ctx, const char *input, size_t length)
{
    if (ctx->regexp_has_statics || !JS_IsObject(ctx->regexp_ctor) ||
        !memmem(input, length, \"RegExp\", 6))
        return;
    ctx->regexp_has_statics = true;
    ctx->rt->regexp_noted = true;
    JS_SetPropertyFunctionList(ctx, ctx->regexp_ctor, js_regexp_statics,
                               countof(js_regexp_statics));
}

")
