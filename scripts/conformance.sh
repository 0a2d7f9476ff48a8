#!/usr/bin/env bash
# conformance.sh BUILD [quick] [installed|newest] [TEST...]: libuv's own test programs on our
# library, beside Debian's. Two editions: the one of the installed libuv, and the newest that can be
# had (LIBUV_TESTS= names a folder or a tarball instead).
set -euo pipefail
build=$1
shift
quick=
editions="installed newest"
if [ "${1:-}" = quick ]; then
    quick=quick
    shift
fi
case ${1:-} in installed | newest)
    editions=$1
    shift
    ;;
esac
ours=${PHASOR_LIBRARY:-$build/lib/libuv.so.1}

# The library that the edition belongs to, for comparison.
build_peer() { # build_peer EDITION FOLDER
    if [ "$1" = installed ]; then
        lib/tests/conformance/build.sh "$2" "$2/debian" /usr/include \
            "/usr/lib/$(gcc -print-multiarch)/libuv.so.1"
    else
        bench/peer.sh "$build"
        lib/tests/conformance/build.sh "$2" "$2/debian" lib/include \
            "$build/peer/root/usr/lib/$(gcc -print-multiarch)/libuv.so.1" "$build/peer/root"
    fi
}

status=0
for edition in $editions; do
    folder=$build/conformance/$edition
    mkdir -p "$folder"
    lib/tests/conformance/fetch.sh "$edition" "$folder" || { status=1; continue; }
    echo "The tests of libuv $(cat "$folder/complete"):"
    lib/tests/conformance/build.sh "$folder" "$folder/ours" lib/include "$ours"
    [ -n "$quick" ] || build_peer "$edition" "$folder"
    lib/tests/conformance/alone.sh python3 lib/tests/conformance/run.py "$folder" $quick "$@" ||
        status=1
done
exit $status
