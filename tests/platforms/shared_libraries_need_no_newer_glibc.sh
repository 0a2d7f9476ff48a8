#!/usr/bin/env bash
# Built for glibc 2.28, the library asks for no symbol of a newer one, and works with this one.
set -euo pipefail
build=$1/platforms/glibc-2.28
rm -rf "$build"
mkdir -p "$build"
[ -n "$(getconf GNU_LIBC_VERSION 2>/dev/null)" ] || { echo "skipped: this is not glibc"; exit 77; }
cmake -S lib -B "$build" -G Ninja -DPHASOR_GLIBC=2.28 >"$build/log" 2>&1 &&
    ninja -C "$build" uv test_behaviour_timer test_behaviour_fs_stat >>"$build/log" 2>&1 || {
    tail -n 40 "$build/log" >&2
    exit 1
}
newer() { # newer FILE: the symbols of versions after 2.28 that it needs
    objdump -T "$1" | sed -nE 's/.*\(?GLIBC_2\.([0-9]+)[.0-9]*\)? +(\S+)$/\1 \2/p' |
        awk '$1 > 28 { print $2 "@GLIBC_2." $1 }' | sort -u
}
found=$(newer "$build/lib/libuv.so.1")
[ -z "$found" ] || { echo "libuv.so.1 needs a newer glibc: $found" >&2; exit 1; }
for needed in libpthread.so.0 libdl.so.2; do
    objdump -p "$build/lib/libuv.so.1" | grep -q "NEEDED.*$needed" || {
        echo "libuv.so.1 does not ask for $needed, which has a part of glibc 2.28" >&2
        exit 1
    }
done
chosen='^behaviour\.(timer|fs_stat)\.'
ctest --test-dir "$build" -R "$chosen" --no-tests=error >"$build/tests.log" 2>&1 || {
    cat "$build/tests.log" >&2
    exit 1
}
