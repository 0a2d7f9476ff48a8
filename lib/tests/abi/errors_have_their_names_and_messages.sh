#!/usr/bin/env bash
. lib/tests/abi/common.bash
need_library
generate errors >"$temp/errors.c"
for compiler in gcc clang; do
    $compiler -std=gnu11 -Ilib/include -Wall -Wextra -Werror "$temp/errors.c" -o "$temp/errors" \
        "$build/lib/libuv.so.1"
    LD_LIBRARY_PATH=$build/lib "$temp/errors"
done
