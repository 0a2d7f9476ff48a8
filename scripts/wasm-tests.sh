#!/usr/bin/env bash
# wasm-tests.sh BUILD [quick] [NAME...]: the standard's own tests of WebAssembly 2.0, tail calls,
# extended constant expressions and threads with our runtime. They come as modules and commands in
# a package of Debian's testing suite (that of wazero's sources). "quick" runs them where they are
# unpacked already. Skipped (77) where there is no runtime.
set -euo pipefail
build=$1
shift
out=$build/wasm-tests
skip() {
    echo "Skipped: $1."
    exit 77
}
[ -x "$build/bin/phasor" ] || skip "there is no runtime in $build"
if [ "${1:-}" = quick ]; then
    shift
    [ -e "$out/complete" ] || skip "the tests are not unpacked (make wasm-tests does it)"
fi
if [ ! -e "$out/complete" ]; then
    package=golang-github-tetratelabs-wazero-dev
    apt=$(realpath scripts/testing-apt.sh)
    mkdir -p "$out/package"
    folder=$(cd "$out" && pwd)
    if ! (bash "$apt" "$folder/apt" update && cd "$folder/package" &&
        bash "$apt" "$folder/apt" download "$package") >"$folder/fetch.log" 2>&1; then
        tail -n 5 "$folder/fetch.log" >&2
        echo "The package with the tests could not be fetched." >&2
        exit 1
    fi
    dpkg -x "$folder"/package/*.deb "$folder/package"
    tests=$(find "$folder/package" -path '*/integration_test/spectest' -type d)
    for part in v2 tail-call extended-const threads; do
        rm -rf "${folder:?}/$part"
        mv "$tests/$part/testdata" "$folder/$part"
    done
    rm -rf "$folder/package" "$folder/apt"
    touch "$folder/complete"
fi
failed=0
for part in v2 tail-call extended-const threads; do
    echo "$part:"
    nice "$build/bin/phasor" runtime/tests/wasm/suite.js "$out/$part" "$@" || failed=1
done
exit $failed
