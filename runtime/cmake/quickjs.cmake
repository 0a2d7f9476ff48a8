# The JavaScript engine as the static library "quickjs", from sources that
# runtime/scripts/quickjs.sh finds.
set(QUICKJS_DIR "$ENV{QUICKJS_DIR}" CACHE PATH "Sources of quickjs-ng; empty: found or fetched")
set(PHASOR_ENGINE known CACHE STRING
    "known: those of runtime/scripts/quickjs.sh alone; any: others too")
set_property(CACHE PHASOR_ENGINE PROPERTY STRINGS known any)
option(PHASOR_ENGINE_CHANGES "Build the engine with the patches of runtime/engine/patches" ON)
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
          "-DPHASOR_ENGINE=any builds with them all the same, as far as our patches apply; "
          "-DPHASOR_RUNTIME=OFF builds the library and the tracer without the runtime.")
endif()

# The sources are copied, and the series is applied to the copy (docs/ENGINE.md).
set(patches ${CMAKE_SOURCE_DIR}/runtime/engine/patches)
set(patched ${CMAKE_BINARY_DIR}/quickjs/patched)
set(patching ${CMAKE_BINARY_DIR}/quickjs/patching)
find_program(PATCH_PROGRAM patch)
if(PHASOR_ENGINE_CHANGES AND NOT PATCH_PROGRAM)
  message(FATAL_ERROR "The engine is built with patches, and there is no patch command: "
          "scripts/packages.sh installs it.")
endif()
file(REMOVE_RECURSE ${patching})
file(GLOB quickjs_files ${quickjs_sources}/*.[ch])
file(COPY ${quickjs_files} DESTINATION ${patching})

function(run_patch patch)
  execute_process(COMMAND ${PATCH_PROGRAM} -p1 --forward --no-backup-if-mismatch --reject-file=-
                          ${ARGN} -d ${patching} -i ${patches}/${patch}
                  RESULT_VARIABLE status OUTPUT_VARIABLE said ERROR_VARIABLE said)
  set(patch_status ${status} PARENT_SCOPE)
  set(patch_said "${said}" PARENT_SCOPE)
endfunction()

# In an engine that we do not know, a patch may apply and yet mean something else.
function(check_compiles)
  execute_process(COMMAND ${CMAKE_C_COMPILER} -fsyntax-only -w -D_GNU_SOURCE -DQUICKJS_NG_BUILD
                          -I${CMAKE_SOURCE_DIR}/runtime/engine -I${CMAKE_SOURCE_DIR}/runtime
                          -I${patching} ${patching}/quickjs.c
                  RESULT_VARIABLE status OUTPUT_QUIET ERROR_QUIET)
  set(patch_status ${status} PARENT_SCOPE)
endfunction()

# A field of a patch's header: one line.
function(read_field patch field)
  file(STRINGS ${patches}/${patch} line REGEX "^${field}: " LIMIT_COUNT 1)
  string(REPLACE "${field}: " "" value "${line}")
  string(REPLACE "\\;" ";" value "${value}") # of a list with one element
  set(value "${value}" PARENT_SCOPE)
endfunction()

function(try_patch patch)
  string(REGEX REPLACE "^[0-9]+-(.*)\\.patch$" "\\1" name ${patch})
  read_field(${patch} Needs)
  if(quickjs_known)
    run_patch(${patch} --fuzz=0)
    if(NOT patch_status EQUAL 0)
      message(FATAL_ERROR "runtime/engine/patches/${patch} does not apply to quickjs-ng "
              "${quickjs_version}:\n${patch_said}")
    endif()
  elseif(value AND NOT value IN_LIST PHASOR_ENGINE_APPLIED)
    set(patch_status 1)
  else()
    run_patch(${patch} --dry-run)
    if(patch_status EQUAL 0)
      # Not file(COPY), which leaves a file alone whose time is less than a second away.
      file(COPY_FILE ${patching}/quickjs.c ${patching}/quickjs.c.before)
      run_patch(${patch})
      check_compiles()
      if(NOT patch_status EQUAL 0)
        file(RENAME ${patching}/quickjs.c.before ${patching}/quickjs.c)
      endif()
    endif()
  endif()
  if(patch_status EQUAL 0)
    set(PHASOR_ENGINE_APPLIED ${PHASOR_ENGINE_APPLIED} ${name} PARENT_SCOPE)
  else()
    read_field(${patch} "Without it")
    set(quickjs_losses "${quickjs_losses}, ${name} (${value})" PARENT_SCOPE)
  endif()
endfunction()

set(PHASOR_ENGINE_APPLIED "")
set(quickjs_losses "")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${patches}/series)
if(PHASOR_ENGINE_CHANGES)
  file(STRINGS ${patches}/series series)
  foreach(patch ${series})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${patches}/${patch})
    try_patch(${patch})
  endforeach()
  if(quickjs_losses)
    string(REGEX REPLACE "^, " "" quickjs_losses "${quickjs_losses}")
    message(NOTICE "Phasor: quickjs-ng ${quickjs_version} is not the engine that we know; "
            "built without these patches to it: ${quickjs_losses}")
  elseif(NOT quickjs_known)
    message(NOTICE "Phasor: quickjs-ng ${quickjs_version} is not the engine that we know; "
            "all patches to it apply")
  endif()
else()
  message(NOTICE "Phasor: the engine is built without our patches to it, as asked")
endif()
# What did not change keeps its time, and is not compiled again.
list(TRANSFORM quickjs_files REPLACE "^.*/" "${patching}/")
file(MAKE_DIRECTORY ${patched})
execute_process(COMMAND ${CMAKE_COMMAND} -E copy_if_different ${quickjs_files} ${patched})
file(REMOVE_RECURSE ${patching})

add_library(quickjs STATIC ${patched}/quickjs.c ${patched}/libregexp.c ${patched}/libunicode.c
            ${patched}/dtoa.c)
target_include_directories(quickjs SYSTEM PUBLIC ${patched})
# Patches include C of ours by "inside/NAME.c", and that its headers by "engine/NAME.h".
target_include_directories(quickjs PRIVATE ${CMAKE_SOURCE_DIR}/runtime/engine
                           ${CMAKE_SOURCE_DIR}/runtime)
target_compile_definitions(quickjs PRIVATE _GNU_SOURCE QUICKJS_NG_BUILD)
# Not our code: no warnings, always fast, and with its leak checks in debug builds only.
target_compile_options(quickjs PRIVATE -w -O2 -fno-sanitize=undefined)
if(NOT CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(quickjs PRIVATE NDEBUG)
endif()
target_link_libraries(quickjs PUBLIC Threads::Threads m)

# Some processors exchange words only: there the rest of JavaScript's and WebAssembly's atomic
# operations is in a library of the compiler's, which is linked in.
include(CheckCSourceCompiles)
check_c_source_compiles("
char byte;
long long eight;
int main(void) { return __atomic_exchange_n(&byte, 1, 5) + (int)__atomic_fetch_add(&eight, 1, 5); }
" PHASOR_ALL_ATOMICS)
set(atomic_library "")
if(NOT PHASOR_ALL_ATOMICS)
  set(atomic_library -l:libatomic.a)
endif()
target_link_libraries(quickjs PUBLIC ${atomic_library})
