#!/usr/bin/env bash
# fetch.sh FOLDER: Node's own tests, from the source package of Debian's nodejs, into FOLDER/test.
# Nothing else of the package is unpacked. The suite is the one that carries Node 20.
set -euo pipefail
folder=$1
[ ! -e "$folder/complete" ] || exit 0
apt=$(realpath "$(dirname "$0")/../../../scripts/testing-apt.sh")
mkdir -p "$folder/package"
folder=$(cd "$folder" && pwd)
export SUITE=trixie
if ! { bash "$apt" "$folder/apt" update && cd "$folder/package" &&
    bash "$apt" "$folder/apt" source --download-only nodejs; } >"$folder/fetch.log" 2>&1; then
    tail -n 5 "$folder/fetch.log" >&2
    echo "The source package of nodejs could not be fetched." >&2
    exit 1
fi
archive=$(echo "$folder"/package/nodejs_*.orig.tar.*)
top=$(tar -tf "$archive" 2>/dev/null | head -n 1 || true)
rm -rf "$folder/test"
tar -xf "$archive" -C "$folder" --strip-components=1 "${top%%/*}/test"
version=$(basename "$archive")
version=${version#nodejs_}
echo "${version%%+*}" >"$folder/complete"
rm -rf "$folder/apt" "$folder/package"
