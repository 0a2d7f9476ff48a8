# A recording is told which functions of the program run (runtime/engine/trace.c). To ask takes
# words that the call needs anyway.
without("recordings do not name JavaScript functions")
insert_before("    struct JSStackFrame *current_stack_frame;" [[
    bool calls_are_watched;
]])
insert_before("    uint8_t *byte_code_buf; /* (self pointer) */" [[
    uint8_t is_never_watched : 1;
    uint32_t watched_as;
]])
insert_file_before("static JSValue JS_CallInternal(JSContext *caller_ctx," calls.c)
insert_before("            /* func_obj get contains a pointer to JSFuncAsyncState */" [[
            if (unlikely(rt->calls_are_watched)) {
                b = JS_VALUE_GET_OBJ(s->frame.cur_func)->u.func.function_bytecode;
                if (!b->is_never_watched &&
                    js_call_hooked(caller_ctx, b, s->frame.cur_func, func_obj, this_obj,
                                   new_target, argc, argv, flags, &ret_val))
                    return ret_val;
            }
]])
insert_before("    if (unlikely(argc < b->arg_count || (flags & JS_CALL_FLAG_COPY_ARGV))) {" [[
    if (unlikely(rt->calls_are_watched) && !b->is_never_watched &&
        js_call_hooked(caller_ctx, b, func_obj, func_obj, this_obj, new_target, argc, argv, flags,
                       &ret_val))
        return ret_val;
]])
