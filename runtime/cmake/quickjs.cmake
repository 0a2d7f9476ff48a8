# The JavaScript engine as the static library "quickjs", from sources that
# runtime/scripts/quickjs.sh finds.
set(QUICKJS_DIR "$ENV{QUICKJS_DIR}" CACHE PATH "Sources of quickjs-ng; empty: found or fetched")
set(PHASOR_ENGINE known CACHE STRING
    "known: those of runtime/scripts/quickjs.sh alone; any: others too")
set_property(CACHE PHASOR_ENGINE PROPERTY STRINGS known any)
option(PHASOR_ENGINE_CHANGES "Build the engine with the changes of runtime/engine/changes" ON)
# Builds for other purposes lie below the main one and share its sources.
set(quickjs_home ${CMAKE_BINARY_DIR})
get_filename_component(above ${CMAKE_BINARY_DIR} DIRECTORY)
if(EXISTS ${above}/CMakeCache.txt OR EXISTS ${above}/quickjs/sources)
  set(quickjs_home ${above})
endif()
execute_process(
  COMMAND ${CMAKE_COMMAND} -E env QUICKJS_DIR=${QUICKJS_DIR} PHASOR_ENGINE=${PHASOR_ENGINE}
          sh ${CMAKE_SOURCE_DIR}/runtime/scripts/quickjs.sh ${quickjs_home}
  OUTPUT_VARIABLE quickjs_found ERROR_VARIABLE quickjs_problem
  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE quickjs_status)
if(NOT quickjs_status EQUAL 0)
  message(FATAL_ERROR "The JavaScript engine is not there: ${quickjs_problem}"
          "QUICKJS_DIR=folder names sources of quickjs-ng; "
          "-DPHASOR_RUNTIME=OFF builds the library and the tracer without the runtime.")
endif()
# "known 0.17.0 FOLDER", or "unknown ..."
string(REGEX MATCH "^([a-z]+) ([^ ]+) (.*)$" quickjs_found "${quickjs_found}")
string(COMPARE EQUAL "${CMAKE_MATCH_1}" known quickjs_known)
set(quickjs_version ${CMAKE_MATCH_2})
set(quickjs_sources ${CMAKE_MATCH_3})
# Nobody has read or tested another one: who wants it says so.
if(NOT quickjs_known AND NOT PHASOR_ENGINE STREQUAL "any")
  message(FATAL_ERROR "quickjs-ng ${quickjs_version} is not the engine that we know: the sources "
          "in ${quickjs_sources} are not those of which runtime/scripts/quickjs.sh has the "
          "SHA-256. "
          "-DPHASOR_ENGINE=any builds with them all the same, as far as our changes fit; "
          "-DPHASOR_RUNTIME=OFF builds the library and the tracer without the runtime.")
endif()

# What the file of a change says with. Each text to change stands in the engine exactly once, or the
# change does not fit.
function(replace old new)
  string(FIND "${text}" "${old}" first)
  string(FIND "${text}" "${old}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    set(fits FALSE PARENT_SCOPE)
  endif()
  string(REPLACE "${old}" "${new}" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

macro(insert_before place code)
  replace("${place}" "${code}${place}")
endmacro()

function(read_code file)
  set(path ${CMAKE_SOURCE_DIR}/runtime/engine/changes/${file})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} code)
  set(code "${code}" PARENT_SCOPE)
endfunction()

function(insert_file_before place file)
  read_code(${file})
  replace("${place}" "${code}\n${place}")
  set(fits ${fits} PARENT_SCOPE)
  set(text "${text}" PARENT_SCOPE)
endfunction()

function(append_file file)
  read_code(${file})
  set(text "${text}\n#line 1 \"${file}\"\n${code}" PARENT_SCOPE)
endfunction()

macro(without consequence) # what a runtime without the change lacks: it lives without any of them
  set(loss "${consequence}")
endmacro()

macro(needs other)
  if(NOT ${other} IN_LIST PHASOR_ENGINE_APPLIED)
    set(fits FALSE)
  endif()
endmacro()

# In an engine that we do not know, a text may be there once and yet mean something else.
function(check_compiles)
  set(trial ${CMAKE_BINARY_DIR}/quickjs/trial.c)
  file(CONFIGURE OUTPUT ${trial} CONTENT "@text@" @ONLY)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -fsyntax-only -w -D_GNU_SOURCE -DQUICKJS_NG_BUILD
                          -I${quickjs_sources} ${trial}
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  if(NOT status EQUAL 0)
    set(fits FALSE PARENT_SCOPE)
  endif()
endfunction()

function(try_change name)
  set(fits TRUE)
  include(${CMAKE_SOURCE_DIR}/runtime/engine/changes/${name}.cmake)
  if(fits AND NOT quickjs_known)
    check_compiles()
  endif()
  if(fits)
    set(text "${text}" PARENT_SCOPE)
    set(PHASOR_ENGINE_APPLIED ${PHASOR_ENGINE_APPLIED} ${name} PARENT_SCOPE)
  else()
    set(quickjs_losses "${quickjs_losses}, ${name} (${loss})" PARENT_SCOPE)
  endif()
endfunction()

file(READ ${quickjs_sources}/quickjs.c text)
set(text "#line 1 \"quickjs.c\"\n${text}")
set(PHASOR_ENGINE_APPLIED "")
set(quickjs_losses "")
if(PHASOR_ENGINE_CHANGES)
  foreach(name contexts calls collections awaits settling hooks require json forgotten prefetch
               bytes iterators modules words frames heap linking referrers globals syntax positions
               call_positions statics statements registries async_waits waits names callees
               more_words hashing whole_names)
    try_change(${name})
  endforeach()
  if(quickjs_losses)
    string(REGEX REPLACE "^, " "" quickjs_losses "${quickjs_losses}")
    message(NOTICE "Phasor: quickjs-ng ${quickjs_version} is not the engine that we know; "
            "built without these changes to it: ${quickjs_losses}")
  elseif(NOT quickjs_known)
    message(NOTICE "Phasor: quickjs-ng ${quickjs_version} is not the engine that we know; "
            "all changes to it fit")
  endif()
else()
  message(NOTICE "Phasor: the engine is built without our changes to it, as asked")
endif()
set(quickjs_main ${CMAKE_BINARY_DIR}/quickjs/changed.c)
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
