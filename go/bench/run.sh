#!/usr/bin/env bash
# run.sh BUILD [ROUNDS]: builds the coroutines' bench against the build's libraries and runs it.
set -euo pipefail
build=$1
TARGETS="phasor_go_a uv" scripts/build.sh "$build"
mkdir -p "$build/bench"
"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Ilib/include -Igo/include go/bench/*.c \
    -o "$build/bench/go" "$build/lib/libphasor_go.a" -L"$build/lib" -luv -pthread \
    -Wl,-rpath,"$(realpath "$build/lib")"
exec python3 -B go/bench/run.py "$build/bench/go" "${2:-5}"
