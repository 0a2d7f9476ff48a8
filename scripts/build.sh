#!/usr/bin/env bash
# build.sh BUILD [CMAKE OPTIONS...]: configures when needed, builds (TARGETS="all" says what), stays
# quiet unless it fails or something is left out: lines that begin with "Phasor:".
set -euo pipefail
build=$1
shift
echo "Building into $build/"
cmake -S . -B "$build" -G Ninja "$@" >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
sed -n 's/^Phasor: //p' "$build.log"
ninja -C "$build" ${TARGETS:-all} >"$build.log" 2>&1 || { cat "$build.log" >&2; exit 1; }
rm -f "$build.log"
