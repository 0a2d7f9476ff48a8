#!/usr/bin/env bash
# fetch.sh FOLDER: the sources of others that ours are compared with, into FOLDER/node, FOLDER/libuv
# (both from Debian's source packages). A machine reads them; nothing of them is committed.
set -euo pipefail
folder=$1
[ ! -e "$folder/complete" ] || exit 0
apt=$(realpath "$(dirname "$0")/../../scripts/testing-apt.sh")
mkdir -p "$folder/package"
folder=$(cd "$folder" && pwd)
export SUITE=trixie
log=$folder/fetch.log
if ! { bash "$apt" "$folder/apt" update && cd "$folder/package" &&
    bash "$apt" "$folder/apt" source --download-only nodejs libuv1; } >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    exit 1
fi

unpack() { # unpack PACKAGE FOLDER SUBFOLDER: one folder of a package's original tarball
    local archive top
    archive=$(echo "$folder/package/$1"_*.orig.tar.*)
    top=$(tar -tf "$archive" 2>/dev/null | head -n 1 || true)
    rm -rf "${folder:?}/$2"
    mkdir "$folder/$2"
    tar -xf "$archive" -C "$folder/$2" --strip-components=1 "${top%%/*}/$3"
}
unpack nodejs node lib
unpack libuv1 libuv src
rm -rf "$folder/apt" "$folder/package"
touch "$folder/complete"
