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

# Two places of the engine change on the way; the engine has no public ones for them:
# - what is to run after a promise is first shown to a hook, for async contexts
#   (runtime/promise_context.c);
# - a recording is told which functions of the program run (runtime/trace.c).
set(quickjs_main ${CMAKE_BINARY_DIR}/quickjs/hooked.c)
file(READ ${quickjs_sources}/quickjs.c text)
file(READ ${CMAKE_CURRENT_LIST_DIR}/quickjs_hooks.c hooks)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             ${CMAKE_CURRENT_LIST_DIR}/quickjs_hooks.c)
set(reaction_line "rd->handler = js_dup(handler);")
set(reaction_hooked "rd->handler = (js_reaction_hook ? js_reaction_hook : JS_DupValue)(ctx, handler);")
set(call_line "static JSValue JS_CallInternal(JSContext *caller_ctx,")
set(entry_line "    if (js_poll_interrupts(caller_ctx))")
set(entry_hooked "    if (unlikely(__atomic_load_n(&js_call_hook, __ATOMIC_RELAXED) != NULL) &&
        js_call_hooked(caller_ctx, func_obj, this_obj, new_target, argc, argv, flags, &ret_val))
        return ret_val;
${entry_line}")
foreach(line "${reaction_line}" "${call_line}" "${entry_line}")
  string(FIND "${text}" "${line}" first)
  string(FIND "${text}" "${line}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(STATUS "Without the JavaScript runtime: an unknown version of quickjs")
    return()
  endif()
endforeach()
string(REPLACE "${reaction_line}" "${reaction_hooked}" text "${text}")
string(REPLACE "${entry_line}" "${entry_hooked}" text "${text}")
string(REPLACE "${call_line}" "${hooks}${call_line}" text "${text}")
set(text "#include \"quickjs.h\"\nextern JSValue (*js_reaction_hook)(JSContext *, JSValueConst);\n#line 1 \"quickjs.c\"\n${text}")
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
