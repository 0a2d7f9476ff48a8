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

# One line of the engine changes on the way: what is to run after a promise is first shown to a
# hook, for async contexts (runtime/promise_context.c). The engine has no public place for that.
set(quickjs_main ${CMAKE_BINARY_DIR}/quickjs/hooked.c)
set(plain_line "rd->handler = js_dup(handler);")
set(hooked_line "rd->handler = (js_reaction_hook ? js_reaction_hook : JS_DupValue)(ctx, handler);")
file(READ ${quickjs_sources}/quickjs.c text)
string(FIND "${text}" "${plain_line}" found)
if(found EQUAL -1)
  message(STATUS "Without the JavaScript runtime: an unknown version of quickjs")
  return()
endif()
string(REPLACE "${plain_line}" "${hooked_line}" text "${text}")
set(hook "JSValue (*js_reaction_hook)(JSContext *ctx, JSValueConst handler);")
set(text "#include \"quickjs.h\"\n${hook}\n#line 1 \"quickjs.c\"\n${text}")
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
