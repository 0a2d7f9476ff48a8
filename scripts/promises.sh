#!/usr/bin/env bash
# promises.sh BUILD [FILE or TEST...]: our behaviour tests on libuv itself, so that what they ask of
# our library is what libuv's documentation promises. Ours passes them in `make test`.
set -euo pipefail
build=$1
shift
bench/peer.sh "$build"
exec lib/tests/conformance/alone.sh python3 -B lib/tests/promises/run.py "$build" "$@"
