#!/usr/bin/env bash
# embedders.sh: programs that put the loop into another one, poll(2), epoll and GLib's main loop,
# built with Debian's header and linked with whatever libuv.so.1 LD_LIBRARY_PATH names. Sorted: in
# which order two clocks come due is left to the machine.
set -euo pipefail
examples=$(cd "$(dirname "$0")/../../../examples" && pwd)
multiarch=$(gcc -print-multiarch)
for kind in poll epoll glib; do
    flags=
    [ $kind != glib ] || flags=$(pkg-config --cflags --libs glib-2.0)
    # shellcheck disable=SC2086
    gcc -D_GNU_SOURCE "$examples/embed_$kind.c" -o "$kind" $flags "/usr/lib/$multiarch/libuv.so.1"
    echo "$kind:"
    "./$kind" | sort
done
ldd ./poll | awk '/libuv\.so/ { print $3; exit }' >"$CLIENT_LIBRARY"
