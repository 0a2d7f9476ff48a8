#!/usr/bin/env bash
# image.sh BUILD: BUILD/image with a Dockerfile and the folder root that it copies: the phasor of
# scripts/dist.sh, without what is for building programs and without plug-ins that need more than
# the C library, and the loader and libraries of C.
set -euo pipefail
build=$(realpath "$1")
out=$build/image
source=$PWD
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')
archive=$build/dist/phasor-$version-linux-$machine-glibc.tar.gz
[ -f "$archive" ] || { echo "$archive is not there: make dist makes it" >&2; exit 1; }

rm -rf "$out"
mkdir -p "$out/root/app" "$out/root/tmp"
chmod 1777 "$out/root/tmp"
tar -xzf "$archive" -C "$out/root" --strip-components=1
cd "$out/root"
rm -rf include install.sh lib/*.a lib/cmake lib/pkgconfig lib/libuv.so lib/libphasor_go* share/man \
    share/bash-completion share/zsh share/fish

# needs FILE: the libraries of the system that it loads, by path
needs() { ldd "$1" | sed -nE 's#^\s*(\S+ => )?(/\S+) \(0x.*#\2#p' | grep -v "^$out" || true; }
own='/(ld-linux[^/]*|libc|libm|libdl|libpthread|librt)\.so\.[0-9]+$'
for file in lib/phasor/*.so; do
    [ -z "$(needs "$file" | grep -vE "$own")" ] || rm "$file"
done
for file in bin/phasor lib/libuv.so.1 lib/phasor/*.so; do needs "$file"; done | sort -u |
    while IFS= read -r library; do
        mkdir -p ".$(dirname "$library")"
        cp -L "$library" ".$library"
    done
cd ..
cp "$source/packaging/docker/Dockerfile" .
du -sh root
