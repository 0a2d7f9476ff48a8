#!/usr/bin/env bash
# Whoever calls a function that may suspend says so, in our sources; the check finds who does not.
set -euo pipefail
mapfile -t files < <(find go -name '*.[ch]')
python3 -B go/scripts/suspends.py "${files[@]}"
temp=$(mktemp -d "${TMPDIR:-/tmp}/phasor-go-XXXXXX")
trap 'rm -rf "$temp"' EXIT
cat >"$temp/bad.c" <<'END'
#include <phasor_go.h>
static void fine(void) { /* go_sleep(1) */
    puts("go_sleep(1)");
    go_start(loop, go_sleep_well, NULL);
}
static int entry(void* arg) {
    return go_sleep(1);
}
static go_suspends int marked(int a,
                              int b) {
    return go_sleep(a);
}
static int unmarked(int a) {
    return marked(a, 1);
}
END
if output=$(python3 -B go/scripts/suspends.py go/include/phasor_go.h "$temp/bad.c" 2>&1); then
    echo "nothing was found" >&2
    exit 1
fi
[ "$(grep -c 'mark it' <<<"$output")" = 1 ]
grep -q 'bad.c:13: unmarked calls marked' <<<"$output"
