#!/usr/bin/env bash
# provenance.sh BUILD [--all] [FILE...]: compares the shapes of our functions with Node's, libuv's
# and the engine's (tests/provenance/compare.py). Skipped (77) where their sources can't be had.
set -euo pipefail
build=$1
shift
theirs=$build/provenance
mkdir -p "$theirs"
if ! bash tests/provenance/fetch.sh "$theirs"; then
    echo "Skipped: the source packages of nodejs and libuv1 can't be had."
    exit 77
fi
engine=$(find "$build/quickjs/sources" -name quickjs.c -printf '%h' -quit 2>/dev/null || true)
rm -f "$theirs/quickjs"
[ -z "$engine" ] || ln -s "$(realpath "$engine")" "$theirs/quickjs"
python3 -B tests/provenance/compare.py "$theirs" "$build/bin/phasor" "$@"
