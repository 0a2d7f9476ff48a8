#!/usr/bin/env bash
# Every struct, field, typedef, constant, error value and signature, as the compilers see them. C++
# tells types apart that C mixes (an enum and an int), C11 is what the library itself is written in.
. lib/tests/abi/common.bash
generate types >"$temp/types.c"
for compiler in "gcc -std=gnu11" "clang -std=gnu11" \
    "g++ -std=c++11 -xc++" "clang++ -std=c++17 -xc++"; do
    $compiler -Ilib/include -Wall -Wextra -Werror -fsyntax-only "$temp/types.c" || {
        echo "$compiler: lib/include/uv.h differs from the tables" >&2
        exit 1
    }
done
echo "$(grep -cE '^(CHECK|SAME|IS_ENUM)' "$temp/types.c") facts hold in C and C++"
