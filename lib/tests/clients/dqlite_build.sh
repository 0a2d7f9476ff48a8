#!/usr/bin/env bash
# dqlite_build.sh FOLDER: dqlite's own test programs, from the source package of Debian's testing
# suite, built below FOLDER/dqlite with what FOLDER/root holds. They are linked with libuv.so.1:
# LD_LIBRARY_PATH says which.
set -euo pipefail
folder=$(cd "$1" && pwd)/dqlite
[ ! -e "$folder/complete" ] || exit 0
rm -rf "$folder"
mkdir -p "$folder/package" "$folder/source" "$folder/objects"
apt=$PWD/scripts/testing-apt.sh
echo "Fetching and building dqlite's tests into $folder/"
{
    "$apt" "$folder/apt" update && cd "$folder/package" &&
        "$apt" "$folder/apt" source --download-only dqlite
} >"$folder/log" 2>&1 || { tail -n 5 "$folder/log" >&2; exit 1; }
tar -xf "$folder"/package/dqlite_*.orig.tar.* -C "$folder/source" --strip-components=1

cd "$folder/source"
find src test -name '*.c' ! -path '*/fuzzy/*' |
    while read -r file; do printf '%s\n%s\n' "$file" "$folder/objects/${file//\//_}.o"; done |
    xargs -P "$(nproc)" -n 2 sh -c 'gcc -w -O1 -g -std=gnu11 -D_GNU_SOURCE -DHAVE_LINUX_AIO_ABI_H \
        -DHAVE_LINUX_IO_URING -DLZ4_AVAILABLE -DLZ4_ENABLED -DMUNIT_TEST_NAME_LEN=60 \
        -DDQLITE_VERSION_BUILD_TAG=\"\" -Isrc -Iinclude -I. -c "$0" -o "$1"'
cd "$folder/objects"
program() { # program NAME OBJECTS...
    local name=$1
    shift
    gcc -o "$folder/$name" src_*.o test_lib_*.o test_raft_lib_*.o "$@" -luv -lsqlite3 -llz4 \
        -lpthread -lm
}
program unit test_unit_*.o test_test_*.o
program integration test_integration_*.o
program raft-unit test_raft_unit_main_uv.c.o test_raft_unit_test_uv*.o
program raft-integration test_raft_integration_main_uv.c.o test_raft_integration_test_uv*.o
rm -rf "$folder/objects" "$folder/package" "$folder/apt"
touch "$folder/complete"
