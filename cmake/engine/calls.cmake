# A recording is told which functions of the program run (runtime/engine/trace.c).
without("recordings do not name JavaScript functions")
insert_file_before("static JSValue JS_CallInternal(JSContext *caller_ctx," calls.c)
insert_before("    if (js_poll_interrupts(caller_ctx))" [[
    if (unlikely(__atomic_load_n(&js_call_hook, __ATOMIC_RELAXED) != NULL) &&
        js_call_hooked(caller_ctx, func_obj, this_obj, new_target, argc, argv, flags, &ret_val))
        return ret_val;
]])
