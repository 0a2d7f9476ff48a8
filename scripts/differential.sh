#!/usr/bin/env bash
# differential.sh BUILD [FIRST-LAST]: runs the programs of these seeds on our library, on Debian's
# libuv and, where it can be fetched, on that of Debian's testing suite, and compares the logs.
set -euo pipefail
build=$1
bench/peer.sh "$build" || echo "Testing's libuv could not be fetched: comparing with Debian's only."
ninja -C "$build" tests/differential_machine >/dev/null
exec python3 lib/tests/differential/compare.py "$build" --seeds "${2:-1-20000}"
