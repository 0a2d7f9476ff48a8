#!/usr/bin/env bash
# Every struct of uv.h is as large as libuv's on each processor for which there is a compiler.
set -euo pipefail
checked=0
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-sizes-XXXXXX")
trap 'rm -rf "$temp"' EXIT
while read -r processor prefix; do
    command -v "$prefix-gcc" >/dev/null || continue
    python3 -B lib/tests/abi/generate.py sizes "$processor" >"$temp/$processor.c"
    "$prefix-gcc" -std=gnu11 -D_FILE_OFFSET_BITS=64 -D_TIME_BITS=64 -Ilib/include -fsyntax-only \
        "$temp/$processor.c" || { echo "sizes differ on $processor" >&2; exit 1; }
    checked=$((checked + 1))
done <<'END'
arm64 aarch64-linux-gnu
riscv64 riscv64-linux-gnu
ppc64el powerpc64le-linux-gnu
s390x s390x-linux-gnu
armhf arm-linux-gnueabihf
i386 i686-linux-gnu
END
[ $checked -gt 0 ] || { echo "skipped: no compiler for another processor"; exit 77; }
echo "the sizes are libuv's on $checked processors"
