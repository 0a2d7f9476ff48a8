#!/usr/bin/env bash
# clients.sh BUILD [quick] [CLIENT...]: Debian's node, neovim, uvloop, luv, named and cmake on our
# library, beside Debian's.
set -euo pipefail
build=$1
shift
if [ "$(id -u)" = 0 ] && ! unshare --mount true 2>/dev/null; then
    echo "skipped: this machine allows no mount namespace"
    exit 77
fi
out=$build/clients
mkdir -p "$out"
tests/clients/install.sh "$out"
python3 tests/clients/run.py "$out" "${PHASOR_LIBRARY:-$build/lib/libuv.so.1}" \
    "/usr/lib/$(gcc -print-multiarch)/libuv.so.1" "$@"
