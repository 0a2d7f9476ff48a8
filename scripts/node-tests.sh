#!/usr/bin/env bash
# node-tests.sh BUILD [quick] [FAMILY or TEST...]: Node's own tests, as they are, with Node 20 and
# with our runtime. "quick" runs a part of those that pass, where the tests are unpacked already.
# Skipped (77) where there is no Node 20 or no runtime.
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
if [ "${1:-}" = quick ]; then
    [ -e "$out/complete" ] || skip "Node's tests are not unpacked (make node-tests does it)"
fi
mkdir -p "$out"
bash runtime/tests/node/fetch.sh "$out"

# Processes of their own, too: a test that sends signals to the wrong place reaches nobody else.
own=(unshare --pid --fork --mount-proc --kill-child)
[ "$(id -u)" = 0 ] && "${own[@]}" true 2>/dev/null || own=()
status=0
bash lib/tests/conformance/alone.sh "${own[@]}" nice python3 -B runtime/tests/node/run.py "$out" \
    "$(realpath "$build/bin/phasor")" "$@" || status=$?
[ $# -gt 0 ] || python3 -B runtime/tests/node/report.py "$out" docs/NODE_TESTS.md
exit $status
