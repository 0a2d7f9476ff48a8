#!/usr/bin/env bash
# Without the engine's sources nothing is built, unless the runtime is left out on purpose.
set -euo pipefail
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-engine-XXXXXX")
trap 'rm -rf "$temp"' EXIT
configure() {
    cmake -S . -B "$temp/build" -G Ninja -DPHASOR_TESTS=OFF "$@" >"$temp/log" 2>&1
}

if configure -DQUICKJS_DIR="$temp/nowhere"; then
    echo "a build without the engine was configured" >&2
    exit 1
fi
for text in "The JavaScript engine is not there" "no quickjs.c below" "PHASOR_RUNTIME=OFF"; do
    tr -s '\n ' '  ' <"$temp/log" | grep -qF "$text" ||
        { echo "it does not say: $text" >&2; cat "$temp/log" >&2; exit 1; }
done
configure -DQUICKJS_DIR="$temp/nowhere" -DPHASOR_RUNTIME=OFF || { cat "$temp/log" >&2; exit 1; }
