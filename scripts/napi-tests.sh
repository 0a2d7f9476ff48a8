#!/usr/bin/env bash
# napi-tests.sh BUILD [quick] [TEST...]: Node's own tests of Node-API, as they are, with Node 20 and
# with our runtime; their addons are built with Node's headers. "quick" runs them where they are
# unpacked and built already. Skipped (77) where there is no Node 20, no runtime or no headers.
set -euo pipefail
build=$1
shift
out=$build/node-tests
skip() {
    echo "Skipped: $1."
    exit 77
}
case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) skip "there is no Node 20" ;;
esac
[ -x "$build/bin/phasor" ] || skip "there is no runtime in $build"
headers=""
for folder in /usr/include/node /usr/include/nodejs/src /usr/local/include/node; do
    [ -n "$headers" ] || [ ! -e "$folder/node_api.h" ] || headers=$folder
done
[ -n "$headers" ] || skip "there are no headers of Node-API"
if [ "${1:-}" = quick ]; then
    shift
    [ -e "$out/test/node-api/1_hello_world/build" ] ||
        skip "the tests are not unpacked and built (make napi-tests does it)"
fi
mkdir -p "$out"
bash runtime/tests/node/fetch.sh "$out"
python3 -B runtime/tests/napi/addons.py "$out" "$headers"
nice python3 -B runtime/tests/napi/run.py "$out" "$(realpath "$build/bin/phasor")" "$@"
