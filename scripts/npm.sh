#!/usr/bin/env bash
# npm.sh BUILD: BUILD/npm with the npm packages phasor and @phasor/linux-CPU as archives, from what
# scripts/dist.sh has made. Nothing is published.
set -euo pipefail
build=$(realpath "$1")
out=$build/npm
source=$PWD/packaging/npm
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
cpu=$(sed 's/amd64/x64/' <<<"$machine")
archive=$build/dist/phasor-$version-linux-$machine-glibc.tar.gz
[ -f "$archive" ] || { echo "$archive is not there: make dist makes it" >&2; exit 1; }

rm -rf "$out"
mkdir -p "$out/platform" "$out/phasor"
tar -xzf "$archive" -C "$out/platform" --strip-components=1
cd "$out/platform"
# For running programs only. npm's archives know no links: a library is there under the name by
# which the loader asks for it.
rm -rf include install.sh lib/*.a lib/cmake lib/pkgconfig lib/libuv.so lib/libphasor_go.so
while IFS= read -r link; do
    file=$(realpath "$link")
    rm "$link"
    cp "$file" "$link"
done < <(find . -type l)
find . -name '*.so.*.*' -delete
sed "s/@VERSION@/$version/; s/@CPU@/$cpu/" "$source/platform.json.in" >package.json
cp "$source/phasor/phasor.js" "$out/phasor/"
sed "s/@VERSION@/$version/" "$source/phasor/package.json.in" >"$out/phasor/package.json"
for folder in platform phasor; do
    cp "$source/../../LICENSE" "$out/$folder/LICENSE"
    (cd "$out" && npm pack --silent "./$folder" >/dev/null)
done
rm -rf "$out/platform" "$out/phasor"
(cd "$out" && du -h -- *.tgz)
