#!/usr/bin/env bash
# CMake configures, builds and tests a small project: it runs its children through the library.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake -S "$here/cmake" -B "$work/build" | grep '^-- client:'
cmake --build "$work/build" >"$work/log" || { cat "$work/log" >&2; exit 1; }
"$work/build/sum" 1 2 3
"$work/build/sum" 40 2
cd "$work/build"
ctest -j 2 >"$work/log" 2>&1 || echo "ctest ended with $?"
sed -n -E 's/.*Test *#[0-9]*: (\w+).* (Passed|.*Failed|.*Timeout).*/\1 \2/p' "$work/log" | sort
ctest -N | tail -n 1
