#!/usr/bin/env bash
# One changed byte in the engine's sources, and the build stops and says how to go on.
set -euo pipefail
build=$1
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-engine-XXXXXX")
trap 'rm -rf "$temp"' EXIT
sources=$(sh runtime/scripts/quickjs.sh "$build")
[ "${sources%% *}" = known ] || { echo "this build has an engine that we do not know"; exit 77; }
mkdir "$temp/engine"
cp "${sources#* * }"/*.[ch] "$temp/engine"
echo '/* one comment more */' >>"$temp/engine/libregexp.c"
configure() {
    cmake -S . -B "$temp/build" -G Ninja -DPHASOR_TESTS=OFF -DQUICKJS_DIR="$temp/engine" "$@" \
        >"$temp/log" 2>&1
}

if configure; then
    echo "an engine that we do not know was taken" >&2
    exit 1
fi
for text in "is not the engine that we know" "SHA-256" "-DPHASOR_ENGINE=any"; do
    tr -s '\n ' '  ' <"$temp/log" | grep -qF -e "$text" ||
        { echo "it does not say: $text" >&2; cat "$temp/log" >&2; exit 1; }
done
configure -DPHASOR_ENGINE=any || { cat "$temp/log" >&2; exit 1; }
grep -q '^Phasor: .* all patches to it apply' "$temp/log" || { cat "$temp/log" >&2; exit 1; }
