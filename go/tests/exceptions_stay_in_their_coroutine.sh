#!/usr/bin/env bash
# C++ programs may throw and catch in a coroutine; what nobody catches ends them as ever.
set -euo pipefail
build=$1
command -v g++ >/dev/null || { echo "skipped: there is no g++"; exit 77; }
g++ -std=c++17 -O1 -g -Wall -Wextra -Werror -Ilib/include -Igo/include go/tests/exceptions.cc \
    -o "$build/tests/go_exceptions" -L"$build/lib" -lphasor_go -luv \
    -Wl,-rpath,"$(realpath "$build/lib")" -pthread
"$build/tests/go_exceptions"
output=$( (ulimit -c 0; "$build/tests/go_exceptions" uncaught) 2>&1) && exit 1
grep -q "nobody catches this" <<<"$output"
