#!/usr/bin/env bash
# A run of some platforms replaces what the page says about them, and about no others.
set -euo pipefail
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-report-XXXXXX")
trap 'rm -rf "$temp"' EXIT
fail() {
    echo "$1" >&2
    cat "$temp/page.md" >&2
    exit 1
}
has() { grep -qxF -e "$1" "$temp/page.md" || fail "the page has no line: $1"; }

mkdir -p "$temp/build/platforms/results"
cat >"$temp/page.md" <<'END'
Before.
<!-- results -->
| processor | C library | condition | tests | passed | skipped | impossible | failed |
|---|---|---|---|---|---|---|---|
| arm64 | glibc | as it is | 7 | 4 | 1 | 1 | 1 |
| s390x | glibc | as it is | 9 | 6 | 2 | 1 | 0 |

Skipped tests said themselves that they can't run:

| reason | tests |
|---|---|
| there is nothing | arm64 1, s390x 2 |

Impossible ones are those of `tests/platforms/exceptions.txt`:

| reason | tests |
|---|---|
| nobody can | arm64 1 |

## Layouts

Our header:

- arm64: 3 sizes

## Sizes

| platform | size |
|---|---|
| s390x | 505 kB |
<!-- end -->
After.
END
cat >"$temp/build/platforms/results/arm64.json" <<'END'
{"names": ["arm64"], "total": 8, "passed": 6, "skipped": {"one": "there is nothing",
 "two": "another reason"}, "impossible": {}, "failed": {}}
END
python3 -B tests/platforms/report.py "$temp/build" "$temp/page.md" >/dev/null
has "| arm64 | glibc | as it is | 8 | 6 | 2 | 0 | 0 |"
has "| s390x | glibc | as it is | 9 | 6 | 2 | 1 | 0 |"
has "| riscv64 | glibc | as it is | not run yet | | | | |"
has "| there is nothing | arm64 1, s390x 2 |"
has "| another reason | arm64 1 |"
! grep -q "nobody can" "$temp/page.md" || fail "what is possible now is still there"
has "- arm64: 3 sizes"
has "| s390x | 505 kB |"
[ "$(head -n 1 "$temp/page.md") $(tail -n 1 "$temp/page.md")" = "Before. After." ] ||
    fail "the text around has changed"
cp "$temp/page.md" "$temp/first"
python3 -B tests/platforms/report.py "$temp/build" "$temp/page.md" >/dev/null
cmp -s "$temp/first" "$temp/page.md" || fail "the same results give another page"
