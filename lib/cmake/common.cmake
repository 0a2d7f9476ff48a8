# What all products are compiled with, and where they are put. In another project that adds the
# library, only what the library itself needs: its types of build and its folders are its own.
set(own ${PROJECT_IS_TOP_LEVEL})
set(PHASOR_SANITIZE "" CACHE STRING "address (with undefined), thread, or empty")
option(PHASOR_TESTS "Build the tests" ${own})
option(PHASOR_INSTALL "Install headers, libraries and what finds them" ${own})
option(PHASOR_STATIC "The command has everything inside, and loads nothing" OFF)
option(PHASOR_WERROR "Warnings are errors" ${own})

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(own AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
if(own)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
endif()

# Objects are shared with callers that see them under other names: no type-based aliasing.
add_compile_options(-Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -fno-strict-aliasing)
if(PHASOR_WERROR)
  add_compile_options(-Werror)
endif()
if(PHASOR_SANITIZE STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=all
                      -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(PHASOR_SANITIZE STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

option(PHASOR_FUZZ "Build for libFuzzer, with clang: scripts/fuzz.sh" OFF)
if(PHASOR_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_link_options(-fsanitize=fuzzer-no-link)
endif()

# The plain ways that processors without ones of their own take: for tests, and where the counter or
# the emulator is not to be trusted.
option(PHASOR_PLAIN_PROCESSOR "Use nothing that only some processors have" OFF)
if(PHASOR_PLAIN_PROCESSOR)
  add_compile_definitions(PHASOR_PLAIN_PROCESSOR)
endif()

# Whoever links with the library sees what that links with, in its own folder too.
set(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL ON)
find_package(Threads REQUIRED)
unset(CMAKE_FIND_PACKAGE_TARGETS_GLOBAL)

# One build for old and new systems: it is linked with stand-ins for the C library of that version.
set(PHASOR_GLIBC "" CACHE STRING "The oldest glibc to run with, such as 2.28; empty: this one")
if(PHASOR_GLIBC)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(stand_ins ${CMAKE_BINARY_DIR}/glibc-${PHASOR_GLIBC})
  set(other_root "")
  if(CMAKE_SYSROOT)
    set(other_root --sysroot=${CMAKE_SYSROOT})
  endif()
  execute_process(COMMAND ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_LIST_DIR}/old_glibc/make.py
                  ${stand_ins} ${PHASOR_GLIBC} ${CMAKE_C_COMPILER} ${other_root}
                  COMMAND_ERROR_IS_FATAL ANY)
  # A part of what the C library is today was in these until 2.34.
  add_link_options(-L${stand_ins} LINKER:--push-state,--no-as-needed -l:libpthread.so.0
                   -l:libdl.so.2 LINKER:--pop-state)
endif()

# On 32 bits: files of any size and times after 2038, in the library and in what is built with it.
if(CMAKE_SIZEOF_VOID_P EQUAL 4)
  add_compile_definitions(_FILE_OFFSET_BITS=64 _TIME_BITS=64)
endif()

# Built and installed with one search path: where CMake changes the path at installing it makes room
# with empty parts, and an empty part is the folder in which somebody happens to be.
function(find_libraries_beside target)
  set(places "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN/../lib")
  list(REMOVE_DUPLICATES places)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${places}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()
