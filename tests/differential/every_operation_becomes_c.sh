#!/usr/bin/env bash
# Every program can be written as C that compiles without a remark.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
here=$(dirname "$0")
for seed in $(seq 1 "${COUNT:-60}"); do
    python3 "$here/generate.py" "$seed" | tail -n +2 >"$folder/program"
    python3 "$here/emit.py" "$folder/program" >"$folder/program.c"
    gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Werror -Wno-unused -Iinclude \
        "$folder/program.c" || { echo "seed $seed"; exit 1; }
done
