#!/usr/bin/env bash
# The shared library exports the functions of the table and phasor_*, nothing else; the static one
# has no global name that could collide with a program's own.
. lib/tests/abi/common.bash
need_library
failed=0
complain() { # complain MESSAGE FILE: fails with the names in the file, if there are any
    [ -s "$2" ] || return 0
    echo "$1:" >&2
    sed 's/^/    /' "$2" >&2
    failed=1
}

generate names | sort >"$temp/table"
nm -D --defined-only "$build/lib/libuv.so.1" | awk '{print $NF}' | sort >"$temp/exported"

grep -v '^phasor_' "$temp/exported" | comm -13 "$temp/table" - >"$temp/extra" || true
complain "exported, but not in the interface" "$temp/extra"
comm -23 "$temp/table" "$temp/exported" >"$temp/missing"
complain "missing" "$temp/missing"

nm -D --defined-only "$build/lib/libuv.so.1" | awk 'NF == 3 && $2 != "T"' >"$temp/data"
grep -v ' phasor_' "$temp/data" >"$temp/other" || true
complain "exported, but not a strong function" "$temp/other"

nm -g --defined-only "$build/lib/libuv.a" | awk 'NF == 3 {print $3}' | sort -u |
    grep -vE '^(ph_|phasor_)' | comm -13 "$temp/table" - >"$temp/global" || true
complain "global in libuv.a, but neither in the interface nor ph_* or phasor_*" "$temp/global"

echo "$(comm -12 "$temp/table" "$temp/exported" | wc -l) of $(wc -l <"$temp/table") functions"
exit $failed
