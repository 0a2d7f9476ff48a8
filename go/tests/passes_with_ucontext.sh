#!/usr/bin/env bash
# Machines for which we have no assembly switch with swapcontext: the same tests pass that way.
set -euo pipefail
build=$1
mkdir -p "$build/go-ucontext"
flags="-std=gnu11 -D_GNU_SOURCE -DGO_UCONTEXT -g -O1 -Wall -Wextra -Werror -Ilib/include
       -Igo/include -Ilib/tests"
for test in coroutine stack stream group; do
    wraps=$(sed -n 's|^// wrap: ||p' "go/tests/$test.c" | sed -E 's/[a-z_]+/-Wl,--wrap=&/g')
    gcc $flags "go/tests/$test.c" go/src/*.c lib/tests/harness.c $wraps \
        -o "$build/go-ucontext/$test" -L"$build/lib" -luv \
        -Wl,-rpath,"$(realpath "$build/lib")" -pthread
    "$build/go-ucontext/$test" >"$build/go-ucontext/$test.log" 2>&1 ||
        { grep -v '^ok ' "$build/go-ucontext/$test.log" >&2; exit 1; }
done
