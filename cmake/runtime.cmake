# The JavaScript runtime: bin/phasor. Left out only when asked for.
option(PHASOR_RUNTIME "Build the JavaScript runtime" ON)
if(NOT PHASOR_RUNTIME)
  return()
endif()

include(cmake/quickjs.cmake)

# The built-in modules are compiled to bytecode, so that starting costs no parsing.
add_executable(phasor_compile runtime/engine/compile.c)
target_link_libraries(phasor_compile quickjs)
file(GLOB_RECURSE scripts CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/runtime/js
     ${CMAKE_SOURCE_DIR}/runtime/js/*.js)
set(ids ${scripts})
list(TRANSFORM ids REPLACE "\\.js$" "")
list(SORT ids)
set(script_files ${scripts})
list(TRANSFORM script_files PREPEND ${CMAKE_SOURCE_DIR}/runtime/js/)
set(bytecode ${CMAKE_BINARY_DIR}/runtime/builtins.c)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/runtime)
add_custom_command(OUTPUT ${bytecode}
  COMMAND ${CMAKE_COMMAND} -E env ASAN_OPTIONS=detect_leaks=0
          $<TARGET_FILE:phasor_compile> ${bytecode} ${CMAKE_SOURCE_DIR}/runtime/js ${ids}
  DEPENDS phasor_compile ${script_files} VERBATIM)

file(GLOB runtime_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/runtime/*/*.c)
list(REMOVE_ITEM runtime_sources ${CMAKE_SOURCE_DIR}/runtime/engine/compile.c)
set(tool_sources tools/main.c)
add_executable(phasor ${tool_sources} ${runtime_sources} ${bytecode})
target_include_directories(phasor PRIVATE runtime)
target_compile_definitions(phasor PRIVATE _GNU_SOURCE PHASOR_VERSION="${PHASOR_VERSION}")
target_link_libraries(phasor PRIVATE uv quickjs m ${CMAKE_DL_LIBS})
if(CMAKE_LIBRARY_ARCHITECTURE)
  target_compile_definitions(phasor PRIVATE PHASOR_MULTIARCH="${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
# Compression, linked in where its library is installed; without it, its functions say so when they
# are called.
find_library(PHASOR_ZLIB_FILE libz.a)
if(PHASOR_ZLIB_FILE)
  target_compile_definitions(phasor PRIVATE PHASOR_ZLIB)
  target_link_libraries(phasor PRIVATE ${PHASOR_ZLIB_FILE})
else()
  message(NOTICE "Phasor: without compression in the runtime, libz.a is not there")
endif()
find_libraries_beside(phasor)
install(TARGETS phasor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
include(cmake/plugins.cmake)

if(PHASOR_TESTS)
  enable_testing()
  add_subdirectory(tests/js)
endif()
