#!/usr/bin/env bash
# A program builds against an installed tree with what pkg-config says, with the shared and the
# static library, and runs.
. tests/install/prefix.bash
export PKG_CONFIG_PATH=$libdir/pkgconfig PKG_CONFIG_LIBDIR=$libdir/pkgconfig
[ "$(pkg-config --modversion libuv)" = "$version" ] || fail "libuv.pc has another version"
for module in libuv libuv-static; do
    found=$(realpath -m "$(pkg-config --variable=libdir $module)")
    [ "$found" = "$libdir" ] || fail "$module.pc says $found, but is installed in $libdir"
done

gcc -Wall -Werror "$program" -o "$temp/shared" $(pkg-config --cflags --libs libuv)
[ -n "$(loads "$temp/shared")" ] || fail "the program is not linked with libuv.so.1"
runs "$temp/shared" "LD_LIBRARY_PATH=$libdir"

gcc -Wall -Werror "$program" -o "$temp/static" $(pkg-config --cflags --libs libuv-static)
[ -z "$(loads "$temp/static")" ] || fail "libuv-static links with the shared library"
runs "$temp/static" -u LD_LIBRARY_PATH
