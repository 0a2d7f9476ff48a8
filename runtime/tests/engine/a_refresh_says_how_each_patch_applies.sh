#!/usr/bin/env bash
# On sources that another version has changed, engine-refresh names each patch with how it applies,
# writes those that do as they fit there, and fails if one does not. Its series then applies as it
# stands.
set -euo pipefail
build=$1
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-engine-XXXXXX")
trap 'rm -rf "$temp"' EXIT
sources=$(sh runtime/scripts/quickjs.sh "$build")
mkdir "$temp/engine"
cp "${sources#* * }"/*.[ch] "$temp/engine"
# A field has another name, a text to patch is gone, and lines have moved.
sed -i 's/\bhas_tla\b/has_an_await/g; s/fre->token = js_dup(token)/fre->token = token/; 1i /* */' \
    "$temp/engine/quickjs.c"
if runtime/scripts/engine-refresh.sh "$temp/build" "$temp/engine" >"$temp/said" 2>&1; then
    echo "a refresh without two patches did not fail" >&2
    exit 1
fi
for line in "001-contexts.patch: applies at other lines" "005-linking.patch: .*does not compile" \
    "016-registries.patch: does not apply" "2 patches are missing from it"; do
    grep -q "$line" "$temp/said" || { echo "not said: $line" >&2; cat "$temp/said" >&2; exit 1; }
done
cd "$temp/engine"
while read -r patch; do
    patch -p1 --fuzz=0 -i "$temp/build/engine-refresh/patches/$patch" >"$temp/said" ||
        { cat "$temp/said" >&2; exit 1; }
    if grep offset "$temp/said"; then
        echo "$patch was not refreshed" >&2
        exit 1
    fi
done <"$temp/build/engine-refresh/patches/series"
