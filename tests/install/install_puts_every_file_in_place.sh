#!/usr/bin/env bash
# Headers, both libraries with their links, and nothing that only the build needs.
. tests/install/prefix.bash
for file in include/uv.h include/uv/errno.h include/uv/version.h; do
    [ -f "$prefix/$file" ] || fail "$file is not installed"
done
for file in libuv.a libuv.so libuv.so.1 pkgconfig/libuv.pc pkgconfig/libuv-static.pc \
    cmake/libuv/libuvConfig.cmake cmake/libuv/libuvConfigVersion.cmake; do
    [ -f "$libdir/$file" ] || fail "$file is not installed in $libdir"
done
if [ -x "$prefix/bin/phasor" ] && "$prefix/bin/phasor" -e 0; then
    for page in phasor phasor-trace; do
        grep -q '^\.SH SYNOPSIS' "$prefix/share/man/man1/$page.1" || fail "no man page $page(1)"
    done
fi
if [ -x "$prefix/bin/phasor" ]; then
    for file in phasor/libphasor-trace.so phasor/libphasor-join.so phasor/async.js \
        phasor/phasor-async.so libphasor-trace.a \
        pkgconfig/phasor-trace-static.pc; do
        [ -f "$libdir/$file" ] || fail "$file is not installed in $libdir"
    done
    [ -f "$libdir/libphasor-redirect.so" ] || fail "what phasor trace preloads is not installed"
fi
if [ -f "$build/lib/phasor/sim/libuv.so.1" ] && [ -x "$prefix/bin/phasor" ]; then
    [ -f "$libdir/phasor/sim/libuv.so.1" ] || fail "the simulated world is not installed"
    echo 'setTimeout(() => console.log(performance.now() > 3600000), 3600001)' >"$temp/hour.js"
    [ "$("$prefix/bin/phasor" sim "$temp/hour.js")" = true ] || fail "phasor sim does not work"
fi
grep -q '^==== Phasor' "$prefix/share/doc/phasor/licenses.txt" || fail "no licences"
[ -L "$libdir/libuv.so" ] && [ -L "$libdir/libuv.so.1" ] || fail "libuv.so and libuv.so.1 are links"
for header in $(cd lib/include && find . -name '*.h'); do
    cmp "lib/include/$header" "$prefix/include/$header"
done
if readelf -d "$libdir/libuv.so.1" | grep -E 'RPATH|RUNPATH'; then
    fail "the installed library has a search path"
fi
if grep -rIlF -e "$PWD" -e "$build" "$prefix"/include "$libdir"/cmake "$libdir"/pkgconfig; then
    fail "these installed files name the source or the build folder"
fi
