#!/usr/bin/env bash
# clients.sh BUILD [quick|traced] [CLIENT...]: Debian's node, neovim, uvloop, luv, named, cmake and
# dqlite's tests on our library, beside Debian's; then the first three under phasor trace.
set -euo pipefail
build=$1
shift
if [ "$(id -u)" = 0 ] && ! unshare --mount true 2>/dev/null; then
    echo "skipped: this machine allows no mount namespace"
    exit 77
fi
out=$build/clients
mkdir -p "$out"
lib/tests/clients/install.sh "$out"
case ${1:-} in
quick | traced) ;;
*) lib/tests/clients/inside.sh "$(realpath "$out")/root" lib/tests/clients/dqlite_build.sh "$out" ;;
esac
status=0
if [ "${1:-}" != traced ]; then
    python3 -B lib/tests/clients/run.py "$out" "${PHASOR_LIBRARY:-$build/lib/libuv.so.1}" \
        "/usr/lib/$(gcc -print-multiarch)/libuv.so.1" "$@" || status=1
fi
if [ "${1:-}" != quick ] && [ -z "${PHASOR_LIBRARY:-}" ]; then
    echo "Recorded:"
    [ -x "$build/tests/trace/events" ] || TARGETS=trace_events scripts/build.sh "$build"
    python3 -B lib/tests/clients/traced.py "$out" "$build" "$@" || status=1
fi
exit $status
