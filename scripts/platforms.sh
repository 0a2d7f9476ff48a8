#!/usr/bin/env bash
# platforms.sh BUILD [PLATFORM...]: the layouts of other processors, the library's tests everywhere
# (or on the platforms that are named), and docs/PLATFORMS.md from what they said.
set -euo pipefail
build=$1
shift
mkdir -p "$build"
failed=0
if [ $# = 0 ]; then
    mkdir -p "$build/platforms"
    bash tests/platforms/layouts.bash "$build" | tee "$build/platforms/layouts.txt" || failed=1
fi
python3 -B tests/platforms/run.py "$build" "$@" || failed=1
python3 -B tests/platforms/report.py "$build" || failed=1
exit $failed
