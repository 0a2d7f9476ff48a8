#!/usr/bin/env bash
# deb.sh BUILD: Debian packages of this tree, for the release on which it runs, in BUILD/deb.
# lintian has nothing to say about them.
set -euo pipefail
build=$(realpath -m "$1")
out=$build/deb
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
sources=$out/phasor-$version

mkdir -p "$out"
scripts/sources.sh "$build" "$sources"
cp -r packaging/debian "$sources/debian"
mv "$sources/engine" "$sources/debian/engine"
rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo
echo "Building packages into $out/"
(cd "$sources" && dpkg-buildpackage --build=binary --no-sign) >"$out/build.log" 2>&1 || {
    tail -n 40 "$out/build.log" >&2
    echo "The packages could not be built; the whole log is $out/build.log." >&2
    exit 1
}
rm -rf "$sources"
# Nothing is published, and nobody can be written to yet.
lintian --allow-root --fail-on error,warning "$out"/*.changes \
    --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog
(cd "$out" && ls -- *.deb)
