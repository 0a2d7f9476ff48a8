#!/bin/sh
# quickjs.sh BUILD: finds the sources of the JavaScript engine (quickjs-ng) and prints "known" or
# "unknown", their version and their folder. In this order: $QUICKJS_DIR; an earlier fetch; Debian's
# installed qjs-src; the package of Debian's testing suite, then of unstable, with apt folders of
# their own below the build folder (testing-apt.sh). The version that we know is asked for first;
# where the mirror no longer has it, the newer ones that it has, the newest last. Installed sources
# that we do not know are passed over, unless PHASOR_ENGINE=any asks for whatever there is.
# QUICKJS_PACKAGE=version fetches that version of the package and no other, also from the backports
# to Debian 13.
set -eu
build=${1:?usage: quickjs.sh BUILD}
known_package=0.17.0-1
known_sources=491648c6fa87235793f7fdd8679a3c6b7787731614dc5ead6d6f3854c2125cab

sources_below() {
    header=$(find "$1" -name quickjs.h -print -quit 2>/dev/null) || return 1
    [ -n "$header" ] && [ -f "$(dirname "$header")/quickjs.c" ] && dirname "$header"
}

# download FOLDER SUITE PACKAGE
download() {
    apt=$(realpath "$(dirname "$0")/../../scripts/testing-apt.sh")
    [ -e "$1/apt/$2/updated" ] || SUITE=$2 "$apt" "$1/apt/$2" update || return 1
    touch "$1/apt/$2/updated"
    mkdir -p "$1/packages"
    rm -f "$1"/packages/qjs-src_*.deb
    (cd "$1/packages" && SUITE=$2 "$apt" "$1/apt/$2" download "$3")
}

download_known() {
    download "$1" forky "qjs-src=$known_package" || download "$1" sid "qjs-src=$known_package" ||
        download "$1" forky qjs-src || download "$1" sid qjs-src
}

fetch() {
    rm -f "$1"/apt/*/updated
    if [ -n "${QUICKJS_PACKAGE:-}" ]; then
        download "$1" forky "qjs-src=$QUICKJS_PACKAGE*" ||
            download "$1" sid "qjs-src=$QUICKJS_PACKAGE*" ||
            download "$1" trixie-backports "qjs-src=$QUICKJS_PACKAGE*" || return 1
    else
        download_known "$1" || return 1
    fi
    rm -rf "$1/sources.new"
    dpkg -x "$1"/packages/qjs-src_*.deb "$1/sources.new" && mv "$1/sources.new" "$1/sources"
}

# The files that are compiled, as one hash: it is the same however they came here.
hash_of() (
    cd "$1"
    LC_ALL=C
    cat quickjs.[ch] quickjs-[aoc]*.h builtin-*.h cutils.h list.h dtoa.[ch] libregexp*.[ch] \
        libunicode*.[ch] 2>/dev/null | sha256sum | cut -d ' ' -f 1
)

version_of() {
    awk '/define QJS_VERSION_(MAJOR|MINOR|PATCH)/ { text = text dot $3; dot = "." }
        END { print text == "" ? "without-a-version" : text }' "$1/quickjs.h"
}

installed_sources() {
    [ -z "${QUICKJS_PACKAGE:-}" ] || return 1
    installed=$(sources_below "/usr/src/quickjs-ng") || return 1
    [ "${PHASOR_ENGINE:-}" = any ] || [ "$(hash_of "$installed")" = "$known_sources" ] || return 1
    echo "$installed"
}

fail() {
    echo "$1." >&2
    exit 1
}

folder=$build/quickjs
if [ -n "${QUICKJS_DIR:-}" ]; then
    sources=$(sources_below "$QUICKJS_DIR") || fail "no quickjs.c below $QUICKJS_DIR"
elif ! sources=$(sources_below "$folder/sources") && ! sources=$(installed_sources)
then
    command -v apt-get >/dev/null || fail "no apt-get here to fetch it with"
    mkdir -p "$folder"
    fetch "$(cd "$folder" && pwd)" >"$folder/fetch.log" 2>&1 || {
        tail -n 5 "$folder/fetch.log" >&2
        fail "qjs-src could not be fetched"
    }
    sources=$(sources_below "$folder/sources") || fail "the package holds no quickjs.c"
fi
state=unknown
[ "$(hash_of "$sources")" != "$known_sources" ] || state=known
echo "$state $(version_of "$sources") $sources"
