#!/usr/bin/env bash
# Where an engine that we do not know is asked for, a text that is gone, or a name that the compiler
# does not find, leaves out that patch and says so in one line, with what needs it; the others stay.
set -euo pipefail
build=$1
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-engine-XXXXXX")
trap 'rm -rf "$temp"' EXIT
sources=$(sh runtime/scripts/quickjs.sh "$build")
mkdir "$temp/engine"
cp "${sources#* * }"/*.[ch] "$temp/engine"
sed -i 's/unexpected data at the end/something after the end/; s/\bhas_tla\b/has_an_await/g' \
    "$temp/engine/quickjs.c"
sed -i 's/define QJS_VERSION_MINOR .*/define QJS_VERSION_MINOR 99/' "$temp/engine/quickjs.h"

cmake -S . -B "$temp/build" -G Ninja -DPHASOR_TESTS=OFF -DQUICKJS_DIR="$temp/engine" \
    -DPHASOR_ENGINE=any \
    >"$temp/log" 2>&1 || { cat "$temp/log" >&2; exit 1; }
grep '^Phasor: ' "$temp/log" >"$temp/said"
expected="Phasor: quickjs-ng 0.99.0 is not the engine that we know; built without these patches to \
it: linking (ES modules can not be required; errors of links have the engine's words; vm has no \
modules; import() in eval() finds no relative names), words (errors have the engine's own words)"
echo "$expected" | diff - "$temp/said"
grep -q js_await_value "$temp/build/quickjs/patched/quickjs.c"
if grep -qE 'inside/require|json_expected_end' "$temp/build/quickjs/patched/quickjs.c"; then
    echo "a patch that does not fit was applied" >&2
    exit 1
fi
