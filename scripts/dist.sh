#!/usr/bin/env bash
# dist.sh BUILD: BUILD/dist with a relocatable archive of this tree for this machine, an archive
# of its sources, install.sh, a wrap for Meson and SHA256SUMS. The same tree gives the same bytes,
# wherever it is built.
set -euo pipefail
build=$(realpath -m "$1")
out=$build/dist
SOURCE_DATE_EPOCH=$(scripts/epoch.sh)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
umask 022
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
name=phasor-$version-linux-$machine-glibc
work=$out/work

# archive FOLDER: FOLDER.tar.gz beside it, the same for the same files
archive() {
    find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
    find "$1" -type d -exec chmod 755 {} +
    tar -C "$(dirname "$1")" --sort=name --owner=0 --group=0 --numeric-owner --format=ustar \
        --mtime="@$SOURCE_DATE_EPOCH" -cf - "$(basename "$1")" | gzip -n -9 >"$out/$2"
}

rm -rf "$out"
mkdir -p "$work"
echo "Building $name into $out/"
sources=$work/phasor-$version
scripts/sources.sh "$build" "$sources"
archive "$sources" "phasor-$version-source.tar.gz"

# Built from that archive's own files, without what debuggers read: no path of this machine goes
# into what is built.
(
    cd "$sources"
    export QUICKJS_DIR=$sources/engine PHASOR_EDITOR=$sources/engine/editor.js
    export CFLAGS="-fmacro-prefix-map=$sources/= -fmacro-prefix-map=$work/="
    scripts/build.sh "$work/build" -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_INSTALL_PREFIX=/usr/local \
        -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_FLAGS_RELWITHDEBINFO="-O2 -DNDEBUG" \
        -DPHASOR_TESTS=OFF >/dev/null
)
cmake --install "$work/build" --prefix "$work/$name" --strip >/dev/null
# The archives keep their symbols, and lose what only the compiler that made them can read.
find "$work/$name" -name '*.a' -exec strip --strip-debug --enable-deterministic-archives \
    --remove-section='.gnu.lto_*' --remove-section='.gnu.debuglto_*' -N __gnu_lto_v1 {} +
cp LICENSE packaging/install.sh "$work/$name/"
archive "$work/$name" "$name.tar.gz"
cp packaging/install.sh "$out/"

cd "$out"
hash=$(sha256sum "phasor-$version-source.tar.gz" | cut -d ' ' -f 1)
sed "s/@VERSION@/$version/; s/@HASH@/$hash/" "$OLDPWD/packaging/meson/phasor.wrap.in" >phasor.wrap
[ -n "${PHASOR_DIST_KEEP:-}" ] || rm -rf "$work"
sha256sum -- *.tar.gz phasor.wrap install.sh >SHA256SUMS
du -h -- *.tar.gz
