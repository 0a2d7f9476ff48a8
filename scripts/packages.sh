#!/usr/bin/env bash
# packages.sh [test]: installs the Debian packages that are missing for building, or for testing
# too. Says which, and nothing when there are none.
set -euo pipefail

wanted="gcc libc6-dev cmake ninja-build make pkg-config python3 git libdw-dev libmd-dev
        zlib1g-dev"
if [ "${1:-}" = test ]; then
    wanted="$wanted g++ clang libclang-rt-14-dev clang-format clang-tidy valgrind abigail-tools
            libuv1-dev iproute2 util-linux chromium xz-utils strace"
fi

missing=""
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

echo "Installing missing Debian packages:$missing"
sudo=""
if [ "$(id -u)" != 0 ]; then
    command -v sudo >/dev/null || { echo "Run this as root, or install sudo." >&2; exit 1; }
    sudo=sudo
fi
log=$(mktemp)
if ! { $sudo apt-get update && DEBIAN_FRONTEND=noninteractive $sudo apt-get install -y \
        --no-install-recommends $missing; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "The installation failed; the whole log is in $log." >&2
    exit 1
fi
rm -f "$log"
