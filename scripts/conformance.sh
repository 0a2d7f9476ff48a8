#!/usr/bin/env bash
# conformance.sh BUILD [quick] [TEST...]: libuv's own test programs on our library, beside Debian's.
set -euo pipefail
build=$1
shift
out=$build/conformance
mkdir -p "$out"
tests/conformance/fetch.sh "$out"
echo "Building the test programs of libuv $(cat "$out/complete")"
tests/conformance/build.sh "$out" "$out/ours" include "${PHASOR_LIBRARY:-$build/lib/libuv.so.1}"
if [ "${1:-}" != quick ]; then
    multiarch=$(gcc -print-multiarch)
    tests/conformance/build.sh "$out" "$out/debian" /usr/include "/usr/lib/$multiarch/libuv.so.1"
fi
tests/conformance/alone.sh python3 tests/conformance/run.py "$out" "$@"
