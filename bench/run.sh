#!/usr/bin/env bash
# run.sh BUILD [NAME,NAME...]: builds the library and the workloads, then compares the library with
# another one. All cases, or those whose names contain one of the NAMEs. Settings: docs/BENCH.md.
set -euo pipefail
build=$1
only=${2:-}
here=$(dirname "$0")

default_peer() {
    local file
    file=/usr/lib/$(gcc -print-multiarch)/libuv.so.1
    [ -e "$file" ] || file=$(ldconfig -p | awk '$1 == "libuv.so.1" { print $NF; exit }')
    echo "$file"
}

[ -n "${OURS:-}" ] || scripts/build.sh "$build"
ours=$(realpath "${OURS:-$build/lib/libuv.so.1}")
if [ "${PEER:-}" = testing ]; then
    "$here"/peer.sh "$build"
    root=$build/peer/root/usr/lib/$(gcc -print-multiarch)
    PEER=$root/libuv.so.1
    LIBC=$(realpath "$root")
    export LIBC
fi
peer=$(realpath "${PEER:-$(default_peer)}")

programs=$build/bench
mkdir -p "$programs/ours" "$programs/peer"
ln -sfn "$ours" "$programs/ours/libuv.so.1"
ln -sfn "$peer" "$programs/peer/libuv.so.1"

# Lazy binding: a case whose functions a library lacks is left out, and the others still run.
for source in "$here"/workloads/*.c; do
    "${CC:-gcc}" -std=gnu11 -D_GNU_SOURCE -O2 -Wall -Wextra -Ilib/include -I"$here" "$source" \
        -o "$programs/$(basename "$source" .c)" -L"$programs/peer" -l:libuv.so.1 \
        -pthread -Wl,-z,lazy -Wl,--allow-shlib-undefined
done

[ ! -e "$build/clients/complete" ] || PHASOR_CLIENTS=$(realpath "$build/clients/root")
export PHASOR_CLIENTS=${PHASOR_CLIENTS:-}
exec python3 "$here/compare.py" "$programs" "$here/external" "$here/results" "$only"
