#!/usr/bin/env bash
# packages.sh [test|platforms|dist|deb|check]: installs the packages of Debian or Ubuntu that are
# missing for building; for testing too, for testing on every platform, for archives, for Debian
# packages, or for all ways to install. Says which, and nothing when there are none.
set -euo pipefail

wanted="gcc libc6-dev cmake ninja-build make patch pkg-config python3 git libdw-dev
        zlib1g-dev libssl-dev libnghttp2-dev libc-ares-dev
        libbrotli-dev libzstd-dev libsqlite3-dev libicu-dev"
# Not in every release: tests that need one of them are skipped without it (tests/skips.txt).
wished=""
# Debian's archive has the engine; its key is not on every Ubuntu.
[ -e /etc/debian_version ] && grep -q '^ID=ubuntu' /etc/os-release &&
    wanted="$wanted debian-archive-keyring"
if [ "${1:-}" = test ]; then
    wanted="$wanted g++ gdb clang valgrind libuv1-dev iproute2 util-linux xz-utils strace
            libglib2.0-dev netbase libcap2-bin"
    # A system without /etc/hosts, as debootstrap leaves it, does not know its own name.
    getent hosts localhost >/dev/null || wanted="$wanted libnss-myhostname"
    wished="qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross musl-tools
            linux-libc-dev-arm64-cross
            clang-format-14 clang-tidy chromium firefox-esr abigail-tools
            golang-go meson zsh fish python3-twisted ruby-eventmachine erlang-base"
    # Debian's npm wants Debian's Node, which another Node on the system may conflict with.
    command -v npm >/dev/null || wished="$wished npm"
fi
case ${1:-} in
dist | check) wished="$wished qemu-user gcc-aarch64-linux-gnu musl-tools" ;;
esac
case ${1:-} in
deb | check) wanted="$wanted dpkg-dev debhelper fakeroot lintian mmdebstrap" ;;
esac
[ "${1:-}" != check ] || wanted="$wanted rpm meson man-db curl"

if [ "${1:-}" = platforms ]; then
    wished="qemu-user musl-tools gcc-aarch64-linux-gnu libc6-dev-arm64-cross
            gcc-riscv64-linux-gnu libc6-dev-riscv64-cross
            gcc-arm-linux-gnueabihf libc6-dev-armhf-cross gcc-i686-linux-gnu libc6-dev-i386-cross
            gcc-powerpc64le-linux-gnu libc6-dev-ppc64el-cross
            gcc-s390x-linux-gnu libc6-dev-s390x-cross"
fi

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null || true)" = installed ]
}
# Not `grep -q`: it stops reading at once, and what wrote into the pipe would count as failed.
is_offered() {
    apt-cache policy "$1" 2>/dev/null | grep '^  Candidate: [^(]' >/dev/null
}
# The sanitizers' libraries for clang carry its version in their name.
clang_runtime() {
    apt-cache depends clang | sed -nE 's/^ +Depends: clang-([0-9]+)$/libclang-rt-\1-dev/p'
}
list_missing() {
    local package
    missing=""
    for package in $wanted; do
        is_installed "$package" || missing="$missing $package"
    done
    for package in $wished; do
        is_installed "$package" || ! is_offered "$package" || missing="$missing $package"
    done
    if [ "${1:-}" = test ]; then
        for package in $(clang_runtime); do
            is_installed "$package" || missing="$missing $package"
        done
    fi
}

list_missing "$@"
[ -n "$missing" ] || exit 0

sudo=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Run this as root, or install sudo." >&2; exit 1; }
    sudo=sudo
fi
log=$(mktemp)
fail() {
    tail -n 20 "$log" >&2
    echo "The installation failed; the whole log is in $log." >&2
    exit 1
}
$sudo apt-get update >"$log" 2>&1 || fail
list_missing "$@" # now that apt knows what there is
echo "Installing missing packages:$missing"
DEBIAN_FRONTEND=noninteractive $sudo apt-get install -o DPkg::Lock::Timeout=600 -y \
    --no-install-recommends $missing >"$log" 2>&1 || fail
rm -f "$log"
