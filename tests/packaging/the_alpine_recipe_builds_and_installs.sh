#!/usr/bin/env bash
# The functions of the APKBUILD, called in the order in which abuild does: built with this machine's
# compiler and C library, installed below $pkgdir, divided between the packages.
. tests/packaging/common.bash
archive=$build/dist/phasor-$version-source.tar.gz
[ -f "$archive" ] || skip "there is no source archive: make dist makes it"
recipe=$PWD/packaging/alpine/APKBUILD
mkdir "$temp/src"
tar -xzf "$archive" -C "$temp/src"
cat >"$temp/abuild" <<'END'
set -eu
. "$recipe"
for name in pkgname pkgver pkgrel pkgdesc url arch license source; do
    eval "[ -n \"\$$name\" ]" || { echo "no $name" >&2; exit 1; }
done
[ "$pkgver" = "$version" ] || { echo "another version: $pkgver" >&2; exit 1; }
[ -f "$srcdir/../$source" ] || { echo "no $source" >&2; exit 1; }
amove() { # moves from the main package to the one that is being made
    for pattern; do
        for file in $(cd "$pkgdir" && echo $pattern); do
            mkdir -p "$subpkgdir/$(dirname "$file")"
            mv "$pkgdir/$file" "$subpkgdir/$file"
        done
    done
}
default_dev() { :; }
builddir=$srcdir/$pkgname-$pkgver
cd "$builddir" && build
cd "$builddir" && check
cd "$builddir" && package
for split in dev libphasor; do
    subpkgdir=$srcdir/../$split
    cd "$builddir" && $split
done
END
cp "$archive" "$temp/"
logged env recipe="$recipe" version="$version" srcdir="$temp/src" pkgdir="$temp/main" \
    sh "$temp/abuild"
[ -x "$temp/main/usr/bin/phasor" ] || fail "no command"
[ -f "$temp/dev/usr/include/phasor/uv.h" ] || fail "no header"
[ -f "$temp/libphasor/usr/lib/phasor/libuv.so.1.0.0" ] || fail "no library"
! find "$temp/main" -name '*.a' -o -name '*.pc' -o -name 'libuv*' ! -path '*/sim/*' | grep . ||
    fail "files are left in the main package"
cp -a "$temp/libphasor/." "$temp/main/"
says "it runs" "$temp/main/usr/bin/phasor" -e 'setTimeout(() => console.log("it runs"))'
