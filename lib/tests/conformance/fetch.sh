#!/usr/bin/env bash
# fetch.sh installed|newest FOLDER: libuv's test programs into FOLDER/test, and nothing else of it.
# installed: from the source package that belongs to the installed Debian library.
# newest: from LIBUV_TESTS (a folder or a tarball), or else the newest that Debian's archive has.
#
# apt works with folders of its own here: the machine's settings are read, never changed. Packages
# are checked against the archive's signed index.
set -euo pipefail
edition=$1
folder=$(cd "$2" && pwd)
scripts=$PWD/scripts
given=
[ "$edition" = installed ] || [ -z "${LIBUV_TESTS:-}" ] || given=$(realpath "$LIBUV_TESTS")
[ ! -e "$folder/origin" ] || [ "$(cat "$folder/origin")" != "$given" ] || exit 0
rm -rf "$folder"/*

# Releases whose tarballs stay in the archive for a while after a newer one has replaced them,
# newest first. Used when the archive lists a source package that it does not hold.
releases="1.52.1 b0d728e2f3cb0204ea09caa510cc9982c600ef6ca27612ee2f6298b8e19817d3
1.50.0 ec9de6ecf2a780fd2afb3b007947d2cd57c3bb17f3b9e721a66774980d35cd4d"

# from_installed: asks the machine's own archives for sources instead of packages.
from_installed() {
    local apt=$folder/apt version
    mkdir -p "$apt/sources" "$apt/lists/partial" "$apt/cache/archives/partial"
    eval "$(apt-config shell LIST Dir::Etc::sourcelist/f PARTS Dir::Etc::sourceparts/d)"
    for file in "$LIST" "$PARTS"/*.list "$PARTS"/*.sources; do
        [ -e "$file" ] || continue
        case $file in
        *.sources) sed 's/^Types:.*/Types: deb-src/' "$file" >"$apt/sources/$(basename "$file")" ;;
        *) sed -n -E 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$file" \
            >"$apt/sources/$(basename "$file")" ;;
        esac
    done
    version=$(dpkg-query -W -f '${source:Version}' libuv1t64 2>/dev/null ||
        dpkg-query -W -f '${source:Version}' libuv1)
    local options=(-o Dir::Etc::sourcelist=/dev/null -o "Dir::Etc::sourceparts=$apt/sources"
        -o "Dir::State::Lists=$apt/lists" -o "Dir::Cache=$apt/cache"
        -o APT::Sandbox::User=root)
    apt-get "${options[@]}" update
    (cd "$folder/package" && apt-get "${options[@]}" source --download-only "libuv1=$version")
}

from_testing() {
    "$scripts/testing-apt.sh" "$folder/apt" update
    (cd "$folder/package" &&
        "$scripts/testing-apt.sh" "$folder/apt" source --download-only libuv1)
}

from_releases() {
    local archive
    archive=$(awk '$1 == "deb" { print $(NF - 2); exit }' "$folder/apt/sources.list")
    while read -r version sum; do
        local tarball=$folder/package/libuv1_$version.orig.tar.gz
        if /usr/lib/apt/apt-helper -qq download-file \
            "${archive%/}/pool/main/libu/libuv1/${tarball##*/}" "$tarball" "SHA256:$sum"; then
            return 0
        fi
    done <<<"$releases"
    return 1
}

unpack() { # unpack TARBALL
    tar -xf "$1" -C "$folder" --strip-components=1 --wildcards '*/test/*'
    basename "$1" | sed -E 's/.*[-_v]([0-9]+\.[0-9.]*[0-9]).*/\1/' >"$folder/complete"
}

fetch() {
    mkdir -p "$folder/package"
    case $edition in
    installed) from_installed ;;
    newest) from_testing || from_releases ;;
    esac >"$folder/log" 2>&1 || {
        tail -n 5 "$folder/log" >&2
        echo "libuv's tests ($edition) could not be fetched; LIBUV_TESTS= can name a tarball." >&2
        exit 1
    }
    unpack "$folder"/package/libuv1_*.orig.tar.*
    rm -rf "$folder/apt" "$folder/package"
}

if [ -z "$given" ]; then
    fetch
elif [ -d "$given" ]; then
    cp -r "$([ -d "$given/test" ] && echo "$given/test" || echo "$given")" "$folder/test"
    echo "in $LIBUV_TESTS" >"$folder/complete"
else
    unpack "$given"
fi
# The one thing that a test takes from libuv's inside and that is a fact: how long names may be.
mkdir -p "$folder/src"
echo '#define UV_PTHREAD_MAX_NAMELEN_NP 16' >"$folder/src/uv-common.h"
echo "$given" >"$folder/origin"
