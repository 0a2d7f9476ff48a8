# Sourced by tests that build the library as a part of another project: $temp, $program (it starts a
# timer and prints the version), fail, and put_sources FOLDER.
set -euo pipefail
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-inside-XXXXXX")
trap 'rm -rf "$temp"' EXIT
program=$temp/program.c
version=$(sed -nE 's/^#define UV_VERSION_(MAJOR|MINOR|PATCH) ([0-9]+)/\2/p' \
    lib/include/uv/version.h | paste -sd .)
cat >"$program" <<'END'
#include <stdio.h>
#include <uv.h>
static void on_timer(uv_timer_t* timer) {
    puts(uv_version_string());
    uv_close((uv_handle_t*)timer, NULL);
}
int main(void) {
    uv_timer_t timer;
    uv_timer_init(uv_default_loop(), &timer);
    uv_timer_start(&timer, on_timer, 1, 0);
    return uv_run(uv_default_loop(), UV_RUN_DEFAULT);
}
END

fail() {
    echo "$1" >&2
    exit 1
}

# What a source archive holds and these builds read.
put_sources() {
    mkdir -p "$1"
    cp -r CMakeLists.txt meson.build LICENSE lib "$1/"
    rm -rf "$1/lib/tests"
}

# logged COMMAND...: quiet unless it fails
logged() {
    "$@" >"$temp/log" 2>&1 || {
        tail -40 "$temp/log" >&2
        fail "failed: $*"
    }
}

# prints_version FILE
prints_version() {
    local printed
    printed=$(env -u LD_LIBRARY_PATH "$1") || fail "$1 does not run"
    [ "$printed" = "$version" ] || fail "$1 prints $printed, not $version"
}
