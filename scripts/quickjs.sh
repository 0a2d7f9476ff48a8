#!/bin/sh
# quickjs.sh BUILD: finds the sources of the JavaScript engine (quickjs-ng) and prints their folder.
# In this order: $QUICKJS_DIR; an earlier fetch; Debian's installed qjs-src; Debian's testing suite,
# with apt folders of its own below the build folder (testing-apt.sh).
set -eu
build=${1:?usage: quickjs.sh BUILD}

sources_below() {
    header=$(find "$1" -name quickjs.h -print -quit 2>/dev/null) || return 1
    [ -n "$header" ] && [ -f "$(dirname "$header")/quickjs.c" ] && dirname "$header"
}

fetch() {
    apt=$(realpath "$(dirname "$0")/testing-apt.sh")
    mkdir -p "$1/packages"
    "$apt" "$1/apt" update >&2 || return 1
    (cd "$1/packages" && rm -f qjs-src_*.deb && "$apt" "$1/apt" download qjs-src >&2) || return 1
    rm -rf "$1/sources.new"
    dpkg -x "$1"/packages/qjs-src_*.deb "$1/sources.new" && mv "$1/sources.new" "$1/sources"
}

fail() {
    echo "quickjs.sh: $1" >&2
    exit 1
}

folder=$build/quickjs
if [ -n "${QUICKJS_DIR:-}" ]; then
    sources_below "$QUICKJS_DIR" || fail "no quickjs.c below $QUICKJS_DIR"
elif ! sources_below "$folder/sources" && ! sources_below /usr/src/quickjs-ng; then
    command -v apt-get >/dev/null || fail "no apt-get here to fetch the engine with"
    mkdir -p "$folder"
    fetch "$(cd "$folder" && pwd)" || fail "the engine could not be fetched"
    sources_below "$folder/sources" || fail "the package holds no quickjs.c"
fi
