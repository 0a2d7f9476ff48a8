#!/usr/bin/env bash
# The program that docs/COROUTINES.md begins with builds without a warning, and does what it
# looks like.
set -euo pipefail
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
awk '/^```c$/ { inside = 1; next } /^```$/ { if (inside) exit } inside' \
    docs/COROUTINES.md >"$temp/first.c"
"${CC:-gcc}" -Wall -Wextra -Werror -Igo/include -Ilib/include "$temp/first.c" -o "$temp/first" \
    -L"$1/lib" -lphasor_go -luv -Wl,-rpath,"$1/lib"
[ "$("$temp/first")" = $'1\n2\n3' ]
