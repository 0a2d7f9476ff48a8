#!/usr/bin/env bash
# dist.sh BUILD [PLATFORM...]: BUILD/dist with relocatable archives of this tree for the platforms
# (amd64-glibc, arm64-glibc, amd64-musl, arm64-musl; without one, all for which there is a
# compiler), an archive of its sources, install.sh, a wrap for Meson and SHA256SUMS. The same tree
# gives the same bytes, wherever it is built. Those for glibc run from 2.28 on; those for musl are
# static.
set -euo pipefail
build=$(realpath -m "$1")
shift
out=$build/dist
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
work=$out/work
sources=$work/phasor-$version
. scripts/dist-platforms.bash

# archive FOLDER NAME: NAME in $out, the same for the same files
archive() {
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    find "$1" -type d -exec chmod 755 {} +
    tar -C "$(dirname "$1")" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar \
        --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" | gzip -n -9 >"$out/$2"
}

# make_tree PLATFORM FOLDER: built from the archive's own sources, then without what debuggers read:
# no path of this machine is left, and no hash of what had one.
make_tree() {
    local objects=$sources/build
    platform_options "$1"
    (
        cd "$sources"
        export QUICKJS_DIR=$sources/engine PHASOR_EDITOR=$sources/engine/editor.js
        export CFLAGS=$flags LDFLAGS=-Wl,--build-id=none
        scripts/build.sh build -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX=/usr/local \
            -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPHASOR_TESTS=OFF "${options[@]}" >/dev/null
    )
    cmake --install "$objects" --prefix "$2" --strip >/dev/null
    case $1 in
    *-musl) # a static command loads none, and what is linked with it needs none
        find "$2/lib" \( -name '*.so' -o -name '*.so.*' \) -delete
        rm -rf "$2/lib/cmake"
        find "$2/lib" -type d -empty -delete
        ;;
    esac
    # The archives keep their symbols, and lose what only the compiler that made them can read.
    find "$2" -name '*.a' -exec "$strip" --strip-debug --enable-deterministic-archives \
        --remove-section='.gnu.lto_*' --remove-section='.gnu.debuglto_*' -N __gnu_lto_v1 {} +
    cp LICENSE packaging/install.sh "$2/"
    rm -rf "$objects"
}

platforms=("$@")
if [ $# = 0 ]; then
    for platform in "${all_platforms[@]}"; do
        why=$(cannot_build "$platform")
        if [ -z "$why" ]; then
            platforms+=("$platform")
        else
            echo "Without an archive for $platform: $why"
        fi
    done
fi
for platform in "${platforms[@]}"; do
    why=$(cannot_build "$platform")
    [ -z "$why" ] || { echo "No archive for $platform: $why" >&2; exit 1; }
done

rm -rf "$out"
mkdir -p "$work"
scripts/sources.sh "$build" "$sources"
archive "$sources" "phasor-$version-source.tar.gz"
for platform in "${platforms[@]}"; do
    name=phasor-$version-linux-$platform
    echo "Building $name into $out/"
    make_tree "$platform" "$work/$name"
    archive "$work/$name" "$name.tar.gz"
done
cp packaging/install.sh "$out/"

cd "$out"
hash=$(sha256sum "phasor-$version-source.tar.gz" | cut -d ' ' -f 1)
sed "s/@VERSION@/$version/; s/@HASH@/$hash/" "$OLDPWD/packaging/meson/phasor.wrap.in" >phasor.wrap
rm -rf "$work"
sha256sum -- *.tar.gz phasor.wrap install.sh >SHA256SUMS
du -h -- *.tar.gz
