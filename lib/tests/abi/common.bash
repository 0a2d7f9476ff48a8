# Sourced by the tests in this folder: $build, a temporary folder $temp, generate, skip.
set -euo pipefail
build=${1:?the build folder}
here=lib/tests/abi
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-abi-XXXXXX")
trap 'rm -rf "$temp"' EXIT

generate() { python3 -B $here/generate.py "$@"; }

skip() {
    echo "skipped: $1"
    exit 77
}

need_library() {
    [ -e "$build/lib/libuv.so.1" ] || { echo "$build/lib/libuv.so.1 is not built" >&2; exit 1; }
}
