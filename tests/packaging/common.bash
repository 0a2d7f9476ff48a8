# Sourced by the tests in this folder, which scripts/install-check.sh runs: $build, $temp, fail,
# skip, says, make_chroot, inside.
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

# make_chroot SUITE FOLDER [PACKAGE...]: a small Debian, from the mirror that this machine uses. It
# is kept in the build folder, so that the next test need not fetch it again.
make_chroot() {
    local suite=$1 folder=$2 kept=$build/chroots/$1.tar
    shift 2
    [ "$(id -u)" = 0 ] || skip "only root can make another system"
    command -v mmdebstrap >/dev/null || skip "there is no mmdebstrap"
    if [ ! -e "$kept" ]; then
        mkdir -p "$build/chroots"
        SUITE=$suite scripts/testing-apt.sh "$temp/apt" update || skip "$suite can't be reached"
        logged mmdebstrap --quiet --variant=apt --mode=root --include=apt-utils \
            --aptopt='Acquire::Languages "none"' "$suite" \
            "$build/chroots/new-$suite.tar" "$temp/apt/sources.list"
        mv "$build/chroots/new-$suite.tar" "$kept"
    fi
    mkdir -p "$folder"
    tar -C "$folder" --exclude='./dev/*' -xf "$kept"
    printf '#!/bin/sh\nexit 101\n' >"$folder/usr/sbin/policy-rc.d"
    chmod +x "$folder/usr/sbin/policy-rc.d"
    for file in resolv.conf hosts; do
        [ ! -e "/etc/$file" ] || cp -L "/etc/$file" "$folder/etc/$file"
    done
    logged inside "$folder" apt-get update -qq
    [ $# = 0 ] || logged inside "$folder" apt-get install -qq --no-install-recommends "$@"
}

# inside FOLDER COMMAND...: in that system, with /proc of its own
inside() {
    local folder=$1
    shift
    unshare --mount --pid --fork --kill-child sh -c '
        mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" &&
        root=$1 && shift && exec chroot "$root" /usr/bin/env -i HOME=/ LC_ALL=C \
            ${http_proxy:+http_proxy="$http_proxy"} \
            PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"' \
        sh "$folder" "$@"
}
