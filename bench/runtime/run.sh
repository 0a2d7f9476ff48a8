#!/usr/bin/env bash
# run.sh BUILD [--rounds N] [--only TEXT] [--beside "NAME COMMAND"]... [--write PAGE.md]: our
# runtime, Node and others side by side. Rows stand in rows.txt. Needs a quiet machine.
set -euo pipefail
build=${1:-build}
shift || true
here=$(dirname "$0")
command -v node >/dev/null || { echo "run.sh: no node here to compare with" && exit 77; }
mkdir -p "$build"
load=$build/load
[ "$load" -nt "$here/load.c" ] || ${CC:-cc} -O2 -D_GNU_SOURCE -o "$load" "$here/load.c"
exec python3 "$here/run.py" "$build/bin/phasor" "$load" "$@"
