# Sourced by the tests in this folder: installs the build into $prefix, and writes $program.
set -euo pipefail
build=${1:?the build folder}
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-install-XXXXXX")
trap 'rm -rf "$temp"' EXIT
prefix=$temp/prefix
program=$temp/version.c

cmake --install "$build" --prefix "$prefix" >"$temp/install.log" || {
    cat "$temp/install.log" >&2
    exit 1
}
libdir=$(dirname "$(find "$prefix" -name libuv.pc)")/..
libdir=$(realpath "$libdir")

cat >"$program" <<'END'
#include <stdio.h>
#include <uv.h>
int main(void) {
    if (uv_version() != UV_VERSION_HEX)
        return 1;
    puts(uv_version_string());
    return 0;
}
END
version=$(sed -nE 's/^#define UV_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' \
    lib/include/uv/version.h |
    paste -sd .)

fail() {
    echo "$1" >&2
    exit 1
}

# runs PROGRAM [ENVIRONMENT...]: it prints the version of the header
runs() {
    local file=$1 printed
    shift
    printed=$(env "$@" "$file") || fail "$file does not run"
    [ "$printed" = "$version" ] || fail "$file prints $printed, not $version"
}

# loads PROGRAM: which libuv.so.1 the loader needs for it, nothing for a static one
loads() { readelf -d "$1" | grep -o 'libuv\.so\.1' || true; }
