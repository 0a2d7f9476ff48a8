# What all products are compiled with, and where they are put.
set(PHASOR_SANITIZE "" CACHE STRING "address (with undefined), thread, or empty")
option(PHASOR_TESTS "Build the tests" ON)

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

# Objects are shared with callers that see them under other names: no type-based aliasing.
add_compile_options(-Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes
                    -fno-strict-aliasing)
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

find_package(Threads REQUIRED)

# Built and installed with one search path: where CMake changes the path at installing it makes room
# with empty parts, and an empty part is the folder in which somebody happens to be.
function(find_libraries_beside target)
  set(places "$ORIGIN/../${CMAKE_INSTALL_LIBDIR}" "$ORIGIN/../lib")
  list(REMOVE_DUPLICATES places)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "${places}" BUILD_WITH_INSTALL_RPATH ON)
endfunction()
