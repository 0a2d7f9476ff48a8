#!/usr/bin/env bash
# Every program can be written as C that compiles without a remark.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 - "$(dirname "$0")" "$folder" <<'END'
import pathlib
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import emit
import generate
for seed in [*range(1, 41), *range(50, 500, 10)]:
    text = emit.program(generate.program(seed))
    pathlib.Path(sys.argv[2], f"seed{seed}.c").write_text(text, encoding="utf-8")
END
gcc -std=gnu11 -D_GNU_SOURCE -fsyntax-only -Wall -Wextra -Werror -Wno-unused -Ilib/include \
    "$folder"/*.c
