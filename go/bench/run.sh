#!/usr/bin/env bash
# run.sh BUILD [ROUNDS]: builds the coroutines' bench against the build's libraries and runs it,
# then the models beside each other.
set -euo pipefail
build=$1
TARGETS="phasor_go_a uv" scripts/build.sh "$build"
mkdir -p "$build/bench"
"${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Ilib/include -Igo/include go/bench/*.c \
    -o "$build/bench/go" "$build/lib/libphasor_go.a" -L"$build/lib" -luv -pthread \
    -Wl,-rpath,"$(realpath "$build/lib")"
python3 -B go/bench/run.py "$build/bench/go" "${2:-5}"
echo "The same server in several models (docs/COROUTINES.md):"
exec python3 -B go/models/run.py "$build"
