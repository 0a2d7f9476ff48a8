# The phasor command: trace, report, top, attach. With the JavaScript runtime it exists already.
file(GLOB tool_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/tools/*.c
     ${CMAKE_SOURCE_DIR}/tools/*/*.c)
list(FILTER tool_sources EXCLUDE REGEX "/tools/main\\.c$")
# What a process that was killed has left is written as it would have.
list(APPEND tool_sources ${CMAKE_SOURCE_DIR}/src/trace/encode.c
     ${CMAKE_SOURCE_DIR}/src/trace/file.c)

# Names of functions come from elfutils, in a part that is loaded when one is wanted
# (tools/read/binaries.h); without it, addresses have to do.
set(dw_sources ${tool_sources})
list(FILTER dw_sources INCLUDE REGEX "_dw\\.c$")
list(FILTER tool_sources EXCLUDE REGEX "_dw\\.c$")
find_path(PHASOR_DW_INCLUDE elfutils/libdwfl.h)
find_library(PHASOR_DW_LIBRARY dw)
if(PHASOR_DW_INCLUDE AND PHASOR_DW_LIBRARY)
  add_library(phasor_binaries MODULE ${dw_sources})
  target_include_directories(phasor_binaries PRIVATE tools src include)
  target_include_directories(phasor_binaries SYSTEM PRIVATE ${PHASOR_DW_INCLUDE})
  target_compile_definitions(phasor_binaries PRIVATE _GNU_SOURCE)
  target_link_libraries(phasor_binaries PRIVATE ${PHASOR_DW_LIBRARY} ${CMAKE_DL_LIBS})
  set_target_properties(phasor_binaries PROPERTIES PREFIX "" OUTPUT_NAME binaries
    C_VISIBILITY_PRESET hidden LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib/phasor)
  install(TARGETS phasor_binaries LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/phasor)
else()
  message(NOTICE "Phasor: without names of functions in reports, libdw is not there")
endif()

# The page, as two halves between which the recording goes.
find_package(Python3 COMPONENTS Interpreter)
if(Python3_FOUND AND EXISTS ${CMAKE_SOURCE_DIR}/viewer/build.py)
  file(GLOB page_sources CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/viewer/src/*)
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/viewer)
  add_custom_command(OUTPUT ${CMAKE_BINARY_DIR}/viewer/page.c
    COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_SOURCE_DIR}/viewer/build.py
            ${CMAKE_BINARY_DIR}/viewer/page.html --c ${CMAKE_BINARY_DIR}/viewer/page.c
    DEPENDS ${page_sources} ${CMAKE_SOURCE_DIR}/viewer/build.py VERBATIM)
  list(FILTER tool_sources EXCLUDE REGEX "/report/page_none\\.c$")
  list(APPEND tool_sources ${CMAKE_BINARY_DIR}/viewer/page.c)
endif()

include(cmake/licenses.cmake)
add_library(phasor_tools STATIC ${tool_sources} ${CMAKE_BINARY_DIR}/licenses.c)
target_include_directories(phasor_tools PRIVATE tools src include)
target_compile_definitions(phasor_tools PRIVATE _GNU_SOURCE PHASOR_VERSION="${PHASOR_VERSION}"
                           PHASOR_LIBUV_VERSION="${PROJECT_VERSION}")
set_source_files_properties(${CMAKE_BINARY_DIR}/licenses.c PROPERTIES COMPILE_OPTIONS -w)
if(CMAKE_LIBRARY_ARCHITECTURE)
  target_compile_definitions(phasor_tools PRIVATE
    PHASOR_MULTIARCH="${CMAKE_LIBRARY_ARCHITECTURE}")
endif()
target_link_libraries(phasor_tools PUBLIC ${CMAKE_DL_LIBS} m)

if(NOT TARGET phasor)
  add_executable(phasor tools/main.c)
  find_libraries_beside(phasor)
  install(TARGETS phasor RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
target_link_libraries(phasor PRIVATE phasor_tools)
if(TARGET phasor_binaries)
  add_dependencies(phasor phasor_binaries)
endif()
install(FILES include/phasor.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
