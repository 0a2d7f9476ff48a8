#!/usr/bin/env bash
# npm.sh BUILD: BUILD/npm with the npm packages phasor and @phasor/linux-CPU as archives, for each
# processor for which scripts/dist.sh has made an archive. Nothing is published.
set -euo pipefail
build=$(realpath "$1")
out=$build/npm
source=$PWD/packaging/npm
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
shopt -s nullglob
archives=("$build/dist/phasor-$version-linux-"*-glibc.tar.gz)
if [ ${#archives[@]} = 0 ]; then
    echo "no archives in $build/dist: make dist makes them" >&2
    exit 1
fi

pack() { # pack FOLDER
    cp "$source/../../LICENSE" "$1/LICENSE"
    (cd "$out" && npm pack --silent "./$1" >/dev/null)
    rm -rf "${out:?}/$1"
}

# pack_platform ARCHIVE: what it holds for running programs. npm's archives know no links: a library
# is there under the name by which the loader asks for it.
pack_platform() {
    local cpu link file
    cpu=$(sed -E 's/.*-linux-(.*)-glibc\.tar\.gz$/\1/; s/amd64/x64/' <<<"$1")
    mkdir "$out/platform"
    cd "$out/platform"
    tar -xzf "$1" --strip-components=1
    rm -rf include install.sh lib/*.a lib/cmake lib/pkgconfig lib/libuv.so lib/libphasor_go.so
    while IFS= read -r link; do
        file=$(realpath "$link")
        rm "$link"
        cp "$file" "$link"
    done < <(find . -type l)
    find . -name '*.so.*.*' -delete
    sed "s/@VERSION@/$version/; s/@CPU@/$cpu/" "$source/platform.json.in" >package.json
    cd "$out"
    pack platform
}

rm -rf "$out"
mkdir -p "$out/phasor"
for archive in "${archives[@]}"; do
    pack_platform "$archive"
done
cp "$source/phasor/phasor.js" "$out/phasor/"
sed "s/@VERSION@/$version/" "$source/phasor/package.json.in" >"$out/phasor/package.json"
cd "$out"
pack phasor
du -h -- *.tgz
