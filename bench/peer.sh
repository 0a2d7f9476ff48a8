#!/usr/bin/env bash
# peer.sh BUILD: unpacks the libuv of Debian's testing suite, and the C library that it was built
# for, below BUILD/peer. `make bench PEER=testing` compares with it: both sides then run under that
# C library.
set -euo pipefail
folder=$1/peer
[ ! -e "$folder/complete" ] || exit 0
mkdir -p "$folder/packages"
apt=$(realpath scripts/testing-apt.sh)
lists=$(realpath "$folder")/apt
echo "Fetching libuv and the C library of Debian's testing suite into $folder/"
{
    "$apt" "$lists" update &&
        (cd "$folder/packages" && "$apt" "$lists" download libuv1t64 libc6 libgcc-s1)
} >"$folder/log" 2>&1 || { tail -n 5 "$folder/log" >&2; exit 1; }
for package in "$folder"/packages/*.deb; do
    dpkg -x "$package" "$folder/root"
done
touch "$folder/complete"
