#!/usr/bin/env bash
# js-expected.sh [SCRIPT...]: runs the programs of runtime/tests/js (or the given ones) with Node
# 20 and
# writes down what they print, in runtime/tests/js/expected. Without arguments, files of programs
# that are
# gone are removed.
set -euo pipefail
cd "$(dirname "$0")/.."
case "$(node --version 2>/dev/null || true)" in
v20.*) ;;
*) echo "There is no Node 20 here." >&2 && exit 1 ;;
esac
shopt -s nullglob
if [ $# = 0 ]; then
    programs=(runtime/tests/js/{*,order/*}/*.*js runtime/tests/js/*/*.sh)
    rm -rf runtime/tests/js/expected
    mkdir runtime/tests/js/expected
    node --version >runtime/tests/js/expected/node-version
else
    programs=("$@")
fi
printf '%s\0' "${programs[@]}" |
    xargs -0 -n 1 -P "$(nproc)" bash runtime/tests/js/compare.sh --write
echo "${#programs[@]} programs written down; git diff runtime/tests/js/expected shows what is new."
