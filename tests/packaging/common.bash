# Sourced by the tests in this folder, which scripts/install-check.sh runs: $build, $temp, fail,
# skip, says, logged, new_system, inside.
set -euo pipefail
build=$(realpath "${1:?the build folder}")
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-packaging-XXXXXX")
clean() { rm -rf --one-file-system "$temp"; }
trap clean EXIT
version=$(sed -nE 's/^set\(PHASOR_VERSION (.*)\)$/\1/p' CMakeLists.txt)
libuv_version=$(sed -nE 's/^project\(phasor VERSION (\S+).*/\1/p' CMakeLists.txt)
machine=$(uname -m | sed 's/x86_64/amd64/; s/aarch64/arm64/')

fail() {
    echo "$1" >&2
    exit 1
}
skip() {
    echo "skipped: $1"
    exit 77
}

# says TEXT COMMAND...: it succeeds and prints TEXT on a line of its own
says() {
    local text=$1
    shift
    "$@" >"$temp/said" 2>&1 || fail "$*: status $?: $(tail -n 20 "$temp/said")"
    grep -qxF -e "$text" "$temp/said" || fail "$*: no \"$text\": $(tail -n 20 "$temp/said")"
}

# logged COMMAND...: quiet unless it fails
logged() {
    "$@" >"$temp/log" 2>&1 || {
        tail -n 40 "$temp/log" >&2
        fail "failed: $*"
    }
}

# new_system SUITE FOLDER [PACKAGE...]: a small Debian there, or the test is skipped
. scripts/systems.bash
new_system() {
    local why status=0
    why=$(make_chroot "$@") || status=$?
    [ $status != 77 ] || skip "$why"
    return $status
}
