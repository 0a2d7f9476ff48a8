#!/usr/bin/env bash
# add_subdirectory of the whole tree or of lib/, and FetchContent in the place of
# find_package(libuv): the program is linked with it and runs, the other project keeps its own
# settings, and the library builds with the warnings that it asks for.
. tests/install/embedded.bash
put_sources "$temp/phasor"
mkdir "$temp/added" "$temp/fetched"
cp "$program" "$temp/added/"
cp "$program" "$temp/fetched/"

cat >"$temp/added/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
add_compile_options(-Wall -Wextra -Wpedantic -Wconversion -Werror)
add_subdirectory($temp/phasor phasor)
add_executable(with_shared program.c)
target_link_libraries(with_shared libuv::uv)
if(CMAKE_BUILD_TYPE OR CMAKE_RUNTIME_OUTPUT_DIRECTORY OR TARGET phasor_trace_tools OR TEST style)
  message(FATAL_ERROR "what is added changes this project")
endif()
install(TARGETS with_shared)
END
logged cmake -S "$temp/added" -B "$temp/added/out" -DCMAKE_INSTALL_PREFIX="$temp/added/prefix"
logged cmake --build "$temp/added/out" --parallel 2
prints_version "$temp/added/out/with_shared"
readelf -d "$temp/added/out/with_shared" | grep -q 'libuv\.so\.1' || fail "libuv::uv is not shared"
[ -z "$(find "$temp/added/out" -name libuv.a)" ] || fail "the archive was built for nobody"
logged cmake --install "$temp/added/out"
[ ! -e "$temp/added/prefix/include" ] || fail "headers are installed with the other project"

tar -C "$temp" -czf "$temp/phasor.tar.gz" phasor
cat >"$temp/fetched/CMakeLists.txt" <<END
cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES C)
include(FetchContent)
FetchContent_Declare(libuv URL $temp/phasor.tar.gz SOURCE_SUBDIR lib OVERRIDE_FIND_PACKAGE)
find_package(libuv REQUIRED)
add_executable(with_archive program.c)
target_link_libraries(with_archive libuv::uv_a)
END
logged cmake -S "$temp/fetched" -B "$temp/fetched/out"
logged cmake --build "$temp/fetched/out" --parallel 2
prints_version "$temp/fetched/out/with_archive"
! readelf -d "$temp/fetched/out/with_archive" | grep 'libuv' || fail "libuv::uv_a is not static"
