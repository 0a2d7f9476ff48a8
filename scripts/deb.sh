#!/usr/bin/env bash
# deb.sh BUILD [SUITE [ARCH]]: Debian packages of this tree in BUILD/deb, for the release on which
# it runs; or for another SUITE (and for the processor ARCH, cross-compiled), made in a fresh system
# of that release, in BUILD/deb/SUITE-ARCH. lintian has nothing to say about them.
set -euo pipefail
build=$(realpath -m "$1")
suite=${2:-}
own=$(dpkg --print-architecture)
arch=${3:-$own}
out=$build/deb${suite:+/$suite-$arch}
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
sources=$out/phasor-$version
log=$out/build.log
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-deb-XXXXXX")
trap 'rm -rf --one-file-system "$temp"' EXIT

fail() {
    [ ! -s "$log" ] || tail -n 40 "$log" >&2
    echo "The packages could not be built${1:+: $1}; the whole log is $log." >&2
    exit 1
}
logged() { "$@" >>"$log" 2>&1 || fail; }

# in_fresh_system: what is below $sources, built there
in_fresh_system() {
    local root=$temp/root wanted=(build-essential) options=()
    if [ "$arch" != "$own" ]; then
        wanted=("crossbuild-essential-$arch" qemu-user)
        options=(--host-arch "$arch" --build-profiles=cross)
    fi
    . scripts/systems.bash
    make_chroot "$suite" "$root" || fail "there is no $suite here"
    [ "$arch" = "$own" ] || logged inside "$root" dpkg --add-architecture "$arch"
    logged inside "$root" apt-get update -qq
    logged inside "$root" apt-get install -qq --no-install-recommends "${wanted[@]}"
    mkdir "$root/packages"
    mv "$sources" "$root/packages/phasor"
    logged inside "$root" apt-get build-dep -qq --host-architecture "$arch" \
        ${options[1]:+-P cross} /packages/phasor
    logged inside "$root" env SOURCE_DATE_EPOCH="$SOURCE_DATE_EPOCH" sh -c \
        'cd /packages/phasor && exec dpkg-buildpackage --build=binary --no-sign "$@"' \
        sh "${options[@]}"
    mv "$root"/packages/*.deb "$root"/packages/*.changes "$root"/packages/*.buildinfo "$out/"
}

mkdir -p "$out"
rm -f "$out"/*.deb "$out"/*.changes "$out"/*.buildinfo "$log"
scripts/sources.sh "$build" "$sources"
cp -r packaging/debian "$sources/debian"
mv "$sources/engine" "$sources/debian/engine"
echo "Building packages into $out/"
if [ -n "$suite" ]; then
    in_fresh_system
else
    (cd "$sources" && dpkg-buildpackage --build=binary --no-sign) >"$log" 2>&1 || fail
fi
rm -rf "$sources"
# Nothing is published, and nobody can be written to yet.
lintian --allow-root --fail-on error,warning "$out"/*.changes \
    --suppress-tags bogus-mail-host,bogus-mail-host-in-debian-changelog
(cd "$out" && ls -- *.deb)
