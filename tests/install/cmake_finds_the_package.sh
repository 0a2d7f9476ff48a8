#!/usr/bin/env bash
# find_package(libuv) gives libuv::uv and libuv::uv_a; a program builds with each, and runs.
. tests/install/prefix.bash
mkdir "$temp/project"
cp "$program" "$temp/project/version.c"
cat >"$temp/project/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.18)
project(user LANGUAGES C)
find_package(libuv 1.50 REQUIRED CONFIG)
add_executable(shared version.c)
target_link_libraries(shared libuv::uv)
add_executable(static version.c)
target_link_libraries(static libuv::uv_a)
END
log=$temp/log
cmake -S "$temp/project" -B "$temp/out" -DCMAKE_PREFIX_PATH="$prefix" >"$log" 2>&1 &&
    cmake --build "$temp/out" >>"$log" 2>&1 || {
    cat "$log" >&2
    fail "find_package(libuv) does not work"
}
[ -n "$(loads "$temp/out/shared")" ] || fail "libuv::uv does not link with libuv.so.1"
[ -z "$(loads "$temp/out/static")" ] || fail "libuv::uv_a links with the shared library"
runs "$temp/out/shared" -u LD_LIBRARY_PATH
runs "$temp/out/static" -u LD_LIBRARY_PATH
