# The JavaScript engine as the static library "quickjs", from sources that scripts/quickjs.sh finds.
set(QUICKJS_DIR "$ENV{QUICKJS_DIR}" CACHE PATH "Sources of quickjs-ng; empty: found or fetched")
# Builds for other purposes lie below the main one and share its sources.
set(quickjs_home ${CMAKE_BINARY_DIR})
get_filename_component(above ${CMAKE_BINARY_DIR} DIRECTORY)
if(EXISTS ${above}/CMakeCache.txt OR EXISTS ${above}/quickjs/sources)
  set(quickjs_home ${above})
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env QUICKJS_DIR=${QUICKJS_DIR}
          sh ${CMAKE_SOURCE_DIR}/scripts/quickjs.sh ${quickjs_home}
  OUTPUT_VARIABLE quickjs_sources ERROR_VARIABLE quickjs_problem
  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE quickjs_status)
if(NOT quickjs_status EQUAL 0)
  message(STATUS "Without the JavaScript runtime: ${quickjs_problem}")
  return()
endif()

# A few places of the engine change on the way; it has no public ones for them:
# - what is to run after a promise is first shown to a hook, for async contexts
#   (runtime/engine/promise_context.c);
# - a recording is told which functions of the program run (runtime/engine/trace.c);
# - awaits take a shorter way, and cycles are searched less often (quickjs_turns.c);
# - an ES module can be required (quickjs_require.c);
# - errors in JSON have V8's words (quickjs_json.c).
set(quickjs_main ${CMAKE_BINARY_DIR}/quickjs/hooked.c)
set(quickjs_known TRUE)
file(READ ${quickjs_sources}/quickjs.c text)
foreach(name hooks turns require json)
  file(READ ${CMAKE_CURRENT_LIST_DIR}/quickjs_${name}.c ${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
               ${CMAKE_CURRENT_LIST_DIR}/quickjs_${name}.c)
endforeach()

# Each line to change stands in the engine exactly once, or it is not the engine that we know.
function(change_engine line changed)
  string(FIND "${text}" "${line}" first)
  string(FIND "${text}" "${line}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    set(quickjs_known FALSE PARENT_SCOPE)
  endif()
  string(REPLACE "${line}" "${changed}" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

set(line "static JSValue JS_CallInternal(JSContext *caller_ctx,")
change_engine("${line}" "${hooks}${line}")
set(line "    if (js_poll_interrupts(caller_ctx))")
change_engine("${line}"
              "    if (unlikely(__atomic_load_n(&js_call_hook, __ATOMIC_RELAXED) != NULL) &&
        js_call_hooked(caller_ctx, func_obj, this_obj, new_target, argc, argv, flags, &ret_val))
        return ret_val;
${line}")
change_engine("(rt->malloc_state.malloc_size >> 1);" "js_room_before_gc(rt);")
change_engine("rd->handler = js_dup(handler);" "rd->handler = js_reaction(ctx, handler);")
change_engine("res = JS_Call(ctx, handler, JS_UNDEFINED, 1, &arg);"
              "res = js_call_reaction(ctx, handler, is_reject, arg);")
set(line "            promise = js_promise_resolve(ctx, ctx->promise_ctor,
                                         1, vc(&value), 0);
            JS_FreeValue(ctx, value);")
change_engine("${line}" "            res = js_await_value(ctx, s, value);
            if (res > 0)
                return true;
            if (res < 0)
                goto fail;
${line}")
set(line "            if (js_async_function_resolve_create(ctx, s, resolving_funcs)) {")
change_engine("${line}" "            res = js_await_promise(ctx, s, promise);
            if (res > 0)
                return true;
            if (res < 0)
                goto fail;
${line}")
change_engine("promise = JS_NewPromiseCapability(ctx, s->resolving_funcs);"
              "promise = js_own_promise(ctx, s->resolving_funcs);")
change_engine("result_promise = js_new_promise_capability(ctx, resolving_funcs, ctor);"
              "result_promise = js_then_promise(ctx, resolving_funcs, ctor);")
change_engine("ret2 = JS_Call(ctx, s->resolving_funcs[0], JS_UNDEFINED,
                           1, vc(&value));"
              "ret2 = js_settle(ctx, s->resolving_funcs[0], false, &value);")
change_engine("ret2 = JS_Call(ctx, s->resolving_funcs[1], JS_UNDEFINED,
                           1, vc(&error));"
              "ret2 = js_settle(ctx, s->resolving_funcs[1], true, &error);")
change_engine("res2 = JS_Call(ctx, func, JS_UNDEFINED, 1, vc(&res));"
              "res2 = js_settle(ctx, func, is_reject, &res);")
set(line "        if (is_same)
            return js_dup(argv[0]);
    }
")
change_engine("${line}" "${line}    if (js_same_value(ctx, this_val, ctx->promise_ctor))
        return js_promise_of(ctx, is_reject, argv[0]);
")
set(line "static JSValue json_parse_value(JSParseState *s, JSONParseRecord *pr)
{")
change_engine("${line}" "${json}${line}")
change_engine("\"%s in JSON at position %d (line %d column %d)\",
                          msg, position, line, (int)(p - line_start) + 1);"
              "\"%s in JSON at position %d\", msg, position);")
change_engine("js_parse_error(s, \"unexpected token: '%.*s'\",
                           (int)(s->buf_ptr - s->token.ptr), s->token.ptr);"
              "json_unexpected_token(s);")
change_engine("json_parse_error(s, s->token.ptr, \"Expected property name or '}'\");"
              "json_expected_name(s);")
change_engine("js_parse_error(s, \"unexpected data at the end\")" "json_expected_end(s)")
if(NOT quickjs_known)
  message(STATUS "Without the JavaScript runtime: an unknown version of quickjs")
  return()
endif()
set(declarations "#include \"quickjs.h\"
static size_t js_room_before_gc(JSRuntime *rt);")
set(text "${declarations}\n#line 1 \"quickjs.c\"\n${text}\n#line 1 \"quickjs_turns.c\"\n${turns}")
set(text "${text}\n#line 1 \"quickjs_require.c\"\n${require}")
file(CONFIGURE OUTPUT ${quickjs_main} CONTENT "@text@" @ONLY)

add_library(quickjs STATIC ${quickjs_main} ${quickjs_sources}/libregexp.c
            ${quickjs_sources}/libunicode.c ${quickjs_sources}/dtoa.c)
target_include_directories(quickjs SYSTEM PUBLIC ${quickjs_sources})
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE QUICKJS_NG_BUILD)
# Not our code: no warnings, always fast, and with its leak checks in debug builds only.
target_compile_options(quickjs PRIVATE -w -O2 -fno-sanitize=undefined)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(quickjs PRIVATE NDEBUG)
endif()
target_link_libraries(quickjs PUBLIC Threads::Threads m)
